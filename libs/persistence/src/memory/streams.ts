import { StreamTable, type StreamHead } from '../tables/tables.js';
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

  relayed(): Promise<ReadonlyMap<string, number>> {
    return this.database.statement(
      'relay cursors',
      async (at) =>
        new Map(at.rows<{ sent: number }>(`${this.database.schema}.relay`).map(([stream, { sent }]) => [stream, sent])),
    );
  }

  saveRelayed(cursors: readonly (readonly [stream: string, sent: number])[]): Promise<void> {
    return this.database.statement('save relay cursors', async (at) => {
      for (const [stream, sent] of cursors) {
        await at.lock(`${this.database.schema}.relay`, stream);
        await at.put(`${this.database.schema}.relay`, stream, {
          sent: Math.max(sent, at.get<{ sent: number }>(`${this.database.schema}.relay`, stream)?.sent ?? 0),
        });
      }
    });
  }
}
