import { Injectable } from '@nestjs/common';
import { Commands, Sagas, type Moves } from '@bourse/ledger-client';
import { FundGate } from '@bourse/messaging';
import { Clock, Notice, Refused, type CallContext } from '@bourse/platform';
import { cancelled } from '../domain/subscription.js';
import { shownSubscription } from './answers.js';
import { cancelOrder } from './journals.js';
import { publishEnded } from './savings-notices.js';
import { Days, SubscriptionStore } from './savings-ports.js';

/** Cancels subscriptions before their end (rules §9). */
@Injectable()
export class Cancels {
  private readonly moves: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: SubscriptionStore,
    private readonly fund: FundGate,
    private readonly clock: Clock,
    private readonly days: Days,
  ) {
    this.moves = sagas.defineMove({ name: 'savings.cancel' });
  }

  /**
   * The amount goes back without interest and less the agreed fee.
   * @throws Refused what `FundGate.demand` says, `common.notFound` for what is not this person's, `save.state`.
   */
  cancel(userId: number, id: string, password: string | undefined, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: () => this.fund.demand(userId, password),
      decide: async (tx) => {
        const subscription = await this.store.lock(tx, id);
        if (subscription?.userId !== userId) throw new Refused('common.notFound', {}, { field: 'id' });
        const now = this.clock.now();
        const ended = cancelled(subscription, now);
        if (!ended) throw new Refused('save.state');
        await this.store.saveEnded(tx, [ended]);
        publishEnded(tx, [ended]);
        const answer = new Notice('save.cancelled', { order: shownSubscription(ended, now, this.days.ms) });
        return this.moves.move({ object: id, command: cancelOrder(ended), answer });
      },
    });
  }
}
