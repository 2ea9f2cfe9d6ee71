import type { Database } from '../ports.js';
import { StreamTable, type RelayCursor, type StreamHead } from './tables.js';

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

  async relayed(): Promise<ReadonlyMap<string, RelayCursor>> {
    const rows = await this.database.query<{ stream: string; sent: string; kafka_end: string | null }>(
      'select stream, sent, kafka_end from relay',
    );
    return new Map(rows.map((row) => [row.stream, { sent: Number(row.sent), kafkaEnd: row.kafka_end }]));
  }

  async saveRelayed(cursors: ReadonlyMap<string, RelayCursor>): Promise<void> {
    const rows = [...cursors.values()];
    await this.database.execute(
      `insert into relay (stream, sent, kafka_end)
        select * from unnest($1::text[], $2::bigint[], $3::bigint[]) on conflict (stream)
        do update set sent = excluded.sent, kafka_end = excluded.kafka_end where relay.sent < excluded.sent`,
      [[...cursors.keys()], rows.map(({ sent }) => sent), rows.map(({ kafkaEnd }) => kafkaEnd)],
    );
  }
}
