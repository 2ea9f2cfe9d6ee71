import { Injectable } from '@nestjs/common';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { isOverdue, type Appeal } from '../domain/appeal.js';
import { AppealStore } from './ports.js';
import { WorkPart } from '@bourse/messaging';

const DUE_TIMER = 'appeal.due';

/**
 * Records overdue appeals, and counts open and overdue ones as work of operators; an overdue appeal breaks no
 * invariant.
 */
@Injectable()
export class AppealDueTimers extends WorkPart {
  constructor(
    private readonly store: AppealStore,
    private readonly timers: Timers,
    private readonly clock: Clock,
  ) {
    super();
    timers.handle(DUE_TIMER, ({ id, dueAt }, tx) => this.recordOverdue(tx, id, dueAt));
  }

  start(tx: Tx, { id, due }: Appeal): Promise<void> {
    return this.timers.set(tx, DUE_TIMER, id, due);
  }
  /**
   * Cancels the timer before deal and appeal are locked, in the order of the timer itself, so that the two do not
   * deadlock.
   */
  async stop(tx: Tx, id: string): Promise<void> {
    await this.timers.cancel(tx, DUE_TIMER, id);
  }

  /** Open work of operators. */
  async work(): Promise<Readonly<Record<'appeals' | 'appeals_overdue', number>>> {
    const { open, overdue } = await this.store.countWork(this.clock.now());
    return { appeals: open, appeals_overdue: overdue };
  }

  private async recordOverdue(tx: Tx, id: string, now: number): Promise<void> {
    const appeal = await this.store.lock(tx, id);
    if (!appeal || !isOverdue(appeal, now)) return;
    const line = { at: now, key: 'c2c.line.appealOverdue', params: {}, note: '', operatorId: null, isShown: true };
    await this.store.addEvent(tx, id, line);
  }
}
