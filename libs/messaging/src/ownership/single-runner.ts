import { Logger } from '@nestjs/common';
import type { Database, Tx } from '@bourse/persistence';
import { delay } from '../log/delay.js';
import { Fenced } from '../ports.js';
import { keeperOf, leaseTimes } from './ownership.js';

const TAKE_AGAIN_MS = 1_000;
const AGAIN_MS = 1_000;

/**
 * A piece of work that one instance does at a time, under an epoch that ends when another takes it (invariants §2.3).
 */
export interface Lease {
  readonly name: string;
  readonly epoch: number;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
  /**
   * In the transaction of what is done under the lease: renews it. Throws `Fenced`, which rolls all back, when another
   * instance has taken it.
   */
  fence(tx: Tx): Promise<void>;
}

/** The lease of an epoch that was taken. */
export function leaseUnder(
  database: Database,
  { name, epoch, signal }: Pick<Lease, 'name' | 'epoch' | 'signal'>,
): Lease {
  return {
    name,
    epoch,
    signal,
    fence: async (tx) => {
      const { owned } = await database.tables.owners.advance(
        tx,
        { consumer: name, partition: 0, epoch, kafkaOffset: null, leaseMs: leaseTimes(database).leaseMs },
        [],
      );
      if (!owned) throw new Fenced(`${name}: epoch ${epoch} has ended`);
    },
  };
}

/**
 * Runs work while this instance has its lease: tries to take it repeatedly, frees it when stopped. Rows of the library
 * table `owner`.
 */
export class SingleRunner {
  private readonly logger = new Logger('SingleRunner');
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /** `instance` names the process: a restart under the same name need not wait for its own lease. */
  constructor(
    private readonly database: Database,
    private readonly name: string,
    private readonly instance: string,
  ) {}

  /** `run` returns when `lease.signal` is aborted; a throw means: a pause, then the lease is taken again. */
  start(run: (lease: Lease) => Promise<void>): void {
    this.running ??= this.loop(run);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async loop(run: (lease: Lease) => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const taken = await this.database.tables.owners.take(
          this.name,
          0,
          this.instance,
          leaseTimes(this.database).leaseMs,
        );
        if (taken) await this.hold(taken.epoch, run);
        else await delay(TAKE_AGAIN_MS, signal);
      } catch (error) {
        if (!(error instanceof Fenced))
          this.logger.warn(`${this.name} begins again: ${(error as Error).stack ?? String(error)}`);
        await delay(AGAIN_MS, signal);
      }
    }
  }

  private async hold(epoch: number, run: (lease: Lease) => Promise<void>): Promise<void> {
    const key = { consumer: this.name, partition: 0, epoch };
    const ended = new AbortController();
    const leave = keeperOf(this.database).keep(key, (reason) => ended.abort(new Fenced(`${this.name}: ${reason}`)));
    const signal = AbortSignal.any([ended.signal, this.stopping.signal]);
    try {
      await run(leaseUnder(this.database, { name: this.name, epoch, signal }));
    } finally {
      leave();
      ended.abort(new Fenced(`${this.name}: epoch ${epoch} has ended`));
      await this.database.tables.owners.free(key);
    }
  }
}
