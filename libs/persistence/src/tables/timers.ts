import { Logger } from '@nestjs/common';
import type { Clock } from '@bourse/platform';
import type { Database, Tx } from '../ports.js';

/**
 * A deadline that has come. Its handler takes `dueAt` as its now: three missed midnights are three timers, each as of
 * its own.
 */
export interface DueTimer {
  readonly kind: string;
  readonly id: string;
  /** Business time, ms. */ readonly dueAt: number;
  readonly payload: unknown;
}
export type TimerHandler = (timer: DueTimer, tx: Tx) => Promise<void>;

const LOOK_MS = 500;
/** A timer whose handler fails waits before it is tried again, longer each time; those behind it go on. */
const RETRY_SECONDS_MAX = 60;

/**
 * Deadlines as rows (invariants §2.6): they survive a restart, fall due in order, and each fires in the transaction
 * that removes it, in one process only. Setting and cancelling belong to the transaction of the object they are about.
 */
export class Timers {
  private readonly logger = new Logger('Timers');
  private readonly handlers = new Map<string, TimerHandler>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Sets or moves the timer `id` of a kind. */
  async set(tx: Tx, kind: string, id: string, dueAt: number, payload: unknown = null): Promise<void> {
    await this.database.tables.timers.set(tx, { kind, id, dueAt, payload: JSON.stringify(payload) });
  }

  /** Takes a timer back. False if it has fired already, or never was. */
  async cancel(tx: Tx, kind: string, id: string): Promise<boolean> {
    return this.database.tables.timers.cancel(tx, kind, id);
  }

  /** Names the handler of a kind; call `start` when all are named. */
  handle(kind: string, handler: TimerHandler): void {
    this.handlers.set(kind, handler);
  }

  start(): void {
    this.running ??= this.loop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Fires all that is due now, in order. Returns how many fired. */
  async runDue(): Promise<number> {
    let fired = 0;
    while (!this.stopping.signal.aborted && (await this.fireOne())) fired += 1;
    return fired;
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.runDue();
      } catch (error) {
        this.logger.warn(`timers of ${this.database.schema} could not be read: ${(error as Error).message}`);
      }
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(done, LOOK_MS);
        this.stopping.signal.addEventListener('abort', done, { once: true });
      });
    }
  }

  private async fireOne(): Promise<boolean> {
    let current: DueTimer | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        const row = await this.database.tables.timers.takeDue(tx, [...this.handlers.keys()], this.clock.now());
        if (!row) return false;
        current = { kind: row.kind, id: row.id, dueAt: row.dueAt, payload: JSON.parse(row.payload) as unknown };
        await this.handlers.get(row.kind)?.(current, tx);
        return true;
      });
    } catch (error) {
      if (!current) throw error;
      this.logger.error(
        `timer ${current.kind} ${current.id} failed and is tried again: ${(error as Error).stack ?? String(error)}`,
      );
      await this.database.tables.timers.postpone(current.kind, current.id, RETRY_SECONDS_MAX);
      return true;
    }
  }
}
