import { beforeEach, expect, test } from '@jest/globals';
import type { Settings } from '@bourse/settings';
import { AccountClaims } from '../src/application/account-claims.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import { LeverLists } from '../src/application/lists.js';
import type { AccountName, AccountStore, Balances, PositionStore } from '../src/application/ports.js';
import { PositionEvents } from '../src/application/position-events.js';
import { STATUS, type Position } from '../src/domain/position.js';
import { positionWith } from './positions.js';

const PAGE = { page: 1, size: 100, offset: 0 };
/** Positions that the store has, and what it and the ledger were asked. */
let rows: Position[];
let reads: number;
let asked: (readonly number[])[];
let lists: LeverLists;
beforeEach(() => {
  reads = 0;
  asked = [];
  const store = {
    list: () => Promise.resolve({ rows, total: rows.length }),
    find: (id: string, userId: number) =>
      Promise.resolve(rows.find((one) => one.id === id && one.userId === userId) ?? null),
    findByClientId: (clientId: string, userId: number) =>
      Promise.resolve(rows.find((one) => one.clientId === clientId && one.userId === userId) ?? null),
    liveOf: (accounts: readonly AccountName[]) => {
      reads += 1;
      return Promise.resolve(rows.filter(({ userId }) => accounts.some((account) => account.userId === userId)));
    },
  } as unknown as PositionStore;
  const balances = {
    of: (_: number, users: readonly number[]) => {
      asked.push(users);
      return Promise.resolve({ balances: Object.fromEntries(users.map((user) => [user, '100'])), house: '0' });
    },
  } as unknown as Balances;
  const market = { quoteName: 'USDT', baseName: 'BTC', symbol: 'BTC/USDT', quote: 3, base: 1 };
  const markets = {
    quotes: () => [3, 1],
    asked: (quote: number) => quote,
    currency: () => ({ name: 'USDT', scale: 8 }),
    marks: () => new Map([[1, 6_000_000n]]),
    byPair: () => market,
    pairs: () => [1],
  } as unknown as LeverMarkets;
  const claims = new AccountClaims({} as AccountStore, store, balances, markets);
  const positionEvents = new PositionEvents({} as never, {} as never, markets, store, balances);
  lists = new LeverLists(claims, markets, store, {} as Settings, positionEvents);
});

test('the list of operators reads a hundred positions of two users with one query [LEVER-098] [HARD-405]', async () => {
  rows = Array.from({ length: 100 }, (_, index) => positionWith({ id: String(index), userId: 1 + (index % 2) }));
  const { data } = await lists.all({ page: PAGE });
  expect(data).toHaveLength(100);
  expect(data.every(({ liquidation_price: price }) => price !== '0.00')).toBe(true);
  expect([reads, asked]).toEqual([1, [[1, 2]]]);
});

test('a list without open positions reads no account [LEVER-098]', async () => {
  rows = Array.from({ length: 100 }, (_, index) =>
    positionWith({ id: String(index), status: STATUS.pending, openedAt: null }),
  );
  expect((await lists.all({ page: PAGE })).data).toHaveLength(100);
  expect([reads, asked]).toEqual([0, []]);
});

test('the list of a user reads the positions of all quotes once [LEVER-098]', async () => {
  rows = [positionWith({ id: '1' })];
  await lists.own(1, { page: PAGE });
  expect([reads, asked.length]).toEqual([1, 2]);
});

test('only the owner finds a position, by id or client id [LEVER-099]', async () => {
  rows = [positionWith({ id: '7', clientId: 'retry-1' })];
  for (const name of [{ id: '7' }, { clientId: 'retry-1' }, { id: '7', clientId: 'other' }])
    expect(await lists.one(1, name)).toMatchObject({ id: '7', client_id: 'retry-1', status: 1 });
  for (const name of [{ id: '8' }, { clientId: 'retry-2' }])
    await expect(lists.one(1, name)).rejects.toMatchObject({ key: 'common.notFound' });
  await expect(lists.one(2, { id: '7' })).rejects.toMatchObject({ key: 'common.notFound' });
  await expect(lists.one(1, {})).rejects.toMatchObject({ key: 'common.fieldRequired' });
});
