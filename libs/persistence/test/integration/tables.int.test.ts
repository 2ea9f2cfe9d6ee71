import type { OutboxRow } from '../../src/index.js';
import { tablesSuite } from '../tables-suite.js';
import { testDatabases } from '@bourse/testing';

tablesSuite('PostgreSQL', async () => {
  const world = await testDatabases();
  const rows: OutboxRow[] = [];
  const [first, second] = [world.databases, world.another()];
  for (const databases of [first, second])
    databases.onRows((more) => {
      rows.push(...more);
    });
  const spec = { schema: 'alpha', migrations: [] };
  return { one: await first.open(spec), two: await second.open(spec), rows, end: () => world.end() };
});
