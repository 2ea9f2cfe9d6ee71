import type { Logger } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { endedInTime, type Handle } from '../log/background-loop.js';
import { BACK_OFF_MS, delay } from '../log/delay.js';
import { Fenced } from '../ports.js';
import { keeperOf, Ownership } from './ownership.js';
import { Shares } from './shares.js';

const TAKE_AGAIN_MS = 500;

/** The line of the log about work that failed while its lease was held; it is taken up again. */
export const describeFailure = (name: string, error: unknown): string =>
  `${name} failed and loads again: ${(error as Error).stack ?? String(error)}`;

/** Work that is done while this process owns a partition. */
export interface HoldSpec {
  readonly consumer: string;
  readonly partition: number;
  readonly database: Database;
  /** Once, before the first try to take it. */
  before?(stopping: AbortSignal): Promise<void>;
  standby?(): void;
  work(ownership: Ownership, abort: AbortController): Promise<void>;
}

/**
 * The owners of this process: each takes its partition again and again, and works while its lease is held
 * (invariants §2.3).
 */
export class OwnerLoops {
  private readonly loops = new Map<string, Handle>();
  private readonly shares = new WeakMap<Database, Map<string, Shares>>();

  /** `instance` names the process: the owner of its partitions. */
  constructor(
    private readonly instance: string,
    private readonly logger: Logger,
  ) {}

  /** Begins an owner. @throws Error when the partition has one in this process already. */
  start(spec: HoldSpec): Handle {
    const key = `${spec.database.schema}:${spec.consumer}/${spec.partition}`;
    if (this.loops.has(key)) throw new Error(`${key} is owned in this process already`);
    const stopping = new AbortController();
    const ended = this.loop(spec, stopping.signal);
    const handle = {
      stop: async () => {
        stopping.abort();
        await endedInTime(ended);
        this.loops.delete(key);
      },
    };
    this.loops.set(key, handle);
    return handle;
  }

  /** The owners that were not stopped yet. */
  handles(): readonly Handle[] {
    return [...this.loops.values()];
  }

  private async loop(spec: HoldSpec, stopping: AbortSignal): Promise<void> {
    const name = `${spec.consumer}/${spec.partition}`;
    const shares = this.sharesOf(spec);
    shares.want();
    await spec.before?.(stopping);
    await this.takeAndWork(spec, shares, stopping);
    try {
      await shares.unwant();
    } catch (error) {
      this.logger.warn(`${name} was not taken off the list of members: ${(error as Error).message}`);
    }
  }

  private async takeAndWork(spec: HoldSpec, shares: Shares, stopping: AbortSignal): Promise<void> {
    const name = `${spec.consumer}/${spec.partition}`;
    let waitMs = BACK_OFF_MS.first;
    while (!stopping.aborted) {
      let ownership: Ownership | null;
      try {
        ownership = !(await shares.mayTake())
          ? null
          : await Ownership.take(spec.database, spec.consumer, spec.partition, this.instance);
      } catch (error) {
        this.logger.warn(`${name} could not be taken: ${(error as Error).message}`);
        await delay(waitMs, stopping);
        waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most);
        continue;
      }
      if (!ownership) {
        spec.standby?.();
        await delay(TAKE_AGAIN_MS, stopping);
        continue;
      }
      const startedAt = performance.now();
      const failed = await this.runOnce(spec, ownership, shares, stopping);
      if (performance.now() - startedAt > BACK_OFF_MS.most) waitMs = BACK_OFF_MS.first; // it had worked for a while
      if (failed && !stopping.aborted) {
        await delay(waitMs, stopping);
        waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most);
      }
    }
  }

  private async runOnce(spec: HoldSpec, ownership: Ownership, shares: Shares, stopping: AbortSignal): Promise<boolean> {
    const name = `${spec.consumer}/${spec.partition}`;
    const abort = new AbortController();
    const onStop = (): void => abort.abort(new Fenced(`${name}: the process stops`));
    stopping.addEventListener('abort', onStop, { once: true });
    if (stopping.aborted) onStop();
    const release = keeperOf(spec.database).keep(ownership, (reason) => abort.abort(new Fenced(`${name}: ${reason}`)));
    let failed = false;
    let givenUp = false;
    shares.hold(spec.partition, (reason) => {
      givenUp = true;
      abort.abort(new Fenced(`${name}: ${reason}`));
    });
    try {
      await spec.work(ownership, abort);
    } catch (error) {
      failed = !givenUp;
      if (error instanceof Fenced || abort.signal.aborted)
        this.logger.debug(`${name} epoch ${ownership.epoch} ended: ${(error as Error).message}`);
      else this.logger.error(describeFailure(name, error));
    } finally {
      abort.abort(new Fenced(`${name}: epoch ${ownership.epoch} has ended`));
      stopping.removeEventListener('abort', onStop);
      release();
      shares.drop(spec.partition);
      try {
        if (stopping.aborted || givenUp) await ownership.free();
      } catch (error) {
        this.logger.warn(`${name} was not freed, its lease runs out by itself: ${(error as Error).message}`);
      }
    }
    return failed;
  }

  private sharesOf({ database, consumer }: HoldSpec): Shares {
    const byConsumer = this.shares.get(database) ?? new Map<string, Shares>();
    this.shares.set(database, byConsumer);
    let shares = byConsumer.get(consumer);
    if (!shares) byConsumer.set(consumer, (shares = new Shares(database, consumer, this.instance)));
    return shares;
  }
}
