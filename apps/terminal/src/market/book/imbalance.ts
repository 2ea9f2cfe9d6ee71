import { divide, toUnits } from '@bourse/money';
import type { Ladder } from './ladder.js';

/** Enough for the amounts of every pair. */
const SCALE = 18;

/**
 * The share of the bids in the volume of the shown rows, in whole percent; that of the asks is the rest. Undefined for
 * an empty book. A side with any volume never shows as nothing.
 */
export function bidShareOf({ bids, asks }: Pick<Ladder, 'bids' | 'asks'>): number | undefined {
  const volume = (rows: Ladder['bids']): bigint => toUnits(rows.at(-1)?.cumulative ?? '0', SCALE);
  const [bid, ask] = [volume(bids), volume(asks)];
  if (bid + ask === 0n) return undefined;
  const share = Number(divide(bid * 200n + bid + ask, (bid + ask) * 2n, 'down'));
  if (bid === 0n || ask === 0n) return share;
  return Math.min(99, Math.max(1, share));
}
