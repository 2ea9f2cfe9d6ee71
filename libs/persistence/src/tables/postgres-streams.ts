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
    const rows = await this.database.query<{
      stream: string;
      sent: string;
      kafka_end: string | null;
      at: string | null;
    }>('select stream, sent, kafka_end, round(extract(epoch from sent_at) * 1000)::bigint as at from relay');
    return new Map(
      rows.map(({ stream, sent, kafka_end: kafkaEnd, at }) => [
        stream,
        { sent: Number(sent), kafkaEnd, sentAt: at === null ? null : Number(at) },
      ]),
    );
  }

  async saveRelayed(cursors: ReadonlyMap<string, RelayCursor>): Promise<void> {
    const rows = [...cursors.values()];
    await this.database.execute(
      `insert into relay (stream, sent, kafka_end, sent_at)
        select stream, sent, kafka_end, to_timestamp(at / 1000)
        from unnest($1::text[], $2::bigint[], $3::bigint[], $4::float8[]) as saved (stream, sent, kafka_end, at)
        on conflict (stream) do update
        set sent = excluded.sent, kafka_end = excluded.kafka_end, sent_at = excluded.sent_at
        where relay.sent <= excluded.sent`,
      [
        [...cursors.keys()],
        rows.map(({ sent }) => sent),
        rows.map(({ kafkaEnd }) => kafkaEnd),
        rows.map(({ sentAt }) => sentAt),
      ],
    );
  }
}
