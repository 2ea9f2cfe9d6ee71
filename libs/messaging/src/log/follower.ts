import type { Delivery, FollowSpec, OwnedPartition } from '../ports.js';
import { delay } from './delay.js';
import { messagesOf } from './deliveries.js';

const BATCH_MESSAGES = 500;
/** The position is stored this long after the first message of a batch: one commit for all that came meanwhile. */
const STORED_AFTER_MS = 250;

/**
 * Takes each message at once and stores the position later, until ownership ends. `taken` is the last number taken of
 * each stream; it outlives the ownership, so that rows whose position was not stored are not taken twice.
 */
export async function followPartition(
  spec: FollowSpec,
  owned: OwnedPartition,
  taken: Map<string, number>,
): Promise<void> {
  let waiting: Delivery[] = [];
  let due = Promise.resolve();
  let taking: Promise<readonly Delivery[]> | undefined;
  try {
    for (;;) {
      taking ??= owned.take(BATCH_MESSAGES);
      const batch = await (waiting.length === 0 ? taking : Promise.race([taking, due]));
      if (batch) {
        taking = undefined;
        if (waiting.length === 0) due = delay(STORED_AFTER_MS, owned.signal);
        waiting.push(...batch);
        await spec.take(batch.filter((delivery) => isNew(delivery, taken)).flatMap(messagesOf));
      } else {
        const stored = waiting;
        waiting = [];
        await spec.database.transaction((tx) => owned.advance(tx, stored), { relaxed: true, atOnce: true });
      }
    }
  } finally {
    taking?.catch(() => undefined); // it is not awaited any more, and rejects when ownership ends
  }
}

/** Whether a row was not taken before; from here on it was. */
function isNew(delivery: Delivery, taken: Map<string, number>): boolean {
  if (delivery.kind !== 'row') return true;
  const { stream, number } = delivery.row;
  if (number <= (taken.get(stream) ?? 0)) return false;
  taken.set(stream, number);
  return true;
}
