import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { equityDays, type Move } from './equity.js';

const DAY = 86_400_000;
const DAYS = [0, 1, 2, 3, 4].map((at) => at * DAY);
const SCALES = { amounts: 2, prices: 2, values: 2 };
const move = (at: number, causeType: string, units: bigint, more: Partial<Move> = {}): Move => ({
  ...{ day: at * DAY, currency: 1, causeType, fee: false, units },
  ...more,
});

test('daily worth is computed backwards from current balances; deposits and fees are separate [WALLET-040]', () => {
  const moves = [
    move(1, 'deposit', 1_000n),
    move(2, 'trade', -400n),
    move(2, 'trade', 200n, { currency: 2 }),
    move(3, 'withdrawal', -300n),
    move(3, 'withdrawal', -10n, { fee: true }),
  ];
  const price = (currency: number, at: number): bigint => (currency === 1 ? 100n : at === 4 ? 300n : 200n);
  const days = equityDays(
    DAYS,
    new Map([
      [1, 290n],
      [2, 200n],
    ]),
    moves,
    [],
    price,
    SCALES,
  );
  expect(days).toEqual([
    { day: DAY, equity: 1_000n, deposits: 1_000n, profit: 0n },
    { day: 2 * DAY, equity: 1_000n, deposits: 0n, profit: 0n },
    { day: 3 * DAY, equity: 690n, deposits: -300n, profit: -10n },
    { day: 4 * DAY, equity: 890n, deposits: 0n, profit: 200n },
  ]);
});

test('open positions count at the prices of each day; a close moves their profit into the balance [WALLET-042]', () => {
  const price = (currency: number, at: number): bigint => (currency === 1 ? 100n : 5_000n + 100n * BigInt(at));
  // A long of 2 at 51.00 from the first day, closed on the third with a profit of 4.00.
  const open = [{ base: 2, quote: 1, numbers: [0n, 200n, 200n, 0n, 0n], costs: [0n, 10_200n, 10_200n, 0n, 0n] }];
  const days = equityDays(DAYS, new Map([[1, 10_400n]]), [move(3, 'lever', 400n)], open, price, SCALES);
  expect(days.map(({ equity, profit }) => [equity, profit])).toEqual([
    [10_000n, 0n],
    [10_200n, 200n],
    [10_400n, 200n],
    [10_400n, 0n],
  ]);
});

test('a position in a coin without a price is left out, and not its cost alone [WALLET-042]', () => {
  const price = (currency: number): bigint => (currency === 1 ? 100n : 0n);
  const open = [{ base: 2, quote: 1, numbers: DAYS.map(() => 200n), costs: DAYS.map(() => 10_000n) }];
  const days = equityDays(DAYS, new Map([[1, 500n]]), [], open, price, SCALES);
  expect(days.map(({ equity, profit }) => [equity, profit])).toEqual(DAYS.slice(1).map(() => [500n, 0n]));
});

test('a move of a day that is not over here belongs to the last day', () => {
  const days = equityDays(DAYS, new Map([[1, 5n]]), [move(5, 'seed', 5n)], [], () => 100n, SCALES);
  expect(days.at(-1)).toEqual({ day: 4 * DAY, equity: 5n, deposits: 5n, profit: 0n });
});

test('worth at the end is that at the beginning, deposits and profits together, whatever moves [WALLET-040]', () => {
  const drawn = fc.record({
    at: fc.integer({ min: 0, max: 4 }),
    currency: fc.integer({ min: 1, max: 3 }),
    causeType: fc.constantFrom('deposit', 'withdrawal', 'trade', 'lever', 'deal', 'savings'),
    fee: fc.boolean(),
    units: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  });
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(
      fc.array(drawn, { maxLength: 20 }),
      fc.array(amounts, { minLength: 3, maxLength: 3 }),
      fc.array(amounts, { minLength: 15, maxLength: 15 }),
      fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), { minLength: 15, maxLength: 15 }),
      (moves, balances, prices, positions) => {
        const now = new Map(balances.map((units, index) => [index + 1, units]));
        const priceOf = (currency: number, at: number): bigint => prices[at * 3 + currency - 1]!;
        const rows = moves.map(({ at, ...rest }) => ({ day: at * DAY, ...rest }));
        const sums = (of: number): bigint[] => DAYS.map((_, at) => positions[at * 3 + of]!);
        const open = [{ base: 2, quote: 1, numbers: sums(0), costs: sums(1) }];
        const days = equityDays(DAYS, now, rows, open, priceOf, SCALES);
        const profitAt = (at: number): bigint =>
          priceOf(2, at) === 0n || priceOf(1, at) === 0n
            ? 0n
            : sums(0)[at]! * priceOf(2, at) - sums(1)[at]! * priceOf(1, at);
        const worthOf = (units: ReadonlyMap<number, bigint>, at: number): bigint =>
          [...units].reduce((sum, [currency, held]) => sum + held * priceOf(currency, at), profitAt(at)) / 100n;
        const begun = new Map(now);
        for (const { day, currency, units } of rows) if (day > 0) begun.set(currency, begun.get(currency)! - units);
        const total = days.reduce((sum, { deposits, profit }) => sum + deposits + profit, worthOf(begun, 0));
        expect(days.at(-1)!.equity).toBe(worthOf(now, 4));
        expect(total).toBe(days.at(-1)!.equity);
      },
    ),
  );
});
