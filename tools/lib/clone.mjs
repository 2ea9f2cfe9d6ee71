// Functions that `npm start` and `npm test` share before anything is installed: only Node's own modules, and nothing
// newer than Node 20.
import './end-with-parent.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');
export const cacheDir = join(root, '.cache');
/** Folder of the bundled programs: the exchange in one process, and each service. */
export const programDir = join(root, 'dist');
/** The bundled program of a service, or `exchange`. */
export const programFile = (name) => join(programDir, `${name}.js`);
const binDir = join(root, 'node_modules', '.bin');
const windows = process.platform === 'win32';
/**
 * False in an image or another tree that was installed, built and pruned already: nothing is installed or built there,
 * and the Node that runs is the right one. The Dockerfile writes the mark.
 */
export const isDevelopmentClone = decideClone(root);
export function decideClone(folder) {
  return existsSync(join(folder, 'package-lock.json')) && !existsSync(join(folder, '.image'));
}
/**
 * The package that carries Node 24 for this machine, or undefined if none is published: then the running Node is used.
 */
const nodePackage = ['linux-x64', 'linux-arm64', 'win32-x64'].includes(`${process.platform}-${process.arch}`)
  ? `node-${windows ? 'win' : process.platform}-${process.arch}`
  : undefined;
/** Node 24 of the packages in `folder`. */
const nodeIn = (folder) =>
  windows ? join(folder, 'node_modules', nodePackage, 'bin', 'node.exe') : join(folder, 'node_modules', '.bin', 'node');
/** Node 24. */
export const node24 = isDevelopmentClone && nodePackage !== undefined ? nodeIn(root) : process.execPath;
const commonNodeFlags = ['--import', pathToFileURL(join(root, 'tools', 'lib', 'preload.mjs')).href];
/**
 * Arguments of the process of one service. V8 collects old objects for the first time when they fill its first limit,
 * on a machine with much memory at 256 MB, so that a dozen services that keep 80 MB each hold 3 GB; with 48 MB it is
 * 1.9 GB (MB of one service, idle: c2c-escrow 355 before and 110 after).
 */
export const serviceNodeFlags = [...commonNodeFlags, '--initial-old-space-size=48', '--max-semi-space-size=8'];
/**
 * Arguments of the single process: young objects get room, because objects that live 50 ms, as long as a request,
 * should not be copied twice and promoted.
 */
export const nodeFlags = [...commonNodeFlags, '--max-semi-space-size=128'];

const began = Date.now();
/** Prints a line of progress with the seconds since the start. */
export function progress(text) {
  console.log(`[${String(Math.round((Date.now() - began) / 1000)).padStart(3)} s] ${text}`);
}

/** Ends with a message for the user instead of a stack trace. */
export function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/** The environment for programs of the clone: its own tools and Node 24 first. */
export function cloneEnv(extra = {}) {
  const clean = { ...process.env };
  // Settings of the npm that runs us are its own affair; a nested npm warns of those it does not know.
  for (const name of Object.keys(clean))
    if (/^npm_config_(?!registry$|cache$|userconfig$|.*proxy$|cafile$|ca$|prefix$)/i.test(name)) delete clean[name];
  return {
    ...clean,
    PATH: [binDir, process.env.PATH].join(delimiter),
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    NX_NO_CLOUD: 'true',
    ...extra,
  };
}

/**
 * PostgreSQL refuses root and then runs as another user, who must be able to pass through every folder above the clone.
 * Linux needs no such way.
 */
export function checkReachable() {
  if (process.getuid?.() !== 0 || process.platform === 'linux' || process.env.DATABASE_URL) return;
  for (let dir = root; ; dir = dirname(dir)) {
    if ((statSync(dir).mode & 0o001) === 0) {
      fail(
        `You run as root, so PostgreSQL will run as an unprivileged user, and that user cannot enter ${dir}.\n` +
          `Move the clone elsewhere, run as another user, or open the folder:  chmod o+x ${dir}`,
      );
    }
    if (dir === dirname(dir)) return;
  }
}

/**
 * The value of BOURSE_DEV, by default a demo install unless NODE_ENV says production. Empty or 0 is a real exchange.
 */
export const devSetting = () => process.env.BOURSE_DEV ?? (/^prod/i.test(process.env.NODE_ENV ?? '') ? '0' : '1');

/** Whether browsers, and `fetch` like them, never connect to a port: the bad ports of the fetch standard, as 6000. */
export const browsersRefuse = (port) =>
  fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD', signal: AbortSignal.timeout(1_000) }).then(
    () => false,
    (error) => error.cause?.message === 'bad port',
  );

/**
 * Ends with advice when browsers refuse the port of the exchange or another program listens on it, before a minute of
 * installing and building.
 */
export async function checkPort() {
  const port = Number(process.env.PORT || 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return; // 0 is any; settings are checked later
  if (await browsersRefuse(port))
    fail(`Browsers do not connect to port ${port}. Take another one:  PORT=9000 npm start`);
  const host = process.env.HOST || (devSetting() === '1' ? '127.0.0.1' : '0.0.0.0');
  for (let tries = 0; ; tries += 1) {
    const problem = await new Promise((done) => {
      const probe = createServer();
      probe.once('error', (error) => done(error.code));
      probe.listen(port, host, () => probe.close(() => done(undefined)));
    });
    if (problem !== 'EADDRINUSE') return;
    // A process that just got SIGTERM stops listening at once.
    if (tries === 15)
      fail(`Port ${port} is in use. Stop what listens there, or take another one:  PORT=9000 npm start`);
    await sleep(100);
  }
}

/** Installs the packages if they are absent, incomplete or other than the lock file says. */
export async function ensureInstalled() {
  if (!isDevelopmentClone) return;
  linkPackages();
  const reason = installReason();
  if (!reason) return;
  if (process.getuid?.() === 0) process.umask(0o022); // another user must be able to run PostgreSQL's programs
  progress(`Installing packages (${reason}); the first time this takes a minute or two …`);
  const node = underNode24() ? process.execPath : await firstNode24();
  const code = await runNpm('install', node, ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0)
    fail(
      `The installation failed (npm ci, code ${code}). The end of ` +
        `${relative(root, logPath('install'))}:\n${tail(logPath('install'))}`,
    );
  const still = installReason();
  if (still)
    fail(
      `After npm ci the installation is still not right: ${still}. Was npm told to ` +
        'ignore scripts? Delete node_modules and try again.',
    );
  progress('Packages are installed.');
}

/** Runs npm on this Node. */
function runNpm(name, node, args) {
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [node, process.env.npm_execpath]
    : [windows ? 'npm.cmd' : 'npm'];
  const env = cloneEnv();
  return runLogged(name, [...npm, ...args], {
    shell: windows && npm.length === 1,
    env: { ...env, PATH: [dirname(node), env.PATH].join(delimiter) },
  });
}

/**
 * Node 24 in a folder of its own, before the packages are there: under an older one npm silently leaves out optional
 * packages that want a newer one. It is taken by the hash of our lock file, as everything else.
 */
async function firstNode24() {
  if (nodePackage === undefined)
    fail(
      `There is no Node 24 to be brought along for ${process.platform} ${process.arch}: install ` +
        `Node 24.9 or newer and start again (this is ${process.version}).`,
    );
  const path = `node_modules/${nodePackage}`;
  const entry = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[path];
  const home = join(cacheDir, `node-${entry.version}`);
  const bin = nodeIn(home);
  if (existsSync(bin)) return bin;
  mkdirSync(home, { recursive: true });
  const manifest = { name: 'node-24', private: true, dependencies: { [nodePackage]: entry.version } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  const locked = { ...entry, optional: undefined }; // required here
  writeFileSync(
    join(home, 'package-lock.json'),
    JSON.stringify({ name: manifest.name, lockfileVersion: 3, packages: { '': manifest, [path]: locked } }),
  );
  const code = await runNpm('install-node', process.execPath, [
    'ci',
    '--prefix',
    home,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (code !== 0 || !existsSync(bin))
    fail(
      `Node ${entry.version} could not be installed (npm, code ${code}). The end of ` +
        `${relative(root, logPath('install-node'))}:\n${tail(logPath('install-node'))}`,
    );
  return bin;
}

/** The script behind a program of an installed package, to be run by Node 24 without a shell. */
export function program(packageName, name = packageName) {
  const dir = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  return join(dir, typeof bin === 'string' ? bin : bin[name]);
}

/**
 * Returns why the packages must be installed, or undefined. npm records what it installed in a lock file of its own,
 * written last.
 */
function installReason() {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return 'not done yet';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(noted, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || entry.link || !path.includes('node_modules/')) continue;
    const found = installed[path];
    if (!found ? !entry.optional && !entry.peer : found.version !== entry.version)
      return `${path.split('node_modules/').pop()} is not at ${entry.version}`;
  }
  if (!existsSync(node24)) return 'Node 24 is missing';
  try {
    const version = execFileSync(node24, ['--version'], { encoding: 'utf8' });
    if (nodePackage !== undefined && !version.startsWith('v24.')) return `node is ${version.trim()}, not 24`;
    return undefined;
  } catch (error) {
    return `Node 24 does not run here: ${error.message}`;
  }
}

/** Links packages of our own that came with a later version: nothing has to be fetched for them. */
function linkPackages() {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  for (const [path, { link, resolved }] of Object.entries(wanted)) {
    const [at, target] = [join(root, path), link && join(root, resolved)];
    if (!link || existsSync(at) || !existsSync(target)) continue;
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(windows ? target : relative(dirname(at), target), at, 'junction');
  }
}

/**
 * Builds every package whose sources changed since the last build, and bundles the requested programs; without a change
 * this only reads the sources.
 */
export async function ensureBuilt(programs = ['exchange']) {
  if (!isDevelopmentClone) return;
  await buildPackages();
  const missing = programs.filter((name) => !existsSync(programFile(name)));
  if (missing.length === 0) return;
  progress(`Bundling ${missing.length === 1 ? missing[0] : `${missing.length} programs`} …`);
  if ((await runLogged('bundle', [node24, join(root, 'tools', 'bundle.mjs'), ...missing])) !== 0)
    fail(`Bundling failed. The end of ${relative(root, logPath('bundle'))}:\n${tail(logPath('bundle'), 60)}`);
  progress('Everything is built.');
}

async function buildPackages() {
  const hash = hashSources(root);
  const packages = packagesToBuild();
  const outputs = packages.map((dir) => join(dir, 'dist'));
  if (stampIn(root).hash === hash && outputs.every(existsSync)) return;
  progress(`Building ${packages.length} packages …`);
  beginBuild();
  // V8's compile cache and the bundles belong to the previous modules.
  for (const place of [join(cacheDir, 'compiled'), programDir]) rmSync(place, { recursive: true, force: true });
  const code = await runLogged('build', [
    node24,
    program('nx'),
    'run-many',
    '-t',
    'build',
    '--parallel=2',
    '--output-style=stream',
  ]);
  if (code !== 0)
    fail(`The build failed. The end of ${relative(root, logPath('build'))}:\n${tail(logPath('build'), 60)}`);
  endBuild();
}

/** The sources that the last whole build of a clone was made of; empty before it. */
function stampIn(folder) {
  const stamp = join(folder, '.cache', 'build.json');
  return existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {};
}

function stamp(folder, sources) {
  mkdirSync(join(folder, '.cache'), { recursive: true });
  writeFileSync(join(folder, '.cache', 'build.json'), JSON.stringify(sources));
}

/** Notes the sources that a whole build begins with; until it ends, nothing counts as built. */
export const beginBuild = (folder = root) => stamp(folder, { begun: hashSources(folder) });

/** Notes that the build has ended. One whose sources have changed meanwhile is not current. */
export function endBuild(folder = root) {
  const hash = hashSources(folder);
  if (stampIn(folder).begun === hash) stamp(folder, { hash, served: hashSources(folder, TYPES_OF_CALLS) });
}

/** Whether the last whole build serves what the sources say. */
export const isBuildCurrent = (folder = root) => stampIn(folder).served === hashSources(folder, TYPES_OF_CALLS);

function packagesToBuild() {
  const dirs = [];
  for (const group of ['libs', 'services', 'apps', 'examples']) {
    for (const name of readdirSync(join(root, group))) {
      const manifest = join(root, group, name, 'package.json');
      if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).scripts?.build)
        dirs.push(join(root, group, name));
    }
  }
  return dirs;
}

/** Types that `npm run api` writes from what the exchange serves: they change nothing of that. */
const TYPES_OF_CALLS = [
  'libs/contract/src/calls.generated.ts',
  'libs/contract/src/operator-calls.generated.ts',
  'libs/sdk/src/types.generated.ts',
];

/** By content, so that a fresh checkout of the same sources needs no new build; tests do not count. */
function hashSources(folder, without = []) {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'nx.json', '.swcrc', 'tsconfig.base.json', 'tools/bundle.mjs'])
    hash.update(file).update(readFileSync(join(folder, file)));
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) {
        if (!['node_modules', 'dist', 'test', '.nx', '.cache'].includes(entry.name)) visit(path);
      } else if (entry.isFile() && !/\.test\.tsx?$|\.tsbuildinfo$/.test(entry.name)) {
        const name = relative(folder, path).split(sep).join('/');
        if (!without.includes(name)) hash.update(name).update('\0').update(readFileSync(path)).update('\0');
      }
    }
  };
  for (const group of ['libs', 'services', 'apps', 'examples']) visit(join(folder, group));
  return hash.digest('hex');
}

/** Runs a command with its output in a log of `.cache/logs`, showing every few seconds that it still works. */
export async function runLogged(name, [command, ...args], options = {}) {
  mkdirSync(join(cacheDir, 'logs'), { recursive: true });
  const log = openSync(logPath(name), 'w');
  const started = Date.now();
  const alive = setInterval(() => progress(`  … ${name}, ${Math.round((Date.now() - started) / 1000)} s`), 10_000);
  let child;
  const interrupt = (signal) => {
    if (!child) process.exit(130);
    // Not before the child: a second run must not meet an installation that is still at work.
    child.once('exit', () => process.exit(130));
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), 3000);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupt);
  try {
    return await new Promise((done, failed) => {
      child = spawn(command, args, { cwd: root, env: cloneEnv(), stdio: ['ignore', log, log], ...options });
      child.on('error', failed);
      child.on('exit', (code, signal) => done(code ?? 128 + (constants.signals[signal] ?? 0)));
    });
  } finally {
    clearInterval(alive);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, interrupt);
    closeSync(log);
  }
}

function logPath(name) {
  return join(cacheDir, 'logs', `${name}.log`);
}

function tail(file, lines = 30) {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/** True if this process is the Node 24 of the clone; anything newer than 24.9 will do as well. */
export function underNode24() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 9);
}

/**
 * Becomes the given Node program: the process is replaced where the platform can, so that no second Node stays in
 * memory and signals need no forwarding; else it is a child whose signals and exit code are passed on.
 */
export function become(programArgs, extraEnv = {}) {
  const args = ['--import', new URL('./end-with-parent.mjs', import.meta.url).href, ...programArgs];
  const env = cloneEnv(extraEnv);
  if (typeof process.execve === 'function' && !windows) {
    process.removeAllListeners('warning'); // the call is marked experimental; the fallback below covers its absence
    process.execve(
      node24,
      [node24, ...args],
      Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    );
  }
  const child = spawn(node24, args, { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl-C reaches the whole terminal group by itself; passed on again it would count as a second Ctrl-C.
      if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
