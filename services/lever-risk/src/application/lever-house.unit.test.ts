import { expect, test } from '@jest/globals';
import type { LeverMarkets } from './lever-markets.js';
import { LeverHouse } from './lever-house.js';
import type { Balances, LeverAuditReads } from './ports.js';

const COINS = {
  3: { name: 'USDT', scale: 6 },
  1: { name: 'BTC', scale: 8 },
  2: { name: 'ETH', scale: 8 },
} as const;
type CoinId = keyof typeof COINS;

test('the house book has the balance and the open gains of each quote [LEVER-040]', async () => {
  const MARKS = new Map([[7, 6_100_000n]]);
  const markets = {
    all: () => [{ pairId: 7 }],
    marks: (pairIds: readonly number[]) => (pairIds.join() === '7' ? MARKS : new Map()),
    quotes: () => [3, 1, 2],
    currency: (id: CoinId) => COINS[id],
  };
  const house = { 3: '400000.000000', 1: '0', 2: '0.00000000' };
  const balances = { of: (quote: CoinId, people: readonly number[]) => ({ balances: people, house: house[quote] }) };
  const reads = {
    gains: (marks: unknown) =>
      marks === MARKS
        ? new Map([
            [3, 94_000_000n],
            [1, 5n],
          ])
        : new Map(),
    outcomes: () => ({ won: 2, lost: 1 }),
  };
  const book = new LeverHouse(
    markets as unknown as LeverMarkets,
    balances as unknown as Balances,
    reads as unknown as LeverAuditReads,
  );
  expect(await book.read()).toEqual({
    product: 'lever',
    currencies: {
      USDT: { reserved: '400000', owed_at_most: '94' },
      BTC: { reserved: '0', owed_at_most: '0.00000005' },
    },
    outcomes: { won: 2, lost: 1 },
  });
});
