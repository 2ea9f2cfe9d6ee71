import { Injectable } from '@nestjs/common';
import type { AcceptorDeal as ShownDeal } from '@bourse/contract';
import { TOPICS, userNotices } from '@bourse/events';
import { Commands, Sagas, type Moves } from '@bourse/ledger-client';
import { Parties } from '@bourse/messaging';
import { Timers, type DueTimer, type Tx } from '@bourse/persistence';
import { Clock, Config, Notice, Refused, refuseOut, type CallContext } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import {
  applyAction,
  disputeDeal,
  leaveToFinance,
  applyDeadline,
  type AcceptorAction,
  type AcceptorDeal,
} from '../domain/acceptor-deal.js';
import { createEndOrders } from './journals.js';
import { AcceptorDealStore } from './ports.js';
import { AcceptorViews } from './views.js';
import { toAcceptorNotices } from './notices.js';
import { fillPersonalFields } from '../../shared/application/personal-answer.js';

/** Timers for deadlines of deals with acceptors, by the deal's id. */
export const ACCEPTOR_TIMER = 'acceptor.deal';

const SERVICE = 'c2c-escrow';

/** The actor: one of the two parties, or finance. */
type AcceptorActor = { readonly userId: number } | { readonly acceptorId: number } | 'finance';
/** Fields that a step writes beside the state. */
type StepFacts = Partial<Pick<AcceptorDeal, 'proof' | 'evidence' | 'reason' | 'reasonKey'>>;
export interface Step {
  readonly id: string;
  readonly actor: AcceptorActor;
  readonly action: AcceptorAction;
  readonly facts?: StepFacts;
  /** How long after a confirmation by time an objection is possible, ms. */
  readonly lateMs?: number;
  /** Refuses a step that the state allows, before anything is stored. */
  readonly refuse?: (before: AcceptorDeal, now: number) => void;
  /** Set when the caller gives coins by this step: blocks, freezes and breakers are then checked. */
  readonly givenBy?: CallContext;
  /** Further writes of the transaction, such as a line of the audit log. */
  readonly onApplied?: (tx: Tx, before: AcceptorDeal, after: AcceptorDeal) => void;
}

/** Advances open deals with acceptors (rules §7): by their parties, by finance, or by time. */
@Injectable()
export class AcceptorSteps {
  /** The end of a deal in the person's partition, and in the acceptor's when it is another one. */
  private readonly ends: Moves;
  private readonly otherEnds: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly deals: AcceptorDealStore,
    private readonly timers: Timers,
    private readonly views: AcceptorViews,
    private readonly parties: Parties,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.ends = sagas.defineMove({ name: 'acceptor.end' });
    this.otherEnds = sagas.defineMove({ name: 'acceptor.end.other' });
    this.timers.handleAll(ACCEPTOR_TIMER, (due, tx) => this.expireAll(tx, due));
  }

  /**
   * Takes a step of a call; one that ends the deal is answered after the ledger has booked it. `make` reads the fields
   * and asks other services. @throws Refused as `make`, `common.notFound` for a deal of other parties, `acceptor.state`
   */
  async take(key: string, context: CallContext, make: () => Promise<Step>): Promise<Notice> {
    const { lang, caller } = context;
    const answer = await this.commands.run(context, {
      prepare: make,
      decide: async (tx, step) => {
        const { before, after } = await this.applyStep(tx, step);
        const notice = new Notice(key, { id: after.id, deal: this.views.toBareView(after, lang) });
        if (before.state !== 'open' || after.state === 'open') return notice;
        const [command, ...others] = this.createOrders(after);
        return this.ends.move(
          { object: after.id, command: command!, answer: notice },
          ...others.map((other) => this.otherEnds.part({ object: after.id, command: other })),
        );
      },
    });
    return fillPersonalFields(answer, this.deals, (shown: ShownDeal, deal) =>
      this.views.fillPersonal(shown, deal, caller),
    );
  }

  private async applyStep(
    tx: Tx,
    { id, actor, action, facts = {}, lateMs = 0, refuse, givenBy, onApplied }: Step,
  ): Promise<{ readonly before: AcceptorDeal; readonly after: AcceptorDeal }> {
    // The timer is cancelled before the deal is locked, in the order of a deadline that fires, so that the two do not
    // deadlock.
    await this.timers.cancel(tx, ACCEPTOR_TIMER, id);
    const deal = await this.deals.lock(tx, id);
    if (!deal || !isVisibleTo(deal, actor)) throw new Refused('common.notFound', {}, { field: 'id' });
    const now = this.clock.now();
    const next = applyAction(deal, action, now) ?? (action === 'object' ? disputeDeal(deal, now, lateMs) : null);
    if (!next) throw new Refused('acceptor.state', {}, { field: 'id' });
    refuse?.(deal, now);
    if (givenBy) refuseOut(givenBy, deal.createdAt, now);
    const after = { ...next, ...facts };
    await this.deals.save(tx, after);
    if (after.dueAt !== null) await this.timers.set(tx, ACCEPTOR_TIMER, id, after.dueAt);
    tx.emit(TOPICS.userNotices, 0, userNotices(toAcceptorNotices(after, action)));
    onApplied?.(tx, deal, after);
    return { before: deal, after };
  }

  /** Handles due deadlines. Auth is asked before any deal is locked, so that no call waits for auth behind a lock. */
  private async expireAll(tx: Tx, due: readonly DueTimer[]): Promise<void> {
    const seen = await Promise.all(due.map(async ({ id, dueAt }) => ({ deal: await this.deals.find(id), dueAt })));
    const silent = seen.flatMap(({ deal, dueAt }) =>
      deal && applyDeadline(deal, dueAt, dueAt)?.state === 'confirmed' ? [deal.userId] : [],
    );
    const mayAnswer = await this.findAnswerPermissions(silent);
    for (const { id, dueAt } of due) await this.expire(tx, id, dueAt, mayAnswer);
  }

  /** Handles one deadline, due at `now`; a faster step may have moved it or removed it. */
  private async expire(tx: Tx, id: string, now: number, mayAnswer: ReadonlyMap<number, boolean>): Promise<void> {
    const deal = await this.deals.lock(tx, id);
    const due = deal && applyDeadline(deal, now, this.clock.now());
    if (!due) return;
    const isKnown = due.state !== 'confirmed' || mayAnswer.has(due.userId);
    if (!isKnown) throw new Error(`the deal ${id} was moved meanwhile: its deadline is retried`);
    const isOwed = due.state === 'confirmed' && mayAnswer.get(due.userId) === false;
    const next = isOwed ? leaveToFinance(deal, now) : due;
    await this.deals.save(tx, next);
    tx.emit(TOPICS.userNotices, 0, userNotices(toAcceptorNotices(next, null)));
    if (isOwed) this.recordFrozen(tx, next, now);
    if (next.state === 'open') return;
    const [command, ...others] = this.createOrders(next);
    await this.ends.begin(tx, { object: id, command: command! });
    for (const other of others) await this.otherEnds.begin(tx, { object: id, command: other });
  }

  /**
   * Whether people are able to object, for deals whose silence would count as consent. While auth is unavailable the
   * deadlines are retried.
   */
  private async findAnswerPermissions(userIds: readonly number[]): Promise<ReadonlyMap<number, boolean>> {
    if (userIds.length === 0) return new Map();
    const facts = await this.parties.facts(userIds);
    return new Map(userIds.map((userId) => [userId, facts.get(userId)?.mayAnswer !== false]));
  }
  private recordFrozen(tx: Tx, { id, userId, acceptorId, stage }: AcceptorDeal, at: number): void {
    recordChange(tx, {
      service: SERVICE,
      action: 'acceptor_deals.frozen',
      target: `deal:${id}`,
      subjects: [userId, acceptorId],
      before: { stage: 'transferred' },
      after: { stage },
      by: { operatorId: 0, operator: SERVICE, reason: `the account of ${userId} is frozen: silence is no consent` },
      at,
    });
  }

  private createOrders(deal: AcceptorDeal) {
    return createEndOrders(deal, deal.state === 'confirmed', this.config.ledgerPartitions);
  }
}

/** Whether the deal is visible to the actor. */
function isVisibleTo(deal: AcceptorDeal, actor: AcceptorActor): boolean {
  if (deal.state === 'asking' || deal.state === 'holding') return false;
  if (actor === 'finance') return true;
  return 'userId' in actor ? deal.userId === actor.userId : deal.acceptorId === actor.acceptorId;
}
