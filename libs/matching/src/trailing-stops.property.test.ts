import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BUY, IOC, SELL, type Side } from './book.js';
import { LadderBook } from './ladder-book.js';
import { MarketEngine } from './market-engine.js';
import type { Order } from './order.js';
import { BTC_USDT, FRESH, sampleOrder, SILENT } from './samples.js';
import { follow, newTrail, triggerAt, type Trail } from './trail.js';
import { TrailingStops } from './trailing-stops.js';

/** The simple form: each price is compared with each stop. */
class PlainTrails {
  readonly list: { readonly order: Order; trail: Trail }[] = [];

  constructor(private readonly side: Side) {}

  triggerOf({ trail }: { readonly trail: Trail }): number {
    return triggerAt(trail, this.side, trail.best);
  }

  follow(price: number): Order[] {
    const due: Order[] = [];
    for (const one of [...this.list]) {
      const trigger = this.triggerOf(one);
      if (trigger > 0 && (this.side === BUY ? price >= trigger : price <= trigger)) due.push(this.delete(one.order)!);
      else one.trail = follow(one.trail, this.side, price);
    }
    return due;
  }

  delete(order: Order): Order | undefined {
    const at = this.list.findIndex((one) => one.order === order);
    return at < 0 ? undefined : this.list.splice(at, 1)[0]!.order;
  }
}

const price = fc.integer({ min: 80, max: 120 });
const changes = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        distance: fc.integer({ min: 1, max: 12 }),
        activation: fc.option(price),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('trade' as const), price }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { maxLength: 100 },
);
const bySequence = (list: Order[]): Order[] => list.sort((a, b) => a.sequence - b.sequence);

test('trailing stops have the trail and the start of a list that each price goes through [SPOT-272]', () => {
  fc.assert(
    fc.property(fc.constantFrom<Side>(BUY, SELL), fc.boolean(), changes, (side, byPercent, list) => {
      let stops = new TrailingStops(side);
      const plain = new PlainTrails(side);
      const all: Order[] = [];
      let last = 100;
      for (const change of list) {
        if (change.kind === 'add') {
          const { distance, activation } = change;
          const percent = byPercent ? distance * 100 : 0;
          const amount = byPercent ? 0 : distance;
          // An activation price that the last price has reached activates it, as in a market.
          const submitted = newTrail({
            percent,
            amount,
            activation: activation ?? 0,
            reference: activation ? 0 : last,
          });
          const trail = follow(submitted, side, last);
          const order = sampleOrder({ id: String(all.length), side, type: 'trailing_stop', trail });
          order.sequence = all.push(order);
          order.stopPrice = triggerAt(trail, side, trail.best);
          stops.add(order);
          plain.list.push({ order, trail });
        } else if (change.kind === 'trade') {
          const due: Order[] = [];
          last = change.price;
          stops.follow(last, due);
          expect(bySequence(due)).toEqual(plain.follow(last));
        } else if (change.kind === 'delete') {
          // Also one that does not wait any more.
          const order = all[change.pick % Math.max(1, all.length)];
          if (!order) continue;
          stops.delete(order);
          plain.delete(order);
        } else {
          stops = new TrailingStops(side);
          for (const one of plain.list) {
            const copy = { ...one.order };
            all[all.indexOf(one.order)] = copy;
            stops.add(copy);
            plain.list[plain.list.indexOf(one)] = { order: copy, trail: one.trail };
          }
        }
        const waiting = plain.list.map((one) => [one.order.id, one.trail, plain.triggerOf(one)]);
        expect(bySequence([...stops.all]).map(({ id, trail, stopPrice }) => [id, trail, stopPrice])).toEqual(waiting);
      }
    }),
    { numRuns: 1_000 },
  );
});

const STOPS = 2_000;
/** A trade reads fewer fields of stops; one that goes through the waiting stops would read thousands. */
const READS_MAX = 200;

/** A sell or a buy with a distance of its own, which counts how often one of its fields is read. */
function countedStop(reads: { count: number }, side: Side, index: number, reference: number): Order {
  const amount = index % 2 === 0 ? 0 : 3_000 + index;
  const trail = newTrail({ percent: amount === 0 ? 1_100 + (index % 800) : 0, amount, activation: 0, reference });
  const order = sampleOrder({ id: `s${index}`, userId: index, side, type: 'trailing_stop', trail, held: 10n ** 20n });
  order.stopPrice = triggerAt(trail, side, reference);
  return new Proxy(order, {
    get: (target, key, receiver): unknown => ((reads.count += 1), Reflect.get(target, key, receiver)),
  });
}

test.each<[string, Side, number]>([
  ['sells', SELL, 1],
  ['buys', BUY, -1],
])('a trade costs no comparison with trailing stops (%s) that it only moves [SPOT-273]', (_name, side, step) => {
  const engine = new MarketEngine(BTC_USDT, new LadderBook(), { ...FRESH, lastPrice: 20_000 });
  let next = 0;
  const trade = (price: number): void => {
    for (const taker of [SELL, BUY] as const) {
      const userId = 1_000_000 + ++next;
      const terms = { id: String(next), userId, side: taker, price, held: 10n ** 20n };
      engine.place(sampleOrder(taker === BUY ? { ...terms, timeInForce: IOC } : terms), 0, SILENT);
    }
  };
  const reads = { count: 0 };
  // A run away from the stops, with one placed at each price of it: as many best prices as stops.
  const orders = Array.from({ length: STOPS }, (_, index) => {
    trade(20_000 - step * index);
    const order = countedStop(reads, side, index, 20_000 - step * index);
    engine.place(order, 0, SILENT);
    return order;
  });
  expect(reads.count / STOPS).toBeLessThan(READS_MAX);
  // The way back makes them of one best price.
  for (let index = STOPS; index >= 0; index -= 1) trade(20_000 - step * index);
  reads.count = 0;
  for (let index = 1; index <= 100; index += 1) trade(20_000 + step * index);
  expect(reads.count / 100).toBeLessThan(READS_MAX);
  // They have moved all the same.
  const best = 20_000 + step * 100;
  expect(engine.trails.length).toBe(STOPS);
  for (const { trail, stopPrice } of orders)
    expect([trail!.best, stopPrice]).toEqual([best, triggerAt(trail!, side, best)]);
});
