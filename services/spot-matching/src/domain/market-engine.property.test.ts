import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toUnits } from '@bourse/money';
import { BUY, SELL, type SelfTrade, type Side, type TimeInForce } from './book.js';
import { LadderBook } from './ladder-book.js';
import { baseOf, limitHold, percent, quoteOf, type Market } from './market.js';
import { MarketEngine, type Listener, type Trade } from './market-engine.js';
import { isMarket, newOrder, type Order, type OrderType } from './order.js';
import { PlainBook } from './plain-book.js';

// Nine decimals of price and number against eight of the quote: every fill rounds.
const MARKET: Market = {
  symbol: 'XRP/USDT',
  pairId: 4,
  baseId: 4,
  baseName: 'XRP',
  baseScale: 8,
  quoteId: 3,
  quoteName: 'USDT',
  quoteScale: 8,
  priceScale: 5,
  numberScale: 4,
  minTotal: toUnits('1', 8),
  makerFee: percent('0.1'),
  takerFee: percent('0.15'),
  band: percent('5'),
};
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
  | { readonly kind: 'cancel'; readonly back: number };
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('place' as const),
        user: fc.integer({ min: 1, max: 5 }),
        side: fc.constantFrom<Side>(BUY, SELL),
        type: fc.constantFrom<OrderType>('limit', 'limit', 'limit', 'market', 'stop_limit', 'stop_market'),
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
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('cancel' as const), back: fc.integer({ min: 1, max: 20 }) }),
    },
  ),
  { minLength: 1, maxLength: 120 },
);

function terms(step: Extract<Step, { kind: 'place' }>, id: number): Order {
  const market = step.type === 'market' || step.type === 'stop_market';
  const full = limitHold(MARKET, step.side === BUY ? 'buy' : 'sell', step.price, step.quantity);
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
    price: step.type === 'stop_market' ? 0 : step.price,
    stopPrice: step.type.startsWith('stop') ? step.stop : 0,
    quantity: step.quantity,
    // A market buy holds what its owner had, which may be less than the cap would need.
    held: market && step.side === BUY ? (full * BigInt(step.funds)) / 100n : full,
    makerFee: MARKET.makerFee,
    takerFee: MARKET.takerFee,
    placedAt: 0,
  });
}

test('money is conserved, holds cover what fills take, and nobody pays worse than his limit [SPOT-110]', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const trades: Trade[] = [];
      const all: Order[] = [];
      const ended = new Set<string>();
      const listener: Listener = {
        traded: (trade) => trades.push(trade),
        updated: (order) => expect(ended.has(order.id)).toBe(false),
        ended: (order) => {
          expect(order.status).toBe(2);
          expect(ended.has(order.id)).toBe(false);
          ended.add(order.id);
        },
      };
      const engine = new MarketEngine(MARKET, new LadderBook(), {
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
          engine.place(order, index, listener);
        } else {
          const target = all[Math.max(0, all.length - step.back)];
          if (target) engine.cancel(target.id, target.userId, 'user', index, listener);
        }
      }
      for (const [index, trade] of trades.entries()) {
        expect(trade.sequence).toBe(index + 1);
        expect(trade.quote).toBe(quoteOf(MARKET, trade.price, trade.quantity, 'down'));
        expect(trade.buyer.userId).not.toBe(trade.seller.userId);
        if (!isMarket(trade.buyer)) expect(trade.price).toBeLessThanOrEqual(trade.buyer.price);
        if (trade.seller.type !== 'stop_market') expect(trade.price).toBeGreaterThanOrEqual(trade.seller.price);
      }
      for (const order of all) {
        const own = trades.filter((trade) => trade.buyer === order || trade.seller === order);
        const used = own.reduce(
          (sum, trade) => sum + (order.side === BUY ? trade.quote + trade.improvement : baseOf(MARKET, trade.quantity)),
          0n,
        );
        expect(order.held - used).toEqual(order.holdLeft);
        expect(order.holdLeft).toBeGreaterThanOrEqual(0n);
        expect(own.reduce((sum, trade) => sum + trade.quantity, 0)).toBe(order.filled);
        expect(order.status === 2).toBe(ended.has(order.id));
        expect(engine.open.has(order.id)).toBe(order.status === 1);
      }
    }),
    { numRuns: 300 },
  );
});

test('a market built again from its open orders goes on exactly as if it had never stopped [SPOT-111]', () => {
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
          ended: (order) => log.push(`end ${order.id} ${order.holdLeft}`),
        };
        for (const [index, step] of list.entries()) {
          const id = from + index;
          if (step.kind === 'place') {
            const order = terms(step, id);
            orders.set(order.id, order);
            engine.place(order, id, listener);
          } else {
            const target = orders.get(String(id - step.back));
            if (target) engine.cancel(target.id, target.userId, 'user', id, listener);
          }
        }
        return log;
      };
      const orders = new Map<string, Order>();
      const first = new MarketEngine(MARKET, new LadderBook(), {
        sequence: 0,
        tradeSequence: 0,
        lastPrice: 0,
        mode: 'normal',
        at: 0,
      });
      run(first, before, 1, orders);
      const copies = new Map([...orders].map(([id, order]) => [id, { ...order }]));
      const second = new MarketEngine(MARKET, new PlainBook(), first.state);
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
