import { readKept } from '../prefs/kept.js';

type Push = typeof import('./push.js');

/** Key of the registration of this browser for push messages. */
export const PUSH_DEVICE = 'push.device';

/**
 * Runs something on the push messages of this browser, where they are on: else their code is not loaded. A failure is
 * logged: pages work without push messages.
 */
export async function withPush(run: (push: Push) => Promise<void>): Promise<void> {
  try {
    if ('serviceWorker' in navigator && (await readKept(PUSH_DEVICE))) await run(await import('./push.js'));
  } catch (error) {
    console.warn('push messages failed', error);
  }
}
