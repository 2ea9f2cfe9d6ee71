import { Injectable } from '@nestjs/common';
import { Sagas, type Moves, type Saga } from '@bourse/ledger-client';
import { AnswerStore, type Tx } from '@bourse/persistence';
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
import { AcceptorBalances, AcceptorDealStore, AcceptorDebts } from './ports.js';
import { AcceptorViews } from './views.js';
import { C2cDatabase } from '../../shared/application/database.js';

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
  private readonly answers: AnswerStore;
  private readonly recovering: Saga<DisputeNote>;
  private readonly paying: Moves;
  private readonly payingElsewhere: Moves;

  constructor(
    sagas: Sagas,
    private readonly database: C2cDatabase,
    private readonly deals: AcceptorDealStore,
    private readonly debts: AcceptorDebts,
    private readonly balances: AcceptorBalances,
    private readonly views: AcceptorViews,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly ids: Ids,
  ) {
    this.answers = new AnswerStore(database);
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
        this.recordDecision(tx, before, deal, outcome.note);
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
  async decide(operator: Caller, verdict: DisputeVerdict, context: CallContext): Promise<Notice> {
    const note = { operatorId: operator.userId, operator: operator.accountNumber, reason: verdict.reason };
    const answer =
      verdict.outcome === 'confirm'
        ? await this.answers.once(context, () => this.keepDeal(verdict, { ...note, lang: context.lang }))
        : await this.recovering.call(context, () => this.prepareRecovery(verdict, { ...note, lang: context.lang }));
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: a decided deal is answered with a notice');
  }

  private keepDeal({ id, reason }: DisputeVerdict, note: DisputeNote): Promise<Notice> {
    return this.database.transaction(async (tx) => {
      const before = await this.deals.lock(tx, id);
      const after = before && keepConfirmed(before, this.clock.now());
      if (!after) throw new Refused('acceptor.state', {}, { field: 'id' });
      const deal = { ...after, reason, reasonKey: '' };
      await this.deals.save(tx, deal);
      this.recordDecision(tx, before, deal, note);
      return this.toNotice(deal, note.lang);
    });
  }

  private async prepareRecovery({ id }: DisputeVerdict, note: DisputeNote) {
    const seen = await this.deals.find(id);
    if (!seen) throw new Refused('common.notFound', {}, { field: 'id' });
    const { posted } = await this.balances.findBalance(seen.acceptorId);
    return async (tx: Tx) => {
      const before = await this.deals.lock(tx, id);
      const deal = before && beginReturn(before, posted);
      if (!deal) throw new Refused('acceptor.state', {}, { field: 'id' });
      await this.deals.save(tx, deal);
      return { object: id, note, command: createRecoverOrder(deal, this.ids.next()) };
    };
  }

  private addDebt(tx: Tx, { id, acceptorId, currencyId, scale, missing, updatedAt }: AcceptorDeal): Promise<void> {
    return this.debts.add(tx, { dealId: id, acceptorId, currencyId, scale, amount: missing, createdAt: updatedAt });
  }
  private toNotice(deal: AcceptorDeal, lang: DisputeNote['lang']): Notice {
    return new Notice(DECIDED_KEY, { id: deal.id, deal: this.views.toBareView(deal, lang) });
  }
  private recordDecision(tx: Tx, before: AcceptorDeal, after: AcceptorDeal, by: DisputeNote): void {
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
