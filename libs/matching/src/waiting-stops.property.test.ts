import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BUY, SELL, type Side } from './book.js';
import { LadderBook } from './ladder-book.js';
import { MarketEngine } from './market-engine.js';
import type { Order } from './order.js';
import { BTC_USDT, FRESH, sampleOrder, SILENT } from './samples.js';
import { WaitingStops } from './waiting-stops.js';

const AT = { ...FRESH, lastPrice: 10_000 };

/** The simple form: a list in which each stop stands behind those that start no later than it. */
class PlainStops {
  readonly list: Order[] = [];
  constructor(private readonly side: Side) {}

  add(order: Order): void {
    const at = this.list.findIndex((other) =>
      this.side === BUY ? other.stopPrice > order.stopPrice : other.stopPrice < order.stopPrice,
    );
    this.list.splice(at < 0 ? this.list.length : at, 0, order);
  }

  delete(order: Order): void {
    const at = this.list.indexOf(order);
    if (at >= 0) this.list.splice(at, 1);
  }
}

const changes = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), price: fc.integer({ min: 1, max: 12 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
  ),
  { maxLength: 80 },
);

test('waiting stops start in the order of the simple list, after any changes and restarts [SPOT-117]', () => {
  fc.assert(
    fc.property(fc.constantFrom<Side>(BUY, SELL), changes, (side, list) => {
      let stops = new WaitingStops(side);
      const plain = new PlainStops(side);
      const all: Order[] = [];
      for (const change of list) {
        if (change.kind === 'add') {
          const order = sampleOrder({ id: String(all.length), side, type: 'stop_limit', stopPrice: change.price });
          order.sequence = all.push(order);
          stops.add(order);
          plain.add(order);
        } else if (change.kind === 'take') expect(stops.take()).toBe(plain.list.shift());
        else if (change.kind === 'restore') {
          stops = new WaitingStops(side);
          stops.restore([...plain.list].sort((a, b) => a.sequence - b.sequence));
        } else {
          // Also one that does not wait any more.
          const order = all[change.pick % Math.max(1, all.length)];
          if (!order) continue;
          stops.delete(order);
          plain.delete(order);
        }
        expect(stops.next).toBe(plain.list[0]);
      }
      while (stops.next) expect(stops.take()).toBe(plain.list.shift());
      expect(plain.list).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

const STOPS = 5_000;
/** Finding the place of a stop reads fewer fields of stops; comparing it with each other stop would read thousands. */
const READS_MAX = 200;

/** Stops of one owner, half of them at one price, which count how often one of their fields is read. */
function countedStops(terms: (index: number) => Partial<Order>) {
  const reads = { count: 0 };
  const orders = Array.from({ length: STOPS }, (_, index) => {
    const order = sampleOrder({ id: String(index + 1), type: 'stop_limit', price: 1, ...terms(index) });
    for (const key of ['stopPrice', 'sequence'] as const) {
      let value: unknown = order[key];
      Object.defineProperty(order, key, {
        get: () => ((reads.count += 1), value),
        set: (next: unknown) => (value = next),
        enumerable: true,
      });
    }
    return order;
  });
  return { reads, orders };
}

test.each<[string, (index: number) => Partial<Order>]>([
  ['buys', (index) => ({ side: BUY, stopPrice: 20_000 + (index % 2) * ((index * 7_919) % STOPS) })],
  ['sells', (index) => ({ side: SELL, stopPrice: 9_000 - (index % 2) * ((index * 7_919) % STOPS) })],
])('%s are placed, restored and cancelled without a comparison with each other one [SPOT-118]', (_name, terms) => {
  const { reads, orders } = countedStops(terms);
  const engine = new MarketEngine(BTC_USDT, new LadderBook(), AT);
  const perStop = (work: () => void): number => {
    reads.count = 0;
    work();
    return reads.count / STOPS;
  };
  expect(perStop(() => orders.forEach((order) => engine.place(order, 0, SILENT)))).toBeLessThan(READS_MAX);
  const again = new MarketEngine(BTC_USDT, new LadderBook(), engine.state);
  expect(perStop(() => again.restore(orders))).toBeLessThan(READS_MAX);
  const cancel = (order: Order): unknown => again.cancel(order.id, order.userId, 'user', 0, SILENT);
  expect(perStop(() => [...orders].reverse().forEach(cancel))).toBeLessThan(READS_MAX);
  expect(again.open.size).toBe(0);
});
