import { expect, test } from '@jest/globals';
import type { SpotTrigger } from '@bourse/events';
import type { LedgerClient, LedgerOrder } from '@bourse/ledger-client';
import { LadderBook, MarketEngine, SELL, type Order } from '@bourse/matching';
import { BTC_USDT, FRESH, sampleOrder, SILENT } from '@bourse/matching/samples';
import type { Clock } from '@bourse/platform';
import type { LocalBooks } from './local-books.js';
import { MarkTriggers } from './mark-triggers.js';
import type { ListedMarket, Mark, Markets } from './markets.js';

const market: ListedMarket = { ...BTC_USDT, openSpot: true, partition: 0 };

/** The triggers that a tick sends, with a book whose stops start at 90 (a sell) and at 110 (a buy). */
function watch() {
  const engine = new MarketEngine(market, new LadderBook(), FRESH);
  const stop = (terms: Partial<Order>): Order => {
    const order = sampleOrder({ type: 'stop_market', triggerBy: 'mark', held: 10n ** 15n, ...terms });
    engine.place(order, 0, SILENT);
    return order;
  };
  const [sell, buy] = [stop({ id: '1', side: SELL, stopPrice: 9_000 }), stop({ id: '2', stopPrice: 11_000 })];
  stop({ id: '3', triggerBy: 'last', stopPrice: 11_000 });
  const time = { now: 0 };
  const marks: { now: Mark | null } = { now: null };
  const sent: LedgerOrder[] = [];
  let isDown = false;
  let listed: ListedMarket | undefined = market;
  let onTick = (): void => undefined;
  const markets = {
    onFeed: (listener: () => void) => (onTick = listener),
    mark: () => marks.now,
    bySymbol: () => listed,
    partitionOf: () => 0,
  } as unknown as Markets;
  const books = {
    *waitingForMark() {
      if (engine.waitsForMark) yield { engine, market };
    },
  } as unknown as LocalBooks;
  const ledger = {
    sendUnanswered: (order: LedgerOrder) =>
      isDown ? Promise.reject(new Error('away')) : Promise.resolve(sent.push(order)),
  } as unknown as LedgerClient;
  const clock = { real: () => time.now } as unknown as Clock;
  new MarkTriggers(markets, books, ledger, clock);
  const tick = (ticks: number | null): readonly SpotTrigger[] => {
    marks.now = ticks === null ? null : { ticks, at: 1_000 };
    time.now += 1_000;
    onTick();
    return sent.splice(0).map(({ forward }) => forward?.message.body as SpotTrigger);
  };
  const list = (openSpot: boolean): void => {
    listed = { ...market, openSpot };
  };
  return { engine, sell, buy, tick, time, list, fail: (down: boolean) => (isDown = down) };
}

test('a fresh mark sends each stop that it reaches one trigger, with the mark and its time [SPOT-292]', () => {
  const { engine, sell, tick } = watch();
  expect(tick(10_000)).toEqual([]);
  expect(tick(9_001)).toEqual([]);
  expect(tick(8_950)).toEqual([
    { orderId: sell.id, userId: sell.userId, symbol: market.symbol, mark: '89.50', markAt: 1_000 },
  ]);
  expect(tick(8_940)).toEqual([]);
  engine.trigger(sell.id, sell.userId, 8_950, 0, SILENT);
  expect(tick(8_930)).toEqual([]);
  expect(tick(11_000)).toMatchObject([{ orderId: '2', mark: '110.00' }]);
});

test('a mark that is not fresh, and a market that is not open, send nothing [SPOT-292]', () => {
  const { engine, tick } = watch();
  expect(tick(null)).toEqual([]);
  engine.setMode('cancel_only', 0);
  expect(tick(8_000)).toEqual([]);
  engine.setMode('normal', 0);
  expect(tick(8_000)).toHaveLength(1);
});

test('a trigger without effect is sent again after 5 s, if the mark still reaches its order [SPOT-292]', async () => {
  const { tick, fail } = watch();
  fail(true);
  expect(tick(9_000)).toEqual([]);
  fail(false);
  for (let second = 1; second < 5; second += 1) expect(tick(9_000)).toEqual([]);
  expect(tick(8_999)).toMatchObject([{ orderId: '1', mark: '89.99' }]);
  expect(tick(9_001)).toEqual([]);
  // It came back meanwhile: the next time is a new one.
  expect(tick(9_000)).toHaveLength(1);
  await Promise.resolve();
});

test('a mark starts no stop of a pair that is closed for spot, until it is open again [SPOT-298]', () => {
  const { tick, list } = watch();
  list(false);
  expect(tick(8_950)).toEqual([]);
  list(true);
  expect(tick(8_940)).toMatchObject([{ orderId: '1', mark: '89.40' }]);
});
