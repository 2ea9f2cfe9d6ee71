import { abs, compareUnits, divide } from '@bourse/money';

/** Scale of the fence: percent with two decimals. */
export const FENCE_SCALE = 2;
const HUNDRED_PERCENT = 100n * 10n ** BigInt(FENCE_SCALE);

/** A price of one pair as one exchange gave it, in units of the pair's price scale. */
export interface SourcePrice {
  readonly source: string;
  readonly price: bigint;
  /** The earlier of the time that the source states and of its receipt, business time, ms. */
  readonly at: number;
}
/** The index of a pair, and what it is made of. */
interface IndexPrice {
  readonly price: bigint;
  /** When the price in the middle was given; of two the earlier. */
  readonly at: number;
  /** How many sources it is made of. */
  readonly fresh: number;
}
export interface IndexedSources {
  /** Null: no source is fresh, or none is within the fence. */
  readonly index: IndexPrice | null;
  /** Fresh sources that were left out: too far from the median. */
  readonly outliers: readonly string[];
}

/**
 * The index of a pair (rules §17): the median of the sources that are fresh, without those that are more than `fence`
 * (percent at FENCE_SCALE) from the median of all fresh ones. For an even number it is the mean of the two in the
 * middle, rounded half up.
 */
export function indexOf(
  quotes: readonly SourcePrice[],
  { now, maxAgeMs, fence }: { readonly now: number; readonly maxAgeMs: number; readonly fence: bigint },
): IndexedSources {
  const fresh = quotes
    .filter(({ at }) => now - at <= maxAgeMs)
    .toSorted((a, b) => compareUnits(a.price, b.price) || a.at - b.at);
  const middle = middleOf(fresh);
  if (!middle) return { index: null, outliers: [] };
  // Twice the median is exact where the median itself may not be.
  const twice = middle[0].price + middle[1].price;
  const isNear = ({ price }: SourcePrice): boolean => abs(2n * price - twice) * HUNDRED_PERCENT <= fence * twice;
  const kept = fresh.filter(isNear);
  const outliers = fresh.filter((quote) => !isNear(quote)).map(({ source }) => source);
  const pair = middleOf(kept);
  if (!pair) return { index: null, outliers };
  const [low, high] = pair;
  return {
    index: {
      price: divide(low.price + high.price, 2n, 'half_up'),
      at: Math.min(low.at, high.at),
      fresh: kept.length,
    },
    outliers,
  };
}

/** The two middle elements of a sorted list; of an odd number the same one twice; null: the list is empty. */
export function middleOf<T>(sorted: readonly T[]): readonly [T, T] | null {
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? null : [low, high];
}
