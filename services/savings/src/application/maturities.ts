import { Injectable } from '@nestjs/common';
import { Sagas, type Moves } from '@bourse/ledger-client';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { matured, type Accepted } from '../domain/subscription.js';
import { matureOrder } from './journals.js';
import { publishEnded } from './savings-notices.js';
import { Days, SubscriptionStore } from './savings-ports.js';

/** The deadline of all terms that end with one midnight; its id is that midnight, ms. */
export const MATURITY = 'savings.mature';

/** Ends terms whose last day is over (rules §9, §13). */
@Injectable()
export class Maturities {
  private readonly moves: Moves;

  constructor(
    sagas: Sagas,
    private readonly store: SubscriptionStore,
    private readonly timers: Timers,
    private readonly days: Days,
    private readonly clock: Clock,
  ) {
    this.moves = sagas.defineMove({ name: 'savings.mature' });
    timers.handleAll(MATURITY, async (due, tx) => {
      for (const { id, dueAt } of due) await this.mature(tx, Number(id), dueAt);
    });
  }

  /** One deadline for each midnight with which one of these ends; in their order, so that two never wait crosswise. */
  watch(tx: Tx, subscriptions: readonly Accepted[]): Promise<void> {
    const ends = [...new Set(subscriptions.map(({ endAt }) => endAt))].sort((a, b) => a - b);
    return this.timers.setAll(
      tx,
      MATURITY,
      ends.map((dueAt) => ({ id: String(dueAt), dueAt })),
    );
  }

  /**
   * Ends the first subscriptions of a midnight; the deadline moves on for the others. Without a pause between the sets,
   * 100,000 of one midnight would precede every order in the ledger's queue.
   */
  private async mature(tx: Tx, midnight: number, dueAt: number): Promise<void> {
    const { batch } = this.days;
    const due = await this.store.lockDue(tx, midnight, batch);
    if (due.length === batch) await this.timers.set(tx, MATURITY, String(midnight), this.nextSet(dueAt));
    if (due.length === 0) return;
    const ended = due.map((subscription) => matured(subscription, midnight));
    await this.store.saveEnded(tx, ended);
    await this.moves.beginAll(
      tx,
      ended.map((subscription) => ({ object: subscription.id, command: matureOrder(subscription) })),
    );
    publishEnded(tx, ended);
  }

  /** A fixed time after the last set; a set that took longer is followed by a pause all the same. */
  private nextSet(dueAt: number): number {
    const { everyMs, restMs } = this.days;
    return Math.max(dueAt + everyMs, this.clock.now() + restMs);
  }
}
