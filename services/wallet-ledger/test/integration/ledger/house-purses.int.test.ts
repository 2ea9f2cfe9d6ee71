import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { available, ledgerPartition } from '@bourse/events';
import type { Config } from '@bourse/platform';
import { eventually, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { PostgresHousePurseReads } from '../../../src/ledger/adapters/persistence/house-purse-reads.js';
import type { Currencies } from '../../../src/ledger/application/currencies.js';
import { HousePurses } from '../../../src/ledger/application/house/house-purses.js';
import type { HousePurseReads } from '../../../src/ledger/application/house/ports.js';
import { ledgerDatabases, LedgerProcess, scaleOf, USDT } from './writer-harness.js';

jest.setTimeout(testTimeoutMs(24_000));

const PARTITIONS = 3;
let db: TestDatabases;
let process: LedgerProcess;
let purses: HousePurses;
beforeEach(async () => {
  db = await ledgerDatabases();
  process = await LedgerProcess.start(db, { partitions: PARTITIONS });
  purses = another();
});
afterEach(async () => {
  await process.stop();
  await db.end();
});

/** What one instance of the service has; it looks through `reads`. */
const another = (reads: HousePurseReads = new PostgresHousePurseReads(process.database, PARTITIONS)): HousePurses =>
  new HousePurses(reads, process.log, { scaleOf } as unknown as Currencies, { ledgerPartitions: PARTITIONS } as Config);
const amounts = async (account: string): Promise<string[]> => {
  const rows = await new PostgresHousePurseReads(process.database, PARTITIONS).purses([account]);
  return Array.from(
    { length: PARTITIONS },
    (_, partition) => rows.find((row) => row.partition === partition)?.available ?? '0',
  );
};
const fund = (account: string, partition: number, amount: string): Promise<unknown> =>
  process.command(
    {
      commandId: `fund:${account}:${partition}`,
      issuer: 'seed',
      userId: 1,
      answer: { type: 'ok' },
      journals: [
        {
          id: `fund:${account}:${partition}`,
          causeType: 'seed',
          causeId: '1',
          legs: [{ from: 'h.outside', to: account, currency: USDT, amount }],
        },
      ],
    },
    partition,
  );
const explained = async (): Promise<string[]> =>
  (await process.audit.run()).filter(({ ok }) => !ok).map(({ name }) => name);

test('a purse that runs dry is filled from the others through clearing, which ends at zero [HOUSE-010]', async () => {
  await fund('h.micro', 1, '900');
  expect(await purses.round(0)).toBe(2);
  await eventually(async () => (await amounts('h.micro')).every((amount) => Number(amount) === 300));
  expect((await amounts('h.clearing')).reduce((sum, amount) => sum + Number(amount), 0)).toBe(0);
  expect(await purses.round(60_000)).toBe(0);
  expect(await explained()).toEqual([]);
});

test('several instances that see the same need make one move [HOUSE-011]', async () => {
  await fund('h.savings', 2, '90');
  // One that looks while the move of another is half done sees another need, which a later round evens out.
  const seen = await new PostgresHousePurseReads(process.database, PARTITIONS).purses(['h.savings']);
  const instance = (): HousePurses => another({ purses: () => Promise.resolve(seen) });
  expect(await Promise.all([instance().round(0), instance().round(0), instance().round(0)])).toEqual([2, 2, 2]);
  await eventually(async () => (await amounts('h.savings')).every((amount) => Number(amount) === 30));
  const [row] = await process.database.query<{ count: string }>(
    `select count(*) from journal where cause_type = 'house_purse' and owner < 0`,
  );
  expect(Number(row?.count)).toBe(4);
  expect(await explained()).toEqual([]);
});

test('what one partition must pay comes from all; what the house does not have does not come [HOUSE-012]', async () => {
  for (let partition = 0; partition < PARTITIONS; partition++) await fund('h.capital', partition, '100');
  const user = 100_090;
  const here = ledgerPartition(user, PARTITIONS);
  expect(await purses.bring('h.capital', USDT, here, 25_000_000_000n)).toBe(true);
  const reply = await process.command({
    commandId: 'pay',
    issuer: 'operator',
    userId: user,
    onBehalfOf: null,
    answer: { type: 'ok' },
    journals: [
      {
        id: 'pay',
        causeType: 'adjustment',
        causeId: '1',
        legs: [{ from: 'h.capital', to: available(user, 'change'), currency: USDT, amount: '250' }],
      },
    ],
  });
  expect(reply?.ok).toBe(true);
  expect(await purses.bring('h.capital', USDT, here, 6_000_000_000n)).toBe(false);
  expect(await explained()).toEqual([]);
});
