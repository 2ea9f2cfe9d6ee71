import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { MAKER_ID } from '@bourse/contract';
import type { FeesPaid } from '@bourse/events';
import type { Sagas } from '@bourse/ledger-client';
import { formatUnits, toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import type { Clock } from '@bourse/platform';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PointsAccountsAudit } from '../../src/points/persistence/audit.js';
import { PostgresAccrual } from '../../src/points/persistence/postgres-accrual.js';
import { PostgresPoints } from '../../src/points/persistence/postgres-points.js';
import { UsdPrices } from '../../src/points/application/accrual-ports.js';
import { PointsAccrual } from '../../src/points/application/points-accrual.js';
import type { PartCheck, PointsDatabase } from '../../src/shared/application/database.js';
import { bookingTime } from '../../src/points/domain/points-accrual.js';
import { DAY_MS, dayOf, freePoints } from '../../src/points/domain/points-account.js';

jest.setTimeout(testTimeoutMs(24_000));

const [USDT, BTC, HAP] = [3, 1, 8];
const START = Date.UTC(2026, 10, 23, 12);
const FIRST_DAY = dayOf(START);

class FixedUsdPrices extends UsdPrices {
  readonly known = new Map([
    [USDT, '1'],
    [BTC, '50000.25'],
  ]);
  of(currencyId: number): string | null {
    return this.known.get(currencyId) ?? null;
  }
}
interface Order {
  readonly object: string;
  readonly command: {
    readonly journals: readonly { readonly id: string; readonly legs: readonly { amount: string }[] }[];
  };
}

type Book = (tx: Tx, objects: readonly string[]) => Promise<void>;

/** The accrual of a process over PostgreSQL, with a ledger that books when the test calls `settle`. */
class Process {
  now = START;
  readonly prices = new FixedUsdPrices();
  /** The orders to the ledger without a result yet. */
  asked: Order[] = [];
  readonly journals = new Map<string, string>();
  readonly timers: Timers;
  readonly accrual: PointsAccrual;
  readonly accounts: PostgresPoints;
  private book!: Book;

  constructor(private readonly database: PointsDatabase) {
    const clock = { now: () => this.now } as Clock;
    this.timers = new Timers(database, clock);
    this.accounts = new PostgresPoints(database);
    const sagas = {
      defineMove: ({ onAllBooked }: { onAllBooked: Book }) => {
        this.book = onAllBooked;
        return {
          beginAll: (tx: Tx, moves: readonly Order[]) => {
            tx.afterCommit(() => this.asked.push(...moves));
            return Promise.resolve();
          },
        };
      },
    } as unknown as Sagas;
    const store = new PostgresAccrual();
    this.accrual = new PointsAccrual(sagas, database, store, this.accounts, this.prices, this.timers, clock);
  }

  take(...fees: FeesPaid['fees']): Promise<void> {
    return this.database.transaction((tx) => this.accrual.take(tx, [{ fees }]));
  }
  /** Moves the clock, and fires what came due. */
  async at(ms: number): Promise<void> {
    this.now = ms;
    while ((await this.timers.runDue()) > 0);
  }
  /** The ledger sends its results: each journal once, however often it was ordered. */
  async settle(): Promise<void> {
    const orders = this.asked.splice(0);
    for (const { command } of orders)
      for (const { id, legs } of command.journals) {
        if (this.journals.has(id)) throw new Error(`${id} is asked for twice`);
        this.journals.set(id, legs[0]!.amount);
      }
    if (orders.length > 0)
      await this.database.transaction((tx) =>
        this.book(
          tx,
          orders.map(({ object }) => object),
        ),
      );
  }
  async points(userId: number): Promise<string> {
    return formatUnits((await this.accounts.account(userId)).total, 8);
  }
}

let world: TestDatabases;
let database: PointsDatabase;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'points', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'points', migrations: MIGRATIONS, poolMax: 6 })) as PointsDatabase;
});
afterAll(() => world?.end());

async function fresh(): Promise<Process> {
  await database.execute('truncate points_books, points_fees, points_unvalued, points_account, timer');
  const process = new Process(database);
  await process.accrual.onApplicationBootstrap();
  return process;
}
let serial = 0;
const fee = (
  payer: number,
  amount: string,
  at: number,
  currency = USDT,
  cause = 'trade',
): FeesPaid['fees'][number] => ({
  ...{ journal: `j${(serial += 1)}`, payer, currency, amount, at, cause },
});
async function wrongs(): Promise<readonly unknown[]> {
  const { checks } = new PointsAccountsAudit();
  const everybody = ['-1', '9223372036854775807'];
  return (
    await Promise.all(
      Object.values<PartCheck>(checks).map(({ wrong, byPeople }) => database.query(wrong, byPeople ? everybody : [])),
    )
  ).flat();
}

test('fees of a day are points at 00:05 UTC of the next one, free a day later [POINTS-040]', async () => {
  const process = await fresh();
  await process.take(fee(7, '10', START), fee(7, '0.0001', START, BTC), fee(9, '3', START), fee(MAKER_ID, '50', START));
  await process.at(bookingTime(FIRST_DAY) - 1);
  expect(process.asked).toEqual([]);
  await process.at(bookingTime(FIRST_DAY));
  await process.settle();
  expect([await process.points(7), await process.points(9)]).toEqual(['15.00002500', '3.00000000']);
  expect([...process.journals.keys()].sort()).toEqual([`points:day:${FIRST_DAY}:7`, `points:day:${FIRST_DAY}:9`]);
  const account = await process.accounts.account(7);
  expect(freePoints(account, FIRST_DAY + 1)).toBe(0n);
  expect(freePoints(account, FIRST_DAY + 2)).toBe(account.total);
  expect(await process.points(MAKER_ID)).toBe('0.00000000');
  expect(await wrongs()).toEqual([]);
});

test('network fees of withdrawals earn no points and no rebates [POINTS-048]', async () => {
  const process = await fresh();
  await process.take(
    fee(7, '10', START),
    fee(7, '3', START, USDT, 'withdrawal'),
    fee(8, '3', START, USDT, 'withdrawal'),
  );
  await process.at(bookingTime(FIRST_DAY));
  await process.settle();
  expect([...process.journals]).toEqual([[`points:day:${FIRST_DAY}:7`, '10.00000000']]);
  expect(await wrongs()).toEqual([]);
});

test('people are notified once of the points of a day, and not of none [POINTS-043]', async () => {
  const process = await fresh();
  await process.take(fee(7, '10', START), fee(8, '0.000000001', START), fee(9, '2', START), fee(9, '-2', START));
  await process.at(bookingTime(FIRST_DAY));
  await process.settle();
  const rows = await database.query<{ payload: string }>(
    `select payload::text as payload from outbox where stream like '%>user.notices/%' order by number desc limit 1`,
  );
  expect(rows[0]?.payload).toContain(`"id":"points:day:${FIRST_DAY}"`);
  expect(rows[0]?.payload).toContain('"userId":7');
  expect(rows[0]?.payload).not.toContain('"userId":8');
  expect(rows[0]?.payload).not.toContain('"userId":9');
});

test('a late fee counts for the first day that is not booked [POINTS-044]', async () => {
  const process = await fresh();
  await process.at(bookingTime(FIRST_DAY));
  await process.take(fee(7, '4', START));
  await process.at(bookingTime(FIRST_DAY + 1));
  await process.settle();
  expect([...process.journals]).toEqual([[`points:day:${FIRST_DAY + 1}:7`, '4.00000000']]);
  expect(await wrongs()).toEqual([]);
});

test('more given back than paid earns nothing and counts against later days [POINTS-042]', async () => {
  const process = await fresh();
  await process.take(fee(7, '4', START), fee(7, '-10', START));
  await process.at(bookingTime(FIRST_DAY));
  await process.take(fee(7, '5', process.now));
  await process.at(bookingTime(FIRST_DAY + 1));
  await process.take(fee(7, '3', process.now));
  await process.at(bookingTime(FIRST_DAY + 2));
  await process.settle();
  expect([...process.journals]).toEqual([[`points:day:${FIRST_DAY + 2}:7`, '2.00000000']]);
});

test('a fee of a coin without a price waits for one [POINTS-045]', async () => {
  const process = await fresh();
  await process.take(fee(7, '4', START, HAP));
  process.prices.known.set(HAP, '1');
  await process.take(fee(8, '1', START));
  await process.at(bookingTime(FIRST_DAY));
  await process.settle();
  expect(await process.points(7)).toBe('4.00000000');
});

test('more people than fit one transaction are booked, each once [POINTS-046]', async () => {
  const process = await fresh();
  const people = Array.from({ length: 1_203 }, (_, at) => 1_000 + at);
  await process.take(...people.map((userId) => fee(userId, '1', START)));
  await process.at(bookingTime(FIRST_DAY + 2));
  expect(process.asked).toHaveLength(people.length);
  await process.settle();
  expect(process.journals.size).toBe(people.length);
  expect(await wrongs()).toEqual([]);
});

test('over days, clock jumps, late facts and deaths all have the points of their fees [POINTS-046]', async () => {
  const step = fc.record({
    days: fc.constantFrom(0, 0, 1, 2, 9),
    lateDays: fc.constantFrom(0, 0, 1, 5),
    payer: fc.constantFrom(7, 8, 9),
    cents: fc.integer({ min: -500, max: 2_000 }),
    dies: fc.boolean(),
    settles: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      let process = await fresh();
      const paid = new Map<number, bigint>();
      for (const { days, lateDays, payer, cents, dies, settles } of steps) {
        const one = fee(payer, (cents / 100).toFixed(2), process.now - lateDays * DAY_MS);
        await process.take(one);
        paid.set(payer, (paid.get(payer) ?? 0n) + BigInt(cents) * 1_000_000n);
        await process.at(process.now + days * DAY_MS);
        if (settles) await process.settle();
        if (!dies) continue;
        // Its sagas order the missing results again; the others are in the tables.
        const next = new Process(database);
        next.now = process.now;
        next.asked = process.asked;
        for (const [id, amount] of process.journals) next.journals.set(id, amount);
        process = next;
        await process.accrual.onApplicationBootstrap();
      }
      await process.at(process.now + 3 * DAY_MS);
      await process.settle();
      for (const [payer, units] of paid) {
        const owed = await database.query<{ value: string }>(
          `select trim_scale(-value)::text as value from points_fees where user_id = $1 and state = 'open'`,
          [payer],
        );
        const open = owed.reduce((sum, { value }) => sum + toUnits(value, 8), 0n);
        expect((await process.accounts.account(payer)).total - open).toBe(units);
      }
      expect(await wrongs()).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
