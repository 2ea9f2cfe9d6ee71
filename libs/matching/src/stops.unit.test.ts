import { expect, test } from '@jest/globals';
import { BUY, SELL } from './book.js';
import { PlainBook } from './plain-book.js';
import { limitHold } from './market.js';
import { MarketEngine, type Trade } from './market-engine.js';
import type { NewOrder } from './order.js';
import { BTC_USDT, sampleOrder } from './samples.js';

/** A market whose last price is 100, with a function that places an order of a new person. */
function openMarket() {
  const trades: Trade[] = [];
  const engine = new MarketEngine(BTC_USDT, new PlainBook(), {
    sequence: 0,
    tradeSequence: 0,
    lastPrice: 10_000,
    mode: 'normal',
    at: 0,
  });
  let next = 0;
  const place = (terms: Partial<NewOrder> & { price: number; quantity: number }): string => {
    const id = String(++next);
    const { makerFee, takerFee } = BTC_USDT;
    const full = { id, userId: next, makerFee, takerFee, ...terms, side: terms.side ?? BUY };
    const held = limitHold(BTC_USDT, full.side === BUY ? 'buy' : 'sell', full.price, full.quantity);
    engine.place(sampleOrder({ ...full, held }), 0, {
      traded: (trade) => trades.push(trade),
      updated: () => undefined,
      amended: () => undefined,
      holdMoved: () => undefined,
      ended: () => undefined,
    });
    return id;
  };
  return { engine, place, trades };
}

test('of two stops that one price starts the older one starts first, whatever their stop prices [SPOT-108]', () => {
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
