// Options to bundle the programs that ship with all their packages (`tools/bundle.mjs`).
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { EXTERNAL } from '../image/externals.mjs';
import { programDir, root } from './clone.mjs';

/**
 * Our modules find their files relative to where they were built, wherever the bundle is. `changed` returns the code of
 * a module that is newer than its built file, else undefined.
 */
export const ownPlaces = (outdir, changed = () => undefined) => ({
  name: 'own places',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](libs|services|apps|examples)[\\/].+\.js$/ }, async ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const code = (await changed(path)) ?? readFileSync(path, 'utf8');
      const place = `new URL(${JSON.stringify(relative(outdir, path).split(sep).join('/'))}, import.meta.url).href`;
      return { contents: code.replaceAll('import.meta.url', place), loader: 'js' };
    });
  },
});

/**
 * Third-party packages require optional ones, mostly drivers: those that are not installed stay a `require` at run
 * time.
 */
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

/** Programs that are no service. */
const APPS = ['exchange', 'fix'];
const sourceOf = (name) => join(root, APPS.includes(name) ? 'apps' : 'services', name, 'dist', 'main.js');

/** Options of esbuild for modules that ship with all their packages. */
const optionsFor = (outdir) => ({
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Without `keepNames`: it would name each closure when it is created (1 us each). Functions and classes keep their
  // names anyway, except that a digit is added where two files of a program use the same one.
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  external: EXTERNAL,
  banner: {
    js: "import{createRequire as requireOfBundle}from'node:module';const require=requireOfBundle(import.meta.url);",
  },
  plugins: [ownPlaces(outdir), optionalPackages],
  logLevel: 'warning',
  logOverride: { 'require-resolve-not-external': 'silent' },
  metafile: true,
});

/** Options of esbuild for these programs, as they ship. */
export const bundleOptions = (names) => ({
  ...optionsFor(programDir),
  entryPoints: Object.fromEntries(names.map((name) => [name, sourceOf(name)])),
});

/**
 * Options of esbuild for packages that several programs import, by the name of their bundle: they share what they have
 * in common, so a module is loaded once. `place` is where the bundles will lie in the clone's folders.
 */
export const packageOptions = (packages, outdir, place) => ({
  ...optionsFor(outdir),
  absWorkingDir: root,
  entryPoints: Object.entries(packages).map(([name, specifier]) => ({ in: specifier, out: name })),
  splitting: true,
  sourcemap: false,
  plugins: [ownPlaces(place), optionalPackages],
});
