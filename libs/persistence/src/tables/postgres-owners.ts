import { nameColumn, numberColumn } from '../columns.js';
import { REFUSALS, refusalOf } from '../errors.js';
import type { Database, Tx } from '../ports.js';
import {
  OwnerTable,
  type OwnedRow,
  type OwnerKey,
  type OwnerStep,
  type PositionRow,
  type PositionStep,
} from './tables.js';

/**
 * Compare-and-set on owner, offset in the log and positions; a first row of a stream (expected 0) makes its position.
 * Refuses by itself.
 */
const ADVANCE_SQL = `
  with steps as (select *
    from unnest($4::text[], $5::bigint[], $6::bigint[], $7::text[]) as s(stream, expected, number, hash)),
  owned as (
    update owner
    set lease_until = clock_timestamp() + $9::int * interval '1 ms', kafka_offset = coalesce($8::bigint, kafka_offset),
      held_offset = $13::bigint
    where consumer = $1 and partition = $2::int and epoch = $3::bigint and lease_until > '-infinity'
      and (not $11::boolean or kafka_offset is not distinct from $12::bigint)
    returning 1),
  created as (
    insert into position as p (consumer, stream, number, hash)
    select $1, stream, number, hash
    from steps
    where expected = 0
    on conflict (consumer, stream) do update set number = excluded.number, hash = excluded.hash
    where p.number = 0
    returning 1),
  moved as (
    update position as p set number = s.number, hash = s.hash from steps s
    where s.expected > 0 and p.consumer = $1 and p.stream = s.stream and p.number = s.expected returning 1)
  select case
    when (select count(*)
      from owned) <> 1 then refuse('${REFUSALS.fenced}',
        'epoch has ended, or the log was not read up to where this batch began')
    when (select count(*) from created) + (select count(*)
      from moved) <> $10::int then refuse('${REFUSALS.fenced}', 'a position is not where this batch began')
    else $10::int end as moved`;

/** Owners of partitions, positions of consumers and their instances, in PostgreSQL. */
export class PostgresOwners extends OwnerTable {
  constructor(private readonly database: Database) {
    super();
  }

  async take(consumer: string, partition: number, owner: string, leaseMs: number): Promise<OwnedRow | null> {
    await this.database.execute(
      `insert into owner (consumer, partition, owner, epoch, lease_until) values ($1, $2, '', 0, '-infinity')
        on conflict do nothing`,
      [consumer, partition],
    );
    const [row] = await this.database.query<{ epoch: string; kafka_offset: string | null; held_offset: string | null }>(
      `update owner set epoch = epoch + 1, owner = $3, lease_until = clock_timestamp() + interval '${leaseMs} ms'
       where consumer = $1 and partition = $2 and (lease_until < clock_timestamp() or owner = $3)
       returning epoch, kafka_offset, held_offset`,
      [consumer, partition, owner],
    );
    return row ? { epoch: Number(row.epoch), kafkaOffset: row.kafka_offset, heldOffset: row.held_offset } : null;
  }

  /**
   * A row that a transaction holds right now is skipped: that transaction renews it itself. A row that was freed is not
   * renewed: a renewal that was under way as its owner gave it back would hold it for another lease. Not synced to
   * disk: losing it in a crash loses nothing.
   */
  async renew(asked: readonly OwnerKey[], leaseMs: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ consumer: string; partition: number; epoch: string }>(
      `with quick as materialized (select set_config('synchronous_commit', 'off', true)),
       mine as (
         select o.consumer, o.partition from owner o
         join unnest($1::text[], $2::int[], $3::bigint[]) as m(consumer, partition, epoch) using (consumer, partition)
         where o.epoch = m.epoch and o.lease_until > '-infinity' for update of o skip locked),
       renewed as (
         update owner o set lease_until = clock_timestamp() + interval '${leaseMs} ms' from mine, quick
         where o.consumer = mine.consumer and o.partition = mine.partition)
       select o.consumer, o.partition, o.epoch
       from owner o
       join unnest($1::text[], $2::int[]) as m(consumer, partition) using (consumer, partition)`,
      [asked.map((one) => one.consumer), asked.map((one) => one.partition), asked.map((one) => one.epoch)],
    );
    return new Map(rows.map((row) => [`${row.consumer}/${row.partition}`, Number(row.epoch)]));
  }

  async free({ consumer, partition, epoch }: OwnerKey): Promise<void> {
    await this.database.execute(
      `update owner set lease_until = '-infinity' where consumer = $1 and partition = $2 and epoch = $3`,
      [consumer, partition, epoch],
    );
  }

  async positions(consumer: string): Promise<readonly PositionRow[]> {
    const rows = await this.database.query<{ stream: string; number: string; hash: string }>(
      'select stream, number, hash from position where consumer = $1',
      [consumer],
    );
    return rows.map((row) => ({ stream: row.stream, number: Number(row.number), hash: row.hash }));
  }

  async advance(
    tx: Tx,
    { consumer, partition, epoch, kafkaOffset, kafkaFrom, heldOffset, leaseMs }: OwnerStep,
    steps: readonly PositionStep[],
  ): Promise<{ owned: boolean; moved: number }> {
    try {
      const [result] = await tx.query<{ moved: number }>(ADVANCE_SQL, [
        consumer,
        partition,
        epoch,
        nameColumn(steps.map((step) => step.stream)),
        numberColumn(steps.map((step) => step.expected)),
        numberColumn(steps.map((step) => step.number)),
        nameColumn(steps.map((step) => step.hash)),
        kafkaOffset,
        leaseMs,
        steps.length,
        kafkaFrom !== undefined,
        kafkaFrom ?? null,
        heldOffset ?? null,
      ]);
      return { owned: true, moved: result?.moved ?? 0 };
    } catch (error) {
      // Refused by the statement itself, so that nothing sent behind it can commit.
      if (refusalOf(error) !== REFUSALS.fenced) throw error;
      return { owned: !(error as Error).message.startsWith('epoch'), moved: 0 };
    }
  }

  async registerInstance(consumer: string, instance: string, leaseMs: number): Promise<number> {
    await this.database.execute(
      `insert into member (consumer, instance, seen_until) values ($1, $2, clock_timestamp() + interval '${leaseMs} ms')
       on conflict (consumer, instance) do update set seen_until = excluded.seen_until`,
      [consumer, instance],
    );
    const [row] = await this.database.query<{ count: number }>(
      'select count(*)::int as count from member where consumer = $1 and seen_until > clock_timestamp()',
      [consumer],
    );
    return row?.count ?? 0;
  }

  async unregisterInstance(consumer: string, instance: string): Promise<void> {
    await this.database.execute('delete from member where consumer = $1 and instance = $2', [consumer, instance]);
  }
}
