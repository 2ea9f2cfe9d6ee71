import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { TestDatabases } from '@bourse/testing';
import { available, held, type Leg } from '@bourse/events';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { ledgerDatabases, LedgerProcess, USDT } from './writer-harness.js';

// A real database on a machine that may be busy with other suites.
jest.setTimeout(testTimeoutMs(24_000));

let db: TestDatabases;
let process: LedgerProcess;
beforeAll(async () => {
  db = await ledgerDatabases();
  process = await LedgerProcess.start(db, { partitions: 3 });
  for (const user of [100_001, 100_002, 100_003, 100_004]) {
    await process.seed(user, '1000');
    await process.transfer(user, `t${user}`, '100');
    const legs: Leg[] = [
      { from: available(user, 'change'), to: held(user, 'change', `order:${user}`), currency: USDT, amount: '50' },
    ];
    await process.command({
      commandId: `o${user}`,
      issuer: 'spot-matching',
      userId: user,
      answer: { type: 'ok' },
      journals: [{ id: `order:${user}:hold`, causeType: 'order', causeId: String(user), legs }],
    });
  }
});
afterAll(async () => {
  await process.stop();
  await db.end();
});

const wrong = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await process.audit.run()).filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]));

test('an honest ledger passes every check, and again when only new journals are read [LEDGER-040]', async () => {
  expect((await process.audit.run()).map(({ name, ok }) => [name, ok])).toEqual(
    ['conservation', 'overdraft', 'holds', 'chain', 'sums', 'clearing'].map((name) => [name, true]),
  );
  const { audit } = process;
  await audit.run();
  await process.transfer(100_001, 'later', '1');
  expect((await audit.run()).every(({ ok }) => ok)).toBe(true);
});

test('a block is the same in the answer after the market has continued [AUDIT-011]', async () => {
  const { audit } = process;
  const user = 100_001;
  const settle = async (sequence: number): Promise<void> => {
    const legs: Leg[] = [
      { from: held(user, 'change', `order:${user}`), to: available(user, 'change'), currency: USDT, amount: '1' },
    ];
    await process.command({
      commandId: `settle${sequence}`,
      issuer: 'spot-matching',
      userId: user,
      answer: { type: 'ok' },
      journals: [{ id: `trade:BTC/USDT:${sequence}`, causeType: 'trade', causeId: `BTC/USDT-${sequence}`, legs }],
    });
  };
  for (const sequence of [1, 2, 3]) await settle(sequence);
  await audit.run();
  const asked = { symbol: 'BTC/USDT', from: 1, to: 2 };
  const young = await audit.trades(asked);
  expect(young).toEqual([{ from: 1, sides: 2, sums: expect.anything() }]);
  for (const sequence of [1_001, 2_001, 3_001]) await settle(sequence);
  await audit.run();
  expect(await audit.trades(asked)).toEqual(young);
  expect((await audit.trades({ ...asked, each: true })).map(({ from }) => from)).toEqual([1, 2]);
});

test.each<[string, string, string, readonly string[], string]>([
  [
    'money that nobody paid',
    `update ledger.balance set available = available + 1 where owner = 100002 and product = 'change'`,
    `update ledger.balance set available = available - 1 where owner = 100002 and product = 'change'`,
    ['conservation', 'sums'],
    '100002.change.3',
  ],
  [
    'money moved without a journal',
    `update ledger.balance
      set available = available + case owner when 100002 then 1 else -1 end
      where owner in (100002, 100003) and product = 'change'`,
    `update ledger.balance
      set available = available - case owner when 100002 then 1 else -1 end
      where owner in (100002, 100003) and product = 'change'`,
    ['sums'],
    '100002.change.3',
  ],
  [
    'a hold that keeps less than is held',
    `update ledger.hold set remaining = remaining - 1 where owner = 100003`,
    `update ledger.hold set remaining = remaining + 1 where owner = 100003`,
    ['holds'],
    '100003.change.3',
  ],
  [
    'a hold without an account',
    `insert into ledger.hold values (100009, 'change', 3, 'order:9', 0, 1, 'order', '9')`,
    `delete from ledger.hold where owner = 100009`,
    ['holds'],
    '100009.change.3',
  ],
  [
    'a line of another amount',
    `update ledger.journal
      set entries = replace(entries::text, '"100.00000000"', '"101.00000000"')::json
      where owner = 100004 and cause_type = 'transfer'`,
    `update ledger.journal
      set entries = replace(entries::text, '"101.00000000"', '"100.00000000"')::json
      where owner = 100004 and cause_type = 'transfer'`,
    ['chain', 'sums'],
    'does not have its hash',
  ],
  [
    "a journal whose hash was mended and the next one's not",
    `update ledger.journal set hash = repeat('0', 32) where owner = 100004 and cause_type = 'transfer'`,
    '',
    ['chain', 'sums'],
    'hash',
  ],
])('%s is found and named [LEDGER-041]', async (_, plant, mend, names, named) => {
  const changed = async (sql: string): Promise<void> => {
    // Changes rows with all rights on the database.
    await db.query(`set session_replication_role = replica`);
    await db.query(sql);
    await db.query(`set session_replication_role = default`);
  };
  await changed(plant);
  const found = await wrong();
  expect(Object.keys(found)).toEqual(expect.arrayContaining([...names]));
  expect(Object.values(found).join('; ')).toContain(named);
  if (mend) {
    await changed(mend);
    expect(await wrong()).toEqual({});
  }
});
