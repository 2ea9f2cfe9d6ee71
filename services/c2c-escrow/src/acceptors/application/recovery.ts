import { Injectable } from '@nestjs/common';
import { TOPICS, userNotices } from '@bourse/events';
import { Commands, Sagas, type Moves, type Saga } from '@bourse/ledger-client';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, Ids, Notice, Refused, type CallContext, type Caller } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import {
  isUnderDispute,
  keepConfirmed,
  failReturn,
  finishReturn,
  beginReturn,
  type AcceptorDeal,
} from '../domain/acceptor-deal.js';
import { createRecoverOrder, createReturnOrders } from './journals.js';
import { toAcceptorNotices } from './notices.js';
import { AcceptorBalances, AcceptorDealStore, AcceptorDebts } from './ports.js';
import { AcceptorViews } from './views.js';

const SERVICE = 'c2c-escrow';
const DECIDED_KEY = 'admin.acceptorDecided';

/** Finance's decision on an objection to a withdrawal that was confirmed by time. */
export interface DisputeVerdict {
  readonly id: string;
  readonly outcome: 'confirm' | 'reject';
  readonly reason: string;
}
interface DisputeNote {
  readonly operatorId: number;
  readonly operator: string;
  readonly reason: string;
  readonly lang: CallContext['lang'];
}

/**
 * Decides objections to withdrawals that were confirmed by time (rules §7). Decided for the person, the coins come back
 * out of the acceptor's balance; `h.capital` pays the missing ones, and the acceptor owes them.
 */
@Injectable()
export class AcceptorRecovery {
  private readonly recovering: Saga<DisputeNote>;
  private readonly paying: Moves;
  private readonly payingElsewhere: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly deals: AcceptorDealStore,
    private readonly debts: AcceptorDebts,
    private readonly balances: AcceptorBalances,
    private readonly views: AcceptorViews,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly ids: Ids,
  ) {
    this.paying = sagas.defineMove({ name: 'acceptor.return' });
    this.payingElsewhere = sagas.defineMove({ name: 'acceptor.return.other' });
    this.recovering = sagas.define<DisputeNote>({
      name: 'acceptor.recover',
      onPosted: async (tx, outcome) => {
        const before = await this.lockReturning(tx, outcome.object);
        const { reason } = outcome.note;
        const deal = { ...finishReturn(before, this.clock.now()), reason, reasonKey: '' };
        await this.deals.save(tx, deal);
        if (deal.missing > 0n) await this.addDebt(tx, deal);
        this.publishDecision(tx, before, deal, outcome.note);
        const [command, ...others] = createReturnOrders(deal, this.config.ledgerPartitions);
        for (const other of others) await this.payingElsewhere.begin(tx, { object: deal.id, command: other });
        const answer = this.toNotice(deal, outcome.note.lang);
        return this.paying.next(tx, outcome, { object: deal.id, command: command!, answer });
      },
      // The acceptor has less than a moment ago: the next try takes the coins that are left.
      onRefused: async (tx, { object }) => {
        await this.deals.save(tx, failReturn(await this.lockReturning(tx, object)));
        return new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
      },
    });
  }

  /** Whether a deal is decided here: confirmed by time, and objected to afterwards. */
  async isDisputed(id: string): Promise<boolean> {
    const deal = await this.deals.find(id);
    return deal !== null && isUnderDispute(deal);
  }

  /** @throws Refused `acceptor.state` when it was decided meanwhile */
  decide(operator: Caller, { id, outcome, reason }: DisputeVerdict, context: CallContext): Promise<Notice> {
    const note = { operatorId: operator.userId, operator: operator.accountNumber, reason, lang: context.lang };
    return this.commands.run(context, {
      prepare: async () => {
        const seen = await this.deals.find(id);
        if (!seen) throw new Refused('common.notFound', {}, { field: 'id' });
        return outcome === 'confirm' ? null : (await this.balances.findBalance(seen.acceptorId)).posted;
      },
      decide: async (tx, posted) => {
        const before = await this.deals.lock(tx, id);
        const decided =
          before && (posted === null ? keepConfirmed(before, this.clock.now()) : beginReturn(before, posted));
        if (!decided) throw new Refused('acceptor.state', {}, { field: 'id' });
        if (posted !== null) {
          await this.deals.save(tx, decided);
          return this.recovering.ask({ object: id, note, command: createRecoverOrder(decided, this.ids.next()) });
        }
        const deal = { ...decided, reason, reasonKey: '' };
        await this.deals.save(tx, deal);
        this.publishDecision(tx, before, deal, note);
        return this.toNotice(deal, note.lang);
      },
    });
  }

  private addDebt(tx: Tx, { id, acceptorId, currencyId, scale, missing, updatedAt }: AcceptorDeal): Promise<void> {
    return this.debts.add(tx, { dealId: id, acceptorId, currencyId, scale, amount: missing, createdAt: updatedAt });
  }
  private toNotice(deal: AcceptorDeal, lang: DisputeNote['lang']): Notice {
    return new Notice(DECIDED_KEY, { id: deal.id, deal: this.views.toBareView(deal, lang) });
  }
  /** Emits the notices of a decision and its line of the audit log. */
  private publishDecision(tx: Tx, before: AcceptorDeal, after: AcceptorDeal, by: DisputeNote): void {
    const action = after.state === 'confirmed' ? 'decideConfirm' : 'decideReject';
    tx.emit(TOPICS.userNotices, 0, userNotices(toAcceptorNotices(after, action)));
    recordChange(tx, {
      service: SERVICE,
      action: 'acceptor_deals.decide',
      target: `deal:${after.id}`,
      subjects: [after.userId, after.acceptorId],
      before: { state: before.state, dispute: before.dispute },
      after: { state: after.state, dispute: after.dispute },
      by,
      at: this.clock.now(),
    });
  }
  private async lockReturning(tx: Tx, id: string): Promise<AcceptorDeal> {
    const deal = await this.deals.lock(tx, id);
    if (deal?.dispute !== 'returning') throw new Error(`invariant: deal ${id} is not being returned`);
    return deal;
  }
}
