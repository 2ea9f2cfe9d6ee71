// The markets of the exchange, read from it: prices in ticks, sizes in lots.
import { ticksOf } from './amounts.js';
import { ask } from './calls.js';

/**
 * `mid`: the price in ticks; `lots`: the usual size of an order; `lever`: leverage and seconds contracts are sold on it.
 * @typedef {{ id: number, symbol: string, legal: number, currency: number, mid: number, priceScale: number,
 *   numberScale: number, lots: number, lever?: boolean }} Market
 */

/** An order of the usual size is worth so many times the least that the market takes: the smallest is a fifth of it. */
const TIMES_LEAST = 6;
/** Least value of an order if a market has none. */
const LEAST = 1;

/**
 * The markets named in `SYMBOLS`, `all` of them, or the first one that is open.
 * @param {string | undefined} wanted
 * @param {{ shown?: boolean }} [more] `shown`: also those that are closed for trading now
 * @returns {Market[]}
 */
export function readMarkets(wanted, { shown = false } = {}) {
  const open = shown ? quoted().map(marketOf) : tradable();
  if (open.length === 0) throw new Error('The exchange shows no market.');
  if (wanted === 'all') return open;
  if (!wanted) return [open.find(({ symbol }) => symbol === 'BTC/USDT') ?? open[0]];
  return wanted.split(',').map((symbol) => {
    const found = open.find((market) => market.symbol === symbol);
    if (!found) throw new Error(`${symbol} is not open; open are ${open.map((market) => market.symbol).join(', ')}`);
    return found;
  });
}

/** @returns {any[]} what the exchange shows of its pairs */
const quoted = () => ask({ method: 'POST', path: '/api/quotation' }).message.coin_list;

/** @returns {Market[]} */
function tradable() {
  const open = quoted().filter(
    (item) => item.open_coin_trade === 1 && item.mode === 'normal' && Number(item.now_price) > 0,
  );
  if (open.length === 0) throw new Error('The exchange has no market that is open and has a price.');
  return open.map(marketOf);
}

/**
 * @param {any} item
 * @returns {Market}
 */
const marketOf = (item) => ({
  id: item.id,
  symbol: item.symbol,
  legal: item.legal_id,
  currency: item.currency_id,
  mid: ticksOf(item.now_price, item.price_scale),
  priceScale: item.price_scale,
  numberScale: item.number_scale,
  lever: item.open_lever === 1 && item.legal_name === 'USDT',
  // Sizes of test orders may be rounded: they are chosen, not owed.
  lots: Math.ceil(((Number(item.min_total) || LEAST) * TIMES_LEAST * 10 ** item.number_scale) / Number(item.now_price)),
});
