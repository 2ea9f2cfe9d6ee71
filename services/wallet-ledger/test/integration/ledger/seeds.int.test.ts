import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DEMO_HOUSE, DEMO_PEOPLE, SEED_CURRENCIES } from '@bourse/contract';
import { TOPICS } from '@bourse/events';
import { LedgerClient } from '@bourse/ledger-client';
import { InProcessLog, InProcessReplies } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { Alarms, Metrics, Readiness, SystemClock, type Config } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { PostgresAuditReads } from '../../../src/ledger/adapters/persistence/audit-reads.js';
import { PostgresLedgerReader } from '../../../src/ledger/adapters/persistence/ledger-reader.js';
import { migrations } from '../../../src/migrations.js';
import { PostgresLedgerMaintenance } from '../../../src/ledger/adapters/persistence/ledger-maintenance.js';
import { PostgresWriterStore } from '../../../src/ledger/adapters/persistence/writer-store.js';
import { LedgerAudit } from '../../../src/ledger/application/audit/ledger-audit.js';
import type { Currencies } from '../../../src/ledger/application/currencies.js';
import { LedgerRuntime } from '../../../src/ledger/application/ledger-runtime.js';
import { LedgerWriter } from '../../../src/ledger/application/writer/writer.js';

jest.setTimeout(testTimeoutMs(24_000));

let db: TestDatabases;
beforeEach(async () => {
  db = await testDatabases({ shape: { schema: 'ledger', migrations } });
});
afterEach(() => db.end());

const currencies = {
  ready: () => Promise.resolve(),
  scaleOf: (id: number) => SEED_CURRENCIES.find((currency) => currency.id === id)?.scale,
  nameOf: (id: number) => SEED_CURRENCIES.find((currency) => currency.id === id)?.name ?? '',
} as unknown as Currencies;

/** Starts the service's runtime, waits until it is ready, reads the result, and stops it. */
async function oneStart<T>(
  partitions: number,
  {
    dev = true,
    look,
  }: { dev?: boolean; look: (parts: { audit: LedgerAudit; reader: PostgresLedgerReader }) => Promise<T> },
): Promise<T> {
  const databases = db.another();
  const database = await databases.open({ schema: 'ledger', migrations });
  const alarms = new Alarms();
  const readiness = new Readiness();
  const replies = new InProcessReplies('exchange');
  const log = new InProcessLog(
    {
      instance: 'exchange',
      alarms,
      partitions: {
        [TOPICS.ledgerCommands]: partitions,
        [TOPICS.spotCommands]: 1,
        [TOPICS.spotEvents]: 1,
        [TOPICS.userEvents]: 1,
        [TOPICS.reference]: 1,
      },
    },
    databases,
  );
  const reader = new PostgresLedgerReader(database);
  const audit = new LedgerAudit(new PostgresAuditReads(database), partitions);
  const writer = new LedgerWriter({
    database,
    store: new PostgresWriterStore(database, (id) => currencies.scaleOf(id) ?? 8),
    replies,
    metrics: new Metrics(),
    partitions,
    context: {
      userEventPartitions: 1,
      scaleOf: (id) => currencies.scaleOf(id),
      nameOf: (id) => currencies.nameOf(id),
      now: () => Date.now(),
      isDemo: dev,
      isWatched: () => true,
    },
  });
  const runtime = new LedgerRuntime(
    { dev, ledgerPartitions: partitions } as Config,
    readiness,
    currencies,
    new LedgerClient(log, replies, reader, new SystemClock(), { ledgerPartitions: partitions } as Config),
    new PostgresLedgerMaintenance(database),
  );
  for (let partition = 0; partition < partitions; partition += 1)
    log.own({ consumer: 'ledger.writer', topic: TOPICS.ledgerCommands, partition, database, run: writer.run });
  try {
    runtime.onApplicationBootstrap();
    await eventually(() => readiness.ready(), 30_000);
    return await look({ audit, reader });
  } finally {
    runtime.beforeApplicationShutdown();
    await log.close();
    await databases.close();
  }
}

const rows = async (): Promise<{ balances: unknown; journals: unknown }> => ({
  balances: await db.query(
    'select owner, product, currency, available::text, available_sequence from ledger.balance order by 1, 2, 3',
  ),
  journals: await db.query('select count(*) as n, max(number) as last from ledger.journal'),
});

describe.each([1, 3])('a fresh dev install with %i partitions', (partitions) => {
  test('books opening balances of people and the house from h.outside, once for all starts [LEDGER-035]', async () => {
    await oneStart(partitions, {
      look: async ({ audit, reader }) => {
        expect((await audit.run()).filter(({ ok }) => !ok)).toEqual([]);
        for (const { id, balances } of DEMO_PEOPLE) {
          const stored = await reader.balances(id);
          const named = Object.fromEntries(
            stored.map((row) => [`${row.account}.${currencies.nameOf(row.currency)}`, toUnits(row.available, 8)]),
          );
          expect(named).toEqual(
            Object.fromEntries(Object.entries(balances).map(([name, amount]) => [name, toUnits(amount, 8)])),
          );
        }
      },
    });
    const house = await db.query<{ product: string; currency: number; sum: string }>(
      `select product, currency, sum(available)::text as sum
        from ledger.balance
        where owner < 0 and product <> 'h.outside'
        group by 1, 2`,
    );
    const booked = Object.fromEntries(
      house.map((row) => [`${row.product}.${currencies.nameOf(row.currency)}`, formatUnits(toUnits(row.sum, 8), 8)]),
    );
    expect(booked).toEqual(
      Object.fromEntries(
        Object.entries(DEMO_HOUSE).flatMap(([account, amounts]) =>
          Object.entries(amounts).map(([coin, amount]) => [`${account}.${coin}`, formatUnits(toUnits(amount, 8), 8)]),
        ),
      ),
    );
    const before = await rows();
    await oneStart(partitions, { look: async () => undefined });
    expect(await rows()).toEqual(before);
  });

  test('a start that was killed while it booked is taken up by the next one [LEDGER-035]', async () => {
    await oneStart(partitions, { look: async () => undefined });
    const before = await rows();
    await db.query(`delete from ledger.meta where name = 'ledger:seeded'`);
    await oneStart(partitions, { look: async () => undefined });
    expect(await rows()).toEqual(before);
  });
});

test('a production install books nothing [LEDGER-035]', async () => {
  await oneStart(1, { dev: false, look: async () => undefined });
  expect(await db.query('select 1 from ledger.balance')).toEqual([]);
});

test('instances that make the same months and weeks at once make them once, and none fails [HARD-484]', async () => {
  const others = [db.another(), db.another(), db.another()];
  try {
    const opened = await Promise.all(others.map((each) => each.open({ schema: 'ledger', migrations })));
    const upkeeps = opened.map((database) => new PostgresLedgerMaintenance(database));
    const days = async (): Promise<string[]> =>
      (
        await db.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits i
           where i.inhparent in ('ledger.journal'::regclass, 'ledger.command'::regclass) order by 1`,
        )
      ).map(({ name }) => name);
    const before = await days();
    for (let turn = 0; turn < 6; turn += 1) {
      const ahead = before.filter((name) => /journal_/.test(name)).slice(-2);
      for (const name of ahead) await db.query(`drop table ${name}`);
      await Promise.all(upkeeps.map((upkeep) => upkeep.createPartitions()));
      expect(await days()).toEqual(before);
    }
  } finally {
    for (const each of others) await each.close();
  }
});
