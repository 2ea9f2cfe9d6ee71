import { FixGateway, type Log } from './gateway.js';
import { readSettings, SettingsError, type Settings } from './settings.js';

/** Lines as the exchange writes them: one JSON object each. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;
const log: Log = (level, msg) => {
  process.stderr.write(`${JSON.stringify({ level: LEVELS[level], time: Date.now(), name: 'fix', msg })}\n`);
};

function settings(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    log('error', error.message);
    process.exit(1);
  }
}

const gateway = new FixGateway(settings(), log);
let isEnding = false;
function end(): void {
  if (isEnding) return;
  isEnding = true;
  gateway.close().then(
    () => process.exit(0),
    (error: unknown) => {
      log('error', String(error));
      process.exit(1);
    },
  );
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
// The exchange that has started this process is gone, or ends.
process.on('disconnect', end);
gateway.listen().then(
  (port) => {
    log('info', `FIX 4.4 at port ${port}`);
    process.send?.({ port });
  },
  (error: unknown) => {
    log('error', `the FIX gateway did not start: ${(error as Error).message}`);
    process.exit(1);
  },
);
