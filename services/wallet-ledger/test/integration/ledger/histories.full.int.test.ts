import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Database } from '@bourse/persistence';
import { testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { PostgresLedgerReader } from '../../../src/ledger/adapters/persistence/ledger-reader.js';
import { PostgresLedgerMaintenance } from '../../../src/ledger/adapters/persistence/ledger-maintenance.js';
import { ledgerDatabases, LedgerProcess, USDT } from './writer-harness.js';

jest.setTimeout(testTimeoutMs(24_000));

/** Three people with one line, two thousand, and two hundred thousand. */
const LENGTHS = [1, 2_000, 200_000] as const;
const personOf = (lines: number): number => 200_000 + lines;

let db: TestDatabases;
let ledger: LedgerProcess;
beforeEach(async () => {
  db = await ledgerDatabases();
  ledger = await LedgerProcess.start(db);
});
afterEach(async () => {
  await ledger.stop();
  await db.end();
});

/** A history as the writer leaves it: each line takes one unit in, the balances and sequences fit. */
async function history(first: number, lines: number): Promise<void> {
  const owner = personOf(lines);
  await db.query(`set bourse.ledger_writer = 'on';
    insert into ledger.journal
        (partition, number, part, owner, id, cause_type, cause_id, entries, previous_hash, hash, created_at)
      select 0, ${first} + n, 0, ${owner}, 'deposit:' || n,
        case when n % 50 = 0 then 'transfer' else 'deposit' end, n::text,
        json_build_array(json_build_array('change', ${USDT}, 'a', '1', n::text, n, 0, null, 0)), '', '',
        now() - interval '1 hour' + n * interval '1 millisecond'
      from generate_series(1, ${lines}) as n;
    insert into ledger.balance (owner, product, currency, partition, available, held, available_sequence, held_sequence)
      values (${owner}, 'change', ${USDT}, 0, ${lines}, 0, ${lines}, 0);`);
}

/** A first line in another account, before all others of the person. */
async function oldLine(number: number, lines: number): Promise<void> {
  const owner = personOf(lines);
  await db.query(`set bourse.ledger_writer = 'on';
    insert into ledger.journal
        (partition, number, part, owner, id, cause_type, cause_id, entries, previous_hash, hash, created_at)
      values (0, ${number}, 0, ${owner}, 'transfer:old', 'transfer', 'old',
        json_build_array(json_build_array('legal', ${USDT}, 'a', '1', '1', 1, 0, null, 0)), '', '',
        now() - interval '2 hours');
    insert into ledger.balance (owner, product, currency, partition, available, held, available_sequence, held_sequence)
      values (${owner}, 'legal', ${USDT}, 0, 1, 0, 1, 0);`);
}

interface Plan {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}
/** A database that notes how many pages each statement touches. */
function watched(database: Database): { readonly database: Database; pages: () => number } {
  let pages = 0;
  const query = async <R>(sql: string, params: readonly unknown[] = []): Promise<R[]> => {
    const [row] = await database.query<{ 'QUERY PLAN': readonly Plan[] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      params,
    );
    const plan = row!['QUERY PLAN'][0]!.Plan;
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    return database.query<R>(sql, params);
  };
  return {
    database: new Proxy(database, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) }),
    pages: () => {
      const touched = pages;
      pages = 0;
      return touched;
    },
  };
}

test('a read of a history touches as much for one line, two thousand and two hundred thousand [HARD-315]', async () => {
  let first = 0;
  for (const lines of LENGTHS) {
    await history(first, lines);
    first += lines;
  }
  await db.query('analyze ledger.journal');
  const upkeep = new PostgresLedgerMaintenance(ledger.database);
  for (let piece = 20_000; piece === 20_000;) piece = await upkeep.sumLines(0, 20_000);
  const watch = watched(ledger.database);
  const reader = new PostgresLedgerReader(watch.database);
  const looks: Record<string, (owner: number) => Promise<unknown>> = {
    check: (owner) => reader.check(owner),
    statement: (owner) => reader.logs({ owner }, { size: 50, offset: 0 }),
    'one account': (owner) =>
      reader.logs({ owner, state: 'available', account: 'change', currency: USDT }, { size: 10, offset: 0 }),
    'an account without a line': (owner) =>
      reader.logs({ owner, state: 'available', account: 'savings', currency: USDT }, { size: 10, offset: 0 }),
    transfers: (owner) => reader.transfers(owner, { size: 30, offset: 0 }),
  };
  for (const [name, look] of Object.entries(looks)) {
    const touched: number[] = [];
    for (const lines of LENGTHS) {
      await look(personOf(lines));
      watch.pages();
      await look(personOf(lines));
      touched.push(watch.pages());
    }
    const [, middle = 0, long = 0] = touched;
    // A tree a little higher, a page more or less: not a hundred times as much.
    // Transfers are counted, up to a thousand beyond the page; a row that no vacuum has seen costs a page.
    const more = name === 'transfers' ? 1_100 : 60;
    expect([name, touched, long <= middle + more]).toEqual([name, touched, true]);
  }
  for (const lines of LENGTHS)
    expect(await reader.check(personOf(lines))).toMatchObject([
      { account: 'change', state: 'available', sum: String(lines), equal: true },
      { state: 'held', sum: '0', equal: true },
    ]);
});

test('a read of one old line touches as much, however many lines of other accounts follow it [HARD-315]', async () => {
  let first = 1;
  for (const lines of LENGTHS) {
    await oldLine(first, lines);
    await history(first, lines);
    first += lines + 1;
  }
  await db.query('analyze ledger.journal');
  const watch = watched(ledger.database);
  const reader = new PostgresLedgerReader(watch.database);
  const touched: number[] = [];
  for (const lines of LENGTHS) {
    const owner = personOf(lines);
    const look = () => reader.logs({ owner, account: 'legal', currency: USDT }, { size: 10, offset: 0 });
    await look();
    watch.pages();
    expect(await look()).toMatchObject({ rows: [{ journalId: 'transfer:old', account: 'legal' }], total: 1 });
    touched.push(watch.pages());
  }
  const [, middle = 0, long = 0] = touched;
  expect([touched, long <= middle + 60]).toEqual([touched, true]);
});

test('pages from either end of a long history are those of the whole list [HARD-315]', async () => {
  await oldLine(1, 2_000);
  await history(1, 2_000);
  const owner = personOf(2_000);
  const page = async (offset: number, size: number): Promise<number[]> =>
    (await ledger.reader.logs({ owner }, { size, offset })).rows.map(({ number }) => number);
  const whole = await page(0, 3_000);
  expect(whole).toEqual(Array.from({ length: 2_001 }, (_, n) => 2_001 - n));
  for (const [offset, size] of [
    [0, 10],
    [495, 10],
    [700, 50],
    [1_000, 600],
    [1_990, 10],
    [1_995, 10],
    [2_000, 10],
  ] as const)
    expect([offset, await page(offset, size)]).toEqual([offset, whole.slice(offset, offset + size)]);
});

test('the sums follow the journal, a check adds newer lines; a wrong balance is reported [HARD-315]', async () => {
  const upkeep = new PostgresLedgerMaintenance(ledger.database);
  await ledger.seed(100_001, '5');
  // Several at once, in pieces of one: nothing is added twice.
  for (let n = 0; n < 4; n++) await Promise.all([1, 2, 3].map(() => upkeep.sumLines(0, 1)));
  const sums = async (): Promise<(readonly [string, number])[]> =>
    (await ledger.reader.check(100_001))
      .filter(({ state }) => state === 'available')
      .map(({ account, sum }) => [account, Number(sum)] as const);
  expect(await sums()).toEqual([['change', 5]]);
  await ledger.seed(100_001, '7', USDT, 'legal');
  const both = [
    ['change', 5],
    ['legal', 7],
  ];
  expect(await sums()).toEqual(both);
  for (let n = 0; n < 4; n++) await upkeep.sumLines(0, 1);
  expect(await upkeep.sumLines(0, 1)).toBe(0);
  expect(await sums()).toEqual(both);
  await db.query(
    `set bourse.ledger_writer = 'on'; update ledger.balance set available = ` +
      `13 where owner = 100001 and product = 'change'`,
  );
  expect((await ledger.reader.check(100_001)).filter(({ equal }) => !equal)).toMatchObject([{ account: 'change' }]);
});
