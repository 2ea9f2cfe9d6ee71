import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresAccounts } from '../../src/adapters/persistence/postgres-accounts.js';
import { PostgresLeverAudit } from '../../src/adapters/persistence/postgres-lever-audit.js';
import { PostgresPositions } from '../../src/adapters/persistence/postgres-positions.js';
import { AccountClaims, RESERVED_MS } from '../../src/application/account-claims.js';
import type { LeverMarkets } from '../../src/application/lever-markets.js';
import { OVERNIGHT_TIMER, scheduleOvernightFees } from '../../src/application/overnight-fees.js';
import type { AccountRow, LeverDatabase, Partition } from '../../src/application/ports.js';
import { splitPosition } from '../../src/domain/part-close.js';
import { CLOSED_BY, closed as booked, closing, STATUS, type Position } from '../../src/domain/position.js';
import { accountKey, RiskBook } from '../../src/domain/risk-book.js';
import { positionWith } from '../positions.js';

jest.setTimeout(testTimeoutMs(24_000));

const QUOTE = 3;
const LIQUIDATION_RATE = 110_000_000n;
const BALANCE = 40_000_000_000n;
const PEOPLE = [1, 2, 3, 4, 5, 6, 7, 8];
const PARTITIONS: readonly Partition[] = [0, 1].map((part) => ({ part, of: 2 }));
/** Prices that fall until the last position is liquidated. */
const PRICES = [6_000_000n, 5_950_000n, 5_900_000n, 5_850_000n, 5_700_000n, 5_400_000n, 5_000_000n, 4_000_000n];

/** The claims of one process, with its own pools; the ledger answers the same balance for every user. */
interface Instance {
  readonly database: LeverDatabase;
  readonly accounts: PostgresAccounts;
  readonly positions: PostgresPositions;
  readonly claims: AccountClaims;
}

describe('claims of accounts over PostgreSQL', () => {
  let world: TestDatabases;
  let one: Instance;
  let two: Instance;

  beforeEach(async () => {
    world = await testDatabases({ shape: { schema: 'lever', migrations: MIGRATIONS } });
    one = await instance();
    two = await instance();
    await one.database.transaction(async (tx) => {
      for (const position of opening()) {
        await one.positions.insert(tx, position);
        await one.positions.addOpenNotional(tx, QUOTE, position.notional, null);
      }
    });
    await world.query(`insert into lever.risk_account (user_id, quote) select u, $1 from unnest($2::bigint[]) u`, [
      QUOTE,
      PEOPLE,
    ]);
  });
  afterEach(() => world.end());

  async function instance(): Promise<Instance> {
    const opened = await world.another().open({ schema: 'lever', migrations: MIGRATIONS });
    const database = opened as unknown as LeverDatabase;
    const [accounts, positions] = [new PostgresAccounts(database), new PostgresPositions(database)];
    const balances = {
      of: (_: number, people: readonly number[]) =>
        Promise.resolve({ balances: Object.fromEntries(people.map((user) => [user, '400'])), house: '1000000' }),
    };
    const markets = { currency: () => ({ scale: 8 }) } as unknown as LeverMarkets;
    return { database, accounts, positions, claims: new AccountClaims(accounts, positions, balances, markets) };
  }

  /** Two positions each: an open one with a leverage of its own, and a trigger order below it. */
  const opening = (): Position[] =>
    PEOPLE.flatMap((userId) => [
      positionWith({ id: `${userId}1`, userId, openedAt: 1, lots: 10_000n * BigInt(userId), target: 6_500_000n }),
      positionWith({ id: `${userId}2`, userId, status: STATUS.pending, openedAt: null, price: 5_900_000n }),
    ]);

  /** Loads a book as a starting owner does: all accounts with live positions. */
  async function recovered({ accounts, positions }: Instance): Promise<RiskBook> {
    const book = new RiskBook();
    for (const contracts of PARTITIONS) {
      const rows = await accounts.changed(contracts, null);
      const live = await positions.liveOf(rows);
      for (const row of rows)
        book.put({
          ...row,
          balance: BALANCE,
          positions: live.filter((position) => accountKey(position) === accountKey(row)),
        });
    }
    return book;
  }

  /** The content of a book and its proposals at each price. */
  function digest(book: RiskBook): string {
    const parts: unknown[] = [];
    for (const price of PRICES) {
      const marks = new Map([[1, price]]);
      const proposals = book.tick([1], marks, { trading: marks, liquidating: marks }, LIQUIDATION_RATE);
      const accounts = [...book.all()].toSorted((a, b) => a.userId - b.userId);
      const due = proposals.toSorted((a, b) => a.account.userId - b.account.userId);
      parts.push(price, book.size, book.entries, accounts, due);
    }
    // Sorted, as rows may have their fields in any order.
    const text = JSON.stringify(parts, (_, value: unknown) => {
      if (typeof value === 'bigint') return `${value}n`;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    });
    return createHash('sha256').update(text).digest('hex');
  }

  const closed = (position: Position, settlement: string): Position =>
    closing(position, 2, {
      by: CLOSED_BY.liquidation,
      mark: 5_000_000n,
      profits: -1n,
      shortfall: 0n,
      overnightFee: 0n,
      settlement,
      overnightFromMargin: 0n,
    });
  /** Writes a close as a risk owner does. */
  async function close(at: Instance, tx: Tx, position: Position, settlement: string): Promise<void> {
    if (!(await at.positions.change(tx, position, closed(position, settlement))))
      throw new Refused('common.unavailable');
    await at.positions.addOpenNotional(tx, QUOTE, -position.notional, null);
  }
  const row = async (userId: number): Promise<AccountRow> =>
    (await one.accounts.changed({ part: 0, of: 1 }, null)).find((each) => each.userId === userId)!;

  test('an instance that takes over reads the same accounts, positions, guards and proposals [LEVER-030]', async () => {
    const known = new RiskBook();
    for (const userId of PEOPLE)
      known.put({
        userId,
        quote: QUOTE,
        version: 0,
        balance: BALANCE,
        positions: opening().filter((position) => position.userId === userId),
      });
    const before = digest(known);
    expect(digest(await recovered(one))).toBe(before);
    expect(digest(await recovered(two))).toBe(before);
    // A decision changes both books alike.
    const claimed = await one.claims.claim({ userId: 3, quote: QUOTE });
    await one.database.transaction(async (tx) => {
      await claimed.commit(tx, 's:3');
      await close(
        one,
        tx,
        claimed.positions.find(({ status }) => status === STATUS.open)!,
        's:3',
      );
    });
    const after = digest(await recovered(two));
    expect(after).not.toBe(before);
    expect(digest(await recovered(await instance()))).toBe(after);
  });

  test('an instance whose claim was taken over is refused and writes nothing [LEVER-031]', async () => {
    const account = { userId: 1, quote: QUOTE };
    const old = await one.claims.claim(account);
    expect(await two.claims.tryClaim(account)).toBeNull();
    // The instance sleeps: its claim expires by the clock of the database, and another takes over.
    await world.query(`update lever.risk_account set claim_until = now() - interval '1 s' where user_id = 1`);
    const now = await two.claims.claim(account);
    const [open] = now.positions.filter(({ status }) => status === STATUS.open);
    const late = (): Promise<void> =>
      one.database.transaction(async (tx) => {
        await close(one, tx, open!, 's:old');
        await old.commit(tx, 's:old');
      });
    await expect(late()).rejects.toMatchObject({ key: 'common.unavailable' });
    expect(await one.positions.find(open!.id)).toMatchObject({ status: STATUS.open, revision: 0 });
    await two.database.transaction(async (tx) => {
      await now.commit(tx, 's:new');
      await close(two, tx, open!, 's:new');
    });
    // Refused before and after the decision of the other instance, with its old claim or without one.
    await expect(late()).rejects.toMatchObject({ key: 'common.unavailable' });
    await old.release();
    expect(await one.claims.tryClaim(account)).toBeNull(); // a debit is in flight
    expect(await two.positions.find(open!.id)).toMatchObject({ status: STATUS.closing, settlement: 's:new' });
    await two.database.transaction((tx) => two.claims.settleInFlight(tx, [{ ...account, inFlight: 's:new' }]));
    expect(await one.claims.tryClaim(account)).not.toBeNull();
  });

  test('no call in any instance claims an account that is reserved for risk [LEVER-090] [HARD-404]', async () => {
    const account = { userId: 4, quote: QUOTE };
    const call = await one.claims.claim(account);
    expect(await two.claims.claimForRisk(account)).toBeNull();
    // The reservation does not change the version: the call can still write its decision.
    await one.database.transaction((tx) => call.commit(tx, 's:4'));
    expect(await two.claims.claimForRisk(account)).toBeNull();
    await one.database.transaction((tx) => one.claims.settleInFlight(tx, [{ ...account, inFlight: 's:4' }]));
    for (const each of [one, two]) expect(await each.claims.tryClaim(account)).toBeNull();
    const risk = await two.claims.claimForRisk(account);
    expect(risk).not.toBeNull();
    await risk!.release();
    await (await one.claims.claim(account)).release();
  });

  test('a reservation for risk expires unless it is renewed [LEVER-090]', async () => {
    const account = { userId: 5, quote: QUOTE };
    const call = await one.claims.claim(account);
    await two.claims.claimForRisk(account);
    await call.release();
    expect(await one.claims.tryClaim(account)).toBeNull();
    const [ends] = await world.query(
      `select risk_until between now() and now() + interval '${RESERVED_MS} ms' as soon
       from lever.risk_account where user_id = 5`,
    );
    expect(ends).toEqual({ soon: true });
    await world.query(`update lever.risk_account set risk_until = now() - interval '1 ms' where user_id = 5`);
    expect(await one.claims.tryClaim(account)).not.toBeNull();
  });

  test('calls that claim without a pause delay risk by one decision at most [LEVER-090] [HARD-404]', async () => {
    const account = { userId: 6, quote: QUOTE };
    let isOver = false;
    let decided = 0;
    const flood = async (at: Instance, name: string): Promise<void> => {
      while (!isOver) {
        const claimed = await at.claims.tryClaim(account);
        if (!claimed) continue;
        decided += 1;
        const inFlight = `${name}:${decided}`;
        await at.database.transaction((tx) => claimed.commit(tx, inFlight));
        await at.database.transaction((tx) => at.claims.settleInFlight(tx, [{ ...account, inFlight }]));
      }
    };
    const floods = [flood(one, 'a'), flood(two, 'b'), flood(two, 'c')];
    await eventually(() => decided >= 10);
    // After the first attempt at most the present claim is decided.
    const before = decided;
    let risk = await one.claims.claimForRisk(account);
    const reserved = decided;
    while (!risk) risk = await one.claims.claimForRisk(account);
    const after = decided;
    isOver = true;
    await risk.release();
    await Promise.all(floods);
    expect(after - reserved).toBeLessThanOrEqual(1);
    expect(after).toBeGreaterThanOrEqual(before);
  });

  test('the newest position of its owner with a client id is found [LEVER-099]', async () => {
    const add = (id: string, createdAt: number, more: Partial<Position> = {}): Promise<void> =>
      one.database.transaction((tx) =>
        one.positions.insert(tx, positionWith({ id, userId: 7, createdAt, clientId: 'retry-1', ...more })),
      );
    await add('701', 5);
    await add('702', 9);
    await add('703', 10, { status: STATUS.waiting });
    await add('704', 11, { userId: 8 });
    expect(await one.positions.findByClientId('retry-1', 7)).toMatchObject({ id: '702' });
    for (const [name, userId] of [
      ['retry-1', 6],
      ['', 7],
    ] as const)
      expect(await one.positions.findByClientId(name, userId)).toBeNull();
  });

  test('openQuotes has the quotes of open positions of the direction [LEVER-092]', async () => {
    expect(await one.positions.openQuotes(1)).toEqual([QUOTE]);
    expect(await one.positions.openQuotes(1, 'long')).toEqual([QUOTE]);
    expect(await one.positions.openQuotes(1, 'short')).toEqual([]);
    await world.query('update lever.lever_position set status = 0 where user_id = 1');
    expect(await one.positions.openQuotes(1)).toEqual([]);
  });

  test('openSums has what was open before each moment, short positions negative [WALLET-042]', async () => {
    const add = (id: string, more: Partial<Position>): Promise<void> =>
      one.database.transaction((tx) => one.positions.insert(tx, positionWith({ id, userId: 70, ...more })));
    const ended = { closedBy: CLOSED_BY.user, settlement: 's' } as const;
    await add('801', { openedAt: 10, lots: 5n });
    await add('802', { openedAt: 20, lots: 3n, direction: 'short' });
    await add('803', { openedAt: 10, lots: 7n, status: STATUS.closed, handledAt: 30, ...ended });
    // A close that is not booked yet is open; a trigger order and a position of another user are not.
    await add('804', { openedAt: 30, lots: 9n, status: STATUS.closing, handledAt: 31, ...ended });
    await add('805', { openedAt: null, status: STATUS.pending });
    await add('806', { openedAt: 10, userId: 80 });
    await add('807', { openedAt: 1, status: STATUS.closed, handledAt: 9, ...ended });
    const sums = await one.positions.openSums(70, [10, 20, 30, 31, 40]);
    const rows = sums
      .map(({ at, lots, notional }) => [at, lots, notional])
      .toSorted(([a], [b]) => Number(a) - Number(b));
    expect(rows).toEqual(
      [5n + 7n, 5n + 7n - 3n, 5n - 3n + 9n, 5n - 3n + 9n].map((lots, at) => [at + 1, lots, lots * 6_000_000n]),
    );
    expect(sums[0]).toMatchObject({ pairId: 1, quote: QUOTE, scales: { numberScale: 6, quoteScale: 8 } });
    expect(await one.positions.openSums(90, [40])).toEqual([]);
  });

  test('a repeated decision and a repeated result change nothing [LEVER-032]', async () => {
    const account = { userId: 2, quote: QUOTE };
    const claimed = await one.claims.claim(account);
    const [open] = claimed.positions.filter(({ status }) => status === STATUS.open);
    const decide = (): Promise<void> =>
      one.database.transaction(async (tx) => {
        await claimed.commit(tx, 's:2');
        await close(one, tx, open!, 's:2');
      });
    await decide();
    const openNotional = await one.positions.openNotional(QUOTE);
    await expect(decide()).rejects.toMatchObject({ key: 'common.unavailable' });
    const repeat = await two.database.transaction((tx) => two.positions.change(tx, open!, closed(open!, 's:3')));
    expect(repeat).toBe(false);
    for (const each of [one, two, one])
      await each.database.transaction((tx) => each.claims.settleInFlight(tx, [{ ...account, inFlight: 's:2' }]));
    await two.database.transaction((tx) => two.claims.settleInFlight(tx, [{ ...account, inFlight: 's:unknown' }]));
    expect((await row(2)).version).toBe(2); // the decision and its end
    expect(await two.positions.openNotional(QUOTE)).toBe(openNotional);
    expect(await one.positions.find(open!.id)).toMatchObject({ settlement: 's:2', revision: 1 });
  });

  test('the audit names closed positions with unpaid fees and open ones without a timer [LEVER-051]', async () => {
    // Trigger orders are counted as open above, which the audit finds too.
    const reads = new PostgresLeverAudit(one.database);
    const wrongs = async (): Promise<string[]> => (await reads.wrongs()).filter((text) => !text.includes('notional'));
    const clock = { now: () => Date.UTC(2026, 0, 5, 12) };
    const timers = new Timers(one.database, clock);
    const open = opening().filter(({ status }) => status === STATUS.open);
    await one.database.transaction(async (tx) => {
      await scheduleOvernightFees(
        timers,
        tx,
        open.map((one) => ({ ...one, openedAt: clock.now() })),
      );
    });
    expect(await wrongs()).toEqual([]);
    const [first, second] = open;
    const midnight = await one.database.transaction((tx) => timers.cancel(tx, OVERNIGHT_TIMER, first!.id));
    expect(midnight).toBe(Date.UTC(2026, 0, 6));
    expect(await one.database.transaction((tx) => timers.cancel(tx, OVERNIGHT_TIMER, first!.id))).toBeNull();
    expect(await wrongs()).toEqual([`open position ${first!.id} waits for no midnight`]);
    await world.query('update lever.lever_position set night_rest = 1 where id = any($1::bigint[])', [
      [first!.id, second!.id],
    ]);
    await one.database.transaction(async (tx) => {
      await scheduleOvernightFees(timers, tx, [{ ...first!, openedAt: clock.now() }]);
      await one.accounts.commit(
        tx,
        (await one.accounts.claim({ userId: 2, quote: QUOTE }, 't', 5_000, 'call'))!,
        't',
        's:2',
      );
      await close(one, tx, second!, 's:2');
    });
    // Unpaid fees of an open position are collected; a close ends them.
    expect(await wrongs()).toEqual([]);
    await world.query('update lever.lever_position set night_rest = 1 where id = $1', [second!.id]);
    expect(await wrongs()).toEqual([`position ${second!.id} has ended and owes for a night`]);
  });

  test('the audit expects the hold of a close until that is booked [LEVER-082] [HARD-402]', async () => {
    const reads = new PostgresLeverAudit(one.database);
    const all = Array.from({ length: (await reads.holdDigests()).length }, (_, bucket) => bucket);
    const needed = async (id: string): Promise<string[]> =>
      (await reads.holdLines(all)).lines.filter(({ hold }) => hold === `lever:${id}`).map(({ amount }) => amount);
    const open = (await one.positions.find('11'))!;
    const [before] = await needed('11');
    const after = { ...closed(open, 's1'), settlingHold: open.margin };
    await one.database.transaction((tx) => one.positions.change(tx, open, after));
    expect(await needed('11')).toEqual([before]);
    const [closes] = await one.database.transaction((tx) => one.positions.settling(tx, ['s1']));
    expect(closes).toMatchObject({ status: STATUS.closing, settlingHold: open.margin });
    await one.database.transaction((tx) => one.positions.change(tx, closes!, booked(closes!)));
    expect(await needed('11')).toEqual([]);
  });

  test('rest and part of a part close are stored, and the audit expects both in one hold [LEVER-104]', async () => {
    const reads = new PostgresLeverAudit(one.database);
    const all = Array.from({ length: (await reads.holdDigests()).length }, (_, bucket) => bucket);
    const needed = async (): Promise<string[]> =>
      (await reads.holdLines(all)).lines.filter(({ hold }) => hold.endsWith(':11')).map(({ amount }) => amount);
    const [before] = await needed();
    const whole = { ...(await one.positions.find('11'))!, contracts: 3 };
    const { part, rest } = splitPosition(whole, 1, '911');
    const closes = { ...closed(part, 's1'), settlingHold: part.margin };
    await one.database.transaction(async (tx) => {
      await one.positions.insert(tx, closes);
      await one.positions.change(tx, rest, rest);
    });
    expect(await needed()).toEqual([before]);
    const stored = await Promise.all(['11', '911'].map((id) => one.positions.find(id)));
    expect(stored).toEqual([{ ...rest, revision: rest.revision + 1 }, closes]);
    await one.database.transaction((tx) => one.positions.change(tx, closes, booked(closes)));
    expect((await needed()).map((amount) => toUnits(amount, rest.scales.quoteScale))).toEqual([rest.margin]);
  });

  test('a close as cover of another position is stored [LEVER-085]', async () => {
    const open = (await one.positions.find('11'))!;
    const after = { ...closed(open, 's1'), closedBy: CLOSED_BY.cover };
    await one.database.transaction((tx) => one.positions.change(tx, open, after));
    expect(await one.positions.find('11')).toMatchObject({ closedBy: CLOSED_BY.cover });
  });

  test('two instances that decide on every tick close each position once [LEVER-033]', async () => {
    const done: string[] = [];
    const all = opening().filter(({ status }) => status === STATUS.open);
    const rest = opening().reduce((sum, { notional }) => sum + notional, 0n) - all.reduce((s, p) => s + p.notional, 0n);
    /** A tick: decides each account that can be claimed, if its position is still as in the book. */
    const tick = async (at: Instance, name: string): Promise<void> => {
      await Promise.all(
        PEOPLE.map(async (userId) => {
          const account = { userId, quote: QUOTE };
          const claimed = await at.claims.tryClaim(account);
          const open = claimed?.positions.find(({ status }) => status === STATUS.open);
          if (!claimed || !open) return claimed?.release();
          await at.database.transaction(async (tx) => {
            await claimed.commit(tx, `${name}:${userId}`);
            await close(at, tx, open, `${name}:${userId}`);
          });
          done.push(open.id);
          await at.database.transaction((tx) =>
            at.claims.settleInFlight(tx, [{ ...account, inFlight: `${name}:${userId}` }]),
          );
        }),
      );
    };
    for (let count = 0; count < 5; count += 1) await Promise.all([tick(one, 'one'), tick(two, 'two')]);
    expect(done.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    expect(await one.positions.openNotional(QUOTE)).toBe(rest);
    expect(
      await world.query('select 1 from lever.risk_account where claim is not null or in_flight is not null'),
    ).toEqual([]);
  });
});
