// The programs of `npm run dev`: each package of ours is bundled into a file of its own, so that a change bundles one
// package and not all of them. Other people's packages stay where they are installed.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from '@swc/core';
import { context } from 'esbuild';
import { ownPlaces } from '../bundling.mjs';

const GROUPS = ['libs', 'services', 'examples', 'apps'];
const OURS = /^@bourse\//;

/** The source of a built module of ours: `<package>/dist/x.js` comes from `<package>/src/x.ts`. */
const sourceOf = (built) => built.replace(/([\\/])dist([\\/].+)\.js$/, '$1src$2.ts');

/** Returns the code of a module whose source is newer than its build; compiles each state of it once. */
function compiler(root) {
  const swc = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  const done = new Map();
  return async (built) => {
    const source = sourceOf(built);
    if (source === built || !existsSync(source)) return undefined;
    const { mtimeMs } = statSync(source);
    if (existsSync(built) && statSync(built).mtimeMs >= mtimeMs) return undefined;
    const text = readFileSync(source, 'utf8');
    if (done.get(source)?.text !== text) {
      const { code } = await transform(text, { ...swc, swcrc: false, filename: source, sourceMaps: 'inline' });
      done.set(source, { text, code });
    }
    return done.get(source).code;
  };
}

/** A module that has a source and was never built. */
const newModules = {
  name: 'new modules',
  setup(bundler) {
    bundler.onResolve({ filter: /\.js$/ }, ({ path, resolveDir, kind }) => {
      if (!path.startsWith('.') && kind !== 'entry-point') return undefined;
      const built = resolve(resolveDir, path);
      return !existsSync(built) && existsSync(sourceOf(built)) ? { path: built } : undefined;
    });
  },
};

/**
 * Our other packages resolve to the files that they were bundled into. A dependency that one of our packages has in a
 * folder of its own, in another version than the rest, resolves to its path.
 */
const others = (dir) => ({
  name: 'other packages',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === 'asked') return undefined;
      const parts = path.split('/');
      if (OURS.test(path)) return { path: `../${parts[1]}/${parts.slice(2).join('/') || 'index'}.js`, external: true };
      const own = join(dir, 'node_modules', ...parts.slice(0, path.startsWith('@') ? 2 : 1));
      if (!existsSync(own)) return { path, external: true };
      const found = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: 'asked' });
      return found.errors.length > 0 ? found : { path: pathToFileURL(found.path).href, external: true };
    });
  },
});

/** Every package of ours by its name without the scope. */
function findPackages(root) {
  const found = new Map();
  for (const group of GROUPS)
    for (const folder of existsSync(join(root, group)) ? readdirSync(join(root, group)) : []) {
      const dir = join(root, group, folder);
      if (!existsSync(join(dir, 'package.json'))) continue;
      const { name, exports = {} } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
      if (OURS.test(name)) found.set(name.split('/')[1], { group, folder, dir, exports });
    }
  return found;
}

/** The files that others import from a package, and of the program its first one. */
function entriesOf({ dir, exports }, isProgram) {
  if (isProgram) return { main: join(dir, 'dist', 'main.js') };
  const entries = Object.entries(exports).map(([name, to]) => [name.slice(2) || 'index', to.default ?? to]);
  return Object.fromEntries(
    entries.filter(([, file]) => file.endsWith('.js')).map(([name, file]) => [name, join(dir, file)]),
  );
}

/**
 * Joins `program`, a package with a `main`, and those of our packages that it needs into folders of `outdir`. Returns
 * `programUrl`; `packageOf(file)`, the package that a file of the workspace belongs to; `rejoin(package)`;
 * `services()`, the addresses of the packages that the program runs; and `foundation(without)`, those that all others
 * depend on: third-party packages and our libraries, without one library and its dependents.
 */
export async function joinPackages({ root, outdir, program = 'exchange' }) {
  const packages = findPackages(root);
  const changed = compiler(root);
  const joined = new Map();

  async function joinOne(name) {
    const { dir } = packages.get(name);
    const own = joined.get(name) ?? { uses: new Set(), others: [] };
    joined.set(name, own);
    own.bundler ??= await context({
      entryPoints: entriesOf(packages.get(name), name === program),
      outdir: join(outdir, name),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      // Nest and our logs use the names of classes.
      keepNames: true,
      legalComments: 'none',
      sourcemap: 'linked',
      sourcesContent: false,
      plugins: [newModules, ownPlaces(join(outdir, name), changed), others(dir)],
      logLevel: 'silent',
      metafile: true,
    });
    const { metafile } = await own.bundler.rebuild();
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.filter((one) => one.external));
    own.uses = new Set(imports.map(({ path }) => /^\.\.\/([^/]+)\//.exec(path)?.[1]).filter(Boolean));
    own.others = imports
      .filter(({ path, kind }) => kind === 'import-statement' && !/^(\.\.\/|node:)/.test(path))
      .map(({ path }) => path);
    await Promise.all([...own.uses].filter((used) => !joined.has(used)).map(joinOne));
  }

  /** Whether a package is another, or needs it. */
  function needs(name, other, seen = new Set()) {
    if (name === other) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return [...(joined.get(name)?.uses ?? [])].some((used) => needs(used, other, seen));
  }

  const urlOf = (name) => pathToFileURL(join(outdir, name, 'index.js')).href;

  await joinOne(program);
  return {
    programUrl: pathToFileURL(join(outdir, program, 'main.js')).href,
    packageOf(file) {
      const [group, folder] = relative(root, file).split(sep);
      return [...joined.keys()].find((name) => {
        const found = packages.get(name);
        return found.group === group && found.folder === folder;
      });
    },
    rejoin: joinOne,
    needs,
    isLibrary: (name) => packages.get(name).group === 'libs',
    services: () => [...joined.keys()].filter((name) => packages.get(name).group === 'services').map(urlOf),
    foundation(without) {
      const libraries = [...joined.keys()].filter(
        (name) => packages.get(name).group === 'libs' && !(without && needs(name, without)),
      );
      return {
        libraries,
        urls: [...new Set([...joined.values()].flatMap((one) => one.others)), ...libraries.map(urlOf)],
      };
    },
  };
}
