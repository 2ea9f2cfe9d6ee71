import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BUY, IOC, SELL, type Side } from './book.js';
import { LadderBook } from './ladder-book.js';
import { MarketEngine } from './market-engine.js';
import type { Order, TriggerPrice } from './order.js';
import { PlainBook } from './plain-book.js';
import { BTC_USDT, FRESH, sampleOrder, SILENT } from './samples.js';

const price = fc.integer({ min: 9_990, max: 10_010 });
const side = fc.constantFrom<Side>(BUY, SELL);
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('stop' as const),
        side,
        by: fc.constantFrom<TriggerPrice>('mark', 'mark', 'last'),
        isMarket: fc.boolean(),
        stop: price,
        price,
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('rest' as const), side, price }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('trade' as const), side, price }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('tick' as const), mark: price }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('amend' as const), pick: fc.nat(), price }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  ),
  { maxLength: 60 },
);

type Engine = MarketEngine;
/** A command as a book takes it. */
type Command = (engine: Engine) => void;
const stateOf = (engine: Engine): unknown => [engine.state, engine.hash(), engine.bookHash(), engine.open];

test('for any prices a stop by mark starts at the triggers of its mark, and at nothing else [SPOT-290]', () => {
  fc.assert(
    fc.property(steps, (list) => {
      let engine = new MarketEngine(BTC_USDT, new LadderBook(), FRESH);
      const log: Command[] = [];
      let next = 0;
      const all = (): Order[] => [...engine.open.values()].sort((a, b) => a.sequence - b.sequence);
      const waiting = (): Order[] => all().filter((order) => order.triggerBy === 'mark' && !order.triggered);
      const run = (command: Command): void => {
        log.push(command);
        command(engine);
      };
      const place = (terms: Partial<Order>): void => {
        const userId = ++next;
        const id = String(userId);
        run((at) => at.place(sampleOrder({ id, userId, held: 10n ** 15n, ...terms }), 0, SILENT));
      };
      for (const step of list) {
        const before = waiting().map(({ id }) => id);
        if (step.kind === 'stop')
          place({
            side: step.side,
            type: step.isMarket ? 'stop_market' : 'stop_limit',
            triggerBy: step.by,
            stopPrice: step.stop,
            price: step.isMarket ? 0 : step.price,
          });
        else if (step.kind === 'rest') place({ side: step.side, price: step.price });
        else if (step.kind === 'trade') {
          place({ side: step.side === BUY ? SELL : BUY, price: step.price });
          place({ side: step.side, price: step.price, timeInForce: IOC, quantity: 3 });
        } else if (step.kind === 'tick') {
          const { mark } = step;
          const reached = waiting().filter((one) => (one.side === BUY ? mark >= one.stopPrice : mark <= one.stopPrice));
          const ids = reached.map(({ id }) => id).sort();
          expect(
            engine
              .reachedByMark(mark)
              .map(({ id }) => id)
              .sort(),
          ).toEqual(ids);
          // A mark that does not reach a stop starts it under no name, and a repeated trigger has no effect.
          for (const { id, userId } of all()) {
            run((at) => at.trigger(id, userId, mark, 0, SILENT));
            const then = stateOf(engine);
            expect(engine.trigger(id, userId, mark, 0, SILENT)).toBeNull();
            expect(engine.trigger(id, userId + 1, mark, 0, SILENT)).toBeNull();
            expect(stateOf(engine)).toEqual(then);
          }
          expect(waiting().map(({ id }) => id)).toEqual(before.filter((id) => !ids.includes(id)));
          expect(reached.every(({ triggered, status }) => triggered || status === 2)).toBe(true);
        } else if (step.kind === 'restart') {
          const again = new MarketEngine(BTC_USDT, new LadderBook(), engine.state);
          again.restore(all().map((order) => ({ ...order })));
          engine = again;
        } else {
          const order = all()[step.pick % Math.max(1, engine.open.size)];
          if (!order) continue;
          const { id, userId } = order;
          if (step.kind === 'cancel') run((at) => at.cancel(id, userId, 'user', 0, SILENT));
          else
            run((at) =>
              at.amend(id, userId, { id: '1', price: step.price, quantity: null, held: 10n ** 15n }, 0, SILENT),
            );
          expect(before.filter((one) => !waiting().some(({ id }) => id === one))).toEqual(
            step.kind === 'cancel' && before.includes(id) ? [id] : [],
          );
        }
        // Trades, and the starts of stops that they reach, start no stop that waits for the mark.
        if (step.kind !== 'tick' && step.kind !== 'cancel')
          expect(waiting().map(({ id }) => id)).toEqual(expect.arrayContaining(before));
        if (step.kind === 'stop' && step.by === 'mark')
          expect(waiting().map(({ id }) => id)).toEqual([...before, String(next)]);
      }
      expect(engine.waitsForMark).toBe(waiting().length > 0);
      const again = new MarketEngine(BTC_USDT, new PlainBook(), FRESH);
      for (const command of log) command(again);
      expect(stateOf(again)).toEqual(stateOf(engine));
    }),
    { numRuns: 300 },
  );
});

test('while its market is not open no trigger starts a stop [SPOT-290]', () => {
  const engine = new MarketEngine(BTC_USDT, new LadderBook(), FRESH);
  const stop = sampleOrder({ type: 'stop_market', triggerBy: 'mark', stopPrice: 100, held: 10n ** 15n });
  engine.place(stop, 0, SILENT);
  engine.setMode('halted', 1);
  expect(engine.trigger(stop.id, stop.userId, 100, 2, SILENT)).toBeNull();
  engine.setMode('normal', 3);
  expect(engine.trigger(stop.id, stop.userId, 99, 4, SILENT)).toBeNull();
  expect(engine.trigger(stop.id, stop.userId, 100, 5, SILENT)).toBe(stop);
  expect([stop.triggered, stop.reason]).toEqual([true, 'market']);
});
