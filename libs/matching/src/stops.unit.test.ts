import { expect, test } from '@jest/globals';
import { BUY, CANCEL_NEWEST, GTC, SELL } from './book.js';
import { PlainBook } from './plain-book.js';
import { limitHold, percent, type Market } from './market.js';
import { MarketEngine, type Trade } from './market-engine.js';
import { newOrder, type NewOrder } from './order.js';

const MARKET: Market = {
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

/** A market whose last price is 100, with a function that places an order of a new person. */
function openMarket() {
  const trades: Trade[] = [];
  const engine = new MarketEngine(MARKET, new PlainBook(), {
    sequence: 0,
    tradeSequence: 0,
    lastPrice: 10_000,
    mode: 'normal',
    at: 0,
  });
  let next = 0;
  const place = (terms: Partial<NewOrder> & { price: number; quantity: number }): string => {
    const id = String(++next);
    const full: NewOrder = {
      id,
      clientOrderId: '',
      userId: next,
      pairId: 1,
      side: BUY,
      type: 'limit',
      timeInForce: GTC,
      postOnly: false,
      selfTrade: CANCEL_NEWEST,
      stopPrice: 0,
      makerFee: MARKET.makerFee,
      takerFee: MARKET.takerFee,
      placedAt: 0,
      held: 0n,
      ...terms,
    };
    engine.place(
      newOrder({ ...full, held: limitHold(MARKET, full.side === BUY ? 'buy' : 'sell', full.price, full.quantity) }),
      0,
      {
        traded: (trade) => trades.push(trade),
        updated: () => undefined,
        amended: () => undefined,
        holdMoved: () => undefined,
        ended: () => undefined,
      },
    );
    return id;
  };
  return { engine, place, trades };
}

test('of two stops that one price starts the older goes first, whatever their stop prices [SPOT-108]', () => {
  const { engine, place, trades } = openMarket();
  const older = place({ type: 'stop_limit', stopPrice: 10_300, price: 10_500, quantity: 1 });
  const newer = place({ type: 'stop_limit', stopPrice: 10_100, price: 10_500, quantity: 1 });
  // One trade at 104 passes both stop prices at once; one seller is left for the two of them.
  place({ side: SELL, price: 10_400, quantity: 2 });
  place({ price: 10_400, quantity: 1 });
  expect(trades.map((trade) => trade.taker.id)).toEqual(['4', older]);
  expect(engine.open.get(newer)?.triggered).toBe(true);
});

test('a stop starts at each trade of a sweep that reaches it, not only at the last one [SPOT-116]', () => {
  const { engine, place, trades } = openMarket();
  const stop = place({ side: SELL, type: 'stop_limit', stopPrice: 9_950, price: 9_900, quantity: 1 });
  for (const price of [9_940, 9_960]) place({ side: SELL, price, quantity: 1 });
  place({ side: BUY, price: 10_000, quantity: 2 });
  expect(trades.map(({ price }) => price)).toEqual([9_940, 9_960]);
  expect(engine.open.get(stop)?.triggered).toBe(true);
});
