// The licences of everything that ships: what a production install takes, native parts of all platforms too, read from
// the lock file, so that the answer is the same on every machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that ask for nothing but their own text beside the program. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
]);
/** libvips is loaded as a library of its own, which anyone may replace: all that its licence asks for. */
const REPLACEABLE = { licence: 'LGPL-3.0-or-later', packages: /^@img\/sharp-(libvips-)?[a-z0-9-]+$/ };
/** Packages without a licence in their package.json, and the licence in their own files. */
const SAID_ELSEWHERE = { 'passport-strategy': 'MIT', pause: 'MIT', 'xmlhttprequest-ssl': 'MIT' };

/** `{ path, name, version, licence }` of every package that ships, sorted; `lock` is the parsed lock file. */
export function shipped(lock) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.dev)
    .map(([path, entry]) => {
      const name = entry.name ?? path.split('node_modules/').pop();
      return { path, name, version: entry.version, licence: entry.license ?? SAID_ELSEWHERE[name] };
    })
    .sort((one, other) =>
      one.name < other.name ? -1 : one.name > other.name ? 1 : one.version < other.version ? -1 : 1,
    );
}

/** Whether all that a licence expression asks for is allowed; `name` is the package's. */
export function isAllowed(expression, name) {
  if (!expression) return false;
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some((one) => isAllowed(one, name));
  return plain
    .split(' AND ')
    .every((one) => ALLOWED.has(one) || (one === REPLACEABLE.licence && REPLACEABLE.packages.test(name)));
}

/** Returns the packages that may not ship, in sentences; [] if there are none. */
export function licenceProblems(lock) {
  return shipped(lock)
    .filter(({ licence, name }) => !isAllowed(licence, name))
    .map(({ name, version, licence }) => `${name}@${version} is under ${licence ?? 'no licence that it names'}`);
}

/** Packages whose files are served with third-party code in them, and the files with their notices. */
const SERVED = { 'swagger-ui-dist': ['NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'] };

/** The text of a package's licence, where its files have one, and the notices of what it has in it. */
function textOf(folder, name) {
  if (!existsSync(folder)) return undefined;
  const file = readdirSync(folder).find((one) => /^(licen[sc]e|copying)/i.test(one) && !/\.(js|ts|json)$/.test(one));
  return (
    file &&
    [file, ...(SERVED[name] ?? [])]
      .map((one) => readFileSync(join(folder, one), 'utf8').replaceAll('\r\n', '\n').trim())
      .join('\n\n')
  );
}

/** The heading of a package. */
const heading = ({ name, version, licence }) => `- ${name} ${version} (${licence})`;

/** The notices as one text: packages with the same licence text are listed above it. `root` has them installed. */
export function noticesOf(lock, root) {
  const texts = new Map();
  const listed = new Set();
  for (const one of shipped(lock)) {
    const line = heading(one);
    if (listed.has(line)) continue;
    listed.add(line);
    const text = textOf(join(root, one.path), one.name) ?? '';
    texts.set(text, [...(texts.get(text) ?? []), line]);
  }
  const bare = texts.get('') ?? [];
  texts.delete('');
  const parts = [...texts].map(([text, lines]) => `${lines.join('\n')}\n\n\`\`\`text\n${text}\n\`\`\`\n`);
  return [
    '# Notices of third parties\n',
    'Bourse itself is under the MIT licence (LICENSE). It ships with the packages below, each under its own terms.',
    'Fonts (OFL-1.1) are served as they are. libvips (LGPL-3.0-or-later) is loaded as a library of its own, which may',
    'be replaced. Written by `npm run release -- notices`.\n',
    ...parts,
    '## Packages without a text of their own\n',
    'Native parts of other platforms come under the text of the package that brings them; the others are under the',
    'licence as it is known by its name.\n',
    `${bare.join('\n')}\n`,
  ].join('\n');
}

/** Packages that ship and that the notices do not name. */
export function unnamed(lock, notices) {
  const lines = new Set(notices.split('\n'));
  return [...new Set(shipped(lock).map(heading))].filter((line) => !lines.has(line));
}
