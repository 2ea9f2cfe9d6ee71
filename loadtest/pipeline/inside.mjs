// The exchange in the process of a benchmark: its own PostgreSQL on a scratch folder, all services, and the load from
// inside.
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const from = (file) => import(pathToFileURL(path.join(root, file)).href);
const TICKS_PER_SECOND = 100;

/** Text of `--name` among the arguments. */
export const textOption = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
/** Number of `--name` among the arguments. */
export const option = (name, fallback) => Number(textOption(name) ?? fallback);

/** Builds the programs, unless the caller has built them already. */
export function build() {
  if (!process.argv.includes('--built'))
    execFileSync(
      'npx',
      [
        'nx',
        'run-many',
        '-t',
        'build',
        '--projects',
        'tag:type:service,tag:type:lib,@bourse/exchange',
        '--outputStyle',
        'static',
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
}

/** PostgreSQL of its own. It is set up as the exchange does it: durable. `detailed`: it counts its statements. */
export async function startDatabase({ detailed = false } = {}) {
  const dir = mkdtempSync(path.join(process.env.BENCH_DIR ?? tmpdir(), 'bourse-bench-'));
  const { startPostgres } = await from('apps/exchange/dist/postgres.js');
  const start = () =>
    startPostgres({
      dataDir: dir,
      onUnexpectedExit: (reason) => {
        throw new Error(reason);
      },
    });
  let postgres = await start();
  if (detailed) {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
    await client.query('alter system set pg_stat_statements.track_planning = on');
    await client.end();
    await postgres.stop();
    postgres = await start();
  }
  const pid = postmasterOf(dir);
  return {
    url: postgres.socketUrl,
    dir,
    /** CPU seconds of PostgreSQL and all its children so far. */
    cpu: () => cpuOf(pid),
    stop: async () => {
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function postmasterOf(dir) {
  for (const folder of readdirSync(dir, { recursive: true })) {
    if (path.basename(folder) === 'postmaster.pid')
      return Number(readFileSync(path.join(dir, folder), 'utf8').split('\n')[0]);
  }
  throw new Error(`no PostgreSQL runs in ${dir}`);
}

/** User and system time of a process and its living children, with those it has waited for. */
function cpuOf(pid) {
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(entry) === pid)
        ticks += Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
      else if (Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error; // it has just ended
    }
  }
  return ticks / TICKS_PER_SECOND;
}

/** A Nest application of these modules on a database; `edge` serves HTTP too. */
export async function startServices(databaseUrl, dir, modules, env = {}) {
  const [
    { loadConfig, Readiness, loggingModule },
    { createServiceApp, InfraModule, Log, Replies, Asks, Views },
    { Databases },
  ] = await Promise.all(['platform', 'messaging', 'persistence'].map((name) => from(`libs/${name}/dist/index.js`)));
  const config = loadConfig({
    BOURSE_DEV: '1',
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.join(dir, 'data'),
    LOG_LEVEL: 'warn',
    MAKER: 'off',
    PORT: '0',
    RATE_SCALE: '1000000',
    ...env,
  });
  const app = await createServiceApp({
    config,
    edge: true,
    imports: [loggingModule(config), InfraModule.forRoot({ config, embedded: true }), ...modules],
  });
  await app.listen(0, '127.0.0.1');
  return {
    app,
    config,
    log: app.get(Log),
    replies: app.get(Replies),
    asks: app.get(Asks),
    views: app.get(Views),
    databases: app.get(Databases),
    readiness: app.get(Readiness),
  };
}

export const service = (name) => from(`services/${name}/dist/index.js`);
export const library = (name) => from(`libs/${name}/dist/index.js`);
export const module = (file) => from(file);

/**
 * Books opening amounts of a person or of the house, once per `userId`; `legs` are `{ to, currency, amount }`.
 * @throws Error when the ledger refuses them
 */
export async function fund({ log, replies }, userId, legs) {
  const { LedgerCommandV1, TOPICS } = await library('events');
  const commandId = `bench:${userId}`;
  const reply = replies.wait(commandId, 60_000);
  await log.send(
    TOPICS.ledgerCommands,
    0,
    LedgerCommandV1.encode({
      commandId,
      issuer: 'seed',
      userId,
      replyTo: replies.instance,
      answer: { type: 'ok' },
      journals: [
        {
          id: commandId,
          causeType: 'seed',
          causeId: String(userId),
          legs: legs.map((leg) => ({ from: 'h.outside', ...leg })),
        },
      ],
    }),
  );
  const answered = await reply;
  if (!answered?.ok) throw new Error(JSON.stringify(answered));
}

/** Waits until `ask` resolves to true. @throws Error that names `what` after `withinMs` */
export async function waitUntil(what, ask, { withinMs, everyMs }) {
  const limit = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() > limit) throw new Error(`${what} not within ${withinMs} ms`);
    await sleep(everyMs);
  }
}

/** Measures a stretch of work: wall time, CPU seconds of this process and of PostgreSQL. */
export async function measured(name, database, work) {
  const [cpuBefore, dbBefore, startedAt] = [process.cpuUsage(), database.cpu(), performance.now()];
  const result = await profiled(name, work);
  const used = process.cpuUsage(cpuBefore);
  return {
    result,
    seconds: (performance.now() - startedAt) / 1000,
    node: (used.user + used.system) / 1e6,
    postgres: database.cpu() - dbBefore,
  };
}

/** With `--profile FOLDER` a CPU profile of the measured work is written there, one file per part. */
async function profiled(name, work) {
  const folder = textOption('profile');
  if (folder === undefined) return work();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(path.join(folder, `${name.replace(/\W+/g, '-')}.cpuprofile`), JSON.stringify(profile));
  return result;
}

/** Quantiles of a list of numbers. */
export function quantiles(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

export { root };
