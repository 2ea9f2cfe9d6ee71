import { expect, test } from '@jest/globals';
import { BUY, IOC, SELL, LadderBook, MarketEngine, type Order, newTrail } from '@bourse/matching';
import { BTC_USDT, sampleOrder } from '@bourse/matching/samples';
import { EngineBatch } from './engine-batch.js';
import type { ListedMarket } from './markets.js';
import type { TrailWrite } from './ports.js';
import { TRADES_A_TRAIL, writeOf } from './running-market.js';

const MARKET: ListedMarket = { ...BTC_USDT, makerFee: 0n, takerFee: 0n, openSpot: true, partition: 0 };
const engine = new MarketEngine(MARKET, new LadderBook(), {
  sequence: 0,
  tradeSequence: TRADES_A_TRAIL - 3,
  lastPrice: 10_000,
  mode: 'normal',
  at: 0,
});
let next = 0;
const order = (terms: Partial<Order>): Order => {
  const id = String(++next);
  return sampleOrder({ id, userId: next, side: SELL, held: 10n ** 15n, ...terms });
};
/** The trails that a batch of these orders writes. */
function written(...orders: Order[]): readonly TrailWrite[] {
  const batch = new EngineBatch({ ledgerPartitions: 1, userPartitions: 1, partition: 0, newId: () => '1' });
  for (const one of orders) {
    batch.inserted.set(one, MARKET);
    batch.touched.add(MARKET.symbol);
    engine.place(one, 0, batch.listener(MARKET));
  }
  return writeOf(batch, new Map([[MARKET.symbol, { engine, market: MARKET, modeVersion: 0 }]])).trails;
}
/** Two orders that trade at a price. */
const tradeAt = (price: number): [Order, Order] => [
  order({ price, quantity: 1 }),
  order({ side: BUY, price, timeInForce: IOC, quantity: 1 }),
];

test('trails are stored with their orders, and all of them after many trades of the market [SPOT-265]', () => {
  const trail = newTrail({ percent: 0, amount: 500, activation: 0, reference: 10_000 });
  const stop = order({ type: 'trailing_stop', trail, stopPrice: 9_500 });
  const seen = ({ order: { id }, trail: { best }, tradeSequence }: TrailWrite) => [id, best, tradeSequence];
  expect(written(stop).map(seen)).toEqual([[stop.id, 10_000, TRADES_A_TRAIL - 3]]);
  expect(written(...tradeAt(10_100))).toEqual([]);
  expect(written(...tradeAt(10_200))).toEqual([]);
  // The trade that makes the number round.
  expect(written(...tradeAt(10_050)).map(seen)).toEqual([[stop.id, 10_200, TRADES_A_TRAIL]]);
  expect(written(...tradeAt(10_300))).toEqual([]);
  // Its start stores the trigger that has started it.
  const [ask, bid] = tradeAt(9_800);
  expect(written(ask, bid).map(seen)).toEqual([[stop.id, 10_300, TRADES_A_TRAIL + 2]]);
  expect([stop.triggered, stop.stopPrice]).toEqual([true, 9_800]);
});
