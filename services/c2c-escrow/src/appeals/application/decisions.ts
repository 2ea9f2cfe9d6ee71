import { Injectable } from '@nestjs/common';
import { samePerson, SecondPerson } from '@bourse/messaging';
import { rescale } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, type Caller } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { cancelledIn } from '../../deals/domain/ad.js';
import { needsTwo, ruled, type Appeal, type AppealSide, type Proposal, type Ruled } from '../domain/appeal.js';
import { buyerOf, decided, expiryDay, isExpiry, type Deal } from '../../deals/domain/deal.js';
import { AppealFiles } from './appeal-files.js';
import { AppealStore } from './ports.js';
import { APPEAL_TWO_PERSON, TWO_PERSON_SCALE } from './settings.js';
import { AppealTrail } from './trail.js';
import { AppealViews } from './views.js';
import { DealActs } from '../../deals/application/deal-acts.js';
import { AdStore, DealStore } from '../../deals/application/ports.js';
import { Escrow } from '../../deals/application/escrow.js';
import { PlainCalls } from '../../shared/application/plain-calls.js';

/** Fields of a decision, each read when it is its turn. */
export interface DecisionFields {
  readonly id: string;
  readonly outcome: AppealSide;
  readonly reason: string;
}
/** What an operator decides, and who. */
interface Decision extends DecisionFields {
  readonly operator: Caller;
}
/** What was proposed when auth was asked, and whether this operator is surely somebody else. */
interface Known {
  readonly proposal: Proposal | null;
  readonly isSecond: boolean;
  /** Whether it ends the appeal: its time was stopped first. */
  readonly isEnding: boolean;
  /** Whether the coins leave the escrow by the call, and to whom: it has begun so. */
  readonly exit: AppealSide | null;
}
/** A ruling that was not refused. */
type Given = Exclude<Ruled, { readonly is: 'refused' }>;
/** What has become of the deal. */
interface Made {
  readonly deal: Deal;
  readonly answer: Notice;
}

/** Decisions on appeals: 3→1 to the buyer, 3→2 back to the seller, by one operator or by two (rules §6). */
@Injectable()
export class AppealDecisions {
  constructor(
    private readonly plain: PlainCalls,
    private readonly store: AppealStore,
    private readonly deals: DealStore,
    private readonly ads: AdStore,
    private readonly acts: DealActs,
    private readonly escrow: Escrow,
    private readonly files: AppealFiles,
    private readonly trail: AppealTrail,
    private readonly views: AppealViews,
    private readonly second: SecondPerson,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * One operator's decision, or the proposal of one where two must agree. It is answered when the ledger has booked
   * what follows. @throws Refused `common.notFound`, `c2c.state`, `admin.samePerson`.
   */
  async decide(operator: Caller, fields: DecisionFields, context: CallContext): Promise<Notice> {
    const { key, extra, params } =
      (await this.plain.repeated(context)) ?? (await this.decideNow(operator, fields, context));
    const appeal = await this.views.of(await this.trail.find(fields.id), context.lang);
    return new Notice(key, { ...extra, appeal }, params);
  }

  private async decideNow(operator: Caller, fields: DecisionFields, context: CallContext): Promise<Notice> {
    const checked = await this.plain.checked(context, async () => {
      const { id, outcome, reason } = fields;
      return this.check({ operator, id, outcome, reason });
    });
    if (checked instanceof Notice) return checked;
    const { seen, decision, known } = checked;
    const { exit } = known;
    const make = (tx: Tx): Promise<Made> => this.make(tx, seen, decision, known);
    const prepared = () => Promise.resolve(make);
    if (exit === 'buyer') return this.escrow.releaseFor(context, prepared);
    if (exit === 'seller') return this.escrow.giveBackFor(context, prepared, 'return');
    return this.plain.call(context, () => Promise.resolve(async (tx) => (await make(tx)).answer));
  }

  /** Auth is asked before anything is locked; what is proposed in between is looked at by the next try. */
  private async check(decision: Decision) {
    const seen = await this.trail.find(decision.id);
    const deal = await this.deals.find(seen.dealId);
    if (!deal) throw new Error(`invariant: appeal ${seen.id} has no deal`);
    const isSecond = await this.isSecond(seen, decision);
    const made = this.ruling(seen, deal, decision, isSecond);
    const [isEnding, exit] = [made.is === 'decided', await this.exitOf(made, deal)];
    const known: Known = { proposal: seen.proposal, isSecond, isEnding, exit };
    return { seen, decision, known };
  }

  private async isSecond({ proposal }: Appeal, { operator }: Decision): Promise<boolean> {
    return proposal !== null && (await this.second.is(operator.userId, [proposal.operatorId]));
  }

  private async make(tx: Tx, { id, dealId }: Appeal, decision: Decision, known: Known): Promise<Made> {
    if (known.isEnding) await this.files.ending(tx, id);
    const deal = await this.deals.lock(tx, dealId);
    const appeal = await this.trail.lock(tx, id);
    if (!deal) throw new Error(`invariant: appeal ${id} has no deal`);
    const { proposal } = appeal;
    if (proposal?.operatorId !== known.proposal?.operatorId || proposal?.at !== known.proposal?.at) throw again();
    const made = this.ruling(appeal, deal, decision, known.isSecond);
    // The amount above which two decide was changed this moment.
    if ((made.is === 'decided') !== known.isEnding) throw again();
    const winner = winnerOf(made);
    if ((winner === 'buyer') !== (known.exit === 'buyer') || (winner === null && known.exit !== null)) throw again();
    return made.is === 'proposed'
      ? this.propose(tx, deal, made.appeal, decision, proposal)
      : this.end(tx, deal, made.appeal, decision, known);
  }

  private async propose(
    tx: Tx,
    deal: Deal,
    appeal: Appeal,
    { operator, reason }: Decision,
    before: Proposal | null,
  ): Promise<Made> {
    await this.store.save(tx, appeal);
    await this.files.note(tx, appeal, deal, 'c2c.line.appealProposed');
    const change = { before: proposed(before), after: proposed(appeal.proposal) };
    this.trail.record(tx, operator, appeal, deal, { action: 'appeals.propose', reason, ...change });
    return { deal, answer: new Notice('admin.secondNeeded') };
  }

  private async end(
    tx: Tx,
    before: Deal,
    appeal: Appeal,
    { operator, outcome, reason }: Decision,
    { proposal, exit }: Known,
  ): Promise<Made> {
    const deal = decided(before, outcome, this.clock.now());
    // A record pays nobody.
    if (before.state !== 'paid') await this.deals.save(tx, deal);
    else if (deal.state === 'finished') await this.acts.finish(tx, deal);
    else await this.giveBack(tx, deal, exit === 'seller');
    // The buyer had paid: the deadline was no cancel of theirs.
    if (outcome === 'buyer' && isExpiry(before)) await this.deals.takeCancelBack(tx, buyerOf(deal), expiryDay(deal));
    await this.files.decided(tx, appeal, deal, outcome);
    const change = { before: proposed(proposal), after: { outcome } };
    this.trail.record(tx, operator, appeal, deal, { action: 'appeals.decide', reason, ...change });
    return { deal, answer: new Notice('admin.appealDecided') };
  }

  /** To the shelf of its ad where that still stands, else by the call to whoever held it. */
  private async giveBack(tx: Tx, deal: Deal, isByCall: boolean): Promise<void> {
    const before = await this.ads.lock(tx, deal.adId);
    if (!before) throw new Error(`invariant: deal ${deal.id} has no ad`);
    const { ad, goesBack } = cancelledIn(before, deal);
    // The ad was taken off the shelf this moment.
    if (goesBack !== isByCall) throw again();
    await this.deals.save(tx, deal);
    await this.ads.save(tx, ad);
    await this.deals.giveOpen(tx, deal.takerId);
  }

  /** Who gets the coins out of the escrow; null: nobody, or they go back to the shelf. */
  private async exitOf(made: Given, deal: Deal): Promise<AppealSide | null> {
    const winner = winnerOf(made);
    if (winner !== 'seller') return winner;
    const ad = await this.ads.find(deal.adId);
    return ad && cancelledIn(ad, deal).goesBack ? 'seller' : null;
  }

  /** @throws Refused `c2c.state`, `admin.samePerson` */
  private ruling(appeal: Appeal, deal: Deal, { operator, outcome, reason }: Decision, isSecond: boolean) {
    const limit = rescale(this.settings.get(APPEAL_TWO_PERSON), TWO_PERSON_SCALE, deal.scale, 'down');
    const stake = { currencyName: deal.currencyName, number: deal.number, withEscrow: appeal.withEscrow };
    const now = this.clock.now();
    const isTwo = needsTwo(stake, limit);
    const made = ruled(appeal, {
      ...{ outcome, operatorId: operator.userId, words: reason, needsTwo: isTwo, isSecond, now },
    });
    if (made.is !== 'refused') return made;
    throw made.key === 'admin.samePerson' ? samePerson() : new Refused(made.key, {}, { field: 'id' });
  }
}

/** Whom the coins in escrow are given by it; null: to nobody, yet or at all. */
const winnerOf = ({ is, appeal }: Given): AppealSide | null =>
  is === 'decided' && appeal.withEscrow ? (appeal.state as AppealSide) : null;
/** Something has changed this moment: the next try looks at it. */
const again = (): Refused => new Refused('common.unavailable', {}, { retryAfterSeconds: 1 });
const proposed = (proposal: Proposal | null): object => (proposal ? { proposed: proposal.outcome } : {});
