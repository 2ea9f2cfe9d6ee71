// The broker of a distributed run on this machine ends with the run. Tools that read its log start it again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs `work(brokers)` with the `given` brokers. Without any it starts the run's own broker for as long, if `folder`
 * holds its log (null: there is no such folder); else `brokers` is empty. The own broker asks for no password, but its
 * port is a random one of this machine.
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
