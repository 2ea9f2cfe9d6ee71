import { expect, jest, test } from '@jest/globals';
import type { Database } from '@bourse/persistence';
import { MemoryDatabases, MemoryServer } from '@bourse/persistence/memory';
import { keeperOf, leaseTimes, Ownership } from './ownership.js';
import { Fenced } from '../ports.js';

/**
 * Two processes on one database in memory; its tables do what PostgreSQL's do
 * (`libs/persistence/test/tables-suite.ts`).
 */
function world() {
  const server = new MemoryServer();
  return [new MemoryDatabases(server).at('ledger'), new MemoryDatabases(server).at('ledger')] as const;
}
const step = (expected: number, number: number) => ({
  stream: 'spot>ledger.commands/0',
  expected,
  number,
  hash: `h${number}`,
});

test('an owner whose epoch has ended commits nothing, even where its position still fits [LOG-005]', async () => {
  const [one, two] = world();
  const before = await Ownership.take(one, 'ledger.writer', 0, 'one');
  await before?.free();
  const after = await Ownership.take(two, 'ledger.writer', 0, 'two');
  await expect(
    one.transaction(async (tx) => {
      tx.emit('words', 0, { type: 'word.v1', key: 'k', body: 'forged' });
      await before?.advance(tx, [], null);
    }),
  ).rejects.toBeInstanceOf(Fenced);
  await expect(
    one.transaction(async (tx) => {
      await before?.advance(tx, [step(0, 1)], null);
    }),
  ).rejects.toBeInstanceOf(Fenced);
  expect(await one.rowsOf('ledger>words/0', 1, 10)).toEqual([]);
  expect(await after?.positions()).toEqual(new Map());
});

test('a batch whose position has moved since its start commits nothing [LOG-003]', async () => {
  const [one] = world();
  const owned = await Ownership.take(one, 'ledger.writer', 0, 'one');
  await one.transaction(async (tx) => {
    await owned?.advance(tx, [step(0, 2)], null);
  });
  await expect(
    one.transaction(async (tx) => {
      tx.emit('words', 0, { type: 'word.v1', key: 'k', body: 'twice' });
      await owned?.advance(tx, [step(0, 2)], null);
    }),
  ).rejects.toBeInstanceOf(Fenced);
  expect(await one.rowsOf('ledger>words/0', 1, 10)).toEqual([]);
  expect(await owned?.positions()).toEqual(new Map([['spot>ledger.commands/0', { number: 2, hash: 'h2' }]]));
});

test('leases are renewed in one statement a second, every 20 s in a database of one process [LOG-065]', async () => {
  jest.useFakeTimers();
  try {
    const renewals = async (isExclusive: boolean): Promise<number> => {
      const renew = jest.fn(() => Promise.resolve(new Map([['a/0', 1]])));
      const database = { isExclusive, tables: { owners: { renew } } } as unknown as Database;
      const leave = keeperOf(database).keep({ consumer: 'a', partition: 0, epoch: 1 }, () => undefined);
      expect(keeperOf(database)).toBe(keeperOf(database));
      await jest.advanceTimersByTimeAsync(60_000);
      leave();
      return renew.mock.calls.length;
    };
    expect([await renewals(false), await renewals(true)]).toEqual([60, 3]);
    for (const isExclusive of [false, true]) {
      const { leaseMs, renewMs } = leaseTimes({ isExclusive });
      expect(leaseMs).toBeGreaterThanOrEqual(3 * renewMs);
    }
  } finally {
    jest.useRealTimers();
  }
});
