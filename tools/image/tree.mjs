// `node tools/image/tree.mjs <folder>`: lays out there what the image holds of this clone, once it is built: the
// programs, the packages that a server and its tools read, the two web pages. No sources, tests, types or maps.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  'healthy',
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
const UNWANTED = /\.test\.\w+$|\.d\.[cm]?ts$|\.map$|\.tsbuildinfo$/;

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

function copy(path, into) {
  const from = join(root, path);
  if (!existsSync(from)) throw new Error(`${path} is missing: build first (npm run build).`);
  mkdirSync(dirname(join(into, path)), { recursive: true });
  cpSync(from, join(into, path), { recursive: true, dereference: true, filter: (file) => !UNWANTED.test(file) });
}

const into = resolve(process.argv[2] ?? '');
if (process.argv[2] === undefined) {
  console.error('Say where: node tools/image/tree.mjs /image');
  process.exit(1);
}
const parts = needed(FIRST).flatMap((folder) => [
  `${folder}/package.json`,
  `${folder}/dist`,
  ...['service.json', 'recordings'].map((name) => `${folder}/${name}`).filter((path) => existsSync(join(root, path))),
]);
for (const path of ['package.json', 'LICENSE', 'dist', ...TOOLS, ...parts, 'apps/terminal/dist', 'apps/console/dist'])
  copy(path, into);
for (const name of readdirSync(join(root, 'tools/lib')).filter((file) => file.endsWith('.mjs')))
  copy(`tools/lib/${name}`, into);
// By it the tools know that there is nothing to install or to build here.
writeFileSync(join(into, '.image'), '');
