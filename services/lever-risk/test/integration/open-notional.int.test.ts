import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Database } from '@bourse/persistence';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { addOpenNotional, openNotional } from '../../src/adapters/persistence/open-notional.js';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';

jest.setTimeout(testTimeoutMs(24_000));

const AT_ONCE = 12;

describe('open notional of a quote', () => {
  let world: TestDatabases;
  let database: Database;

  beforeAll(async () => {
    world = await testDatabases({ shape: { schema: 'lever', migrations: MIGRATIONS } });
    database = await world.databases.open({ schema: 'lever', migrations: MIGRATIONS, poolMax: AT_ONCE });
  });
  afterAll(() => world?.end());

  const add = (quote: number, notional: bigint, most: bigint | null) =>
    database.transaction((tx) => addOpenNotional(tx, { quote, notional, most }));

  test('is added without waiting for another transaction [LEVER-070]', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = database.transaction(async (tx) => {
      await addOpenNotional(tx, { quote: 1, notional: 5n, most: 1_000_000n });
      begun();
      await ended;
    });
    await hasBegun;
    // Two of thirteen backends may share a slot of sixteen: one of these has another than the first.
    const others = Array.from({ length: AT_ONCE - 1 }, () => add(1, 7n, 1_000_000n));
    await expect(Promise.any(others)).resolves.toBe(true);
    end();
    await Promise.all([first, ...others]);
    await expect(openNotional(database, 1)).resolves.toBe(5n + 7n * BigInt(AT_ONCE - 1));
  });

  test.each([
    ['small', 3n, 1_000n],
    ['small and large', 40n, 1_000n],
  ])('as much as fits and never more, however many come at once: %s parts [LEVER-071]', async (name, size, most) => {
    const quote = Number(size);
    const sizes = Array.from({ length: 600 }, (_, at) => (at % 2 === 0 ? 3n : size));
    // As many at once as the pool has connections: how long a call may wait for one is not in question.
    const taken: boolean[] = [];
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let at = next++; at < sizes.length; at = next++) taken[at] = await add(quote, sizes[at]!, most);
      }),
    );
    const sum = sizes.reduce((total, notional, at) => (taken[at] ? total + notional : total), 0n);
    await expect(openNotional(database, quote)).resolves.toBe(sum);
    expect(sum).toBeLessThanOrEqual(most);
    expect(sum).toBeGreaterThan(most - 3n);
    // What closes gives it back, from whichever slot, and as much opens again.
    for (const [at, notional] of sizes.entries()) if (taken[at]) await add(quote, -notional, null);
    await expect(openNotional(database, quote)).resolves.toBe(0n);
    await expect(add(quote, most, most)).resolves.toBe(true);
    await expect(add(quote, 1n, most)).resolves.toBe(false);
  });
});
