import { delay } from './delay.js';

const STOP_MS_MAX = 10_000;

/** Work that runs in the background until it is stopped. */
export interface Handle {
  stop(): Promise<void>;
}

/** Waits until stopped work has ended, at most 10 s. */
export async function endedInTime(ended: Promise<void>): Promise<void> {
  const waited = new AbortController();
  await Promise.race([ended.finally(() => waited.abort()), delay(STOP_MS_MAX, waited.signal)]);
}
