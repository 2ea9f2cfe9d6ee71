// Checks of public answers. Each function returns the problems as sentences, none if the answer is right. Nothing of k6
// is used here.
import { units } from './amounts.js';

/** @typedef {{ price: string, number: string }} Level */

const MINUTE_MS = 60_000;

/**
 * Pairs that are shown, by `POST /api/quotation`.
 * @param {{ symbol: string, now_price: string, low: string, high: string }[]} items
 * @param {string} wanted a pair that must be among them
 */
export function quotationProblems(items, wanted) {
  const problems = items
    .filter(({ low, high }) => units(low) > units(high))
    .map(({ symbol, low, high }) => `the day of ${symbol} has a low of ${low} above its high of ${high}`);
  const times = items.filter(({ symbol }) => symbol === wanted).length;
  if (times !== 1) problems.push(`${wanted} stands ${times} times among the quotations`);
  return problems;
}

/**
 * Groups of pairs, by `GET /api/quotation_new`.
 * @param {{ name: string, quotation: { symbol: string }[] }[]} groups
 * @param {string} wanted
 */
export function groupProblems(groups, wanted) {
  const found = groups.filter(({ quotation }) => quotation.some(({ symbol }) => symbol === wanted));
  return found.length === 1 ? [] : [`${wanted} stands in ${found.length} groups of quotations`];
}

/**
 * A book: best first on each side, no empty level, not crossed.
 * @param {{ symbol: string, in: Level[], out: Level[] }} book
 */
export function bookProblems({ symbol, in: bids, out: asks }) {
  /** @type {string[]} */
  const problems = [];
  for (const { price, number } of [...bids, ...asks])
    if (units(number) <= 0n) problems.push(`the book of ${symbol} has ${number} at ${price}`);
  /** @type {(levels: Level[], isBetter: (a: bigint, b: bigint) => boolean, side: string) => void} */
  const inOrder = (levels, isBetter, side) => {
    for (let at = 1; at < levels.length; at += 1)
      if (!isBetter(units(levels[at - 1].price), units(levels[at].price)))
        problems.push(`the ${side} of ${symbol} are not in order: ${levels[at - 1].price}, ${levels[at].price}`);
  };
  inOrder(bids, (a, b) => a > b, 'bids');
  inOrder(asks, (a, b) => a < b, 'asks');
  if (bids.length > 0 && asks.length > 0 && units(bids[0].price) >= units(asks[0].price))
    problems.push(`the book of ${symbol} is crossed: ${bids[0].price} is bid and ${asks[0].price} asked`);
  return problems;
}

/**
 * Candles of a minute: rising, without holes, each within its high and low.
 * @param {{ time: number, open: number, high: number, low: number, close: number }[]} bars
 * @param {string} symbol
 */
export function candleProblems(bars, symbol) {
  /** @type {string[]} */
  const problems = [];
  bars.forEach((bar, at) => {
    const { time, open, high, low, close } = bar;
    if (low > Math.min(open, close) || high < Math.max(open, close))
      problems.push(`the candle ${time} of ${symbol} goes beyond its high and low`);
    if (at > 0 && time - bars[at - 1].time !== MINUTE_MS)
      problems.push(`the candles of ${symbol} have a hole or a repeat before ${time}`);
  });
  return problems;
}

/**
 * The candle in progress.
 * @param {{ time: number, open: number, high: number, low: number, close: number }} bar
 * @param {string} symbol
 */
export const candleProblem = (bar, symbol) => candleProblems([bar], symbol);

/**
 * Trades, newest first: their numbers fall one by one.
 * @param {{ id: string }[]} list
 * @param {string} symbol
 */
export function tradeProblems(list, symbol) {
  const numbers = list.map(({ id }) => Number(id.slice(id.lastIndexOf('-') + 1)));
  return numbers.flatMap((number, at) =>
    at > 0 && number !== numbers[at - 1] - 1 ? [`after trade ${numbers[at - 1]} of ${symbol} comes ${number}`] : [],
  );
}
