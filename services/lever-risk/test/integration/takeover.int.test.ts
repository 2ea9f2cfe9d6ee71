import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Timers, type Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresAccounts } from '../../src/adapters/persistence/postgres-accounts.js';
import { PostgresLeverAudit } from '../../src/adapters/persistence/postgres-lever-audit.js';
import { PostgresPositions } from '../../src/adapters/persistence/postgres-positions.js';
import { Judge, RESERVED_MS } from '../../src/application/judge.js';
import type { LeverMarkets } from '../../src/application/lever-markets.js';
import { NIGHT, setNights } from '../../src/application/nights.js';
import type { AccountRow, LeverDatabase, Share } from '../../src/application/ports.js';
import { CLOSED_BY, closed as booked, closing, STATUS, type Position } from '../../src/domain/position.js';
import { accountKey, RiskBook } from '../../src/domain/risk-book.js';
import { positionWith } from '../positions.js';

jest.setTimeout(testTimeoutMs(24_000));

const QUOTE = 3;
const BURST = 110_000_000n;
const BALANCE = 40_000_000_000n;
const PEOPLE = [1, 2, 3, 4, 5, 6, 7, 8];
const SHARES: readonly Share[] = [0, 1].map((part) => ({ part, of: 2 }));
/** Falls until the last of them is liquidated. */
const PRICES = [6_000_000n, 5_950_000n, 5_900_000n, 5_850_000n, 5_700_000n, 5_400_000n, 5_000_000n, 4_000_000n];

/** The judge of one process, with pools of its own; the ledger says the same of everybody. */
interface Instance {
  readonly database: LeverDatabase;
  readonly accounts: PostgresAccounts;
  readonly positions: PostgresPositions;
  readonly judge: Judge;
}

describe('the judge of risk over PostgreSQL', () => {
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
        await one.positions.expose(tx, QUOTE, position.notional, null);
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
    return { database, accounts, positions, judge: new Judge(accounts, positions, balances, markets) };
  }

  /** Two positions each: an open one of a multiple of its own, a touch order below. */
  const opening = (): Position[] =>
    PEOPLE.flatMap((userId) => [
      positionWith({ id: `${userId}1`, userId, openedAt: 1, lots: 10_000n * BigInt(userId), target: 6_500_000n }),
      positionWith({ id: `${userId}2`, userId, status: STATUS.pending, openedAt: null, price: 5_900_000n }),
    ]);

  /** As an owner that begins: all that has something open, and nothing else. */
  async function recovered({ accounts, positions }: Instance): Promise<RiskBook> {
    const book = new RiskBook();
    for (const share of SHARES) {
      const rows = await accounts.changed(share, null);
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

  /** Everything that a book knows and, at each price, proposes: its guards wake whom they must. */
  function digest(book: RiskBook): string {
    const parts: unknown[] = [];
    for (const price of PRICES) {
      const marks = new Map([[1, price]]);
      const proposals = book.tick([1], marks, { trading: marks, liquidating: marks }, BURST);
      const accounts = [...book.all()].toSorted((a, b) => a.userId - b.userId);
      const due = proposals.toSorted((a, b) => a.account.userId - b.account.userId);
      parts.push(price, book.size, book.entries, accounts, due);
    }
    // Whatever order the fields of a row came in.
    const text = JSON.stringify(parts, (_, value: unknown) => {
      if (typeof value === 'bigint') return `${value}n`;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    });
    return createHash('sha256').update(text).digest('hex');
  }

  const closed = (position: Position, settlement: string): Position =>
    closing(position, 2, {
      by: CLOSED_BY.burst,
      mark: 5_000_000n,
      profits: -1n,
      shortfall: 0n,
      rest: 0n,
      settlement,
      nights: 0n,
    });
  /** The transaction of a close, as an owner writes it. */
  async function close(at: Instance, tx: Tx, position: Position, settlement: string): Promise<void> {
    if (!(await at.positions.change(tx, position, closed(position, settlement))))
      throw new Refused('common.unavailable');
    await at.positions.expose(tx, QUOTE, -position.notional, null);
  }
  const row = async (userId: number): Promise<AccountRow> =>
    (await one.accounts.changed({ part: 0, of: 1 }, null)).find((each) => each.userId === userId)!;

  test('what takes over reads the same book: accounts, positions, guards, proposals [LEVER-030]', async () => {
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
    // A decision changes both alike, and the books before it are not those after it.
    const seat = await one.judge.claim({ userId: 3, quote: QUOTE });
    await one.database.transaction(async (tx) => {
      await seat.enter(tx, 's:3');
      await close(
        one,
        tx,
        seat.positions.find(({ status }) => status === STATUS.open)!,
        's:3',
      );
    });
    const after = digest(await recovered(two));
    expect(after).not.toBe(before);
    expect(digest(await recovered(await instance()))).toBe(after);
  });

  test('who lost the account to another instance is refused and writes nothing [LEVER-031]', async () => {
    const account = { userId: 1, quote: QUOTE };
    const old = await one.judge.claim(account);
    expect(await two.judge.tryClaim(account)).toBeNull();
    // It sleeps: its claim ends by the database's clock, and another takes over.
    await world.query(`update lever.risk_account set claim_until = now() - interval '1 s' where user_id = 1`);
    const now = await two.judge.claim(account);
    const [open] = now.positions.filter(({ status }) => status === STATUS.open);
    const late = (): Promise<void> =>
      one.database.transaction(async (tx) => {
        await close(one, tx, open!, 's:old');
        await old.enter(tx, 's:old');
      });
    await expect(late()).rejects.toMatchObject({ key: 'common.unavailable' });
    expect(await one.positions.find(open!.id)).toMatchObject({ status: STATUS.open, revision: 0 });
    await two.database.transaction(async (tx) => {
      await now.enter(tx, 's:new');
      await close(two, tx, open!, 's:new');
    });
    // Not before the other's decision and not after it, under its old claim or without one.
    await expect(late()).rejects.toMatchObject({ key: 'common.unavailable' });
    await old.leave();
    expect(await one.judge.tryClaim(account)).toBeNull(); // a debit is in flight
    expect(await two.positions.find(open!.id)).toMatchObject({ status: STATUS.closing, settlement: 's:new' });
    await two.database.transaction((tx) => two.judge.land(tx, [{ ...account, inFlight: 's:new' }]));
    expect(await one.judge.tryClaim(account)).not.toBeNull();
  });

  test('no call in any instance claims an account that is reserved for risk [LEVER-090] [HARD-404]', async () => {
    const account = { userId: 4, quote: QUOTE };
    const call = await one.judge.claim(account);
    expect(await two.judge.claimForRisk(account)).toBeNull();
    // The reservation is no change: what the call has decided is still written, and its debit comes under way.
    await one.database.transaction((tx) => call.enter(tx, 's:4'));
    expect(await two.judge.claimForRisk(account)).toBeNull();
    await one.database.transaction((tx) => one.judge.land(tx, [{ ...account, inFlight: 's:4' }]));
    for (const each of [one, two]) expect(await each.judge.tryClaim(account)).toBeNull();
    const risk = await two.judge.claimForRisk(account);
    expect(risk).not.toBeNull();
    await risk!.leave();
    await (await one.judge.claim(account)).leave();
  });

  test('a reservation for risk that nobody renews ends by itself [LEVER-090]', async () => {
    const account = { userId: 5, quote: QUOTE };
    const call = await one.judge.claim(account);
    await two.judge.claimForRisk(account);
    await call.leave();
    expect(await one.judge.tryClaim(account)).toBeNull();
    const [ends] = await world.query(
      `select risk_until between now() and now() + interval '${RESERVED_MS} ms' as soon
       from lever.risk_account where user_id = 5`,
    );
    expect(ends).toEqual({ soon: true });
    await world.query(`update lever.risk_account set risk_until = now() - interval '1 ms' where user_id = 5`);
    expect(await one.judge.tryClaim(account)).not.toBeNull();
  });

  test('calls that claim without a pause do not keep risk off the account [LEVER-090] [HARD-404]', async () => {
    const account = { userId: 6, quote: QUOTE };
    let isOver = false;
    let decided = 0;
    const flood = async (at: Instance, name: string): Promise<void> => {
      while (!isOver) {
        const seat = await at.judge.tryClaim(account);
        if (!seat) continue;
        decided += 1;
        const inFlight = `${name}:${decided}`;
        await at.database.transaction((tx) => seat.enter(tx, inFlight));
        await at.database.transaction((tx) => at.judge.land(tx, [{ ...account, inFlight }]));
      }
    };
    const floods = [flood(one, 'a'), flood(two, 'b'), flood(two, 'c')];
    await eventually(() => decided >= 10);
    // After the first attempt at most what already holds the account is decided.
    const before = decided;
    let risk = await one.judge.claimForRisk(account);
    const reserved = decided;
    while (!risk) risk = await one.judge.claimForRisk(account);
    const after = decided;
    isOver = true;
    await risk.leave();
    await Promise.all(floods);
    expect(after - reserved).toBeLessThanOrEqual(1);
    expect(after).toBeGreaterThanOrEqual(before);
  });

  test('a position is found by its client id, the newest of its owner [LEVER-099]', async () => {
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

  test('quotes with something to close are those of open positions of the direction [LEVER-092]', async () => {
    expect(await one.positions.openQuotes(1)).toEqual([QUOTE]);
    expect(await one.positions.openQuotes(1, 'long')).toEqual([QUOTE]);
    expect(await one.positions.openQuotes(1, 'short')).toEqual([]);
    await world.query('update lever.lever_position set status = 0 where user_id = 1');
    expect(await one.positions.openQuotes(1)).toEqual([]);
  });

  test('a decision that comes again, and an end that comes again, change nothing [LEVER-032]', async () => {
    const account = { userId: 2, quote: QUOTE };
    const seat = await one.judge.claim(account);
    const [open] = seat.positions.filter(({ status }) => status === STATUS.open);
    const decide = (): Promise<void> =>
      one.database.transaction(async (tx) => {
        await seat.enter(tx, 's:2');
        await close(one, tx, open!, 's:2');
      });
    await decide();
    const exposed = await one.positions.exposed(QUOTE);
    await expect(decide()).rejects.toMatchObject({ key: 'common.unavailable' });
    const repeat = await two.database.transaction((tx) => two.positions.change(tx, open!, closed(open!, 's:3')));
    expect(repeat).toBe(false);
    for (const each of [one, two, one])
      await each.database.transaction((tx) => each.judge.land(tx, [{ ...account, inFlight: 's:2' }]));
    await two.database.transaction((tx) => two.judge.land(tx, [{ ...account, inFlight: 's:unknown' }]));
    expect((await row(2)).version).toBe(2); // the decision and its end
    expect(await two.positions.exposed(QUOTE)).toBe(exposed);
    expect(await one.positions.find(open!.id)).toMatchObject({ settlement: 's:2', revision: 1 });
  });

  test('the audit names who has ended and owes for a night, and who waits for no midnight [LEVER-051]', async () => {
    // Touch orders are counted as open above, which the audit finds too.
    const reads = new PostgresLeverAudit(one.database);
    const wrongs = async (): Promise<string[]> => (await reads.wrongs()).filter((text) => !text.includes('notional'));
    const clock = { now: () => Date.UTC(2026, 0, 5, 12) };
    const timers = new Timers(one.database, clock);
    const open = opening().filter(({ status }) => status === STATUS.open);
    await one.database.transaction(async (tx) => {
      await setNights(
        timers,
        tx,
        open.map((one) => ({ ...one, openedAt: clock.now() })),
      );
    });
    expect(await wrongs()).toEqual([]);
    const [first, second] = open;
    const midnight = await one.database.transaction((tx) => timers.cancel(tx, NIGHT, first!.id));
    expect(midnight).toBe(Date.UTC(2026, 0, 6));
    expect(await one.database.transaction((tx) => timers.cancel(tx, NIGHT, first!.id))).toBeNull();
    expect(await wrongs()).toEqual([`open position ${first!.id} waits for no midnight`]);
    await world.query('update lever.lever_position set night_rest = 1 where id = any($1::bigint[])', [
      [first!.id, second!.id],
    ]);
    await one.database.transaction(async (tx) => {
      await setNights(timers, tx, [{ ...first!, openedAt: clock.now() }]);
      await one.accounts.enter(
        tx,
        (await one.accounts.claim({ userId: 2, quote: QUOTE }, 't', 5_000, 'call'))!,
        't',
        's:2',
      );
      await close(one, tx, second!, 's:2');
    });
    // The rest of one that is open is collected; a close ends it.
    expect(await wrongs()).toEqual([]);
    await world.query('update lever.lever_position set night_rest = 1 where id = $1', [second!.id]);
    expect(await wrongs()).toEqual([`position ${second!.id} has ended and owes for a night`]);
  });

  test('the audit asks for the margin of a close until that is booked [LEVER-082] [HARD-402]', async () => {
    const reads = new PostgresLeverAudit(one.database);
    const all = Array.from({ length: (await reads.holdDigests()).length }, (_, bucket) => bucket);
    const needed = async (id: string): Promise<string[]> =>
      (await reads.holdLines(all)).lines.filter(({ hold }) => hold === `lever:${id}`).map(({ amount }) => amount);
    const open = (await one.positions.find('11'))!;
    const [before] = await needed('11');
    const after = { ...closed(open, 's1'), settlingHold: open.caution };
    await one.database.transaction((tx) => one.positions.change(tx, open, after));
    expect(await needed('11')).toEqual([before]);
    const [closes] = await one.database.transaction((tx) => one.positions.settling(tx, ['s1']));
    expect(closes).toMatchObject({ status: STATUS.closing, settlingHold: open.caution });
    await one.database.transaction((tx) => one.positions.change(tx, closes!, booked(closes!)));
    expect(await needed('11')).toEqual([]);
  });

  test('a close as cover of another position is stored [LEVER-085]', async () => {
    const open = (await one.positions.find('11'))!;
    const after = { ...closed(open, 's1'), closedBy: CLOSED_BY.cover };
    await one.database.transaction((tx) => one.positions.change(tx, open, after));
    expect(await one.positions.find('11')).toMatchObject({ closedBy: CLOSED_BY.cover });
  });

  test('two instances that decide with every tick close each position once [LEVER-033]', async () => {
    const done: string[] = [];
    const all = opening().filter(({ status }) => status === STATUS.open);
    const rest = opening().reduce((sum, { notional }) => sum + notional, 0n) - all.reduce((s, p) => s + p.notional, 0n);
    /** A tick: whoever is not busy elsewhere is decided, if its position still is what the book says. */
    const tick = async (at: Instance, name: string): Promise<void> => {
      await Promise.all(
        PEOPLE.map(async (userId) => {
          const account = { userId, quote: QUOTE };
          const seat = await at.judge.tryClaim(account);
          const open = seat?.positions.find(({ status }) => status === STATUS.open);
          if (!seat || !open) return seat?.leave();
          await at.database.transaction(async (tx) => {
            await seat.enter(tx, `${name}:${userId}`);
            await close(at, tx, open, `${name}:${userId}`);
          });
          done.push(open.id);
          await at.database.transaction((tx) => at.judge.land(tx, [{ ...account, inFlight: `${name}:${userId}` }]));
        }),
      );
    };
    for (let count = 0; count < 5; count += 1) await Promise.all([tick(one, 'one'), tick(two, 'two')]);
    expect(done.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    expect(await one.positions.exposed(QUOTE)).toBe(rest);
    expect(
      await world.query('select 1 from lever.risk_account where claim is not null or in_flight is not null'),
    ).toEqual([]);
  });
});
