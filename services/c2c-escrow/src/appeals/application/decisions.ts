import { Injectable } from '@nestjs/common';
import { samePerson, SecondPerson } from '@bourse/messaging';
import { rescale } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, type Caller } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { cancelDealInAd } from '../../deals/domain/ad.js';
import {
  needsTwoOperators,
  applyRuling,
  type Appeal,
  type AppealSide,
  type Proposal,
  type RulingOutcome,
} from '../domain/appeal.js';
import { buyerOf, decideDeal, expiryDay, hasExpired, type Deal } from '../../deals/domain/deal.js';
import { AppealRecorder } from './appeal-recorder.js';
import { AppealStore } from './ports.js';
import { APPEAL_TWO_PERSON, TWO_PERSON_SCALE } from './settings.js';
import { AppealTrail } from './audit-trail.js';
import { AppealViews } from './views.js';
import { DealCommands } from '../../deals/application/deal-commands.js';
import { AdStore, DealStore } from '../../deals/application/ports.js';
import { Escrow } from '../../deals/application/escrow.js';
import { LocalCommands } from '../../shared/application/local-commands.js';

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
/** The state that the checks saw before anything was locked. */
interface SeenState {
  readonly proposal: Proposal | null;
  readonly isSecond: boolean;
  /** Whether the decision ends the appeal; its due timer was then stopped first. */
  readonly isEnding: boolean;
  /** The side that gets the coins out of the escrow by this call; the ledger's movement depends on it. */
  readonly exit: AppealSide | null;
}
/** A ruling that was not refused. */
type AcceptedRuling = Exclude<RulingOutcome, { readonly is: 'refused' }>;
/** The deal after the decision. */
interface DecidedDeal {
  readonly deal: Deal;
  readonly answer: Notice;
}

/** Decides appeals: 3→1 for the buyer, 3→2 for the seller, by one operator or by two (rules §6). */
@Injectable()
export class AppealDecisions {
  constructor(
    private readonly local: LocalCommands,
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
    const { key, extra, params } =
      (await this.local.findStoredAnswer(context)) ?? (await this.decideNow(operator, fields, context));
    const appeal = await this.views.findView(await this.auditTrail.find(fields.id), context.lang);
    return new Notice(key, { ...extra, appeal }, params);
  }

  private async decideNow(operator: Caller, fields: DecisionFields, context: CallContext): Promise<Notice> {
    const checked = await this.local.storeRefusal(context, async () => {
      const { id, outcome, reason } = fields;
      return this.check({ operator, id, outcome, reason });
    });
    if (checked instanceof Notice) return checked;
    const { seen, decision, known } = checked;
    const { exit } = known;
    const make = (tx: Tx): Promise<DecidedDeal> => this.applyDecision(tx, seen, decision, known);
    const prepared = () => Promise.resolve(make);
    if (exit === 'buyer') return this.escrow.releaseInCall(context, prepared);
    if (exit === 'seller') return this.escrow.returnCoinsInCall(context, prepared, 'return');
    return this.local.run(context, () => Promise.resolve(async (tx) => (await make(tx)).answer));
  }

  /**
   * Auth is asked before anything is locked; a proposal made meanwhile is refused below and handled by the next try.
   */
  private async check(decision: Decision) {
    const seen = await this.auditTrail.find(decision.id);
    const deal = await this.deals.find(seen.dealId);
    if (!deal) throw new Error(`invariant: appeal ${seen.id} has no deal`);
    const isSecond = await this.isSecondOperator(seen, decision);
    const ruling = this.requireRuling(seen, deal, decision, isSecond);
    const [isEnding, exit] = [ruling.is === 'decided', await this.findExit(ruling, deal)];
    const known: SeenState = { proposal: seen.proposal, isSecond, isEnding, exit };
    return { seen, decision, known };
  }

  private async isSecondOperator({ proposal }: Appeal, { operator }: Decision): Promise<boolean> {
    return proposal !== null && (await this.secondPerson.is(operator.userId, [proposal.operatorId]));
  }

  private async applyDecision(
    tx: Tx,
    { id, dealId }: Appeal,
    decision: Decision,
    known: SeenState,
  ): Promise<DecidedDeal> {
    if (known.isEnding) await this.recorder.stopDueTimer(tx, id);
    const deal = await this.deals.lock(tx, dealId);
    const appeal = await this.auditTrail.lock(tx, id);
    if (!deal) throw new Error(`invariant: appeal ${id} has no deal`);
    const { proposal } = appeal;
    if (proposal?.operatorId !== known.proposal?.operatorId || proposal?.at !== known.proposal?.at)
      throw toRetryLater();
    const ruling = this.requireRuling(appeal, deal, decision, known.isSecond);
    // The amount above which two operators decide was changed meanwhile.
    if ((ruling.is === 'decided') !== known.isEnding) throw toRetryLater();
    const winner = findWinner(ruling);
    if ((winner === 'buyer') !== (known.exit === 'buyer') || (winner === null && known.exit !== null))
      throw toRetryLater();
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
  ): Promise<DecidedDeal> {
    await this.store.save(tx, appeal);
    await this.recorder.addEvent(tx, appeal, deal, 'c2c.line.appealProposed');
    const change = { before: toAuditProposal(before), after: toAuditProposal(appeal.proposal) };
    this.auditTrail.record(tx, operator, appeal, deal, { action: 'appeals.propose', reason, ...change });
    return { deal, answer: new Notice('admin.secondNeeded') };
  }

  private async endAppeal(
    tx: Tx,
    before: Deal,
    appeal: Appeal,
    { operator, outcome, reason }: Decision,
    { proposal, exit }: SeenState,
  ): Promise<DecidedDeal> {
    const deal = decideDeal(before, outcome, this.clock.now());
    // A record without escrow moves no coins.
    if (before.state !== 'paid') await this.deals.save(tx, deal);
    else if (deal.state === 'finished') await this.dealCommands.finishDeal(tx, deal);
    else await this.returnCoins(tx, deal, exit === 'seller');
    // The buyer had paid, so the cancel by deadline no longer counts against them.
    if (outcome === 'buyer' && hasExpired(before)) await this.deals.removeCancel(tx, buyerOf(deal), expiryDay(deal));
    await this.recorder.publishDecided(tx, appeal, deal, outcome);
    const change = { before: toAuditProposal(proposal), after: { outcome } };
    this.auditTrail.record(tx, operator, appeal, deal, { action: 'appeals.decide', reason, ...change });
    return { deal, answer: new Notice('admin.appealDecided') };
  }

  /** Returns the coins to the shelf of the ad if it is still there, otherwise by the call to their holder. */
  private async returnCoins(tx: Tx, deal: Deal, isByCall: boolean): Promise<void> {
    const before = await this.ads.lock(tx, deal.adId);
    if (!before) throw new Error(`invariant: deal ${deal.id} has no ad`);
    const { ad, goesBack } = cancelDealInAd(before, deal);
    // The ad was withdrawn meanwhile.
    if (goesBack !== isByCall) throw toRetryLater();
    await this.deals.save(tx, deal);
    await this.ads.save(tx, ad);
    await this.deals.releaseOpenDeal(tx, deal.takerId);
  }

  /** The side that gets the coins out of the escrow; null: none, or they return to the shelf. */
  private async findExit(ruling: AcceptedRuling, deal: Deal): Promise<AppealSide | null> {
    const winner = findWinner(ruling);
    if (winner !== 'seller') return winner;
    const ad = await this.ads.find(deal.adId);
    return ad && cancelDealInAd(ad, deal).goesBack ? 'seller' : null;
  }

  /** @throws Refused `c2c.state`, `admin.samePerson` */
  private requireRuling(appeal: Appeal, deal: Deal, { operator, outcome, reason }: Decision, isSecond: boolean) {
    const limit = rescale(this.settings.get(APPEAL_TWO_PERSON), TWO_PERSON_SCALE, deal.scale, 'down');
    const stake = { currencyName: deal.currencyName, number: deal.number, withEscrow: appeal.withEscrow };
    const now = this.clock.now();
    const needsTwo = needsTwoOperators(stake, limit);
    const ruling = applyRuling(appeal, {
      ...{ outcome, operatorId: operator.userId, words: reason, needsTwo, isSecond, now },
    });
    if (ruling.is !== 'refused') return ruling;
    throw ruling.key === 'admin.samePerson' ? samePerson() : new Refused(ruling.key, {}, { field: 'id' });
  }
}

/** The side that gets the coins in escrow; null: none. */
const findWinner = ({ is, appeal }: AcceptedRuling): AppealSide | null =>
  is === 'decided' && appeal.withEscrow ? (appeal.state as AppealSide) : null;
/** Something has changed meanwhile: the next try reads it again. */
const toRetryLater = (): Refused => new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
const toAuditProposal = (proposal: Proposal | null): object => (proposal ? { proposed: proposal.outcome } : {});
