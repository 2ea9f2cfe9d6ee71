import { compareUnits, percentOf } from '@bourse/money';
import { PERCENT_SCALE } from './percent.js';

/** A contract wins upwards or downwards. */
export type MicroDirection = 'up' | 'down';
export type MicroResult = 'win' | 'loss' | 'tie' | 'void';

/** Length of the window before the expiry whose ticks decide a contract; its start is excluded. Ms. */
export const JUDGED_MS = 5_000;
/** The fewest deciding ticks; with fewer the contract is void. */
export const DECISIVE_TICKS_MIN = 3;

/** A tick as far as it judges: its number in the chain and its price in ticks of the pair's scale. */
export interface DecisiveTick {
  readonly id: bigint;
  readonly price: bigint;
}
/** When a tick was recorded, and when its price was given, ms; `at` is null in ticks of version 1. */
export interface TickTimes {
  readonly time: number;
  readonly at: number | null;
}

/** When the price of a tick was given: a tick of version 1 counts by the second in which it was recorded. */
export const givenAt = ({ time, at }: TickTimes): number => at ?? time;

/** Whether a tick counts for a contract that expires then: expire − 5 s < at, recorded by the expiry (rules §4). */
export const judges = (tick: TickTimes, expireTime: number): boolean =>
  givenAt(tick) > expireTime - JUDGED_MS && givenAt(tick) <= expireTime && tick.time <= expireTime;

/**
 * The ticks that decide a contract, in the order of their recording. Of ticks with the same `at` only the first counts:
 * a repeated price, or one recorded late under an earlier time, is ignored (rules §4).
 */
export function judgingTicks<T extends TickTimes>(ticks: readonly T[], expireTime: number): T[] {
  const seen = new Set<number>();
  return ticks
    .filter((tick) => judges(tick, expireTime))
    .toSorted((a, b) => a.time - b.time)
    .filter((tick) => !seen.has(givenAt(tick)) && seen.add(givenAt(tick)));
}

/**
 * end_price: the median of the ticks that judge. Of an even number the one of the two middle ones with the later id;
 * ticks of one price are ordered by id. Null with fewer than three (rules §4).
 */
export function medianPrice(ticks: readonly DecisiveTick[]): bigint | null {
  if (ticks.length < DECISIVE_TICKS_MIN) return null;
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

/**
 * The profit of a winning stake, on top of the stake, down; the house sets the same amount aside for it. `ratio` in
 * PERCENT_SCALE.
 */
export const winOf = (stake: bigint, ratio: bigint): bigint => percentOf(stake, ratio, PERCENT_SCALE, 'down');

/** fact_profits: the effect of the result on the stake; the fee is separate (rules §4). */
export function factProfits(result: MicroResult, stake: bigint, ratio: bigint): bigint {
  if (result === 'win') return winOf(stake, ratio);
  return result === 'loss' ? -stake : 0n;
}

/** The result of a running contract if it ended at this price: 0 when the price has not moved (rules §4). */
export const wouldBe = (
  direction: MicroDirection,
  openPrice: bigint,
  price: bigint,
  stake: bigint,
  ratio: bigint,
): bigint => factProfits(microResult(direction, openPrice, price), stake, ratio);
