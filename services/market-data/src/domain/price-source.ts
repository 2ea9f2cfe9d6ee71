import { compareUnits, divide } from '@bourse/money';
import { quiet, SCALE } from './candle.js';
import { DAY, MINUTE } from './period.js';
import type { PastMarket } from './simulated-history.js';
import { endOf, minutesOf, priceAt, startOf, weightedMean, type Recording } from './recording.js';

/** The price of one pair as a pure function of time. Prices in units of `SCALE`, not yet rounded to the pair. */
export interface PriceSource {
  readonly kind: 'recorded' | 'simulated';
  /** Price at a moment of the business clock, ms. */
  at(now: number): bigint;
  /** Mean price of the 24 hours before `now`: weighted by the recorded volume, over time where none was recorded. */
  mean(now: number): bigint;
  /** The market before the first start, in today's time. */
  past(): PastMarket;
}

/**
 * A recording replayed: recorded time `recordedNow` was now at `anchor` (both whole minutes). `factor` scales all
 * prices, so that the price at the anchor is the one that the install wants; null leaves them as recorded. With a
 * `seed`, a simulated market precedes the recording and ends where it begins.
 */
export function recordedSource(
  recording: Recording,
  recordedNow: number,
  anchor: number,
  firstPrice: bigint | null = null,
  seed: string | null = null,
): PriceSource {
  const base = firstPrice === null ? null : BigInt(priceAt(recording, recordedNow));
  const scale = (price: number): bigint =>
    base === null || firstPrice === null ? BigInt(price) : divide(BigInt(price) * firstPrice, base, 'half_up');
  const shift = anchor - recordedNow;
  return {
    kind: 'recorded',
    at: (now) => scale(priceAt(recording, now - shift)),
    mean: perStep(MINUTE, (now) => scale(weightedMean(recording, now - shift))),
    past: () => {
      const minutes = minutesOf(recording, startOf(recording), Math.min(recordedNow, endOf(recording)), scale).map(
        (minute) => ({ ...minute, time: minute.time + shift }),
      );
      const first = minutes[0];
      return { minutes, before: seed !== null && first ? pastWalk(seed, first.time, first.open) : null };
    },
  };
}

/** Moments of a minute at which a derived price is taken. */
const DERIVED_SECONDS = [0, 10, 20, 30, 40, 50, 59];

/**
 * A pair derived from two others with the same quote: base over quote, scaled by one factor so that it starts at the
 * first price. Its recorded minutes have prices only: no volume was recorded.
 */
export function ratioSource(
  base: PriceSource,
  quote: PriceSource,
  anchor: number,
  firstPrice: bigint,
  seed: string,
): PriceSource {
  const factorTop = firstPrice * quote.at(anchor);
  const factorBottom = base.at(anchor);
  const at = (now: number): bigint => divide(base.at(now) * factorTop, quote.at(now) * factorBottom, 'half_up');
  const recorded = base.kind === 'recorded' && quote.kind === 'recorded';
  return {
    kind: recorded ? 'recorded' : 'simulated',
    at,
    mean: sampledMean(at),
    past: () => {
      if (!recorded) return { minutes: [], before: pastWalk(seed, anchor, firstPrice) };
      // If the quote's market recorded nothing, its last price is used; before its first minute nothing is derived.
      const first = quote.past().minutes[0]?.time ?? Number.POSITIVE_INFINITY;
      const minutes = base
        .past()
        .minutes.filter(({ time }) => time >= first)
        .map(({ time }) => {
          const prices = DERIVED_SECONDS.map((second) => at(time + second * 1000));
          const sorted = prices.toSorted(compareUnits);
          return { ...quiet(time, prices[0]!), high: sorted.at(-1)!, low: sorted[0]!, close: prices.at(-1)! };
        });
      const begin = minutes[0];
      return { minutes, before: begin && base.past().before ? pastWalk(seed, begin.time, begin.open) : null };
    },
  };
}

/**
 * Waves of a simulated market: how long one swing takes, and how far it goes (parts of the price). Together like a wild
 * day of a coin.
 */
const SWINGS: readonly (readonly [number, number])[] = [
  [7 * DAY, 0.1],
  [2 * DAY, 0.05],
  [12 * 60 * MINUTE, 0.025],
  [2 * 60 * MINUTE, 0.01],
  [20 * MINUTE, 0.004],
  [4 * MINUTE, 0.0018],
  [MINUTE, 0.0008],
  [10_000, 0.0003],
];

/** Slower waves of the months before the first start: their charts show trends, not a line that trembles. */
const PAST_SWINGS: readonly (readonly [number, number])[] = [
  [150 * DAY, 0.45],
  [45 * DAY, 0.2],
  [16 * DAY, 0.09],
];

/**
 * A seeded walk: smooth noise on eight lengths of time, summed. The same seed gives the same price at the same moment,
 * so a restart continues at the price of that moment. At the anchor it is the first price.
 */
export function simulatedSource(seed: string, anchor: number, firstPrice: bigint): PriceSource {
  const at = walk(seed, SWINGS, anchor, firstPrice);
  return {
    kind: 'simulated',
    at,
    mean: sampledMean(at),
    past: () => ({ minutes: [], before: pastWalk(seed, anchor, firstPrice) }),
  };
}

/** The walk before `end`, which it reaches at `price`. */
const pastWalk = (seed: string, end: number, price: bigint): ((time: number) => bigint) =>
  walk(seed, [...SWINGS, ...PAST_SWINGS], end, price);

function walk(
  seed: string,
  swings: readonly (readonly [number, number])[],
  anchor: number,
  firstPrice: bigint,
): (time: number) => bigint {
  const key = hashText(seed);
  const height = (time: number): number =>
    swings.reduce((sum, [length, size], layer) => sum + size * noise(key + layer * 7919, time / length), 0);
  const zero = height(anchor);
  return (time) =>
    divide(firstPrice * BigInt(Math.round(Math.exp(height(time) - zero) * 1e9)), 1_000_000_000n, 'half_up');
}

const SAMPLE_STEP = 10 * MINUTE;

/** Mean over time of the 24 hours before a moment, by a price each ten minutes. */
const sampledMean = (at: (now: number) => bigint): ((now: number) => bigint) =>
  perStep(SAMPLE_STEP, (now) => {
    let sum = 0n;
    for (let back = 0; back < DAY; back += SAMPLE_STEP) sum += at(now - back);
    return divide(sum, BigInt(DAY / SAMPLE_STEP), 'half_up');
  });

/** Computes a figure once for each step of time: it is read each second. */
function perStep(step: number, work: (now: number) => bigint): (now: number) => bigint {
  let known: { readonly at: number; readonly value: bigint } | null = null;
  return (now) => {
    const at = Math.floor(now / step) * step;
    if (known?.at !== at) known = { at, value: work(at) };
    return known.value;
  };
}

/** Price in units of the pair's scale, never 0. */
export function toPairScale(price: bigint, priceScale: number): bigint {
  const rounded = divide(price, 10n ** BigInt(SCALE - priceScale), 'half_up');
  return rounded > 0n ? rounded : 1n;
}

/** Value noise in [-1, 1], smooth between whole numbers. */
function noise(key: number, x: number): number {
  const left = Math.floor(x);
  const part = x - left;
  const weight = part * part * (3 - 2 * part);
  return point(key, left) * (1 - weight) + point(key, left + 1) * weight;
}

function point(key: number, x: number): number {
  let hash = Math.imul(key ^ (x | 0), 0x9e3779b1) ^ Math.imul(Math.floor(x / 0x1_0000_0000), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 0x8000_0000 - 1;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
