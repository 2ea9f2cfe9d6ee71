import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloneEnv, devSetting, programFile } from './clone.mjs';
import { openBalancer } from './copies.mjs';
import { startKafka } from './kafka.mjs';
import { startDatabase } from './postgres.mjs';
import { alive, answers, endLeftover, freePorts, identify, startProcess, stopAll, waitFor } from './processes.mjs';
import { startRedis } from './redis.mjs';
import { DEFAULT_PORT, EDGE, SERVICES, serviceAccess, serviceEnv, serviceLogins } from './services.mjs';

const READY_MS_MAX = 120_000;
const PAUSE_MS = [250, 500, 1000, 2000, 5000];
/** How long a database that is started again waits for its port. */
const SAME_PORT_MS_MAX = 60_000;

/**
 * Starts all, with `copies` of services by name, keeps it running, and returns when a signal has ended it. Data is
 * stored in `DATA_DIR` (`.data`) under `distributed/`.
 */
export async function run({ root, node24, nodeFlags, progress, copies = new Map() }) {
  const dataDir = join(process.env.DATA_DIR ?? join(root, '.data'), 'distributed');
  // Wrong settings would make each service exit again and again: they are reported once, before anything is created.
  const settings = await settingsOf(dataDir);
  const logDir = join(dataDir, 'logs');
  mkdirSync(logDir, { recursive: true });
  const register = new Register(join(dataDir, 'processes.json'));
  await register.takeOver();

  let stopping = false;
  let stopped;
  const stop = async (reason) => {
    if (stopping) return stopped;
    stopping = true;
    stopped = (async () => {
      progress(`Stopping (${reason}) …`);
      await running.get('fix')?.stop();
      for (const name of SERVICES) await Promise.all(labelsOf(name, copies).map((label) => running.get(label)?.stop()));
      await Promise.all(balancers.map((balancer) => balancer.close()));
      await Promise.all(['kafka', 'redis'].map((name) => running.get(name)?.stop()));
      await database?.stop();
      await stopAll();
      register.clear();
      progress('Stopped.');
    })();
    return stopped;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      stop(signal).then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });

  const running = new Map();
  const balancers = [];
  /** Starts a part and starts it again, at the same address, whenever it ends by itself. */
  const supervise = async (name, start) => {
    let failures = 0;
    const watch = (handle) => {
      running.set(name, handle);
      register.note(name, handle.pid);
      const since = Date.now();
      handle.exited
        .then(async ({ code, signal, error }) => {
          if (stopping) return;
          failures = Date.now() - since > 30_000 ? 0 : failures + 1;
          const pause = PAUSE_MS[Math.min(failures, PAUSE_MS.length - 1)];
          progress(
            `${name} ended (${error?.message ?? signal ?? `code ${code}`}); it is ` +
              `started again in ${pause} ms. Its log: ${handle.log}`,
          );
          await sleep(pause);
          if (!stopping) watch(await start());
        })
        .catch((problem) => stop(`${name} could not be started again: ${problem.message}`).then(() => process.exit(1)));
    };
    watch(await start());
  };

  let database;
  const openDatabase = async () => {
    database = await startDatabase({
      dataDir,
      // The services know the address of the first start.
      ...(database ? { port: Number(new URL(database.url).port), portWaitMs: SAME_PORT_MS_MAX } : {}),
      onUnexpectedExit: (reason) => {
        if (!stopping) {
          progress(`${reason}\nPostgreSQL is started again.`);
          openDatabase().catch((error) => stop(error.message).then(() => process.exit(1)));
        }
      },
    });
  };
  try {
    progress('Starting PostgreSQL, Redis and Kafka …');
    const [redisPort, kafkaPort, controllerPort] = await freePorts(3);
    const parts = {};
    await openDatabase();
    await checkInstalls(settings(database.url), database.url);
    const access = await serviceAccess(dataDir);
    access.databaseUrls = await serviceLogins(database.socketUrl ?? database.url, access);
    const part = async (name, start) => {
      const first = await start();
      if (!first.handle) return first;
      let next = first;
      await supervise(name, async () => {
        const { handle } = next ?? (await start());
        next = undefined;
        return handle;
      });
      return first;
    };
    parts.redisUrl = (
      await part('redis', () => startRedis({ logDir, ports: [redisPort], password: access.redisPassword }))
    ).url;
    const kafka = await part('kafka', () =>
      startKafka({
        dataDir: join(dataDir, 'kafka'),
        logDir,
        ports: [kafkaPort, controllerPort],
        users: access.kafkaUsers,
        onProgress: progress,
      }),
    );
    parts.kafkaBrokers = kafka.brokers;
    // External brokers manage their own logins: the settings given with them hold the credentials.
    if (kafka.how !== 'local') access.kafkaUsers = undefined;

    const internal = await freePorts(SERVICES.length + 1);
    const ports = Object.fromEntries(SERVICES.map((name, index) => [name, internal[index]]));
    const wanted = process.env.PORT ?? String(DEFAULT_PORT);
    const port = wanted === '0' ? internal.at(-1) : Number(wanted);
    const shared = { parts, ports, port, dataDir, access };
    progress(`Starting ${SERVICES.length} services …`);
    /** Addresses of `/readyz`, by the label of the process. */
    const readyAt = new Map();
    for (const name of [...SERVICES].reverse()) {
      const main = programFile(name);
      if (!existsSync(main)) throw new Error(`${main} is missing after the build.`);
      const own = serviceEnv(name, shared);
      const labels = labelsOf(name, copies);
      const places = await placesOf(name, labels, shared, balancers);
      for (const [index, label] of labels.entries()) {
        const { env: more, ready } = places[index];
        const env = cloneEnv({ ...own, ...more });
        readyAt.set(label, ready);
        await supervise(label, async () =>
          startProcess(node24, [...nodeFlags, main], {
            name: label,
            cwd: root,
            env,
            log: join(logDir, `${label}.log`),
          }),
        );
      }
    }
    const url = `http://localhost:${port}`;
    await Promise.all(
      [...readyAt].map(async ([name, address]) => {
        // A service may need more than one start while its neighbours come up, so its end alone is no failure here.
        await waitFor(() => stopping || answers(address), {
          timeoutMs: READY_MS_MAX,
          what: `${name} to be ready at ${address} (log: ${join(logDir, `${name}.log`)})`,
          everyMs: 250,
        });
        if (!stopping) progress(`${name} is ready.`);
      }),
    );
    if (stopping) return stopped;
    if (process.env.FIX_PORT) {
      // It has no secret of the exchange, and reaches it by its public address alone.
      const env = { DATA_DIR: dataDir, FIX_EXCHANGE_URL: `http://127.0.0.1:${port}` };
      for (const name of ['FIX_PORT', 'FIX_HOST', 'FIX_COMP_ID']) if (process.env[name]) env[name] = process.env[name];
      const log = join(logDir, 'fix.log');
      await supervise('fix', async () =>
        startProcess(node24, [programFile('fix')], { name: 'fix', cwd: root, env, log }),
      );
      progress(`The FIX gateway is at port ${process.env.FIX_PORT}.`);
    }
    const { welcome } = await import(pathToFileURL(join(root, 'apps', 'exchange', 'dist', 'welcome.js')).href);
    console.log(welcome(url, { demo: devSetting() === '1' }));
    console.log(`  Logs: ${logDir}\n`);
    const services = Object.fromEntries(readyAt);
    console.log(`BOURSE READY ${JSON.stringify({ url, services, processes: register.file })}`);
  } catch (error) {
    await stop('the start failed');
    throw error;
  }
  await new Promise(() => setInterval(() => undefined, 1 << 30)); // until a signal; the handlers above end the process
}

/** The processes of a service: its name, and its name with a number for each further copy. */
const labelsOf = (name, copies) =>
  Array.from({ length: copies.get(name) ?? 1 }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`));

/**
 * Returns for each process of a service the settings of its ports and the address of its `/readyz`. A single process
 * has the ports of the service; several have ports of their own, and a balancer has those of the service.
 */
async function placesOf(name, labels, { ports, port }, balancers) {
  const address = (at) => `http://127.0.0.1:${at}/readyz`;
  if (labels.length === 1) return [{ env: {}, ready: address(name === EDGE ? port : ports[name]) }];
  const own = await freePorts(labels.length * 2);
  const inner = own.slice(0, labels.length);
  const outer = own.slice(labels.length);
  balancers.push(await openBalancer(ports[name], inner));
  if (name === EDGE) balancers.push(await openBalancer(port, outer));
  return labels.map((_, index) => {
    const at = name === EDGE ? outer[index] : inner[index];
    return { env: { PORT: String(at), BOURSE_SERVICE_PORT: String(inner[index]) }, ready: address(at) };
  });
}

/**
 * Checks the settings of every service, with placeholders for the addresses of servers that do not run yet; values that
 * the run itself sets are not checked. Returns a function that reads them, read-only, with the real addresses.
 */
async function settingsOf(dataDir) {
  const { ConfigError, loadConfig } = await import('@bourse/platform');
  const ports = Object.fromEntries(SERVICES.map((service, index) => [service, index + 1]));
  const read = (name, databaseUrl, options) => {
    const parts = { databaseUrl, redisUrl: 'redis://127.0.0.1:6379', kafkaBrokers: '127.0.0.1:9092' };
    const env = serviceEnv(name, { parts, ports, port: DEFAULT_PORT, dataDir });
    return loadConfig({ ...process.env, ...env }, {}, options);
  };
  const problems = new Set();
  for (const name of devSetting() === '1' ? [] : SERVICES)
    try {
      read(name, 'postgres://127.0.0.1/exchange');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) if (!problem.startsWith('INTERNAL_KEY')) problems.add(problem);
    }
  if (problems.size > 0) throw new ConfigError([...problems]);
  return (databaseUrl) => SERVICES.map((name) => read(name, databaseUrl, { tool: [] }));
}

/** Whether the services may work on this database: all of them, before the first one is started. */
async function checkInstalls(configs, url) {
  const [{ checkInstall }, { installFacts }] = await Promise.all([
    import('@bourse/persistence'),
    import('@bourse/messaging'),
  ]);
  for (const config of configs) await checkInstall(url, installFacts(config));
}

/** The running processes, on disk: after a kill of this process the next start first ends those that are left. */
class Register {
  #file;
  #state = { supervisor: identify(process.pid), children: {} };

  constructor(file) {
    this.#file = file;
  }

  get file() {
    return this.#file;
  }

  async takeOver() {
    if (existsSync(this.#file)) {
      const { supervisor } = JSON.parse(readFileSync(this.#file, 'utf8'));
      // A restart may overtake the end of the run before.
      for (let waited = 0; supervisor && alive(supervisor) && waited < 15_000; waited += 100) await sleep(100);
      if (supervisor && alive(supervisor))
        throw new Error(`The distributed run is up already (process ${supervisor.pid}). Stop it first.`);
      const { children } = JSON.parse(readFileSync(this.#file, 'utf8'));
      await Promise.all(Object.values(children).filter(Boolean).map(endLeftover));
    }
    this.#write();
  }

  note(name, pid) {
    this.#state.children[name] = identify(pid);
    this.#write();
  }

  clear() {
    this.#state = { supervisor: undefined, children: {} };
    this.#write();
  }

  /** Moved into place, so that a reader never sees half of it. */
  #write() {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#state));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
