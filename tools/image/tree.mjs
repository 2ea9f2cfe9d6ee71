// `node tools/image/tree.mjs <folder>`: lays out there what the image holds of this clone, once it is built: the
// programs, the packages that its tools import, each as a bundle, the files that they read, the two web pages. No
// sources, tests, types or maps.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packageOptions } from '../lib/bundling.mjs';
import { readManifests } from '../lib/manifests.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The packages that the programs and the tools of the image import. */
const FIRST = ['exchange', 'simulation'];
/** Tools without which a server does well. */
const TOOLS = [
  'audit',
  'bourse',
  'breaker',
  'copy-authorities',
  'export',
  'keys',
  'login',
  'migrate',
  'operator',
  'pairs',
  'reconcile',
  'replay',
  'secrets',
  'seed',
  'simulate',
  'tick-key',
].map((name) => `tools/${name}.mjs`);
/** Modules for a clone alone: they start servers of the machine, or run sources. */
const OF_CLONES = new Set(['kafka', 'sources'].map((name) => `tools/lib/${name}.mjs`));
/** Test helpers, which tools reach by modules that are for clones too. */
const NOT_BROUGHT = new Set(['testcontainers']);
/** Decorators need it before them, and bundles that share modules do not keep the order in which these are imported. */
const FIRST_LOADED = 'reflect-metadata';
const UNWANTED = /\.test\.\w+$|\.d\.[cm]?ts$|\.map$|\.tsbuildinfo$/;
/** Our code is in the bundles. */
const CODE = /\.js$/;

/** Folders of our packages by name. */
function packages() {
  const found = new Map();
  for (const group of ['libs', 'services', 'apps', 'examples'])
    for (const name of readdirSync(join(root, group))) {
      const file = join(root, group, name, 'package.json');
      if (existsSync(file))
        found.set(`@bourse/${name}`, { folder: `${group}/${name}`, ...JSON.parse(readFileSync(file, 'utf8')) });
    }
  return found;
}

/** Folders of the packages that `names` need of us, themselves among them. */
function needed(names) {
  const known = packages();
  const taken = new Map();
  const take = (name) => {
    const one = known.get(name);
    if (one === undefined || taken.has(name)) return;
    taken.set(name, one.folder);
    for (const other of Object.keys(one.dependencies ?? {})) take(other);
  };
  for (const name of names) take(`@bourse/${name}`);
  return [...taken.values()];
}

function copy(path, into, unwanted = UNWANTED) {
  const from = join(root, path);
  if (!existsSync(from)) throw new Error(`${path} is missing: build first (npm run build).`);
  mkdirSync(dirname(join(into, path)), { recursive: true });
  cpSync(from, join(into, path), { recursive: true, dereference: true, filter: (file) => !unwanted.test(file) });
}

/** The modules of tools that these ones import, themselves among them, and the packages that they import. */
function closureOf(files) {
  const modules = new Set();
  const packages = new Set();
  const visit = (file) => {
    if (modules.has(file)) return;
    modules.add(file);
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, specifier] of text.matchAll(/(?:\bfrom |\bimport\(|^import )['"`]([^'"`]+)['"`]/gm)) {
      if (specifier.startsWith('node:')) continue;
      const path = specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : undefined;
      if (path === undefined) packages.add(specifier);
      else if (path.startsWith('tools/') && !path.includes('$') && !OF_CLONES.has(path)) visit(path);
    }
  };
  for (const file of files) visit(file);
  const services = readManifests().map(({ name }) => name);
  const named = [...packages].flatMap((one) =>
    one.includes('${name}') ? services.map((name) => one.replace('${name}', name)) : [one],
  );
  return { modules: [...modules], packages: [...new Set(named)].filter((name) => !NOT_BROUGHT.has(name)) };
}

const fileOf = (specifier) => specifier.replaceAll(/[^\w-]+/g, '.').replace(/^\./, '');

/**
 * Bundles packages into `packages/`, and makes each importable by its name. A name is a folder of node_modules that
 * passes on what the bundle has.
 */
async function bundlePackages(specifiers, into) {
  const bundles = join(into, 'packages');
  const server = 'exchange.postgres';
  const entries = Object.fromEntries([FIRST_LOADED, ...specifiers].map((specifier) => [fileOf(specifier), specifier]));
  await build(
    packageOptions({ ...entries, [server]: './apps/exchange/dist/postgres.js' }, bundles, join(root, 'packages')),
  );
  const passOn = (file, name) => {
    const bundle = (one) => relative(dirname(file), join(bundles, `${one}.js`));
    const target = bundle(name);
    const hasDefault = /\bas default\b|^export default\b/m.test(readFileSync(join(bundles, `${name}.js`), 'utf8'));
    mkdirSync(dirname(file), { recursive: true });
    const lines = [
      `import '${bundle(fileOf(FIRST_LOADED))}';`,
      `export * from '${target}';`,
      ...(hasDefault ? [`export { default } from '${target}';`] : []),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
  };
  const byPackage = Map.groupBy(specifiers, (one) =>
    one
      .split('/')
      .slice(0, one.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  for (const [name, all] of byPackage) {
    const folder = join(into, 'node_modules', name);
    const exported = {};
    for (const specifier of all) {
      const entry = `.${specifier.slice(name.length)}`;
      exported[entry] = `./${fileOf(specifier)}.js`;
      passOn(join(folder, exported[entry]), fileOf(specifier));
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: exported }));
  }
  passOn(join(into, 'apps', 'exchange', 'dist', 'postgres.js'), server);
}

const into = resolve(process.argv[2] ?? '');
if (process.argv[2] === undefined) {
  console.error('Say where: node tools/image/tree.mjs /image');
  process.exit(1);
}
for (const path of ['package.json', 'LICENSE', 'dist', 'tools/healthy.sh', 'apps/terminal/dist', 'apps/console/dist'])
  copy(path, into);
for (const folder of needed(FIRST)) {
  copy(`${folder}/package.json`, into);
  copy(`${folder}/dist`, into, new RegExp(`${UNWANTED.source}|${CODE.source}`));
  for (const name of ['service.json', 'recordings'])
    if (existsSync(join(root, folder, name))) copy(`${folder}/${name}`, into);
}
const { modules, packages: imported } = closureOf([...TOOLS, 'tools/lib/preload.mjs']);
for (const path of modules) copy(path, into);
await bundlePackages(imported, into);
// By it the tools know that there is nothing to install or to build here.
writeFileSync(join(into, '.image'), '');
