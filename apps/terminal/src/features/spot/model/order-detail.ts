import type { SpotFill, SpotOrder, WalletLog } from '@bourse/contract';
import { compareDecimals } from '@bourse/money';
import { isGiven, isWaitingStop } from './orders.js';

/** States of an order as a person reads them. */
export type OrderState = 'waiting' | 'open' | 'partlyFilled' | 'filled' | 'partlyCancelled' | 'cancelled';

/** The state of an order: an open one waits for its trigger, rests, or has fills; an ended one says how it ended. */
export function stateOf(
  order: Pick<SpotOrder, 'status' | 'cancelled' | 'filled_amount' | 'order_type' | 'triggered'>,
): OrderState {
  const hasFills = isGiven(order.filled_amount);
  if (order.status === 2) return order.cancelled === 0 ? 'filled' : hasFills ? 'partlyCancelled' : 'cancelled';
  if (isWaitingStop(order)) return 'waiting';
  return hasFills ? 'partlyFilled' : 'open';
}

/** How long after its end an order may still be booked. */
const BOOKED_WITHIN_MS = 60_000;

/** The span of the statement in which an order is booked: UTC texts; an open order has no end. */
export function spanOf({ status, created_at: from, updated_ts: end }: SpotOrder): { from: string; to?: string } {
  if (status !== 2) return { from };
  return { from, to: new Date(end + BOOKED_WITHIN_MS).toISOString().slice(0, 19).replace('T', ' ') };
}

type Entry = Pick<WalletLog, 'id' | 'cause_type' | 'cause_id' | 'created_time'>;

/** The statement entries that belong to an order: of its hold, and of the trades that filled it; oldest first. */
export function entriesOf<E extends Entry>(
  { id }: Pick<SpotOrder, 'id'>,
  fills: readonly Pick<SpotFill, 'id'>[],
  entries: readonly E[],
): E[] {
  const trades = new Set(fills.map((fill) => fill.id));
  const belongs = ({ cause_type: type, cause_id: cause }: Entry): boolean =>
    type === 'order' ? cause === id : type === 'trade' && trades.has(cause);
  return entries
    .filter(belongs)
    .sort((a, b) => a.created_time.localeCompare(b.created_time) || compareDecimals(a.id, b.id));
}
