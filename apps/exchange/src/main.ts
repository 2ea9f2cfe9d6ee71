import { setTimeout as sleep } from 'node:timers/promises';
import { closeOnSignal, failStart, InfraModule, type Closing } from '@bourse/messaging';
import { createHttpApp, loadConfig, loggingModule, Readiness } from '@bourse/platform';
import { SERVICE_MODULES } from './modules.js';
import { startPostgres, type RunningPostgres } from './postgres.js';
import { welcome } from './welcome.js';

/** How often a slow start says what it waits for. */
const STILL_WAITING_MS = 5_000;

/** The whole exchange in one process. */
async function main(): Promise<void> {
  // A person reads this terminal: progress and warnings, unless they ask for more.
  const config = loadConfig({ LOG_LEVEL: 'warn', ...process.env });
  let closing: Closing | undefined;
  let postgres: RunningPostgres | undefined;
  if (config.databaseUrl === null) {
    progress('Starting PostgreSQL …');
    postgres = await startPostgres({
      dataDir: config.dataDir,
      // Nothing can be answered without it, and the next start recovers: end, so that whoever supervises this process starts it again.
      onUnexpectedExit: (reason) => {
        if (closing) void closing.close(reason, 1);
        else failStart(new Error(reason));
      },
    });
  }
  try {
    progress('Preparing the database and the services …');
    const databaseUrl = postgres?.socketUrl;
    const infra = InfraModule.forRoot({
      config,
      embedded: true,
      ...(databaseUrl === undefined ? {} : { databaseUrl, ownsServer: true }),
      onFatal: (reason) => {
        if (closing) void closing.close(reason, 1);
        else failStart(new Error(reason));
      },
    });
    const app = await createHttpApp({
      config,
      edge: true,
      imports: [loggingModule(config), infra, ...SERVICE_MODULES],
    });
    closing = closeOnSignal(app, () => postgres?.stop() ?? Promise.resolve());
    await app.listen(config.port, config.host);
    const readiness = app.get(Readiness);
    const ready = readiness.whenReady();
    while (await Promise.race([ready.then(() => false), sleep(STILL_WAITING_MS, true)]))
      progress(`Waiting for ${readiness.missing().join(', ')} …`);
    const address = app.getHttpServer().address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : config.port}`;
    process.stdout.write(`${welcome(url, { demo: config.dev })}\n`);
    process.stdout.write(`BOURSE READY ${JSON.stringify({ url })}\n`);
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

function progress(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch(failStart);
