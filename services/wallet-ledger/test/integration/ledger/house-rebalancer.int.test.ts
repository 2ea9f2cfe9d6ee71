import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { available, ledgerPartition } from '@bourse/events';
import type { Config } from '@bourse/platform';
import { eventually, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { PostgresHouseBalanceReads } from '../../../src/ledger/adapters/persistence/house-balance-reads.js';
import type { Currencies } from '../../../src/ledger/application/currencies.js';
import { HouseRebalancer } from '../../../src/ledger/application/house/house-rebalancer.js';
import type { HouseBalanceReads } from '../../../src/ledger/application/house/ports.js';
import { ledgerDatabases, LedgerProcess, scaleOf, USDT } from './writer-harness.js';

jest.setTimeout(testTimeoutMs(24_000));

const PARTITIONS = 3;
let db: TestDatabases;
let process: LedgerProcess;
let rebalancer: HouseRebalancer;
beforeEach(async () => {
  db = await ledgerDatabases();
  process = await LedgerProcess.start(db, { partitions: PARTITIONS });
  rebalancer = createRebalancer();
});
afterEach(async () => {
  await process.stop();
  await db.end();
});

/** The rebalancer of one instance of the service. */
const createRebalancer = (
  reads: HouseBalanceReads = new PostgresHouseBalanceReads(process.database, PARTITIONS),
): HouseRebalancer =>
  new HouseRebalancer(
    reads,
    process.log,
    { scaleOf } as unknown as Currencies,
    { ledgerPartitions: PARTITIONS } as Config,
  );
const amounts = async (account: string): Promise<string[]> => {
  const rows = await new PostgresHouseBalanceReads(process.database, PARTITIONS).balances([account]);
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

test('a partition without money gets it from the others through clearing, which ends at zero [HOUSE-010]', async () => {
  await fund('h.micro', 1, '900');
  expect(await rebalancer.round(0)).toBe(2);
  await eventually(async () => (await amounts('h.micro')).every((amount) => Number(amount) === 300));
  expect((await amounts('h.clearing')).reduce((sum, amount) => sum + Number(amount), 0)).toBe(0);
  expect(await rebalancer.round(60_000)).toBe(0);
  expect(await explained()).toEqual([]);
});

test('several instances that see the same shortfall make one transfer [HOUSE-011]', async () => {
  await fund('h.savings', 2, '90');
  // An instance that reads in the middle of a transfer sees another shortfall, which a later round corrects.
  const seen = await new PostgresHouseBalanceReads(process.database, PARTITIONS).balances(['h.savings']);
  const instance = (): HouseRebalancer => createRebalancer({ balances: () => Promise.resolve(seen) });
  expect(await Promise.all([instance().round(0), instance().round(0), instance().round(0)])).toEqual([2, 2, 2]);
  await eventually(async () => (await amounts('h.savings')).every((amount) => Number(amount) === 30));
  const [row] = await process.database.query<{ count: string }>(
    `select count(*) from journal where cause_type = 'house_purse' and owner < 0`,
  );
  expect(Number(row?.count)).toBe(4);
  expect(await explained()).toEqual([]);
});

test('a top-up takes from the fullest first, and is refused beyond what the house has [HOUSE-012]', async () => {
  for (let partition = 0; partition < PARTITIONS; partition++) await fund('h.capital', partition, '100');
  const user = 100_090;
  const here = ledgerPartition(user, PARTITIONS);
  expect(await rebalancer.topUp('h.capital', USDT, here, 25_000_000_000n)).toBe(true);
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
  expect(await rebalancer.topUp('h.capital', USDT, here, 6_000_000_000n)).toBe(false);
  expect(await explained()).toEqual([]);
});
