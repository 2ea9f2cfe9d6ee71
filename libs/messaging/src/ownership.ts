import type { Database, Tx } from '@bourse/persistence';
import { Fenced } from './ports.js';

export const LEASE_MS = 4_000;
export const RENEW_MS = 1_000;

/** How far a consumer has read a stream. */
export interface Position { readonly number: number; /** Null: not known, the next row's word is taken for it. */ readonly hash: string | null }
/** One stream's step in a transaction: compare-and-set from `expected` to `number`. */
export interface Step { readonly stream: string; readonly expected: number; readonly number: number; readonly hash: string }

/** The row that says which process owns a partition, and under which epoch (invariants §2.3). */
export class Ownership {
  private constructor(
    readonly database: Database, readonly consumer: string, readonly partition: number, readonly owner: string, readonly epoch: number,
    /** Where this consumer goes on reading in Kafka; null before the first commit and in process. */
    readonly kafkaOffset: string | null,
  ) {}

  /** Takes the partition if its lease has run out or its owner bears our name. Null while somebody else has it. */
  static async take(database: Database, consumer: string, partition: number, owner: string): Promise<Ownership | null> {
    await database.execute(
      `insert into owner (consumer, partition, owner, epoch, lease_until) values ($1, $2, '', 0, '-infinity') on conflict do nothing`, [consumer, partition]);
    const [row] = await database.query<{ epoch: string; kafka_offset: string | null }>(
      `update owner set epoch = epoch + 1, owner = $3, lease_until = clock_timestamp() + interval '${LEASE_MS} ms'
       where consumer = $1 and partition = $2 and (lease_until < clock_timestamp() or owner = $3) returning epoch, kafka_offset`, [consumer, partition, owner]);
    return row ? new Ownership(database, consumer, partition, owner, Number(row.epoch), row.kafka_offset) : null;
  }

  async positions(): Promise<Map<string, Position>> {
    const rows = await this.database.query<{ stream: string; number: string; hash: string }>('select stream, number, hash from position where consumer = $1', [this.consumer]);
    return new Map(rows.map((row) => [row.stream, { number: Number(row.number), hash: row.hash }]));
  }

  /** In the consumer's transaction: our epoch must stand and each position be where this batch began. Throws `Fenced`, which rolls all back. */
  async advance(tx: Tx, steps: readonly Step[], kafkaOffset: string | null): Promise<void> {
    // First rows of a stream: the position must exist to be compared.
    const fresh = steps.filter((step) => step.expected === 0).map((step) => step.stream);
    if (fresh.length > 0) {
      await tx.execute(`insert into position (consumer, stream, number, hash) select $1, stream, 0, '' from unnest($2::text[]) as stream on conflict do nothing`, [this.consumer, fresh]);
    }
    const [result] = await tx.query<{ owned: number; moved: number }>(
      `with owned as (
         update owner set lease_until = clock_timestamp() + interval '${LEASE_MS} ms', kafka_offset = coalesce($8::bigint, kafka_offset)
         where consumer = $1 and partition = $2 and epoch = $3 returning 1),
       moved as (
         update position as p set number = s.number, hash = s.hash
         from unnest($4::text[], $5::bigint[], $6::bigint[], $7::text[]) as s(stream, expected, number, hash)
         where p.consumer = $1 and p.stream = s.stream and p.number = s.expected returning 1)
       select (select count(*) from owned)::int as owned, (select count(*) from moved)::int as moved`,
      [this.consumer, this.partition, this.epoch, steps.map((step) => step.stream), steps.map((step) => step.expected), steps.map((step) => step.number), steps.map((step) => step.hash), kafkaOffset]);
    if (result?.owned !== 1) throw new Fenced(`${this.consumer}/${this.partition}: epoch ${this.epoch} has ended`);
    if (result.moved !== steps.length) throw new Fenced(`${this.consumer}/${this.partition}: a position is not where this batch began`);
  }

  /** Frees the partition at once, so that the next owner need not wait for the lease. */
  async free(): Promise<void> {
    await this.database.execute(
      `update owner set lease_until = '-infinity' where consumer = $1 and partition = $2 and epoch = $3`, [this.consumer, this.partition, this.epoch]);
  }
}

/**
 * Renews the leases of one database in one statement a second. A row that a transaction holds right now is skipped: that transaction
 * renews it itself. The renewal is not synced to disk: losing it in a crash loses nothing.
 */
export class LeaseKeeper {
  private readonly held = new Map<Ownership, { lost: (reason: string) => void; renewedAt: number }>();
  private timer: NodeJS.Timeout | undefined;
  private busy = false;

  constructor(private readonly database: Database) {}

  keep(ownership: Ownership, lost: (reason: string) => void): () => void {
    this.held.set(ownership, { lost, renewedAt: performance.now() });
    this.timer ??= setInterval(() => void this.renew(), RENEW_MS).unref();
    return () => {
      this.held.delete(ownership);
      if (this.held.size === 0) {
        clearInterval(this.timer);
        this.timer = undefined;
      }
    };
  }

  private async renew(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const asked = [...this.held.keys()];
    const startedAt = performance.now();
    try {
      const rows = await this.database.query<{ consumer: string; partition: number; epoch: string }>(
        `with quick as materialized (select set_config('synchronous_commit', 'off', true)),
         mine as (
           select o.consumer, o.partition from owner o
           join unnest($1::text[], $2::int[], $3::bigint[]) as m(consumer, partition, epoch) using (consumer, partition)
           where o.epoch = m.epoch for update of o skip locked),
         renewed as (
           update owner o set lease_until = clock_timestamp() + interval '${LEASE_MS} ms' from mine, quick
           where o.consumer = mine.consumer and o.partition = mine.partition)
         select o.consumer, o.partition, o.epoch from owner o join unnest($1::text[], $2::int[]) as m(consumer, partition) using (consumer, partition)`,
        [asked.map((one) => one.consumer), asked.map((one) => one.partition), asked.map((one) => one.epoch)]);
      const epochs = new Map(rows.map((row) => [`${row.consumer}/${row.partition}`, Number(row.epoch)]));
      for (const ownership of asked) {
        const state = this.held.get(ownership);
        if (!state) continue;
        if (epochs.get(`${ownership.consumer}/${ownership.partition}`) === ownership.epoch) state.renewedAt = startedAt;
        else state.lost('another process has taken it');
      }
    } catch (error) {
      // The lease still runs; only when it must have ended for certain is the partition given up.
      for (const [ownership, state] of this.held) {
        if (performance.now() - state.renewedAt > LEASE_MS) state.lost(`lease of ${ownership.consumer} could not be renewed: ${(error as Error).message}`);
      }
    } finally {
      this.busy = false;
    }
  }
}
