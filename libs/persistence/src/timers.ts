import { Logger } from '@nestjs/common';
import type { Clock } from '@bourse/platform';
import type { Database, Tx } from './ports.js';

/** A deadline that has come. Its handler takes `dueAt` as its now: three missed midnights are three timers, each as of its own. */
export interface DueTimer { readonly kind: string; readonly id: string; /** Business time, ms. */ readonly dueAt: number; readonly payload: unknown }
export type TimerHandler = (timer: DueTimer, tx: Tx) => Promise<void>;

const LOOK_MS = 500;
/** A timer whose handler fails waits before it is tried again, longer each time; those behind it go on. */
const RETRY_SECONDS_MAX = 60;

/**
 * Deadlines as rows (invariants §2.6): they survive a restart, fall due in order, and each fires in the transaction that removes it, in one
 * process only. Setting and cancelling belong to the transaction of the object they are about.
 */
export class Timers {
  private readonly logger = new Logger('Timers');
  private readonly handlers = new Map<string, TimerHandler>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly database: Database, private readonly clock: Pick<Clock, 'now'>) {}

  /** Sets or moves the timer `id` of a kind. */
  async set(tx: Tx, kind: string, id: string, dueAt: number, payload: unknown = null): Promise<void> {
    await tx.execute(
      `insert into timer (kind, id, due_at, payload) values ($1, $2, to_timestamp($3::float8 / 1000), $4)
       on conflict (kind, id) do update set due_at = excluded.due_at, payload = excluded.payload, tries = 0, not_before = null`, [kind, id, dueAt, JSON.stringify(payload)]);
  }

  /** Takes a timer back. False if it has fired already, or never was. */
  async cancel(tx: Tx, kind: string, id: string): Promise<boolean> {
    return await tx.execute('delete from timer where kind = $1 and id = $2', [kind, id]) === 1;
  }

  /** Names the handler of a kind; call `start` when all are named. */
  handle(kind: string, handler: TimerHandler): void { this.handlers.set(kind, handler); }

  start(): void { this.running ??= this.loop(); }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Fires all that is due now, in order. Returns how many fired. */
  async runDue(): Promise<number> {
    let fired = 0;
    while (!this.stopping.signal.aborted && await this.fireOne()) fired += 1;
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
        const done = (): void => { clearTimeout(timer); resolve(); };
        const timer = setTimeout(done, LOOK_MS);
        this.stopping.signal.addEventListener('abort', done, { once: true });
      });
    }
  }

  private async fireOne(): Promise<boolean> {
    let current: DueTimer | undefined;
    try {
      return await this.database.transaction(async (tx) => {
        const [row] = await tx.query<{ kind: string; id: string; due: string; payload: string }>(
          `delete from timer where (kind, id) = (
             select kind, id from timer where kind = any($1) and due_at <= to_timestamp($2::float8 / 1000) and (not_before is null or not_before <= now())
             order by due_at, kind, id limit 1 for update skip locked)
           returning kind, id, round(extract(epoch from due_at) * 1000)::bigint as due, payload`, [[...this.handlers.keys()], this.clock.now()]);
        if (!row) return false;
        current = { kind: row.kind, id: row.id, dueAt: Number(row.due), payload: JSON.parse(row.payload) as unknown };
        await this.handlers.get(row.kind)?.(current, tx);
        return true;
      });
    } catch (error) {
      if (!current) throw error;
      this.logger.error(`timer ${current.kind} ${current.id} failed and is tried again: ${(error as Error).stack ?? String(error)}`);
      await this.database.execute(
        `update timer set tries = tries + 1, not_before = now() + least(power(2, tries), ${RETRY_SECONDS_MAX}) * interval '1 second' where kind = $1 and id = $2`, [current.kind, current.id]);
      return true;
    }
  }
}
