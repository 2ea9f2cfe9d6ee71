import { levelKey, type LadderPair, type Quote, type RestingOrder } from './ladder.js';

/** One move of the noise trader: an order to take away, or one to add. */
export type NoiseMove = { readonly cancel: RestingOrder } | { readonly place: Quote };

/** Small orders of a pair that rest at the same time: between these numbers the book only shifts. */
const RESTING_ORDERS = { least: 4, most: 10 };
/** Their greatest distance from the feed, in steps of the grid. */
const REACH_STEPS = 6n;

/**
 * Decides the next act of the noise trader on a pair: one small order more or one less near the best prices, so that
 * the book of a demo market moves as a market of many people does. An order that the feed has passed or left behind
 * goes first. `draw` returns numbers in [0, 1): same input, same answer.
 */
export function stirBook(
  pair: LadderPair,
  feed: bigint,
  step: bigint,
  resting: readonly RestingOrder[],
  draw: () => number,
): NoiseMove | null {
  const reach = step * REACH_STEPS;
  const misplaced = resting.find(({ side, price }) =>
    side === 'buy' ? price >= feed || price < feed - 2n * reach : price <= feed || price > feed + 2n * reach,
  );
  if (misplaced) return { cancel: misplaced };
  const oldest = resting[0];
  if (oldest && (resting.length >= RESTING_ORDERS.most || (resting.length >= RESTING_ORDERS.least && draw() < 0.5)))
    return { cancel: oldest };
  const side = draw() < 0.5 ? 'buy' : 'sell';
  // Squared: most of them are near the best price.
  const away = 1n + (reach * BigInt(Math.floor(draw() ** 2 * 1_000))) / 1_000n;
  const price = side === 'buy' ? feed - away : feed + away;
  if (price <= 0n || resting.some((order) => levelKey(order) === levelKey({ side, price }))) return null;
  const value = (pair.levelValue * BigInt(2 + Math.floor(draw() * 28))) / 100n;
  const least = pair.minTotal / price + 1n;
  const quantity = value / price;
  return { place: { side, price, quantity: quantity > least ? quantity : least } };
}
