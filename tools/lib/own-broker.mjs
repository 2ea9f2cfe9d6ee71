// The broker of a distributed run on this machine, which ends with the run: for tools that must read its log after.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs `work(brokers)`: with `given` where there are any, with the run's own broker, started for as long, where
 * `folder` holds its log (null: there is no such folder), else with none. It lets in everybody of this machine
 * meanwhile, as nobody else knows its port.
 */
export async function withBrokers({ given, folder, start = startOwn }, work) {
  if (given.length > 0 || folder === null || !existsSync(join(folder, 'kafka', 'log'))) return work(given);
  const { brokers, stop } = await start(folder);
  try {
    return await work(brokers.split(','));
  } finally {
    await stop();
  }
}

/** Loaded when it is needed: an image has no broker. */
async function startOwn(folder) {
  const { startKafka } = await import('./kafka.mjs');
  return startKafka({ given: '', dataDir: join(folder, 'kafka'), logDir: join(folder, 'logs') });
}
