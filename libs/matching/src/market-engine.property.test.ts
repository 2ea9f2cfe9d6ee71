import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holdFor } from './amend.js';
import { BUY, SELL, type SelfTrade, type Side, type TimeInForce } from './book.js';
import { LadderBook } from './ladder-book.js';
import { baseOf, limitHold, quoteOf } from './market.js';
import { MarketEngine, type Listener, type Trade } from './market-engine.js';
import { isMarket, isWaiting, newOrder, type Order, type OrderType } from './order.js';
import { pairHold } from './pair.js';
import { PlainBook } from './plain-book.js';
import { XRP_USDT } from './samples.js';
import { newTrail, triggerAt } from './trail.js';

type Step =
  | {
      readonly kind: 'place';
      readonly user: number;
      readonly side: Side;
      readonly type: OrderType;
      readonly price: number;
      readonly stop: number;
      readonly quantity: number;
      readonly tif: TimeInForce;
      readonly post: boolean;
      readonly stp: SelfTrade;
      readonly funds: number;
    }
  | {
      readonly kind: 'pair';
      readonly user: number;
      readonly side: Side;
      /** The nearer to the middle price, the sooner the leg trades. */
      readonly price: number;
      readonly stop: number;
      /** Null: the stop leg runs as a market order. */
      readonly stopLimit: number | null;
      readonly quantity: number;
      readonly post: boolean;
      readonly stp: SelfTrade;
    }
  | { readonly kind: 'cancel'; readonly back: number }
  | {
      readonly kind: 'amend';
      readonly back: number;
      readonly price: number | null;
      readonly quantity: number | null;
      /** Percent of what it needs more. */
      readonly funds: number;
    };
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('place' as const),
        user: fc.integer({ min: 1, max: 5 }),
        side: fc.constantFrom<Side>(BUY, SELL),
        type: fc.constantFrom<OrderType>(
          ...(['limit', 'limit', 'limit', 'market', 'stop_limit', 'stop_market', 'trailing_stop'] as const),
        ),
        price: fc.integer({ min: 147_001, max: 147_040 }),
        stop: fc.integer({ min: 147_001, max: 147_040 }),
        quantity: fc.integer({ min: 1, max: 5_000 }),
        tif: fc.constantFrom<TimeInForce>(0, 0, 0, 1, 2),
        post: fc.boolean(),
        stp: fc.constantFrom<SelfTrade>(0, 1, 2),
        funds: fc.integer({ min: 1, max: 100 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('pair' as const),
        user: fc.integer({ min: 1, max: 5 }),
        side: fc.constantFrom<Side>(BUY, SELL),
        price: fc.integer({ min: 147_001, max: 147_040 }),
        stop: fc.integer({ min: 147_001, max: 147_040 }),
        stopLimit: fc.option(fc.integer({ min: 147_001, max: 147_040 })),
        quantity: fc.integer({ min: 1, max: 5_000 }),
        post: fc.boolean(),
        stp: fc.constantFrom<SelfTrade>(0, 1, 2),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('cancel' as const), back: fc.integer({ min: 1, max: 20 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('amend' as const),
        back: fc.integer({ min: 1, max: 20 }),
        price: fc.option(fc.integer({ min: 147_001, max: 147_040 })),
        quantity: fc.option(fc.integer({ min: 1, max: 5_000 })),
        funds: fc.constantFrom(0, 50, 100, 100, 100, 130),
      }),
    },
  ),
  { minLength: 1, maxLength: 120 },
);

function terms(step: Extract<Step, { kind: 'place' }>, id: number): Order {
  const trail =
    step.type === 'trailing_stop'
      ? newTrail({
          percent: 0,
          amount: 1 + (step.quantity % 8),
          activation: step.post ? step.stop : 0,
          reference: step.post ? 0 : step.price,
        })
      : null;
  const market = step.type === 'market' || step.type === 'stop_market' || trail !== null;
  const full = limitHold(XRP_USDT, step.side === BUY ? 'buy' : 'sell', step.price, step.quantity);
  return newOrder({
    id: String(id),
    clientOrderId: '',
    userId: step.user,
    pairId: 1,
    side: step.side,
    type: step.type,
    timeInForce: step.tif,
    postOnly: step.post && step.tif === 0 && !market,
    selfTrade: step.stp,
    price: step.type === 'stop_market' || trail ? 0 : step.price,
    stopPrice: trail ? triggerAt(trail, step.side, trail.best) : step.type.startsWith('stop') ? step.stop : 0,
    trail,
    quantity: step.quantity,
    // A market buy holds what its owner had, which may be less than the cap would need.
    held: market && step.side === BUY ? (full * BigInt(step.funds)) / 100n : full,
    makerFee: XRP_USDT.makerFee,
    takerFee: XRP_USDT.takerFee,
    placedAt: 0,
  });
}

/** The legs of a pair, ids `<id>` and `<id>s`, with one hold for both. */
function legsOf(step: Extract<Step, { kind: 'pair' }>, id: number): readonly [limit: Order, stop: Order] {
  const common = { ...step, tif: 0 as const, funds: 100 };
  const limit = newOrder({ ...terms({ ...common, kind: 'place', type: 'limit' }, id), linkId: `${id}s` });
  const type = step.stopLimit === null ? 'stop_market' : 'stop_limit';
  const stop = newOrder({
    ...terms({ ...common, kind: 'place', type, price: step.stopLimit ?? 0, post: false }, id),
    id: `${id}s`,
    linkId: String(id),
    held: 0n,
  });
  const held = pairHold(XRP_USDT, limit, stop);
  Object.assign(limit, { held, holdLeft: held });
  return [limit, stop];
}

/** Amends an order, with so much held for it as the step says; what it needs more is known before. */
function amend(
  engine: MarketEngine,
  order: Order,
  { price, quantity, funds }: Extract<Step, { kind: 'amend' }>,
  { at, listener }: { readonly at: number; readonly listener: Listener },
): { readonly held: bigint; readonly done: ReturnType<MarketEngine['amend']> } {
  const limit = isMarket(order) ? null : price;
  const left = (quantity ?? order.quantity) - order.filled;
  const need = left > 0 ? holdFor(XRP_USDT, order, limit ?? order.price, left) : 0n;
  const more = need > order.holdLeft ? need - order.holdLeft : 0n;
  const held = (more * BigInt(funds)) / 100n;
  const terms = { id: `a${at}`, price: limit, quantity, held };
  return { held, done: engine.amend(order.id, order.userId, terms, at, listener) };
}

test('money is conserved, amends included: holds cover fills, limits hold [SPOT-110] [SPOT-233]', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const trades: Trade[] = [];
      const all: Order[] = [];
      const pairs: (readonly [limit: Order, stop: Order])[] = [];
      const ended = new Set<string>();
      // What the ledger holds, moved by the same amounts as its journals.
      const holds = new Map<Order, bigint>();
      const add = (order: Order, units: bigint): unknown => holds.set(order, (holds.get(order) ?? 0n) + units);
      let spent: bigint;
      const listener: Listener = {
        traded: (trade) => {
          trades.push(trade);
          add(trade.buyer, -trade.quote - trade.improvement);
          add(trade.seller, -baseOf(XRP_USDT, trade.quantity));
          if (!isMarket(trade.buyer)) expect(trade.price).toBeLessThanOrEqual(trade.buyer.price);
          if (trade.seller.type !== 'stop_market') expect(trade.price).toBeGreaterThanOrEqual(trade.seller.price);
        },
        updated: (order) => expect(ended.has(order.id)).toBe(false),
        holdMoved: ({ limit, stop, units }) => {
          expect(units).toBeGreaterThan(0n);
          add(limit, -units);
          if (stop) add(stop, units);
        },
        amended: ({ order, taken, given, before }) => {
          expect(ended.has(order.id)).toBe(false);
          spent = taken;
          add(order, taken - given);
          expect(order.sequence === before.sequence).toBe(
            order.price === before.price && order.quantity <= before.quantity,
          );
        },
        ended: (order) => {
          expect(order.status).toBe(2);
          expect(ended.has(order.id)).toBe(false);
          ended.add(order.id);
        },
      };
      const engine = new MarketEngine(XRP_USDT, new LadderBook(), {
        sequence: 0,
        tradeSequence: 0,
        lastPrice: 0,
        mode: 'normal',
        at: 0,
      });
      for (const [index, step] of list.entries()) {
        if (step.kind === 'place') {
          const order = terms(step, index + 1);
          all.push(order);
          add(order, order.held);
          engine.place(order, index, listener);
          continue;
        }
        if (step.kind === 'pair') {
          const [limit, stop] = legsOf(step, index + 1);
          all.push(limit, stop);
          pairs.push([limit, stop]);
          add(limit, limit.held);
          add(stop, 0n);
          engine.placePair(limit, stop, index, listener);
          continue;
        }
        const target = all[Math.max(0, all.length - step.back)];
        if (!target) continue;
        if (step.kind === 'cancel') engine.cancel(target.id, target.userId, 'user', index, listener);
        else {
          const before = { ...target };
          spent = 0n;
          const { held, done } = amend(engine, target, step, { at: index, listener });
          // No more than was held for it goes into the order, and a refused one leaves the order as it was.
          expect(spent).toBeLessThanOrEqual(held);
          if (done === null || typeof done === 'string') expect({ ...target }).toEqual(before);
        }
        for (const order of engine.open.values()) {
          expect(holds.get(order)).toBe(order.holdLeft);
          if (isMarket(order) || (order.linkId !== '' && isWaiting(order))) continue;
          const need = holdFor(XRP_USDT, order, order.price, order.quantity - order.filled);
          expect(order.holdLeft).toBeGreaterThanOrEqual(need);
        }
        for (const [limit, stop] of pairs) {
          // One outcome: a leg that trades or starts has ended the other one, and before that the pair has one hold.
          const isWhole = limit.status === 1 && isWaiting(stop);
          expect(isWhole).toBe(engine.open.has(limit.id) && engine.open.has(stop.id));
          expect(limit.filled > 0 && (stop.filled > 0 || stop.status === 1)).toBe(false);
          expect(stop.triggered && limit.status === 1).toBe(false);
          if (isWhole) expect([limit.holdLeft, stop.holdLeft]).toEqual([pairHold(XRP_USDT, limit, stop), 0n]);
        }
      }
      for (const [index, trade] of trades.entries()) {
        expect(trade.sequence).toBe(index + 1);
        expect(trade.quote).toBe(quoteOf(XRP_USDT, trade.price, trade.quantity, 'down'));
        expect(trade.buyer.userId).not.toBe(trade.seller.userId);
      }
      for (const order of all) {
        const own = trades.filter((trade) => trade.buyer === order || trade.seller === order);
        expect(holds.get(order)).toEqual(order.holdLeft);
        expect(order.holdLeft).toBeGreaterThanOrEqual(0n);
        expect(own.reduce((sum, trade) => sum + trade.quantity, 0)).toBe(order.filled);
        expect(order.status === 2).toBe(ended.has(order.id));
        expect(engine.open.has(order.id)).toBe(order.status === 1);
      }
    }),
    { numRuns: 300 },
  );
});

test('a market rebuilt from its open orders continues exactly as if it had never stopped [SPOT-111]', () => {
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const run = (engine: MarketEngine, list: readonly Step[], from: number, orders: Map<string, Order>): string[] => {
        const log: string[] = [];
        const listener: Listener = {
          traded: (trade) =>
            log.push(
              `trade ${trade.sequence} ${trade.maker.id} ${trade.taker.id} ${trade.price} ` +
                `${trade.quantity} ${trade.buyerFee} ${trade.sellerFee} ${trade.improvement}`,
            ),
          updated: (order) =>
            log.push(
              `order ${order.id} ${order.status} ${order.reason} ${order.filled} ${order.sequence} ${order.triggered}`,
            ),
          amended: ({ order, sequence, taken, given }) =>
            log.push(`amend ${order.id} ${sequence} ${order.price} ${order.quantity} ${taken} ${given}`),
          holdMoved: ({ limit, stop, units }) => log.push(`hold ${limit.id} ${stop?.id} ${units}`),
          ended: (order) => log.push(`end ${order.id} ${order.holdLeft}`),
        };
        for (const [index, step] of list.entries()) {
          const id = from + index;
          if (step.kind === 'place') {
            const order = terms(step, id);
            orders.set(order.id, order);
            engine.place(order, id, listener);
          } else if (step.kind === 'pair') {
            const [limit, stop] = legsOf(step, id);
            orders.set(limit.id, limit).set(stop.id, stop);
            engine.placePair(limit, stop, id, listener);
          } else {
            const near = String(id - step.back);
            const target = orders.get(id % 2 === 0 ? `${near}s` : near) ?? orders.get(near);
            if (target && step.kind === 'cancel') engine.cancel(target.id, target.userId, 'user', id, listener);
            else if (target && step.kind === 'amend') amend(engine, target, step, { at: id, listener });
          }
        }
        return log;
      };
      const orders = new Map<string, Order>();
      const first = new MarketEngine(XRP_USDT, new LadderBook(), {
        sequence: 0,
        tradeSequence: 0,
        lastPrice: 0,
        mode: 'normal',
        at: 0,
      });
      run(first, before, 1, orders);
      const copies = new Map([...orders].map(([id, order]) => [id, { ...order }]));
      const second = new MarketEngine(XRP_USDT, new PlainBook(), first.state);
      second.restore(
        [...copies.values()].filter((order) => order.status === 1).sort((a, b) => a.sequence - b.sequence),
      );
      expect([second.hash(), second.bookHash()]).toEqual([first.hash(), first.bookHash()]);
      expect(run(second, after, 1000, copies)).toEqual(run(first, after, 1000, orders));
      expect([second.hash(), second.bookHash(), second.state]).toEqual([first.hash(), first.bookHash(), first.state]);
    }),
    { numRuns: 200 },
  );
});
