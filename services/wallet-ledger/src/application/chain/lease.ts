import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Fenced } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';

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
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.stopping.signal]);
    const renewing = this.renew(key, lost, signal);
    try {
      await run(leaseUnder(this.database, { name: this.name, epoch, signal }));
    } finally {
      lost.abort(new Fenced(`${this.name}: epoch ${epoch} has ended`));
      await renewing;
      await this.database.tables.owners.free(key);
    }
  }

  /** The lease still runs when one renewal fails; only when it must have ended for certain is the work given up. */
  private async renew(key: { readonly consumer: string; readonly partition: number; readonly epoch: number }, lost: AbortController, signal: AbortSignal): Promise<void> {
    let renewedAt = performance.now();
    for (;;) {
      await pause(RENEW_MS, signal);
      if (signal.aborted) return;
      const startedAt = performance.now();
      try {
        const epochs = await this.database.tables.owners.renew([key], LEASE_MS);
        if (epochs.get(`${key.consumer}/${key.partition}`) === key.epoch) renewedAt = startedAt;
        else return lost.abort(new Fenced(`${this.name}: another process has taken it`));
      } catch (error) {
        if (performance.now() - renewedAt > LEASE_MS) return lost.abort(new Fenced(`${this.name}: the lease could not be renewed: ${(error as Error).message}`));
      }
    }
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
