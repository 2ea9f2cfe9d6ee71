import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@bourse/persistence';
import { Clock, Config } from '@bourse/platform';
import { Currencies } from '../currencies.js';
import { LedgerMaintenance } from '../ports.js';
import { UseCaseDatabase } from '../use-case-database.js';
import { SolvencyStore } from './ports.js';
import { CLAIM_SECONDS, TakeSnapshot } from './take-snapshot.js';

const TIMER = 'solvency';
const DAY_MS = 86_400_000;
/** 00:15 UTC: after the fees, points and claims of the night (rules §13). */
const AT_MS = 15 * 60_000;
const KEPT_DAYS = 30;
const POLL_INTERVAL_MS = 1_000;
const AGAIN_MS_MAX = 30_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** The next 00:15 UTC after a time, ms. */
export const nextDue = (at: number): number => Math.floor((at - AT_MS) / DAY_MS) * DAY_MS + DAY_MS + AT_MS;

/** Takes the requested snapshots: the first of an install, one every day, and those requested by operators. */
@Injectable()
export class SolvencyRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Solvency');
  private readonly me = `${hostname()}:${randomUUID()}`;
  private running: Promise<void> | undefined;
  private stopped = false;
  private wakeUp: () => void = () => undefined;

  constructor(
    private readonly store: SolvencyStore,
    private readonly take: TakeSnapshot,
    private readonly currencies: Currencies,
    private readonly upkeep: LedgerMaintenance,
    private readonly database: UseCaseDatabase,
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    timers.handle(TIMER, async ({ dueAt }, tx) => {
      // A past night cannot be reconstructed: only the last missed snapshot is taken, as of now.
      if (dueAt > clock.now() - DAY_MS) await store.requestDaily(tx, dayOf(dueAt));
      await this.setTimer(tx, dueAt + DAY_MS);
      tx.afterCommit(() => this.wake());
    });
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  /** Ends the wait for work. */
  wake(): void {
    this.wakeUp();
  }

  private setTimer(tx: Parameters<Timers['set']>[0], dueAt: number): Promise<void> {
    return this.timers.set(tx, TIMER, dayOf(dueAt), dueAt);
  }

  private async run(): Promise<void> {
    await this.currencies.ready();
    await this.untilDone(async () => {
      // The first snapshot waits for the demo balances; an empty one would be misleading.
      if (this.config.dev && !(await this.upkeep.isSeeded())) return false;
      await this.database.transaction((tx) => this.setTimer(tx, nextDue(this.clock.now())));
      await this.store.requestFirst();
      return true;
    });
    if (this.stopped) return;
    await this.untilDone(async () => {
      for (
        let id = await this.store.claim(this.me, CLAIM_SECONDS);
        id !== null && !this.stopped;
        id = await this.store.claim(this.me, CLAIM_SECONDS)
      ) {
        await this.take.execute(id, this.me);
        await this.store.dropBefore(this.clock.now() - KEPT_DAYS * DAY_MS);
      }
      return false;
    });
  }

  /** Repeats the step until it reports that it is done; backs off after each failure. */
  private async untilDone(step: () => Promise<boolean>): Promise<void> {
    let failures = 0;
    while (!this.stopped) {
      try {
        if (await step()) return;
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!this.stopped)
          this.logger.warn(`a snapshot of the liabilities is retried later: ${(error as Error).message}`);
      }
      await this.pause(Math.min(AGAIN_MS_MAX, POLL_INTERVAL_MS * 2 ** failures));
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wakeUp = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      this.wakeUp = done;
    });
  }
}
