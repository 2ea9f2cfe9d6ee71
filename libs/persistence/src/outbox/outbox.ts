import { hash as digest } from 'node:crypto';
import { jsonColumn, jsonValues, nameColumn, numberColumn } from '../columns.js';
import { REFUSALS, refusalOf, StreamForked } from '../errors.js';
import type { OutboxRow, OutgoingMessage } from '../ports.js';

/**
 * Hash of a row: of the one before it and its own payload, so that a fork or a set-back shows at the first row beyond
 * (invariants §2.4).
 */
export function chainHash(previousHash: string, payload: string): string {
  return digest('sha256', previousHash + payload, 'hex').slice(0, 32);
}

/**
 * Name of what one writer sends to one partition. `writer` is the schema, or `<schema>.<n>` for a single writer that
 * numbers in memory.
 */
export function streamName(writer: string, topic: string, partition: number): string {
  return `${writer}>${topic}/${partition}`;
}

/** Schema that holds the outbox of a stream. */
export function schemaOfStream(stream: string): string {
  const writer = stream.slice(0, stream.indexOf('>'));
  const dot = writer.indexOf('.');
  return dot < 0 ? writer : writer.slice(0, dot);
}

/** A message with the place it goes to. */
export interface Emission {
  readonly topic: string;
  readonly partition: number;
  readonly message: OutgoingMessage;
}

/**
 * Groups the messages of one commit by partition: each list in the order of emission, the lists in the order of their
 * names (one lock order for all).
 */
export function gatherByPartition(
  writer: string,
  emissions: readonly Emission[],
): { stream: string; topic: string; partition: number; payload: string; messages: readonly OutgoingMessage[] }[] {
  const lists = new Map<string, { stream: string; topic: string; partition: number; messages: OutgoingMessage[] }>();
  for (const { topic, partition, message } of emissions) {
    const stream = streamName(writer, topic, partition);
    let list = lists.get(stream);
    if (!list) lists.set(stream, (list = { stream, topic, partition, messages: [] }));
    list.messages.push(message);
  }
  return [...lists.values()]
    .sort((a, b) => (a.stream < b.stream ? -1 : 1))
    .map(({ stream, topic, partition, messages }) => ({
      stream,
      topic,
      partition,
      payload: JSON.stringify(messages),
      messages,
    }));
}

interface StoredRow {
  stream: string;
  number: string;
  topic: string;
  partition: number;
  previous_hash: string;
  hash: string;
  payload: string;
}
export const OUTBOX_COLUMNS = 'stream, number, topic, partition, previous_hash, hash, payload';
export function rowFromStored(row: StoredRow): OutboxRow {
  return {
    stream: row.stream,
    number: Number(row.number),
    topic: row.topic,
    partition: row.partition,
    previousHash: row.previous_hash,
    hash: row.hash,
    payload: row.payload,
  };
}
export type { StoredRow as StoredOutboxRow };

/**
 * Takes the next number of a stream and writes its row, in one statement; the head's row lock is held until the commit.
 * $1 stream, $2 payload, $3 topic, $4 partition.
 */
export const APPEND_SQL = `
  with head as (
    insert into stream as s (name, next, previous_hash, hash)
    values ($1, 2, '', left(encode(sha256(convert_to($2, 'UTF8')), 'hex'), 32))
    on conflict (name) do update set next = s.next + 1, previous_hash = s.hash,
      hash = left(encode(sha256(convert_to(s.hash || $2, 'UTF8')), 'hex'), 32)
    returning next - 1 as number, previous_hash, hash)
  insert into outbox (stream, number, topic, partition, previous_hash, hash, payload)
  select $1, number, $3, $4, previous_hash, hash, $2 from head
  returning number, previous_hash, hash`;

/**
 * Writes rows numbered in memory, one per stream, and moves their heads if these are where the writer expects them.
 * Columns $1..$7.
 */
export const APPEND_ROWS_SQL = `
  with given as (
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::text[], ${jsonColumn('$7')})
      as g(stream, number, topic, partition, previous_hash, hash, payload)),
  rows as (insert into outbox (stream, number, topic, partition, previous_hash, hash, payload) select * from given),
  heads as (
    insert into stream as s (name, next, previous_hash, hash) select stream, number + 1, previous_hash, hash from given
    on conflict (name) do update set next = excluded.next, previous_hash = excluded.previous_hash, hash = excluded.hash
    where s.next = excluded.next - 1 and s.hash = excluded.previous_hash
    returning 1)
  select case when count(*) = $8::int then count(*)::int
    else refuse('${REFUSALS.forked}', 'heads of streams have moved') end as heads
  from heads`;

/** Parameters of `APPEND_ROWS_SQL`. */
export const appendParams = (rows: readonly OutboxRow[]): unknown[] => [
  nameColumn(rows.map((row) => row.stream)),
  numberColumn(rows.map((row) => row.number)),
  nameColumn(rows.map((row) => row.topic)),
  numberColumn(rows.map((row) => row.partition)),
  nameColumn(rows.map((row) => row.previousHash)),
  nameColumn(rows.map((row) => row.hash)),
  jsonValues(rows.map((row) => row.payload)),
  rows.length,
];

/** The error of a statement that found the heads elsewhere, by its name; any other as it is. */
export function forked(error: unknown, rows: readonly OutboxRow[]): unknown {
  return refusalOf(error) === REFUSALS.forked
    ? new StreamForked(`heads of ${rows.map((row) => `${row.stream} #${row.number}`).join(', ')} have moved`)
    : error;
}
