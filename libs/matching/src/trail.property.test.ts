import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BUY, IOC, SELL, type Side } from './book.js';
import { LadderBook } from './ladder-book.js';
import { MarketEngine } from './market-engine.js';
import type { Order } from './order.js';
import { BTC_USDT, FRESH, sampleOrder, SILENT } from './samples.js';
import { firstTrigger, newTrail, triggerAt } from './trail.js';

let next = 0;
function order(terms: Partial<Order> & Pick<Order, 'side' | 'quantity'>): Order {
  const id = String(++next);
  const { makerFee, takerFee } = BTC_USDT;
  return sampleOrder({ id, userId: next, held: 1_000_000_000_000_000n, makerFee, takerFee, ...terms });
}
/** Lets one order of a side trade at each of these prices, which it meets in turn. */
function sweep(engine: MarketEngine, side: Side, prices: readonly number[]): void {
  const sorted = [...prices].sort((a, b) => (side === BUY ? a - b : b - a));
  for (const price of sorted) engine.place(order({ side: side === BUY ? SELL : BUY, price, quantity: 1 }), 0, SILENT);
  const price = sorted.at(-1) as number;
  engine.place(order({ side, price, quantity: sorted.length, timeInForce: IOC }), 0, SILENT);
}
const sweeps = fc.array(
  fc.record({
    side: fc.constantFrom<Side>(BUY, SELL),
    prices: fc.array(fc.integer({ min: 9_000, max: 11_000 }), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 25 },
);
const trails = fc.record({
  side: fc.constantFrom<Side>(BUY, SELL),
  percent: fc.integer({ min: 10, max: 900 }),
  amount: fc.option(fc.integer({ min: 1, max: 800 })),
  activation: fc.option(fc.integer({ min: 9_000, max: 11_000 })),
});

/** The rule, trade by trade: the prices of the first `count` trades, and the first one at or beyond the trigger. */
function expected(side: Side, trail: NonNullable<Order['trail']>, prices: readonly number[]) {
  let best = trail.reference;
  let trigger = triggerAt(trail, side, best);
  const triggers = [trigger];
  for (const price of prices) {
    if (best > 0 && (side === BUY ? price >= trigger : price <= trigger)) return { trigger, triggers, isHit: true };
    const isActive = best > 0 || (side === BUY ? price <= trail.activation : price >= trail.activation);
    if (isActive) best = best === 0 ? price : side === BUY ? Math.min(best, price) : Math.max(best, price);
    trigger = triggerAt(trail, side, best);
    triggers.push(trigger);
  }
  return { trigger, triggers, isHit: false };
}

test('a trailing stop starts at the first trade at or beyond a trigger that is never loosened [SPOT-260]', () => {
  fc.assert(
    fc.property(trails, sweeps, fc.nat(24), ({ side, percent: share, amount, activation }, list, restartAt) => {
      next = 0;
      let engine = new MarketEngine(BTC_USDT, new LadderBook(), FRESH);
      sweep(engine, BUY, [10_000]);
      const trail = newTrail({
        percent: amount === null ? share : 0,
        amount: amount ?? 0,
        activation: activation ?? 0,
        reference: activation === null ? 10_000 : 0,
      });
      let stop = order({
        side,
        type: 'trailing_stop',
        quantity: 1,
        trail,
        stopPrice: triggerAt(trail, side, trail.best),
      });
      engine.place(stop, 0, SILENT);
      const prices = [10_000];
      for (const [index, { side: taker, prices: met }] of list.entries()) {
        sweep(engine, taker, met);
        prices.push(...[...met].sort((a, b) => (taker === BUY ? a - b : b - a)));
        const { trigger, triggers, isHit } = expected(side, trail, prices);
        expect([stop.triggered, stop.stopPrice]).toEqual([isHit, trigger]);
        const active = triggers.filter((one) => one > 0);
        for (const [at, one] of active.entries()) {
          const before = active[at - 1] ?? one;
          expect(side === BUY ? one <= before : one >= before).toBe(true);
          // The hold of a buy covers every trigger that it can have.
          if (side === BUY) expect(one).toBeLessThanOrEqual(firstTrigger(trail, side));
        }
        if (isHit) return;
        if (index !== restartAt) continue;
        const again = new MarketEngine(BTC_USDT, new LadderBook(), engine.state);
        const copies = [...engine.open.values()].map((open) => ({ ...open }));
        again.restore(copies.sort((a, b) => a.sequence - b.sequence));
        engine = again;
        stop = engine.open.get(stop.id) as Order;
      }
    }),
    { numRuns: 300 },
  );
});

test.each<[Side, { percent: number; amount: number }, number, number]>([
  // A sell: down to the tick below, never up to it; a buy: up to the tick above.
  [SELL, { percent: 15, amount: 0 }, 10_001, 9_985],
  [BUY, { percent: 15, amount: 0 }, 10_001, 10_017],
  [SELL, { percent: 2_000, amount: 0 }, 9_999, 7_999],
  [SELL, { percent: 0, amount: 7 }, 100, 93],
  [BUY, { percent: 0, amount: 7 }, 100, 107],
  // One tick is not a price at which a sell of one tick starts.
  [SELL, { percent: 10, amount: 0 }, 1, 0],
  [BUY, { percent: 10, amount: 0 }, 0, 0],
])(
  'the trigger of side %s with %j at %s is %s, to the tick away from triggering [SPOT-261]',
  (side, trail, best, at) => {
    expect(triggerAt(trail, side, best)).toBe(at);
  },
);
