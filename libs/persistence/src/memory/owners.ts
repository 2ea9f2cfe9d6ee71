import type { Tx } from '../ports.js';
import {
  OwnerTable,
  type OwnedRow,
  type OwnerKey,
  type OwnerStep,
  type PositionRow,
  type PositionStep,
} from '../tables/tables.js';
import { runnerOf, type SchemaRunner } from './statement-runner.js';

interface Owner {
  readonly owner: string;
  readonly epoch: number;
  readonly leaseUntil: number;
  readonly kafkaOffset: string | null;
  readonly heldOffset: string | null;
}
const NEVER_OWNED: Owner = { owner: '', epoch: 0, leaseUntil: -Infinity, kafkaOffset: null, heldOffset: null };
interface Member {
  readonly consumer: string;
  readonly seenUntil: number;
}

/** True while the epoch is valid: no later one was begun, and its owner has not freed the partition. */
function isHeld(row: Owner | undefined, epoch: number): row is Owner {
  return row?.epoch === epoch && row.leaseUntil > -Infinity;
}

/** Owners of partitions, positions of consumers and their instances, on a server in memory. */
export class MemoryOwners extends OwnerTable {
  constructor(private readonly database: SchemaRunner) {
    super();
  }
  private get owner(): string {
    return `${this.database.schema}.owner`;
  }
  private get position(): string {
    return `${this.database.schema}.position`;
  }
  private get member(): string {
    return `${this.database.schema}.member`;
  }

  take(consumer: string, partition: number, owner: string, leaseMs: number): Promise<OwnedRow | null> {
    return this.database.statement('take a partition', async (at) => {
      const key = `${consumer}/${partition}`;
      await at.lock(this.owner, key);
      const row = at.get<Owner>(this.owner, key) ?? NEVER_OWNED;
      if (!(row.leaseUntil < at.clock || row.owner === owner)) return null;
      const epoch = row.epoch + 1;
      await at.put(this.owner, key, { ...row, owner, epoch, leaseUntil: at.clock + leaseMs } satisfies Owner);
      return { epoch, kafkaOffset: row.kafkaOffset, heldOffset: row.heldOffset };
    });
  }

  renew(asked: readonly OwnerKey[], leaseMs: number): Promise<ReadonlyMap<string, number>> {
    return this.database.statement('renew leases', async (at) => {
      const epochs = new Map<string, number>();
      for (const { consumer, partition, epoch } of asked) {
        const key = `${consumer}/${partition}`;
        const seen = at.get<Owner>(this.owner, key);
        if (!seen) continue;
        epochs.set(key, seen.epoch);
        if (isHeld(seen, epoch) && at.tryLock(this.owner, key))
          await at.put(this.owner, key, { ...seen, leaseUntil: at.clock + leaseMs } satisfies Owner);
      }
      return epochs;
    });
  }

  free({ consumer, partition, epoch }: OwnerKey): Promise<void> {
    return this.database.statement('free a partition', async (at) => {
      const key = `${consumer}/${partition}`;
      await at.lock(this.owner, key);
      const row = at.get<Owner>(this.owner, key);
      if (row?.epoch === epoch) await at.put(this.owner, key, { ...row, leaseUntil: -Infinity } satisfies Owner);
    });
  }

  positions(consumer: string): Promise<readonly PositionRow[]> {
    return this.database.statement('positions', async (at) =>
      at
        .rows<PositionRow>(this.position)
        .filter(([key]) => key.startsWith(`${consumer}\t`))
        .map(([, row]) => row),
    );
  }

  advance(
    tx: Tx,
    { consumer, partition, epoch, kafkaOffset, kafkaFrom, heldOffset = null, leaseMs }: OwnerStep,
    steps: readonly PositionStep[],
  ): Promise<{ owned: boolean; moved: number }> {
    return runnerOf(tx).statement('advance', async (at) => {
      const key = `${consumer}/${partition}`;
      await at.lock(this.owner, key);
      const row = at.get<Owner>(this.owner, key);
      const owned = isHeld(row, epoch) && (kafkaFrom === undefined || row.kafkaOffset === kafkaFrom);
      if (owned)
        await at.put(this.owner, key, {
          ...row,
          leaseUntil: at.clock + leaseMs,
          kafkaOffset: kafkaOffset ?? row.kafkaOffset,
          heldOffset,
        } satisfies Owner);
      let moved = 0;
      for (const { stream, expected, number, hash } of steps) {
        await at.lock(this.position, `${consumer}\t${stream}`);
        const position =
          at.get<PositionRow>(this.position, `${consumer}\t${stream}`) ?? (expected === 0 ? { number: 0 } : undefined);
        if (position?.number !== expected) continue;
        await at.put(this.position, `${consumer}\t${stream}`, { stream, number, hash } satisfies PositionRow);
        moved += 1;
      }
      return { owned, moved };
    });
  }

  registerInstance(consumer: string, instance: string, leaseMs: number): Promise<number> {
    return this.database.statement('meet the members', async (at) => {
      await at.put(this.member, `${consumer}\t${instance}`, {
        consumer,
        seenUntil: at.clock + leaseMs,
      } satisfies Member);
      return at.rows<Member>(this.member).filter(([, row]) => row.consumer === consumer && row.seenUntil > at.clock)
        .length;
    });
  }

  unregisterInstance(consumer: string, instance: string): Promise<void> {
    return this.database.statement('leave the members', (at) => at.put(this.member, `${consumer}\t${instance}`, null));
  }
}
