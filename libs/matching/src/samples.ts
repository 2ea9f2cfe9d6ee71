// Markets and orders for the tests of this package and of the services that use it.
import { toUnits } from '@bourse/money';
import { BUY, CANCEL_NEWEST, GTC } from './book.js';
import { percent, type Market } from './market.js';
import type { Listener, MarketState } from './market-engine.js';
import { newOrder, type NewOrder, type Order } from './order.js';

/** A market with prices in cents, and fees of 0.1 % on both sides. */
export const BTC_USDT: Market = {
  symbol: 'BTC/USDT',
  pairId: 1,
  baseId: 1,
  baseName: 'BTC',
  baseScale: 8,
  quoteId: 3,
  quoteName: 'USDT',
  quoteScale: 8,
  priceScale: 2,
  numberScale: 6,
  minTotal: 0n,
  makerFee: percent('0.1'),
  takerFee: percent('0.1'),
  band: percent('5'),
};
/** Nine decimals of price and number against eight of the quote: every fill rounds. */
export const XRP_USDT: Market = {
  ...BTC_USDT,
  symbol: 'XRP/USDT',
  pairId: 4,
  baseId: 4,
  baseName: 'XRP',
  priceScale: 5,
  numberScale: 4,
  minTotal: toUnits('1', 8),
  takerFee: percent('0.15'),
};
/** A market before its first trade. */
export const FRESH: MarketState = { sequence: 0, tradeSequence: 0, lastPrice: 0, mode: 'normal', at: 0 };
/** Ignores every event. */
export const SILENT: Listener = { traded() {}, updated() {}, amended() {}, holdMoved() {}, ended() {} };

/** An order to buy one lot of `BTC_USDT` without fees and without a hold; `terms` replace its own. */
export const sampleOrder = (terms: Partial<NewOrder> = {}): Order =>
  newOrder({
    id: '1',
    clientOrderId: '',
    userId: 100_001,
    pairId: BTC_USDT.pairId,
    side: BUY,
    type: 'limit',
    timeInForce: GTC,
    postOnly: false,
    selfTrade: CANCEL_NEWEST,
    price: 0,
    stopPrice: 0,
    quantity: 1,
    held: 0n,
    makerFee: 0n,
    takerFee: 0n,
    placedAt: 0,
    ...terms,
  });
