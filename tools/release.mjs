// npm run release -- <what>: the steps of docs/releasing.md.
//   check vX.Y.Z    whether the tree is ready to be called that
//   version X.Y.Z   writes the version into all packages and the lock file
//   notes vX.Y.Z    the changelog's section of that version
//   notices         writes THIRD_PARTY_NOTICES.md
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BASELINE, baselineOf, baselineProblems, dayOf, digestsOf, DOCUMENTS } from './lib/api/baseline.mjs';
import { fail, root } from './lib/clone.mjs';
import { licenceProblems, noticesOf, unnamed } from './lib/licences.mjs';

const NOTICES = 'THIRD_PARTY_NOTICES.md';
const read = (name) => readFileSync(join(root, name), 'utf8');
const lockFile = () => JSON.parse(read('package-lock.json'));

/** Paths of all manifests of the workspace, its root first. */
export function manifests() {
  const groups = ['apps', 'libs', 'services', 'examples'];
  return [
    'package.json',
    ...groups
      .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/package.json`))
      .filter((path) => existsSync(join(root, path))),
  ];
}

/** The package of Python, whose version is that of all others. */
const PYTHON = 'examples/python/ccxt/pyproject.toml';
const PYTHON_VERSION = /^version = "([^"]+)"$/m;

/** The section of a version, without its heading; undefined when the changelog has none. */
export function sectionOf(changelog, version) {
  const lines = changelog.split('\n');
  const begin = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} (`));
  if (begin < 0) return undefined;
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(begin + 1, length < 0 ? undefined : begin + 1 + length)
    .join('\n')
    .trim();
}

/** Why a tree is not ready to be called a version, in sentences; ready: []. */
export function releaseProblems(tag, { versions, changelog, lock, notices, api }) {
  const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];
  if (!version) return [`${tag} is no tag of a version: vX.Y.Z`];
  const problems = Object.entries(versions)
    .filter(([, one]) => one !== version)
    .map(([path, one]) => `${path} says ${one}: npm run release -- version ${version}`);
  if (!sectionOf(changelog, version)) problems.push(`CHANGELOG.md has no section "## ${version} (date)" with content`);
  problems.push(...apiProblems(version, changelog, api));
  return [...problems, ...licenceProblems(lock), ...unnamed(lock, notices).map((line) => `${NOTICES} lacks "${line}"`)];
}

/**
 * The interface documents of a release are the ones that the next is compared with. `api`: the baseline, digests of its
 * documents, and names of documents that say something else now.
 */
function apiProblems(version, changelog, { baseline, digests, changed }) {
  const mend = 'npm run api -- --release';
  const problems = baselineProblems(baseline, digests, changelog);
  if (baseline.version !== version || baseline.released !== (dayOf(changelog, version) ?? null))
    problems.push(`${BASELINE} is of ${baseline.version}, ${baseline.released ?? 'not released'}: ${mend}`);
  return [...problems, ...changed.map((name) => `docs/api/${name} is not the released one: ${mend}`)];
}

const versionOf = (path) => JSON.parse(read(path)).version;

function check(tag = '') {
  const problems = releaseProblems(tag, {
    versions: Object.fromEntries([
      ...manifests().map((path) => [path, versionOf(path)]),
      [PYTHON, PYTHON_VERSION.exec(read(PYTHON))?.[1]],
    ]),
    changelog: read('CHANGELOG.md'),
    lock: lockFile(),
    notices: read(NOTICES),
    api: {
      baseline: baselineOf(root),
      digests: digestsOf(root),
      changed: DOCUMENTS.filter((name) => read(`docs/api/${name}`) !== read(`docs/api/released/${name}`)),
    },
  });
  if (problems.length > 0) fail(problems.join('\n'));
  console.log(`${tag}: tree, changelog, interface documents and notices agree.`);
}

function setVersion(version = '') {
  if (!/^\d+\.\d+\.\d+$/.test(version)) fail('Say which version: npm run release -- version X.Y.Z');
  for (const path of manifests())
    writeFileSync(join(root, path), read(path).replace(/("version": ")[^"]+(")/, `$1${version}$2`));
  writeFileSync(join(root, PYTHON), read(PYTHON).replace(PYTHON_VERSION, `version = "${version}"`));
  const lock = lockFile();
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages))
    if (!path.includes('node_modules/') && entry.version !== undefined) entry.version = version;
  writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`All packages are ${version}.`);
}

function notes(tag = '') {
  const section = sectionOf(read('CHANGELOG.md'), tag.replace(/^v/, ''));
  if (!section) fail(`CHANGELOG.md has no section for ${tag}`);
  console.log(section);
}

function notices() {
  const lock = lockFile();
  const problems = licenceProblems(lock);
  if (problems.length > 0) fail(`These may not ship:\n${problems.join('\n')}`);
  writeFileSync(join(root, NOTICES), noticesOf(lock, root));
  console.log(`${NOTICES} is written.`);
}

const COMMANDS = { check, version: setVersion, notes, notices };
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [what, ...rest] = process.argv.slice(2);
  if (!COMMANDS[what]) fail(`Say what: npm run release -- ${Object.keys(COMMANDS).join(' | ')}`);
  COMMANDS[what](...rest);
}
