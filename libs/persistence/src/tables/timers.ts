import { Logger } from '@nestjs/common';
import type { Clock } from '@bourse/platform';
import type { Database, Tx } from '../ports.js';
import type { TimerRow } from './tables.js';

/**
 * A due deadline. Its handler uses `dueAt` as the present time: three missed midnights are three timers, each with its
 * own time.
 */
export interface DueTimer {
  readonly kind: string;
  readonly id: string;
  /** Business time, ms. */ readonly dueAt: number;
  readonly payload: unknown;
}
export type TimerHandler = (timer: DueTimer, tx: Tx) => Promise<void>;
/** Takes timers of one kind that have come, in their order, all in one transaction. */
export type TimersHandler = (timers: readonly DueTimer[], tx: Tx) => Promise<void>;

/** Timers of one transaction: more would hold their rows, and what their handlers lock, for too long. */
const BATCH_MAX = 500;
/** The poll interval while no timer is known to fall due: a crashed instance may have set one. */
const POLL_INTERVAL_MAX_MS = 5_000;
/** Due timers that another instance handles are read again after this time, in case that instance crashes. Ms. */
const HELD_MS = 250;
/** A timer whose handler fails waits before its retry, longer each time; those behind it fire meanwhile. */
const RETRY_SECONDS_MAX = 60;

/**
 * Deadlines as rows (invariants §2.6): they survive a restart, fall due in order, and each fires in the transaction
 * that removes it, in one process only. Setting and cancelling belong to the transaction of the object they are about.
 * Due timers are taken in batches, one transaction each; a handler that fails undoes its batch, waits alone, and the
 * others fire without it.
 */
export class Timers {
  private readonly logger = new Logger('Timers');
  private readonly handlers = new Map<string, TimersHandler>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  /** One round at a time in this process, so that after a round every timer that was due before it has fired. */
  private round: Promise<unknown> = Promise.resolve();
  private wakeUp: () => void = () => undefined;
  /** Business time for which the loop sleeps; something earlier wakes it. */
  private sleepsUntil = Number.POSITIVE_INFINITY;
  private readonly unfollow: () => void;

  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, 'now'> & Partial<Pick<Clock, 'onMoved'>>,
  ) {
    // A clock that jumps makes timers due without any time going by.
    this.unfollow = clock.onMoved?.(() => this.wakeUp()) ?? ((): void => undefined);
  }

  /** Schema whose deadlines these are. */
  get schema(): string {
    return this.database.schema;
  }

  /** Sets or moves the timer `id` of a kind. */
  async set(tx: Tx, kind: string, id: string, dueAt: number, payload: unknown = null): Promise<void> {
    await this.database.tables.timers.set(tx, { kind, id, dueAt, payload: JSON.stringify(payload) });
    tx.afterCommit(() => {
      if (dueAt < this.sleepsUntil) this.wakeUp();
    });
  }

  /** The same for many of one kind, each of which is another one. */
  async setAll(
    tx: Tx,
    kind: string,
    timers: readonly { readonly id: string; readonly dueAt: number }[],
  ): Promise<void> {
    if (timers.length === 0) return;
    await this.database.tables.timers.setAll(
      tx,
      timers.map(({ id, dueAt }) => ({ kind, id, dueAt, payload: JSON.stringify(null) })),
    );
    const first = Math.min(...timers.map(({ dueAt }) => dueAt));
    tx.afterCommit(() => {
      if (first < this.sleepsUntil) this.wakeUp();
    });
  }

  /**
   * Locks a timer until the transaction ends. A transaction that locks the object of a timer before it sets or cancels
   * the timer calls this first: a handler runs with its timer locked, and locks the object after it.
   */
  async lock(tx: Tx, kind: string, id: string): Promise<void> {
    await this.database.tables.timers.lock(tx, kind, id);
  }

  /** Cancels a timer, and returns when it was due. Null if it has fired already, or never existed. */
  async cancel(tx: Tx, kind: string, id: string): Promise<number | null> {
    return this.database.tables.timers.cancel(tx, kind, id);
  }

  /** Names the handler of a kind. */
  handle(kind: string, handler: TimerHandler): void {
    this.handleAll(kind, async (timers, tx) => {
      for (const timer of timers) {
        try {
          await handler(timer, tx);
        } catch (error) {
          throw new HandlerFailed(timer, error);
        }
      }
    });
  }

  /**
   * Registers a handler that takes several timers of a kind at once: for kinds of which thousands fall due together.
   * When it fails, its timers are tried in ever smaller parts, until the failing one is alone.
   */
  handleAll(kind: string, handler: TimersHandler): void {
    if (this.handlers.has(kind)) throw new Error(`invariant: two handlers of timers are named ${kind}`);
    this.handlers.set(kind, handler);
    this.wakeUp();
  }

  start(): void {
    this.running ??= this.loop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.unfollow();
    this.wakeUp();
    await this.running;
    await this.round;
  }

  /** Fires all that is due now, in order. Returns how many fired. */
  runDue(): Promise<number> {
    const next = this.round.then(() => this.fireAll());
    this.round = next.catch(() => undefined);
    return next;
  }

  /** Whether something is due that has not fired: another instance is at work on it, or its handler has failed. */
  async hasDue(): Promise<boolean> {
    const { dueAt, retryInMs } = await this.database.tables.timers.next([...this.handlers.keys()]);
    return retryInMs !== null || (dueAt !== null && dueAt <= this.clock.now());
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      let waitMs = POLL_INTERVAL_MAX_MS;
      this.sleepsUntil = Number.POSITIVE_INFINITY;
      // From here on nothing is missed: a timer that is set now ends the coming pause.
      const woken = this.nextWake();
      try {
        await this.runDue();
        const { dueAt, retryInMs } = await this.database.tables.timers.next([...this.handlers.keys()]);
        const inMs = dueAt === null ? POLL_INTERVAL_MAX_MS : dueAt - this.clock.now();
        waitMs = Math.min(
          POLL_INTERVAL_MAX_MS,
          inMs <= 0 ? HELD_MS : inMs,
          Math.max(retryInMs ?? POLL_INTERVAL_MAX_MS, HELD_MS),
        );
        if (dueAt !== null) this.sleepsUntil = dueAt;
      } catch (error) {
        this.logger.warn(`timers of ${this.database.schema} could not be read: ${(error as Error).message}`);
      }
      await this.pause(waitMs, woken);
    }
  }

  private nextWake(): Promise<void> {
    return new Promise((resolve) => {
      this.wakeUp = resolve;
    });
  }

  private async pause(ms: number, woken: Promise<void>): Promise<void> {
    if (this.stopping.signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    // A little later than due, because a Node timer may fire a fraction of a millisecond early.
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.ceil(ms) + 1);
    });
    await Promise.race([late, woken]);
    clearTimeout(timer);
  }

  private async fireAll(): Promise<number> {
    let fired = 0;
    let size = BATCH_MAX;
    while (!this.stopping.signal.aborted && this.handlers.size > 0) {
      const batch = await this.fireBatch(size);
      if (batch.taken === 0) break;
      if (batch.failed) size = Math.max(1, Math.floor(batch.taken / 4));
      else {
        fired += batch.taken;
        // The batch grows again, so that an hour of failures does not slow down a night with ten thousand timers.
        size = Math.min(BATCH_MAX, size * 2);
      }
    }
    return fired;
  }

  /**
   * One transaction. After a failure the timer that failed waits; of several that fail together, only a single one
   * does.
   */
  private async fireBatch(size: number): Promise<{ readonly taken: number; readonly failed: boolean }> {
    let taken: readonly DueTimer[] = [];
    try {
      await this.database.transaction(async (tx) => {
        const rows = await this.database.tables.timers.takeDue(tx, [...this.handlers.keys()], this.clock.now(), size);
        taken = rows.map(timerOf);
        for (const group of runsOfOneKind(taken)) await this.handlers.get(group[0]!.kind)?.(group, tx);
      });
      return { taken: taken.length, failed: false };
    } catch (error) {
      if (taken.length === 0) throw error;
      const failed = error instanceof HandlerFailed ? error.timer : taken.length === 1 ? taken[0] : undefined;
      if (failed) {
        const cause = error instanceof HandlerFailed ? error.cause : error;
        this.logger.error(
          `timer ${failed.kind} ${failed.id} failed and is tried again: ${(cause as Error).stack ?? String(cause)}`,
        );
        await this.database.tables.timers.postpone(failed.kind, failed.id, RETRY_SECONDS_MAX);
      } else
        this.logger.warn(
          `${taken.length} timers of ${this.database.schema} failed together and are tried in parts: ${String(error)}`,
        );
      return { taken: taken.length, failed: true };
    }
  }
}

/** A handler has failed on one timer of a batch. */
class HandlerFailed extends Error {
  constructor(
    readonly timer: DueTimer,
    override readonly cause: unknown,
  ) {
    super(`timer ${timer.kind} ${timer.id} failed`);
  }
}

const timerOf = ({ kind, id, dueAt, payload }: TimerRow): DueTimer => ({
  kind,
  id,
  dueAt,
  payload: JSON.parse(payload) as unknown,
});

/** Neighbours of one kind: the order in which timers fall due stays, over all kinds. */
function runsOfOneKind(timers: readonly DueTimer[]): DueTimer[][] {
  const groups: DueTimer[][] = [];
  for (const timer of timers) {
    const last = groups.at(-1);
    if (last?.[0]?.kind === timer.kind) last.push(timer);
    else groups.push([timer]);
  }
  return groups;
}
