import { Injectable } from '@nestjs/common';
import { Commands, type Decision as CommandDecision } from '@bourse/ledger-client';
import { samePerson, SecondPerson } from '@bourse/messaging';
import { rescale } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, type Caller } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { cancelDealInAd } from '../../deals/domain/ad.js';
import { needsTwoOperators, applyRuling, type Appeal, type AppealSide, type Proposal } from '../domain/appeal.js';
import { buyerOf, decideDeal, expiryDay, hasExpired, type Deal } from '../../deals/domain/deal.js';
import { AppealRecorder } from './appeal-recorder.js';
import { AppealStore } from './ports.js';
import { APPEAL_TWO_PERSON, TWO_PERSON_SCALE } from './settings.js';
import { AppealTrail } from './audit-trail.js';
import { AppealViews } from './views.js';
import { DealCommands } from '../../deals/application/deal-commands.js';
import { AdStore, DealStore } from '../../deals/application/ports.js';
import { Escrow } from '../../deals/application/escrow.js';

/** Fields of a decision; each refuses when it is read. */
export interface DecisionFields {
  readonly id: string;
  readonly outcome: AppealSide;
  readonly reason: string;
}
/** A decision with its operator. */
interface Decision extends DecisionFields {
  readonly operator: Caller;
}
/** Facts of auth about the operator who has proposed a decision. */
interface ProposerFacts {
  /** The operator who decides now is certainly somebody else. */
  readonly isSecond: boolean;
  /** The proposer may no longer decide appeals: the proposal does not count [HARD-520]. */
  readonly isGone: boolean;
}
/** The state that the checks saw before anything was locked. */
interface SeenState {
  readonly proposal: Proposal | null;
  readonly proposer: ProposerFacts;
  /** Whether the decision ends the appeal; its due timer is then stopped before the deal is locked. */
  readonly isEnding: boolean;
}

/** Decides appeals: 3→1 for the buyer, 3→2 for the seller, by one operator or by two (rules §6). */
@Injectable()
export class AppealDecisions {
  constructor(
    private readonly commands: Commands,
    private readonly store: AppealStore,
    private readonly deals: DealStore,
    private readonly ads: AdStore,
    private readonly dealCommands: DealCommands,
    private readonly escrow: Escrow,
    private readonly recorder: AppealRecorder,
    private readonly auditTrail: AppealTrail,
    private readonly views: AppealViews,
    private readonly secondPerson: SecondPerson,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides, or proposes a decision when two operators must agree; answered after the ledger has booked it. @throws
   * Refused `common.notFound`, `c2c.state`, `admin.samePerson`
   */
  async decide(operator: Caller, fields: DecisionFields, context: CallContext): Promise<Notice> {
    const { key, extra, params } = await this.commands.run(context, {
      prepare: () => {
        const { id, outcome, reason } = fields;
        return this.check({ operator, id, outcome, reason });
      },
      decide: (tx, { seen, decision, known }) => this.applyDecision(tx, seen, decision, known),
    });
    const appeal = await this.views.findView(await this.auditTrail.find(fields.id), context.lang);
    return new Notice(key, { ...extra, appeal }, params);
  }

  /**
   * Auth is asked before anything is locked; a proposal made meanwhile is refused below and handled by the next try.
   */
  private async check(decision: Decision) {
    const seen = await this.auditTrail.find(decision.id);
    const deal = await this.deals.find(seen.dealId);
    if (!deal) throw new Error(`invariant: appeal ${seen.id} has no deal`);
    const { proposal } = seen;
    const { isSecond, gone } =
      proposal === null
        ? { isSecond: false, gone: [] }
        : await this.secondPerson.check(decision.operator.userId, [proposal.operatorId], 'finance');
    const proposer = { isSecond, isGone: gone.length > 0 };
    const isEnding = this.requireRuling(seen, deal, decision, proposer).is === 'decided';
    const known: SeenState = { proposal, proposer, isEnding };
    return { seen, decision, known };
  }

  private async applyDecision(
    tx: Tx,
    { id, dealId }: Appeal,
    decision: Decision,
    known: SeenState,
  ): Promise<CommandDecision> {
    if (known.isEnding) await this.recorder.stopDueTimer(tx, id);
    const deal = await this.deals.lock(tx, dealId);
    const appeal = await this.auditTrail.lock(tx, id);
    if (!deal) throw new Error(`invariant: appeal ${id} has no deal`);
    const { proposal } = appeal;
    if (proposal?.operatorId !== known.proposal?.operatorId || proposal?.at !== known.proposal?.at)
      throw toRetryLater();
    const ruling = this.requireRuling(appeal, deal, decision, known.proposer);
    // The amount above which two operators decide was changed meanwhile.
    if ((ruling.is === 'decided') !== known.isEnding) throw toRetryLater();
    return ruling.is === 'proposed'
      ? this.saveProposal(tx, deal, ruling.appeal, decision, proposal)
      : this.endAppeal(tx, deal, ruling.appeal, decision, known);
  }

  private async saveProposal(
    tx: Tx,
    deal: Deal,
    appeal: Appeal,
    { operator, reason }: Decision,
    before: Proposal | null,
  ): Promise<Notice> {
    await this.recorder.publishProposed(tx, appeal, deal);
    const change = { before: toAuditProposal(before), after: toAuditProposal(appeal.proposal) };
    this.auditTrail.record(tx, operator, appeal, deal, { action: 'appeals.propose', reason, ...change });
    return new Notice('admin.secondNeeded');
  }

  private async endAppeal(
    tx: Tx,
    before: Deal,
    appeal: Appeal,
    { operator, outcome, reason }: Decision,
    { proposal }: SeenState,
  ): Promise<CommandDecision> {
    const deal = decideDeal(before, outcome, this.clock.now());
    const ended = await this.saveEnded(tx, before, deal);
    // The buyer had paid, so the cancel by deadline no longer counts against them.
    if (outcome === 'buyer' && hasExpired(before)) await this.deals.removeCancel(tx, buyerOf(deal), expiryDay(deal));
    await this.recorder.publishDecided(tx, appeal, deal, outcome);
    const change = { before: toAuditProposal(proposal), after: { outcome } };
    this.auditTrail.record(tx, operator, appeal, deal, { action: 'appeals.decide', reason, ...change });
    return ended;
  }

  /** Stores the decided deal, and says where its coins go. A record without escrow moves none. */
  private async saveEnded(tx: Tx, before: Deal, deal: Deal): Promise<CommandDecision> {
    const answer = new Notice('admin.appealDecided');
    if (before.state !== 'paid') {
      await this.deals.save(tx, deal);
      return answer;
    }
    if (deal.state === 'finished') {
      await this.dealCommands.finishDeal(tx, deal);
      return this.escrow.releaseInCall(deal, answer);
    }
    return (await this.returnCoins(tx, deal)) ? this.escrow.returnCoinsInCall(deal, 'return', answer) : answer;
  }

  /** Returns the coins to the shelf of the ad; true where they go back to their holder instead. */
  private async returnCoins(tx: Tx, deal: Deal): Promise<boolean> {
    const before = await this.ads.lock(tx, deal.adId);
    if (!before) throw new Error(`invariant: deal ${deal.id} has no ad`);
    const { ad, goesBack } = cancelDealInAd(before, deal);
    await this.deals.save(tx, deal);
    await this.ads.save(tx, ad);
    await this.deals.releaseOpenDeal(tx, deal.takerId);
    return goesBack;
  }

  /** @throws Refused `c2c.state`, `admin.samePerson` */
  private requireRuling(
    appeal: Appeal,
    deal: Deal,
    { operator, outcome, reason }: Decision,
    { isSecond, isGone }: ProposerFacts,
  ) {
    const limit = rescale(this.settings.get(APPEAL_TWO_PERSON), TWO_PERSON_SCALE, deal.scale, 'down');
    const stake = { currencyName: deal.currencyName, number: deal.number, withEscrow: appeal.withEscrow };
    const now = this.clock.now();
    const needsTwo = needsTwoOperators(stake, limit);
    const ruling = applyRuling(isGone ? { ...appeal, proposal: null } : appeal, {
      ...{ outcome, operatorId: operator.userId, words: reason, needsTwo, isSecond, now },
    });
    if (ruling.is !== 'refused') return ruling;
    throw ruling.key === 'admin.samePerson' ? samePerson() : new Refused(ruling.key, {}, { field: 'id' });
  }
}

/** Something has changed meanwhile: the next try reads it again. */
const toRetryLater = (): Refused => new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
const toAuditProposal = (proposal: Proposal | null): object => (proposal ? { proposed: proposal.outcome } : {});
