import type { OutboxRow } from '../src/index.js';
import { tablesSuite } from './tables-suite.js';
import { MemoryDatabases, MemoryServer } from '../src/memory/index.js';

tablesSuite('in memory', async () => {
  const server = new MemoryServer();
  const rows: OutboxRow[] = [];
  const [first, second] = [new MemoryDatabases(server), new MemoryDatabases(server)];
  for (const databases of [first, second])
    databases.onRows((more) => {
      rows.push(...more);
    });
  return { one: first.at('alpha'), two: second.at('alpha'), rows, end: () => Promise.resolve() };
});
