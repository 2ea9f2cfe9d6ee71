import { decimals, divide, formatUnits, maxOf, pow10, rescale, toUnits } from '@bourse/money';
import type { BookLevel } from '@bourse/realtime';

/** One row of the ladder as it is painted. */
export interface LadderRow {
  readonly level: number;
  /** As sent: what a click uses. */
  readonly price: string;
  readonly number: string;
  /** Sum of the amounts from the best level to this one. */
  readonly cumulative: string;
  /** Part of the deepest side shown, 0..100: length of the depth bar. */
  readonly share: number;
}

export interface Ladder {
  readonly asks: readonly LadderRow[];
  readonly bids: readonly LadderRow[];
  readonly spread: string;
  readonly spreadPercent: string;
}

/** Rows of both sides, best first, with running sums and bars on one scale. */
export function ladderOf(
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  levels: number,
  { priceScale, numberScale }: { priceScale: number; numberScale: number },
): Ladder {
  const bidSums = sums(bids, levels, numberScale);
  const askSums = sums(asks, levels, numberScale);
  const deepest = maxOf(bidSums.at(-1) ?? 0n, askSums.at(-1) ?? 0n);
  const rows = (side: readonly BookLevel[], cumulative: readonly bigint[]): LadderRow[] =>
    cumulative.map((sum, at) => ({
      level: at + 1,
      price: side[at]![0],
      number: side[at]![1],
      cumulative: formatUnits(sum, numberScale),
      share: deepest === 0n ? 0 : Number((sum * 100n) / deepest),
    }));
  const bid = bids[0]?.[0];
  const ask = asks[0]?.[0];
  let spread = '';
  let spreadPercent = '';
  if (bid !== undefined && ask !== undefined) {
    const gap = toUnits(ask, priceScale) - toUnits(bid, priceScale);
    spread = formatUnits(gap, priceScale);
    spreadPercent = formatUnits((gap * 1_000_000n) / toUnits(ask, priceScale), 4);
  }
  return { asks: rows(asks, askSums), bids: rows(bids, bidSums), spread, spreadPercent };
}

function sums(side: readonly BookLevel[], levels: number, numberScale: number): bigint[] {
  let sum = 0n;
  return side.slice(0, levels).map(([, number]) => (sum += toUnits(number, numberScale)));
}

export type BookSide = 'bids' | 'asks';

/** Groupings of a book: powers of ten of the last decimal, so 1, 10, 100 … */
const GROUPINGS: readonly number[] = [0, 1, 2, 3, 4];
/**
 * A step is at most this part of the last price. The twenty rows of a side then span at most two fifths of the price,
 * so that no bid falls to a row of price 0. A hundredth would have pegged coins at its limit: their price crosses 1 all
 * the time, and the offered steps would change with it.
 */
const STEP_PART = 50n;

/** The groupings that a market at this price offers; single levels always. */
export function groupingsAt(lastPrice: string, priceScale: number): readonly number[] {
  const scale = decimals(lastPrice);
  const ticks = lastPrice === '' ? 0n : rescale(toUnits(lastPrice, scale), scale, priceScale, 'down');
  return GROUPINGS.filter((grouping) => grouping === 0 || pow10(grouping) * STEP_PART <= ticks);
}

/** The grouping in use: a kept one that the market does not offer at its present price is not. */
export const usedGrouping = (kept: number, offered: readonly number[]): number => (offered.includes(kept) ? kept : 0);

/** The step of a grouping as a decimal of the pair. */
export const stepText = (grouping: number, priceScale: number): string =>
  grouping >= priceScale ? String(pow10(grouping - priceScale)) : formatUnits(pow10(grouping), priceScale);

/** The price of the group that a price belongs to: bids down, asks up, so that no group looks better than it is. */
export function groupPrice(price: string, side: BookSide, grouping: number, priceScale: number): string {
  if (grouping === 0) return price;
  const step = pow10(grouping);
  return formatUnits(divide(toUnits(price, priceScale), step, side === 'bids' ? 'down' : 'up') * step, priceScale);
}

/** Levels joined to groups of one price, best first. */
export function groupLevels(
  levels: readonly BookLevel[],
  side: BookSide,
  grouping: number,
  { priceScale, numberScale }: { priceScale: number; numberScale: number },
): readonly BookLevel[] {
  if (grouping === 0) return levels;
  const groups = new Map<string, bigint>();
  for (const [price, number] of levels) {
    const key = groupPrice(price, side, grouping, priceScale);
    groups.set(key, (groups.get(key) ?? 0n) + toUnits(number, numberScale));
  }
  return [...groups].map(([price, sum]) => [price, formatUnits(sum, numberScale)] as const);
}

const ROWS_MIN = 8;
/** How many levels of a side the exchange sends. */
const LEVELS_MAX = 20;

/** How many rows of each shown side fit into a height: at least eight in all, at most the levels of a side. */
export function levelsFor(height: number, sides: 1 | 2, rowPx: number): number {
  return Math.min(LEVELS_MAX, Math.max(ROWS_MIN / sides, Math.floor(height / rowPx / sides)));
}
