import type { Database } from '../ports.js';
import { StreamTable, type StreamHead } from './tables.js';

/** Heads of streams, and how far the relay has carried them, in PostgreSQL. */
export class PostgresStreams extends StreamTable {
  constructor(private readonly database: Database) {
    super();
  }

  async heads(prefix = ''): Promise<readonly StreamHead[]> {
    const rows =
      prefix === ''
        ? await this.database.query<{ name: string; next: string; hash: string }>('select name, next, hash from stream')
        : await this.database.query<{ name: string; next: string; hash: string }>(
            'select name, next, hash from stream where starts_with(name, $1)',
            [prefix],
          );
    return rows.map((row) => ({ name: row.name, next: Number(row.next), hash: row.hash }));
  }

  async relayed(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ stream: string; sent: string }>('select stream, sent from relay');
    return new Map(rows.map((row) => [row.stream, Number(row.sent)]));
  }

  async saveRelayed(cursors: readonly (readonly [stream: string, sent: number])[]): Promise<void> {
    await this.database.execute(
      `insert into relay (stream, sent)
        select * from unnest($1::text[], $2::bigint[]) on conflict (stream)
        do update set sent = greatest(relay.sent, excluded.sent)`,
      [cursors.map(([stream]) => stream), cursors.map(([, sent]) => sent)],
    );
  }
}
