import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers, type Tx } from '@bourse/persistence';
import { Alarms, Clock } from '@bourse/platform';
import { isOverdue, type Appeal } from '../domain/appeal.js';
import { AppealStore } from './appeal-ports.js';
import { WorkPart } from '@bourse/messaging';

const DUE = 'appeal.due';
const ALARM = 'c2c.appeals';
/** What a look could not tell, because the database was away, the next one does. */
const LOOK_MS = 30_000;

/** Sees to it that no appeal is forgotten: what is open beyond its time is an alarm, and counted as work. */
@Injectable()
export class AppealWatch extends WorkPart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('AppealWatch');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: AppealStore,
    private readonly timers: Timers,
    private readonly alarms: Alarms,
    private readonly clock: Clock,
  ) {
    super();
    timers.handle(DUE, ({ id, dueAt }, tx) => this.come(tx, id, dueAt));
  }

  /** Appeals that were overdue before a restart still are. */
  onApplicationBootstrap(): void {
    this.look();
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
  }
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  begin(tx: Tx, { id, due }: Appeal): Promise<void> {
    return this.timers.set(tx, DUE, id, due);
  }
  /** Before the deal and the appeal are locked, as when the time comes: so neither waits for the other. */
  async end(tx: Tx, id: string): Promise<void> {
    await this.timers.cancel(tx, DUE, id);
    tx.afterCommit(() => this.look());
  }

  /** Open work of operators. */
  async work(): Promise<Readonly<Record<'appeals' | 'appeals_overdue', number>>> {
    const { open, overdue } = await this.store.work(this.clock.now());
    return { appeals: open, appeals_overdue: overdue };
  }

  /** Raises the alarm, or clears it. */
  private look(): void {
    this.count().catch((error: unknown) => this.logger.warn(`overdue appeals are not counted now: ${String(error)}`));
  }
  private async count(): Promise<void> {
    const { overdue } = await this.store.work(this.clock.now());
    if (overdue > 0) this.alarms.raise(ALARM, `${overdue} appeals are open beyond their time`);
    else this.alarms.clear(ALARM);
  }

  private async come(tx: Tx, id: string, now: number): Promise<void> {
    const appeal = await this.store.lock(tx, id);
    if (!appeal || !isOverdue(appeal, now)) return;
    const line = { at: now, key: 'c2c.line.appealOverdue', params: {}, note: '', operatorId: null, isShown: true };
    await this.store.addEvent(tx, id, line);
    tx.afterCommit(() => this.look());
  }
}
