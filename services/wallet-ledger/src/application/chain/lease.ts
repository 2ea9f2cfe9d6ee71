import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Fenced } from '@bourse/messaging';
import type { Database, OwnerKey, Tx } from '@bourse/persistence';

const LEASE_MS = 4_000;
const RENEW_MS = 1_000;
const TAKE_AGAIN_MS = 1_000;
const AGAIN_MS = 1_000;

/** A piece of work that one instance does at a time, under an epoch that ends when another takes it (invariants §2.3). */
export interface Lease {
  readonly name: string; readonly epoch: number;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
  /** In the transaction of what is done under the lease: renews it. Throws `Fenced`, which rolls all back, when another instance has taken it. */
  fence(tx: Tx): Promise<void>;
}

/** The lease of an epoch that was taken. */
export function leaseUnder(database: Database, { name, epoch, signal }: Pick<Lease, 'name' | 'epoch' | 'signal'>): Lease {
  return {
    name, epoch, signal,
    fence: async (tx) => {
      const { owned } = await database.tables.owners.advance(tx, { consumer: name, partition: 0, epoch, kafkaOffset: null, leaseMs: LEASE_MS }, []);
      if (!owned) throw new Fenced(`${name}: epoch ${epoch} has ended`);
    },
  };
}

/** Runs a piece of work while this instance has its lease: takes it again and again, gives it back when stopped. Rows of the library table `owner`. */
export class SingleRunner {
  private readonly logger = new Logger('SingleRunner');
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /** `instance` names the process: a restart under the same name need not wait for its own lease. */
  constructor(private readonly database: Database, private readonly name: string, private readonly instance: string) {}

  /** `run` returns when `lease.signal` is aborted; a throw means: a pause, then the lease is taken anew. */
  start(run: (lease: Lease) => Promise<void>): void { this.running ??= this.loop(run); }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async loop(run: (lease: Lease) => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const taken = await this.database.tables.owners.take(this.name, 0, this.instance, LEASE_MS);
        if (taken) await this.hold(taken.epoch, run);
        else await pause(TAKE_AGAIN_MS, signal);
      } catch (error) {
        if (!(error instanceof Fenced)) this.logger.warn(`${this.name} begins again: ${(error as Error).stack ?? String(error)}`);
        await pause(AGAIN_MS, signal);
      }
    }
  }

  private async hold(epoch: number, run: (lease: Lease) => Promise<void>): Promise<void> {
    const key = { consumer: this.name, partition: 0, epoch };
    const held = Renewals.of(this.database).join(key);
    const signal = AbortSignal.any([held.lost, this.stopping.signal]);
    try {
      await run(leaseUnder(this.database, { name: this.name, epoch, signal }));
    } finally {
      held.leave();
      await this.database.tables.owners.free(key);
    }
  }
}

interface Held { readonly key: OwnerKey; readonly lost: AbortController; renewedAt: number }

/** Renews all leases of a process on one database with one statement a second, as long as there are any. */
class Renewals {
  private static readonly all = new WeakMap<Database, Renewals>();
  private readonly held = new Set<Held>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;

  private constructor(private readonly database: Database) {}

  static of(database: Database): Renewals {
    const known = Renewals.all.get(database) ?? new Renewals(database);
    Renewals.all.set(database, known);
    return known;
  }

  /** `lost` is aborted when another process has taken the lease, or when it must have ended because it could not be renewed. */
  join(key: OwnerKey): { readonly lost: AbortSignal; leave(): void } {
    const held: Held = { key, lost: new AbortController(), renewedAt: performance.now() };
    this.held.add(held);
    if (!this.isRenewing) this.timer ??= this.later();
    return {
      lost: held.lost.signal,
      leave: () => {
        this.held.delete(held);
        held.lost.abort(new Fenced(`${key.consumer}: epoch ${key.epoch} has ended`));
        if (this.held.size > 0) return;
        clearTimeout(this.timer);
        this.timer = undefined;
      },
    };
  }

  private later(): NodeJS.Timeout { return setTimeout(() => void this.renew(), RENEW_MS); }

  /** A lease still runs when one renewal fails; only when it must have ended for certain is the work given up. */
  private async renew(): Promise<void> {
    this.timer = undefined;
    this.isRenewing = true;
    const asked = [...this.held];
    const startedAt = performance.now();
    try {
      const epochs = await this.database.tables.owners.renew(asked.map(({ key }) => key), LEASE_MS);
      for (const held of asked) {
        if (epochs.get(`${held.key.consumer}/${held.key.partition}`) === held.key.epoch) held.renewedAt = startedAt;
        else held.lost.abort(new Fenced(`${held.key.consumer}: another process has taken it`));
      }
    } catch (error) {
      for (const { key, lost, renewedAt } of asked) if (performance.now() - renewedAt > LEASE_MS) lost.abort(new Fenced(`${key.consumer}: the lease could not be renewed: ${(error as Error).message}`));
    }
    this.isRenewing = false;
    if (this.held.size > 0) this.timer ??= this.later();
  }
}

/** Resolves after the time, or at once when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
