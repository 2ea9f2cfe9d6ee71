import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresLeverAudit } from '../../src/adapters/persistence/postgres-lever-audit.js';
import { PostgresPositions } from '../../src/adapters/persistence/postgres-positions.js';
import type { LeverDatabase } from '../../src/application/ports.js';
import { STATUS, type Position } from '../../src/domain/position.js';
import { describeGrowth, PERSON, POSITIONS } from './growth-suite.js';

jest.setTimeout(testTimeoutMs(24_000));

describeGrowth(5_000);

describe('outcomes of positions', () => {
  let world: TestDatabases;
  beforeEach(async () => {
    world = await testDatabases();
  });
  afterEach(() => world.end());

  test('are counted as positions close, and a migration counts earlier ones [LEVER-072]', async () => {
    const before = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ id }) => id === '0005-outcomes'),
    );
    await world.databases.open({ schema: 'lever', migrations: before });
    await world.query(POSITIONS, [100, 10, STATUS.closed, PERSON]);
    await world.query(POSITIONS, [200, 10, STATUS.open, PERSON]);
    await world.query('update lever.lever_position set close_profits = 1 where id <= 104');
    await world.query('update lever.lever_position set closed_by = 2 where id in (104, 105)');
    const database = (await world.another().open({ schema: 'lever', migrations: MIGRATIONS })) as LeverDatabase;
    const audit = new PostgresLeverAudit(database);
    expect(await audit.outcomes()).toEqual({ won: 3, lost: 5, liquidated: 2 });
    const positions = new PostgresPositions(database);
    const ended = (closedBy: Position['closedBy'], closeProfits: bigint) => ({ closedBy, closeProfits }) as Position;
    await database.transaction(async (tx) => {
      await positions.countOutcomes(tx, [ended(1, 5n), ended(2, -5n), ended(2, 5n), ended(3, 0n)]);
      await positions.countOutcomes(tx, []);
    });
    expect(await audit.outcomes()).toEqual({ won: 4, lost: 6, liquidated: 4 });
  });

  test('are counted without waiting for another close, and equal the rows [LEVER-074]', async () => {
    const AT_ONCE = 12;
    const all = { schema: 'lever', migrations: MIGRATIONS, poolMax: AT_ONCE };
    const database = (await world.databases.open(all)) as LeverDatabase;
    const positions = new PostgresPositions(database);
    const liquidated = [{ closedBy: 2, closeProfits: -5n } as Position];
    const close = (id: number, ended: Promise<void>, begun: () => void) =>
      database.transaction(async (tx) => {
        await tx.execute(POSITIONS, [id, 1, STATUS.closed, PERSON]);
        await tx.execute('update lever_position set closed_by = 2, close_profits = -5 where id = $1::bigint + 1', [id]);
        await positions.countOutcomes(tx, liquidated);
        begun();
        await ended;
      });
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let first = Promise.resolve();
    await new Promise<void>((resolve) => {
      first = close(1_000, ended, resolve);
    });
    // Two of twelve backends may share a slot of sixteen: one of these has another than the first.
    const others = Array.from({ length: AT_ONCE - 1 }, (_, at) =>
      close(1_001 + at, Promise.resolve(), () => undefined),
    );
    await expect(Promise.any(others)).resolves.toBeUndefined();
    end();
    await Promise.all([first, ...others]);
    const rows = await world.query<{ count: string }>('select count(*) from lever.lever_position where closed_by = 2');
    expect(await new PostgresLeverAudit(database).outcomes()).toEqual({ liquidated: AT_ONCE });
    expect(rows).toEqual([{ count: String(AT_ONCE) }]);
  });
});
