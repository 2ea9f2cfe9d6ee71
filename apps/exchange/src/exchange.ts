import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamicModule, Type } from '@nestjs/common';
import {
  checkPort,
  checkStart,
  closeOnSignal,
  createServiceApp,
  failStart,
  giveUpOnSignal,
  InfraModule,
  StartRefused,
  type Closing,
} from '@bourse/messaging';
import { loggingModule, Readiness, type Config } from '@bourse/platform';
import { EXAMPLE_MODULES, SERVICE_MODULES } from './modules.js';
import { FixProcess } from './fix-process.js';
import { startPostgres, stopLeftover, type RunningPostgres, type StartPostgresOptions } from './postgres.js';
import { welcome } from './welcome.js';

/** How often a slow start reports what it waits for. */
const STILL_WAITING_MS = 5_000;

/** The whole exchange in one process. */
async function run(config: Config): Promise<void> {
  await checkPort(config.port, config.host);
  let closing: Closing | undefined;
  let postgres: RunningPostgres | undefined;
  // Its database server must not outlive it.
  const patient = giveUpOnSignal(() =>
    config.databaseUrl === null ? stopLeftover(config.dataDir) : Promise.resolve(),
  );
  if (config.databaseUrl === null) {
    progress('Starting PostgreSQL …');
    postgres = await ownPostgres({
      dataDir: config.dataDir,
      // No call can be answered without it, and the next start recovers: exit, so that the supervisor restarts this
      // process.
      onUnexpectedExit: (reason) => {
        if (closing) void closing.close(reason, 1);
        else failStart(new Error(reason));
      },
    });
  }
  try {
    progress('Preparing the database and the services …');
    const databaseUrl = postgres?.socketUrl;
    const url = databaseUrl ?? config.databaseUrl;
    if (url !== null) await checkStart(config, url);
    const infra = InfraModule.forRoot({
      config,
      embedded: true,
      ...(databaseUrl === undefined ? {} : { databaseUrl, ownsServer: true }),
      onFatal: (reason) => {
        if (closing) void closing.close(reason, 1);
        else failStart(new Error(reason));
      },
    });
    const app = await createServiceApp({
      config,
      edge: true,
      imports: [loggingModule(config), infra, ...SERVICE_MODULES, ...(await examplesOf(config))],
    });
    let fix: FixProcess | undefined;
    closing = closeOnSignal(app, {
      after: async () => {
        await fix?.stop();
        await postgres?.stop();
      },
      insteadOf: patient,
    });
    await app.listen(config.port, config.host);
    const readiness = app.get(Readiness);
    const ready = readiness.whenReady();
    while (await Promise.race([ready.then(() => false), sleep(STILL_WAITING_MS, true)]))
      progress(`Waiting for ${readiness.missing().join(', ')} …`);
    const address = app.getHttpServer().address();
    const base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : config.port}`;
    if (config.fixPort > 0) {
      fix = new FixProcess(config, base);
      fix.start();
    }
    process.stdout.write(`${welcome(base, { demo: config.dev })}\n`);
    process.stdout.write(`BOURSE READY ${JSON.stringify({ url: base })}\n`);
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** The examples that a demo install runs beside the services. */
function examplesOf({ examples }: Config): Promise<(DynamicModule | Type)[]> {
  return Promise.all(
    examples.map((name) => {
      const load = EXAMPLE_MODULES[name];
      if (!load) throw new StartRefused(`There is no example ${name}.`);
      return load();
    }),
  );
}

/** Its reasons are for a person: another exchange on the folder, or the end of the server's own log. */
function ownPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  return startPostgres(options).catch((error: unknown) => {
    throw new StartRefused(error instanceof Error ? error.message : String(error), { cause: error });
  });
}

function progress(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Starts the exchange; a failed start is reported and ends the process. */
export function start(config: Config): void {
  run(config).catch((error: unknown) => failStart(error));
}
