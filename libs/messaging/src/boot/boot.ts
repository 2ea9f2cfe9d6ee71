import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { checkInstall, ExclusiveLockTaken, InstallRefused, MigrationRefused, ServerTooOld } from '@bourse/persistence';
import {
  Config,
  ConfigError,
  createHttpApp,
  EDGE_SERVICE,
  InternalPort,
  loadConfig,
  loggingModule,
  processLine,
  Readiness,
  startFailure,
  startTracing,
  type HttpAppOptions,
} from '@bourse/platform';
import { delay } from '../log/delay.js';
import { InfraModule } from '../infra.module.js';
import { connectTransport } from '../transport/connect.js';
import { installFacts, nameOf } from './install-facts.js';

/** How long a process may take to drain. Then it ends anyway, and its leases expire. */
const DRAIN_MS_MAX = 10_000;
/** Every call is answered within 5 s. */
const ANSWER_MS_MAX = 5_500;
/**
 * Ctrl-C under `npm start` reaches the process twice at once, from the terminal and passed on by npm: that is not a
 * second request to end.
 */
const SAME_SIGNAL_MS = 1_000;

export interface BootOptions {
  readonly name: string;
  readonly module: DynamicModule | Type;
}

/**
 * Runs one service as a process of its own, over Kafka and Redis: `void bootService({ name: SERVICE, module: AuthModule
 * })`.
 */
export async function bootService({ name, module }: BootOptions): Promise<void> {
  let closing: Closing | undefined;
  const patient = giveUpOnSignal();
  try {
    const config = loadConfig(process.env, { BOURSE_RUN: 'distributed', BOURSE_SERVICE: name });
    const edge = name === EDGE_SERVICE;
    const port = edge ? config.port : config.servicePort;
    await checkPort(port, config.host, edge ? 'PORT' : 'BOURSE_SERVICE_PORT');
    if (edge) await checkPort(config.servicePort, config.host, 'BOURSE_SERVICE_PORT');
    if (config.databaseUrl !== null) await checkStart(config, config.databaseUrl);
    const app = await createServiceApp({
      config,
      edge,
      imports: [
        loggingModule(config),
        InfraModule.forRoot({
          config,
          embedded: false,
          onFatal: (reason) => {
            if (closing) void closing.close(reason, 1);
            else failStart(new StartRefused(reason), name);
          },
        }),
        module,
      ],
    });
    closing = closeOnSignal(app, { insteadOf: patient });
    await app.listen(port, config.host);
    await app.get(InternalPort).listen();
    writeLine(app.get(Config), 'info', `${name} listens on ${await app.getUrl()}`);
  } catch (error) {
    failStart(error, name);
  }
}

/** Exit codes of processes ended by a signal, by the custom of shells. */
const EXIT_OF_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Until a process can drain, it has nothing to drain: a signal ends it after `cleanUp`. Without a handler the kernel
 * drops the signal where the process is the first one of its container, and it would continue to start until it is
 * killed [DEPLOY-021]. The returned function removes the handlers; it is for `closeOnSignal`.
 */
export function giveUpOnSignal(cleanUp: () => Promise<void> = () => Promise.resolve()): () => void {
  const handlers = (['SIGTERM', 'SIGINT'] as const).map((signal) => {
    const giveUp = (): void => void cleanUp().finally(() => process.exit(EXIT_OF_SIGNAL[signal]));
    process.once(signal, giveUp);
    return () => process.removeListener(signal, giveUp);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}

/** The application of a process: its HTTP side, with its controllers' patterns connected to the log and the asks. */
export async function createServiceApp(options: HttpAppOptions): ReturnType<typeof createHttpApp> {
  await startTracing(options.config);
  const app = await createHttpApp(options);
  await connectTransport(app);
  return app;
}

/**
 * Reports why a start has failed, without a stack if the message is meant for a person, and ends the process. `service`
 * is the one whose process it is; in the embedded run there is none.
 */
export function failStart(error: unknown, service?: string): never {
  process.stderr.write(`${startFailure(describeStartError(error), { service })}\n`);
  process.exit(1);
}

/** Writes a line about the start or end of the service: for its log collection, or for a person where it runs alone. */
function writeLine({ run, service }: Pick<Config, 'run' | 'service'>, level: 'info' | 'fatal', text: string): void {
  const line = run === 'distributed' ? processLine(level, text, service) : text;
  (level === 'info' ? process.stdout : process.stderr).write(`${line}\n`);
}

/** Refuses a start in the present configuration. The message is written for a person. */
export class StartRefused extends Error {}

const FOR_PEOPLE = [ConfigError, StartRefused, InstallRefused, MigrationRefused, ServerTooOld, ExclusiveLockTaken];

function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const plain = FOR_PEOPLE.some((kind) => error instanceof kind) && !process.env['DEBUG'];
  return plain ? error.message : (error.stack ?? error.message);
}

/**
 * Checks, before anything is started, whether the process may work on its database, and whether its port is free.
 * Throws `StartRefused` or `InstallRefused` [HARD-102].
 */
export async function checkStart(config: Config, databaseUrl: string): Promise<void> {
  try {
    await checkInstall(databaseUrl, installFacts(config));
  } catch (error) {
    if (error instanceof InstallRefused || error instanceof ServerTooOld) throw error;
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StartRefused(
      `The database ${nameOf(databaseUrl)} cannot be used: ` +
        `${message || code || String(error)}. Check DATABASE_URL, and whether the server ` +
        'runs.',
      { cause: error },
    );
  }
}

/** How long a process that is ending may keep a port: it stops listening as soon as it gets its signal. */
const PORT_MS_MAX = 1_500;

/** Throws `StartRefused` when another process listens on the port. */
export async function checkPort(port: number, host: string, name = 'PORT'): Promise<void> {
  const deadline = Date.now() + PORT_MS_MAX;
  for (;;) {
    const problem = await listenProblem(port, host);
    if (problem === null) return;
    if (problem === 'EADDRINUSE' && Date.now() < deadline) {
      await delay(100);
      continue;
    }
    throw new StartRefused(
      problem === 'EADDRINUSE'
        ? `Port ${port} of ${host} is in use. Stop what listens there, or take another one: ${name}=9000`
        : `Nothing can listen on port ${port} of ${host} (${problem}). Check ${name} and HOST.`,
    );
  }
}

function listenProblem(port: number, host: string): Promise<string | null> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => done(null)));
  });
}

export interface Closing {
  /** Ends the process the ordinary way; the exit code is 0 unless another one is given. */
  close(reason: string, exitCode?: number): Promise<never>;
}

/**
 * On SIGTERM and SIGINT: not ready, keeps serving for `SHUTDOWN_SERVE_SECONDS`, drains for at most 10 s, stops
 * consumers and frees leases, then runs `after`, then exits. A second signal, more than a second later, ends at once
 * [DEPLOY-008]. A process that closes with another exit code than 0 can serve no more, so it skips the serving time
 * [DEPLOY-022].
 *
 * `insteadOf` removes the earlier handlers once the new ones are registered: a signal that arrived but was not yet
 * delivered is lost with the last handler of its kind, and the process would run on [DEPLOY-021].
 */
export function closeOnSignal(
  app: INestApplication,
  {
    after = () => Promise.resolve(),
    insteadOf,
  }: { readonly after?: () => Promise<void>; readonly insteadOf?: () => void } = {},
): Closing {
  watchConnections(app);
  const config = app.get(Config);
  let closing: Promise<never> | undefined;
  let code = 0;
  const failed = new AbortController();
  let served = false;
  (app.getHttpServer() as Server).once('listening', () => {
    served = true;
  });
  const fail = (error: unknown): void => {
    code = 1;
    writeLine(config, 'fatal', `closing failed: ${(error as Error).message}`);
  };
  const close = (reason: string, exitCode = 0): Promise<never> => {
    // A process that got a signal to end may still fail while it keeps serving.
    if (exitCode !== 0) {
      code = exitCode;
      failed.abort();
    }
    closing ??= (async () => {
      writeLine(config, exitCode === 0 ? 'info' : 'fatal', `${reason}: closing …`);
      app.get(Readiness).set('running', false);
      // Balancers notice it at their next health check, and send calls here until then.
      if (served && !failed.signal.aborted) await delay(config.lingerMs, failed.signal);
      await within(DRAIN_MS_MAX, closeApp(app)).catch(fail);
      await after().catch(fail);
      process.exit(code);
    })();
    return closing;
  };
  let firstAt = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!closing) {
        firstAt = performance.now();
        void close(signal);
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    });
  }
  insteadOf?.();
  return { close };
}

interface Traffic {
  readonly unused: Set<Socket>;
  open: number;
}
const traffic = new WeakMap<Server, Traffic>();

/**
 * Remembers what is under way on the server: open requests, and connections on which nothing was asked yet (browsers
 * open them ahead), which the server does not count as idle. Call it before listening.
 */
export function watchConnections(app: INestApplication): void {
  const server = app.getHttpServer() as Server;
  const watched: Traffic = { unused: new Set(), open: 0 };
  traffic.set(server, watched);
  server.on('connection', (socket: Socket) => {
    watched.unused.add(socket);
    socket.once('close', () => watched.unused.delete(socket));
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => watched.unused.delete(socket));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    watched.unused.delete(request.socket);
    // Long polls of sockets end when their server closes them.
    if (request.url?.startsWith('/socket.io')) return;
    watched.open += 1;
    response.once('close', () => {
      watched.open -= 1;
    });
  });
}

/**
 * Closes an application: no new connections, open requests are answered while all consumers still work, then everything
 * ends. Idle connections are closed, which the server alone would keep for a minute.
 */
export async function closeApp(app: INestApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  const watched = traffic.get(server);
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of watched?.unused ?? []) socket.destroy();
  }, 50);
  try {
    if (server.listening) server.close();
    for (const deadline = Date.now() + ANSWER_MS_MAX; watched && watched.open > 0 && Date.now() < deadline;)
      await delay(20);
    await app.close();
  } finally {
    clearInterval(sweep);
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not drained within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
