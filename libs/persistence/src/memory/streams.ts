import { StreamTable, type RelayCursor, type StreamHead } from '../tables/tables.js';
import type { SchemaRunner } from './statement-runner.js';

/** Heads of streams, and how far the relay has carried them, on a server in memory. */
export class MemoryStreams extends StreamTable {
  constructor(private readonly database: SchemaRunner) {
    super();
  }

  heads(prefix = ''): Promise<readonly StreamHead[]> {
    return this.database.statement('heads', async (at) =>
      at
        .rows<{ next: number; hash: string }>(`${this.database.schema}.stream`)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, { next, hash }]) => ({ name, next, hash })),
    );
  }

  relayed(): Promise<ReadonlyMap<string, RelayCursor>> {
    return this.database.statement(
      'relay cursors',
      async (at) => new Map(at.rows<RelayCursor>(`${this.database.schema}.relay`)),
    );
  }

  saveRelayed(cursors: ReadonlyMap<string, RelayCursor>): Promise<void> {
    return this.database.statement('save relay cursors', async (at) => {
      const table = `${this.database.schema}.relay`;
      for (const [stream, cursor] of cursors) {
        await at.lock(table, stream);
        if (cursor.sent >= (at.get<RelayCursor>(table, stream)?.sent ?? 0)) await at.put(table, stream, cursor);
      }
    });
  }
}
