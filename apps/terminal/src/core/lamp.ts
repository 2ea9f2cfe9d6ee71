import type { FeedStatus } from '@bourse/realtime';

/** Older data dims and is no longer safe to trade on. */
const STALE_MS = 3_000;

type Lamp = 'live' | 'old' | 'offline' | 'reconnecting' | 'connecting';

/**
 * The lamp of the status bar (terminal rule 8): it follows the age of the data. Fresh data proves that the connection
 * works, even when a single call fails; the panel of that call shows its failure.
 * @param age ms of the pair's data; undefined on pages without one
 * @param reached whether the clock call was answered last
 */
export function lampOf({
  status,
  age,
  reached,
}: {
  status: FeedStatus;
  age?: number | undefined;
  reached: boolean;
}): Lamp {
  if (status === 'live' && (age === undefined || age <= STALE_MS)) return 'live';
  if (!reached) return 'offline';
  if (status === 'reconnecting') return 'reconnecting';
  return status === 'live' ? 'old' : 'connecting';
}
