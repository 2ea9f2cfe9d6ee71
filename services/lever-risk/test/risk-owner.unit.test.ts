import { describe, expect, test } from '@jest/globals';
import { AskUnavailable, type Lease } from '@bourse/messaging';
import { Alarms, Metrics } from '@bourse/platform';
import { eventually } from '@bourse/testing';
import { positionWith } from './positions.js';
import { AccountClaims } from '../src/application/account-claims.js';
import { AccountReader, UnreadableAccounts } from '../src/application/account-reader.js';
import type { LeverMarkets } from '../src/application/lever-markets.js';
import type { AccountName, AccountRow, AccountStore, Balances, PositionStore } from '../src/application/ports.js';
import { STATUS } from '../src/domain/position.js';
import { RiskOwner, type RiskParts } from '../src/application/risk-owner.js';

const QUOTE = 3;
const rowOf = (userId: number): AccountRow => ({ userId, quote: QUOTE, version: 1 });
/** Far below every liquidation price. */
const MARK = 1_000_000n;

/** People who each have a position that the mark liquidates; what has gone wrong with some of them. */
class People {
  readonly broken = new Map<number, Error>();
  readonly sizes: number[] = [];
  readonly reader: AccountReader;

  constructor(readonly count: number) {
    const claims = new AccountClaims(
      {} as AccountStore,
      { liveOf: (accounts: readonly AccountName[]) => this.liveOf(accounts) } as unknown as PositionStore,
      {
        of: (_: number, users: readonly number[]) =>
          Promise.resolve({ balances: Object.fromEntries(users.map((user) => [user, '1'])), house: '0' }),
      } as unknown as Balances,
      { currency: () => ({ scale: 8 }) } as unknown as LeverMarkets,
    );
    this.reader = new AccountReader(claims);
  }
  get rows(): AccountRow[] {
    return Array.from({ length: this.count }, (_, index) => rowOf(index + 1));
  }
  private async liveOf(accounts: readonly AccountName[]) {
    this.sizes.push(accounts.length);
    await Promise.resolve();
    for (const { userId } of accounts) {
      const error = this.broken.get(userId);
      if (error) throw error;
    }
    return accounts.map(({ userId }) => positionWith({ id: String(userId), userId }));
  }
}
const CANNOT = new SyntaxError('Cannot convert x to a BigInt');

describe('an account that cannot be read', () => {
  test('is isolated among a thousand, and all others are read [LEVER-053]', async () => {
    const people = new People(1_000);
    for (const user of [1, 500, 501, 1_000]) people.broken.set(user, CANNOT);
    const { accounts, unreadable } = await people.reader.read(people.rows);
    expect(accounts).toHaveLength(996);
    expect(accounts.every(({ balance, positions }) => balance === 100_000_000n && positions.length === 1)).toBe(true);
    expect(unreadable).toEqual([1, 500, 501, 1_000].map((user) => ({ row: rowOf(user), reason: CANNOT.message })));
    // By halves, not one by one.
    expect(people.sizes.length).toBeLessThan(100);
  });

  test('is not searched for if the ledger or the database is away: the error is thrown at once', async () => {
    const down = [
      new AskUnavailable('the ledger does not answer'),
      Object.assign(new Error('gone'), { code: '57P01' }),
    ];
    for (const error of down) {
      const people = new People(1_000);
      people.broken.set(7, error);
      await expect(people.reader.read(people.rows)).rejects.toBe(error);
      expect(people.sizes).toEqual([1_000]);
    }
  });

  test('delays no other account, raises an alarm, and is evaluated once it can be read [LEVER-054]', async () => {
    const people = new People(3);
    people.broken.set(2, CANNOT);
    const [alarms, metrics] = [new Alarms(), new Metrics()];
    const evaluated = new Set<number>();
    const waiting: (() => void)[] = [];
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    const notifyWaiting = (): void => {
      for (const resolve of waiting.splice(0)) resolve();
    };
    const unreadable = new UnreadableAccounts(alarms, metrics);
    const report = unreadable.report.bind(unreadable);
    unreadable.report = (...about) => {
      report(...about);
      notifyWaiting();
    };
    const marks = new Map([[1, MARK]]);
    const parts = {
      prices: { onTicks: () => () => undefined },
      markets: { all: () => [{ symbol: 'BTC/USDT', pairId: 1 }], marks: () => marks },
      accounts: { changed: () => Promise.resolve(people.rows) },
      reader: people.reader,
      unreadable,
      settings: { get: () => 110_000_000n },
      closes: {
        trigger: ({ userId }: AccountName) => {
          evaluated.add(userId);
          notifyWaiting();
          return Promise.resolve(true);
        },
      },
      positionEvents: { publishSoon: () => undefined },
    } as unknown as RiskParts;
    const ending = new AbortController();
    const running = new RiskOwner({ part: 0, of: 1 }, parts).run({ signal: ending.signal } as Lease);
    const figure = async (): Promise<string> =>
      /^bourse_lever_unreadable_accounts\S* (\d+)$/m.exec(await metrics.registry.metrics())?.[1] ?? '';

    await until(() => evaluated.size === 2);
    expect([...evaluated].toSorted()).toEqual([1, 3]);
    expect(alarms.list()).toMatchObject([
      { name: 'lever.unreadable:0', detail: `the risk of these accounts is not monitored: 2/3 (${CANNOT.message})` },
    ]);
    expect(await figure()).toBe('1');
    // As soon as it can be read it is evaluated, although nothing else of it has changed.
    people.broken.clear();
    await until(() => evaluated.has(2));
    expect(alarms.list()).toEqual([]);
    expect(await figure()).toBe('0');
    ending.abort();
    await running;
  });
});

test('a trigger order that cannot open does not keep its owner from paying overnight fees [LEVER-107]', async () => {
  const owing = positionWith({ id: '1', unpaidOvernightFee: 5n });
  // Its trigger price is reached; the account does not pass the opening rate.
  const waiting = positionWith({ id: '2', status: STATUS.pending, originPrice: 7_000_000n });
  let row = rowOf(1);
  let positions = [owing, waiting];
  const [refusals, collected]: [number[], number[]] = [[], []];
  const parts = {
    prices: { onTicks: () => () => undefined },
    markets: { all: () => [{ symbol: 'BTC/USDT', pairId: 1 }], marks: () => new Map([[1, 6_000_000n]]) },
    accounts: { changed: () => Promise.resolve([row]) },
    reader: {
      read: (rows: readonly AccountRow[]) =>
        Promise.resolve({ accounts: rows.map((of) => ({ ...of, balance: 10n ** 12n, positions })), unreadable: [] }),
    },
    unreadable: { report: () => undefined },
    settings: { get: () => 110_000_000n },
    triggerOrders: {
      trigger: () => {
        refusals.push(refusals.length);
        return Promise.resolve('nothing');
      },
    },
    overnightFees: {
      collectOvernightFees: () => {
        collected.push(refusals.length);
        row = { ...row, version: row.version + 1 };
        positions = [{ ...owing, unpaidOvernightFee: 0n }, waiting];
        return Promise.resolve(true);
      },
    },
    positionEvents: { publishSoon: () => undefined },
  } as unknown as RiskParts;
  const ending = new AbortController();
  const running = new RiskOwner({ part: 0, of: 1 }, parts).run({ signal: ending.signal } as Lease);
  await eventually(() => collected.length === 1 && refusals.length >= 2);
  ending.abort();
  await running;
  // After the first refusal, and once: the order is tried again on later ticks.
  expect(collected).toEqual([1]);
});

test('a liquidation is decided before the trigger orders that wait for a worker [LEVER-108]', async () => {
  const LIQUIDATED = 100;
  const waiting = (userId: number) =>
    positionWith({ id: String(userId), userId, status: STATUS.pending, originPrice: 7_000_000n });
  const order: number[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const decided = async ({ userId }: AccountName): Promise<string> => {
    order.push(userId);
    await released;
    return 'nothing';
  };
  const parts = {
    prices: { onTicks: () => () => undefined },
    markets: { all: () => [{ symbol: 'BTC/USDT', pairId: 1 }], marks: () => new Map([[1, MARK]]) },
    accounts: {
      changed: () => Promise.resolve([...Array.from({ length: 20 }, (_, at) => rowOf(at + 1)), rowOf(LIQUIDATED)]),
    },
    reader: {
      read: (rows: readonly AccountRow[]) =>
        Promise.resolve({
          accounts: rows.map((row) => ({
            ...row,
            balance: row.userId === LIQUIDATED ? 1n : 10n ** 12n,
            positions: [
              row.userId === LIQUIDATED ? positionWith({ id: '100', userId: LIQUIDATED }) : waiting(row.userId),
            ],
          })),
          unreadable: [],
        }),
    },
    unreadable: { report: () => undefined },
    settings: { get: () => 110_000_000n },
    triggerOrders: { trigger: decided },
    closes: { trigger: decided },
    positionEvents: { publishSoon: () => undefined },
  } as unknown as RiskParts;
  const ending = new AbortController();
  const running = new RiskOwner({ part: 0, of: 1 }, parts).run({ signal: ending.signal } as Lease);
  await eventually(() => order.length > 0);
  const underWay = order.length;
  release();
  await eventually(() => order.length > underWay);
  expect(order.slice(0, underWay + 1)).toContain(LIQUIDATED);
  ending.abort();
  await running;
});
