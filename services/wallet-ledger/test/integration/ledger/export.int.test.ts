import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { available, held } from '@bourse/events';
import type { TestDatabases } from '@bourse/testing';
import { testTimeoutMs } from '@bourse/testing/eventually';
import type { Database } from '@bourse/persistence';
import { exportLedger } from '../../../src/export.js';
import { PostgresLedgerReader } from '../../../src/ledger/adapters/persistence/ledger-reader.js';
import { StatementBook } from '../../../src/ledger/application/accounting/own-statement.js';
import { joinPieces, readBook } from '../../ledger/books.js';
import { ledgerDatabases, LedgerProcess, USDT } from './writer-harness.js';

// A real database on a machine that may be busy with other suites.
jest.setTimeout(testTimeoutMs(24_000));

const USER = 100_001;
let world: TestDatabases;
let ledger: LedgerProcess;
beforeAll(async () => {
  world = await ledgerDatabases();
  ledger = await LedgerProcess.start(world, { partitions: 2 });
  await world.query(
    `insert into ledger.reference (kind, id, version, row)
       values ('currency', '${USDT}', 1, '{"name":"USDT","scale":8}')`,
  );
  for (const user of [USER, 100_002, 100_003]) await ledger.seed(user, '10.5');
  await ledger.transfer(USER, 'a', '1.25');
  const to = held(USER, 'change', 'withdrawal:7');
  const legs = [{ from: available(USER, 'change'), to, currency: USDT, amount: '2' }];
  await ledger.command({
    commandId: 'hold',
    userId: USER,
    onBehalfOf: USER,
    answer: { type: 'ok' },
    journals: [{ id: 'withdrawal:7:hold', causeType: 'withdrawal', causeId: '7', legs }],
  });
});
afterAll(async () => {
  await ledger?.stop();
  await world?.end();
});

test('journals of all partitions become one book that ends with the stored balances [EXPORT-007]', async () => {
  for (const format of ['beancount', 'hledger'] as const) {
    const text = await ledger.database.transaction((tx) => joinPieces(exportLedger(tx, format)), {
      isolation: 'repeatable read',
    });
    const { sums, asserted, transactions } = readBook(text);
    expect(transactions).toBe(5);
    expect(Object.fromEntries(asserted)).toMatchObject({
      [`Liabilities:People:${USER}:Change:Available USDT`]: '-7.25',
      [`Liabilities:People:${USER}:Change:Held USDT`]: '-2',
      [`Liabilities:People:${USER}:Legal:Available USDT`]: '-1.25',
      'Liabilities:People:100002:Change:Available USDT': '-10.5',
    });
    for (const [key, sum] of sums) expect([key, asserted.get(key)]).toEqual([key, sum]);
  }
});

test('the statement of a person is a book that ends with their balances [EXPORT-007]', async () => {
  const book = new StatementBook('beancount', () => ({ name: 'USDT', scale: 8 }), true);
  let text = book.head();
  for await (const rows of ledger.reader.allLogs({ owner: USER })) text += book.lines(rows);
  const { sums, asserted } = readBook(text + book.end());
  expect(Object.fromEntries(sums)).toEqual({
    'Assets:Exchange:Change:Available USDT': '7.25',
    'Equity:Exchange:Seed USDT': '-10.5',
    'Assets:Exchange:Legal:Available USDT': '1.25',
    'Assets:Exchange:Change:Held USDT': '2',
  });
  for (const [key, balance] of asserted) expect([key, sums.get(key)]).toEqual([key, balance]);
});

test('a statement while journals are committed between its reads ends where it began [EXPORT-012]', async () => {
  let reads = 0;
  const busy = new Proxy(ledger.database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: Parameters<Database['query']>) => {
        const rows = await target.query(...args);
        // A journal behind each of the first reads.
        if (reads++ < 4) await ledger.transfer(USER, `between-${reads}`, '0.5');
        return rows;
      };
    },
  });
  const before = await world.query<{ count: string }>(
    `select count(*)::text as count
      from ledger.journal cross join lateral json_array_elements(entries)
      where owner = $1`,
    [USER],
  );
  const book = new StatementBook('beancount', () => ({ name: 'USDT', scale: 8 }), true);
  let text = book.head();
  let lines = 0;
  for await (const rows of new PostgresLedgerReader(busy).allLogs({ owner: USER })) {
    text += book.lines(rows);
    lines += rows.length;
  }
  const { sums, asserted } = readBook(text + book.end());
  expect(reads).toBeGreaterThan(2);
  expect(lines).toBe(Number(before[0]?.count));
  for (const [key, balance] of asserted) expect([key, sums.get(key)]).toEqual([key, balance]);
});
