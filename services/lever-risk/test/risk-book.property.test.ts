import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionWith } from './positions.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { accountKey, RiskBook, type RiskAccount } from '../src/domain/risk-book.js';
import { dueAt } from '../src/domain/triggers.js';

const LIQUIDATION_RATE = 110_000_000n;
const PAIRS = [1, 2];
const START = 6_000_000n;

const near = (from: bigint, percent: number): fc.Arbitrary<bigint> =>
  fc.integer({ min: -percent * 1_000, max: percent * 1_000 }).map((part) => from + (from * BigInt(part)) / 100_000n);
const position: fc.Arbitrary<Position> = fc
  .record({
    pairId: fc.constantFrom(...PAIRS),
    direction: fc.constantFrom('long' as const, 'short' as const),
    status: fc.constantFrom(STATUS.open, STATUS.open, STATUS.pending),
    price: near(START, 5),
    lots: fc.bigInt({ min: 1_000n, max: 300_000n }),
    target: fc.option(near(START, 20), { nil: 0n }),
    stop: fc.option(near(START, 20), { nil: 0n }),
  })
  .map((given) => positionWith({ ...given, originPrice: given.price }));
const accounts = fc.array(
  fc.record({
    balance: fc.bigInt({ min: 0n, max: 5_000_000_000_000n }),
    positions: fc.array(position, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const walk = fc.array(fc.tuple(near(START, 15), near(START, 15)), { minLength: 1, maxLength: 12 });

describe('the risk book', () => {
  test('proposes exactly the accounts that a full scan finds, on every tick [LEVER-002]', () => {
    fc.assert(
      fc.property(accounts, walk, (people, prices) => {
        const book = new RiskBook();
        const all = people.map(({ balance, positions }, index): RiskAccount => ({
          userId: index + 1,
          quote: 3,
          version: 1,
          balance,
          positions: positions.map((one, place) => ({ ...one, id: `${index}${place}`, userId: index + 1 })),
        }));
        for (const account of all) book.put(account);
        for (const pair of prices) {
          const marks = new Map(PAIRS.map((pairId, place) => [pairId, pair[place]!]));
          const fresh = { trading: marks, liquidating: marks };
          const proposed = book.tick(PAIRS, marks, fresh, LIQUIDATION_RATE).map(({ account }) => accountKey(account));
          const naive = all.filter(({ balance, positions }) => {
            const { opens, closes } = dueAt(balance, positions, fresh, LIQUIDATION_RATE);
            return opens.length + closes.length > 0;
          });
          expect(proposed.toSorted()).toEqual(naive.map(accountKey).toSorted());
        }
      }),
      { numRuns: 300 },
    );
  });

  test('stale prices trigger nothing; the first fresh one does [LEVER-003]', () => {
    fc.assert(
      fc.property(accounts, walk, (people, prices) => {
        const book = new RiskBook();
        for (const [index, { balance, positions }] of people.entries())
          book.put({ userId: index + 1, quote: 3, version: 1, balance, positions });
        const stale = { trading: new Map<number, bigint>(), liquidating: new Map<number, bigint>() };
        let marks = new Map<number, bigint>();
        for (const pair of prices) {
          marks = new Map(PAIRS.map((pairId, place) => [pairId, pair[place]!]));
          expect(book.tick(PAIRS, marks, stale, LIQUIDATION_RATE)).toEqual([]);
        }
        const fresh = { trading: marks, liquidating: marks };
        const due = people.filter(({ balance, positions }) => {
          const { opens, closes } = dueAt(balance, positions, fresh, LIQUIDATION_RATE);
          return opens.length + closes.length > 0;
        });
        expect(book.tick(PAIRS, marks, fresh, LIQUIDATION_RATE)).toHaveLength(due.length);
      }),
      { numRuns: 200 },
    );
  });

  test('an account waits for the prices of all its pairs, and no other account does [LEVER-131]', () => {
    const book = new RiskBook();
    const account = (userId: number, pairs: readonly number[]): RiskAccount => ({
      ...{ userId, quote: 3, version: 1, balance: 0n },
      positions: pairs.map((pairId) => positionWith({ id: `${userId}${pairId}`, userId, pairId })),
    });
    for (const one of [account(1, [1, 2]), account(2, [1])]) book.put(one);
    const marks = new Map(PAIRS.map((pairId) => [pairId, 1n]));
    const due = (liquidating: ReadonlyMap<number, bigint>): object[] =>
      book
        .tick(PAIRS, marks, { trading: new Map(), liquidating }, LIQUIDATION_RATE)
        .map(({ account: { userId }, due: { closes } }) => ({ userId, closes: closes.length }));
    expect(due(new Map([[1, 1n]]))).toEqual([{ userId: 2, closes: 1 }]);
    expect(due(marks)).toEqual([
      { userId: 1, closes: 2 },
      { userId: 2, closes: 1 },
    ]);
  });
});
