import { compareUnits, percentOf } from '@bourse/money';
import { PERCENT_SCALE } from './percent.js';

/** A contract wins upwards or downwards. */
export type MicroDirection = 'up' | 'down';
export type MicroResult = 'win' | 'loss' | 'tie' | 'void';

/** Ticks that judge a contract lie in this time before its expiry: end excluded at the early side (rules §4). */
export const JUDGED_MS = 5_000;
/** All that there can be: one a second. */
export const JUDGED_TICKS = 5;
/** With fewer than this nothing is decided, and the contract is void. */
export const JUDGED_LEAST = 3;

/** A tick as far as it judges: its number in the chain, its time in ms and its price in ticks of the pair's scale. */
export interface JudgedTick {
  readonly id: bigint;
  readonly time: number;
  readonly price: bigint;
}

/** Whether a tick counts for a contract that expires then: expire − 5 s < time ≤ expire (rules §4). */
export const judges = ({ time }: Pick<JudgedTick, 'time'>, expireTime: number): boolean =>
  time > expireTime - JUDGED_MS && time <= expireTime;

/**
 * end_price: the median of the ticks that judge. Of an even number the one of the two middle ones with the later id;
 * ticks of one price are ordered by id. Null with fewer than three (rules §4).
 */
export function medianPrice(ticks: readonly JudgedTick[]): bigint | null {
  if (ticks.length < JUDGED_LEAST) return null;
  const sorted = ticks.toSorted((a, b) => compareUnits(a.price, b.price) || compareUnits(a.id, b.id));
  const upper = sorted[Math.floor(sorted.length / 2)]!;
  if (sorted.length % 2 === 1) return upper.price;
  const lower = sorted[sorted.length / 2 - 1]!;
  return lower.id > upper.id ? lower.price : upper.price;
}

/** Result of a contract; void without an end price (rules §4). */
export function microResult(direction: MicroDirection, openPrice: bigint, endPrice: bigint | null): MicroResult {
  if (endPrice === null) return 'void';
  if (endPrice === openPrice) return 'tie';
  return endPrice > openPrice === (direction === 'up') ? 'win' : 'loss';
}

/** What a stake wins on top of itself, down: also what the house sets aside for it. `ratio` in PERCENT_SCALE. */
export const winOf = (stake: bigint, ratio: bigint): bigint => percentOf(stake, ratio, PERCENT_SCALE, 'down');

/** fact_profits: what the result does to the stake; the fee lies apart (rules §4). */
export function factProfits(result: MicroResult, stake: bigint, ratio: bigint): bigint {
  if (result === 'win') return winOf(stake, ratio);
  return result === 'loss' ? -stake : 0n;
}

/** What a running contract would do if it ended at this price: 0 when the price has not moved (rules §4). */
export const wouldBe = (
  direction: MicroDirection,
  openPrice: bigint,
  price: bigint,
  stake: bigint,
  ratio: bigint,
): bigint => factProfits(microResult(direction, openPrice, price), stake, ratio);
