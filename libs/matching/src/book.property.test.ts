import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BUY, NO_BUDGET, SELL, type Book, type SelfTrade, type Side, type TimeInForce } from './book.js';
import { LadderBook } from './ladder-book.js';
import { PlainBook } from './plain-book.js';
import { Budget, LIMB, toLimbs } from './quote.js';

type Command =
  | {
      readonly kind: 'limit';
      readonly side: Side;
      readonly price: number;
      readonly quantity: number;
      readonly tif: TimeInForce;
      readonly post: boolean;
      readonly stp: SelfTrade;
      readonly owner: number;
    }
  | {
      readonly kind: 'market';
      readonly side: Side;
      readonly quantity: number;
      readonly bound: number;
      readonly fok: boolean;
      readonly stp: SelfTrade;
      readonly owner: number;
      readonly budget: bigint | null;
    }
  | { readonly kind: 'cancel'; readonly back: number }
  | { readonly kind: 'reduce'; readonly back: number; readonly lots: number };

const side = fc.constantFrom<Side>(BUY, SELL);
const stp = fc.constantFrom<SelfTrade>(0, 1, 2);
const owner = fc.integer({ min: 0, max: 4 });
// Few prices in one page make collisions likely; the far ones cross pages and bitmap words.
const price = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1000, max: 1040 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 70_000 }) },
);
const quantity = fc.integer({ min: 1, max: 30 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      side,
      price,
      quantity,
      tif: fc.constantFrom<TimeInForce>(0, 0, 0, 1, 2),
      post: fc.boolean(),
      stp,
      owner,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('market' as const),
      side,
      quantity,
      bound: price,
      fok: fc.boolean(),
      stp,
      owner,
      budget: fc.option(fc.bigInt(0n, 60_000n)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), back: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reduce' as const),
      back: fc.integer({ min: 1, max: 40 }),
      lots: fc.integer({ min: 1, max: 10 }),
    }),
  },
);

function apply(book: Book, id: number, step: Command): unknown {
  if (step.kind === 'cancel') return [book.cancel(Math.max(1, id - step.back))];
  if (step.kind === 'reduce') {
    const target = Math.max(1, id - step.back);
    if (book.left(target) > step.lots) book.reduce(target, step.lots);
    return [book.left(target)];
  }
  const outcome =
    step.kind === 'limit'
      ? book.limit(
          id,
          step.owner,
          step.side,
          step.price,
          step.quantity,
          step.tif,
          step.post && step.tif === 0,
          step.stp,
        )
      : book.market(
          id,
          step.owner,
          step.side,
          step.quantity,
          step.bound,
          step.fok,
          step.stp,
          ...(step.budget === null ? ([NO_BUDGET, 0] as const) : toLimbs(step.budget)),
        );
  return [outcome, book.remaining];
}

test('the ladder book equals the plain book after every step [BOOK-013]', () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 150 }), fc.constantFrom(18, 1000), (steps, orders) => {
      const plain = new PlainBook(orders);
      const fast = new LadderBook({ orders, pages: 1000 });
      let seenPlain = 0;
      let seenFast = 0;
      for (const [index, step] of steps.entries()) {
        expect(apply(fast, index + 1, step)).toEqual(apply(plain, index + 1, step));
        const events: number[][] = [];
        const expected: number[][] = [];
        seenFast = fast.drain(seenFast, (...event) => events.push(event));
        seenPlain = plain.drain(seenPlain, (...event) => expected.push(event));
        expect(events).toEqual(expected);
        expect([fast.size, fast.bestBid, fast.bestAsk]).toEqual([plain.size, plain.bestBid, plain.bestAsk]);
        expect(fast.hash()).toBe(plain.hash());
        expect([fast.levels(BUY, 5), fast.levels(SELL, 5)]).toEqual([plain.levels(BUY, 5), plain.levels(SELL, 5)]);
        expect(fast.bestAsk === 0 || fast.bestBid < fast.bestAsk).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

test('a budget of two limbs spends as a bigint does [BOOK-008]', () => {
  const amount = fc.oneof(fc.bigInt(0n, (1n << 84n) - 1n), fc.bigInt(0n, 1n << 54n), fc.bigInt(0n, 10_000n));
  const buy = fc.record({
    price: fc.oneof(fc.integer({ min: 1, max: 0x7ffffffe }), fc.integer({ min: 1, max: 300 })),
    lots: fc.oneof(
      fc.maxSafeInteger().map((lots) => Math.abs(lots) || 1),
      fc.integer({ min: 1, max: 100_000 }),
    ),
  });
  fc.assert(
    fc.property(amount, fc.array(buy, { minLength: 1, maxLength: 20 }), (start, buys) => {
      const budget = new Budget();
      const [high, low] = toLimbs(start);
      expect(high).toBeLessThan(LIMB ** 2);
      expect(low).toBeLessThan(LIMB);
      budget.set(high, low);
      let left = start;
      for (const { price, lots } of buys) {
        const payable = left / BigInt(price);
        const expected = payable < BigInt(lots) ? Number(payable) : lots;
        expect(budget.affordable(price, lots)).toBe(expected);
        budget.spend(price, expected);
        left -= BigInt(price) * BigInt(expected);
      }
    }),
  );
});
