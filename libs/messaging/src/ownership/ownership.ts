import { LEASE_MS, type Database, type OwnerKey, type PositionStep, type Tx } from '@bourse/persistence';
import { Fenced } from '../ports.js';

export const RENEW_MS = 1_000;
/** Lease in a database that no other process uses: only a process of another kind would wait for it. */
const EXCLUSIVE = { leaseMs: 60_000, renewMs: 20_000 };

/** How long a lease in this database lasts, and how often it is renewed. Ms. */
export const leaseTimes = ({ isExclusive }: Pick<Database, 'isExclusive'>): typeof EXCLUSIVE =>
  isExclusive ? EXCLUSIVE : { leaseMs: LEASE_MS, renewMs: RENEW_MS };

/** How far a consumer has read a stream. */
export interface Position {
  readonly number: number;
  /** Null: not known; the next row's value is trusted. */ readonly hash: string | null;
}
export type Step = PositionStep;

/** The row that says which process owns a partition, and under which epoch (invariants §2.3). */
export class Ownership {
  private constructor(
    readonly database: Database,
    readonly consumer: string,
    readonly partition: number,
    readonly owner: string,
    readonly epoch: number,
    /** The offset from which this consumer continues to read in Kafka; null before the first commit and in process. */
    readonly kafkaOffset: string | null,
    /** Rows from here on that were not applied are read again; null: there were none before `kafkaOffset`. */
    readonly heldOffset: string | null,
  ) {}

  /** Takes the partition if its lease has run out or its owner bears our name. Null while another instance owns it. */
  static async take(database: Database, consumer: string, partition: number, owner: string): Promise<Ownership | null> {
    const row = await database.tables.owners.take(consumer, partition, owner, leaseTimes(database).leaseMs);
    return row && new Ownership(database, consumer, partition, owner, row.epoch, row.kafkaOffset, row.heldOffset);
  }

  async positions(): Promise<Map<string, Position>> {
    return new Map(
      (await this.database.tables.owners.positions(this.consumer)).map(({ stream, number, hash }) => [
        stream,
        { number, hash },
      ]),
    );
  }

  /**
   * In the consumer's transaction: our epoch must be valid, each position be where this batch began, and the log be
   * read up to there. Throws `Fenced`, which rolls all back. A crash of the database may lose the last commits of a
   * consumer that does not wait for the disk. The offset reveals this even if the next record is of another stream:
   * otherwise that stream would move the offset beyond records that no position covers.
   */
  async advance(
    tx: Tx,
    steps: readonly Step[],
    kafka: { readonly from: string | null; readonly to: string | null; readonly held: string | null } | null,
  ): Promise<void> {
    const key = {
      consumer: this.consumer,
      partition: this.partition,
      epoch: this.epoch,
      kafkaOffset: kafka?.to ?? null,
      ...(kafka ? { kafkaFrom: kafka.from, heldOffset: kafka.held } : {}),
      leaseMs: leaseTimes(this.database).leaseMs,
    };
    const result = await this.database.tables.owners.advance(tx, key, steps);
    if (!result.owned)
      throw new Fenced(
        `${this.consumer}/${this.partition}: epoch ${this.epoch} has ended, or the ` +
          'log was not read up to where this batch began',
      );
    if (result.moved !== steps.length)
      throw new Fenced(`${this.consumer}/${this.partition}: a position is not where this batch began`);
  }

  /** Frees the partition at once, so that the next owner need not wait for the lease. */
  async free(): Promise<void> {
    await this.database.tables.owners.free(this);
  }
}

/**
 * Renews the leases of one database in one statement at each interval. A row that a transaction holds right now is
 * skipped: that transaction renews it itself.
 */
export class LeaseKeeper {
  private readonly held = new Map<OwnerKey, { lost: (reason: string) => void; renewedAt: number }>();
  private timer: NodeJS.Timeout | undefined;
  private busy = false;
  private readonly times: ReturnType<typeof leaseTimes>;

  constructor(private readonly database: Database) {
    this.times = leaseTimes(database);
  }

  keep(ownership: OwnerKey, lost: (reason: string) => void): () => void {
    this.held.set(ownership, { lost, renewedAt: performance.now() });
    this.timer ??= setInterval(() => void this.renew(), this.times.renewMs).unref();
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
      const epochs = await this.database.tables.owners.renew(asked, this.times.leaseMs);
      for (const ownership of asked) {
        const state = this.held.get(ownership);
        if (!state) continue;
        if (epochs.get(`${ownership.consumer}/${ownership.partition}`) === ownership.epoch) state.renewedAt = startedAt;
        else state.lost('another process has taken it');
      }
    } catch (error) {
      // The lease still runs; only when it must have ended for certain is the partition given up.
      for (const [ownership, state] of this.held) {
        if (performance.now() - state.renewedAt > this.times.leaseMs)
          state.lost(`lease of ${ownership.consumer} could not be renewed: ${(error as Error).message}`);
      }
    } finally {
      this.busy = false;
    }
  }
}

const keepers = new WeakMap<Database, LeaseKeeper>();

/** The keeper of a database: it renews all leases of the process there. */
export function keeperOf(database: Database): LeaseKeeper {
  const known = keepers.get(database) ?? new LeaseKeeper(database);
  keepers.set(database, known);
  return known;
}
