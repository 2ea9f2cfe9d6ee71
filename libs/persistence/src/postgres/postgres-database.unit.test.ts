import { expect, test } from '@jest/globals';
import { PostgresDatabase } from './postgres-database.js';

type Given = ConstructorParameters<typeof PostgresDatabase>;

test('the connections of a schema are those of both pools, and so are the callers that wait [DB-033]', () => {
  const pool = (totalCount: number, idleCount: number, waitingCount: number): unknown => ({
    totalCount,
    idleCount,
    waitingCount,
  });
  const pools = { shared: pool(3, 2, 0), writers: pool(4, 0, 5) } as unknown as Given[2];
  const source = { isInitialized: true } as unknown as Given[1];
  const database = new PostgresDatabase('spot', source, pools, {} as unknown as Given[3]);
  expect(database.poolState()).toEqual({ schema: 'spot', total: 7, idle: 2, waiting: 5 });
});
