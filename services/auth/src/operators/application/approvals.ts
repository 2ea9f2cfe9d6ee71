import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { toDataPage, SECOND_PERSON_HOURS, type DataPage } from '@bourse/contract';
import type { ChangeFacts, WaitingChange } from '@bourse/messaging';
import { Timers, type Tx } from '@bourse/persistence';
import {
  Clock,
  includesRole,
  Refused,
  refusalType,
  SecurityLog,
  timeText,
  type Caller,
  type Page,
} from '@bourse/platform';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { actorOf, AuditLog, type Actor } from '../../shared/application/audit-log.js';
import { ApprovalStore, type Approval, type CarriedOut, type WaitingCall } from './approval-ports.js';
import { SecondPerson } from './second-person.js';
import type { ApprovalState } from '../../shared/application/ports/approval-state.js';

/** Timers of changes that are approved and held, and of calls whose service has not answered. */
const IN_FORCE = 'approval.inForce';
/** A call whose service has not answered by then is asked for again, each time after twice that, business time. */
const REPEAT_MS = 5_000;
const REPEAT_MAX_MS = 60_000;
/** A call that is not decided for this long is rejected automatically, business time. */
const WAITS_MS = 7 * 24 * 3_600_000;

export interface ApprovalRow {
  readonly id: number;
  readonly call: string;
  readonly target: string;
  readonly reason: string;
  readonly before: ChangeFacts;
  readonly after: ChangeFacts;
  readonly state: ApprovalState;
  readonly created_by: string;
  readonly decided_by: string;
  readonly create_time: string;
  /** When an approved change of a guarded row comes, or came, into force; empty for any other call. */
  readonly in_force_at: string;
  /** Approved, and not in force yet, or not known to be. */
  readonly held: 0 | 1;
  /** Its service was asked to carry it out and has not answered: it is asked again, and the call cannot be rejected. */
  readonly sent: 0 | 1;
  /** Since when, and how often it was asked; empty and 0 otherwise. */
  readonly sent_time: string;
  readonly sent_tries: number;
}
interface Request<P> {
  readonly target: string;
  readonly reason: string;
  readonly after: ChangeFacts;
  readonly payload: P;
}

/**
 * Operators' calls that take two people and have no list of their own: they wait here until a second person of the same
 * role approves them, and are then carried out against the state at that time, in the transaction of the decision
 * (api §2.12) [HARD-104]. Changes of guarded rows are held for an hour after the approval, in which anybody of the role
 * may still reject them, unless a third person approves as well [HARD-463]. A call that another service carries out is
 * marked as sent first: while that service's answer is unknown the call is repeated and cannot be rejected.
 */
@Injectable()
export class Approvals {
  private readonly calls = new Map<string, WaitingCall<unknown>>();
  private readonly logger = new Logger('Approvals');

  constructor(
    private readonly database: AuthDatabase,
    private readonly store: ApprovalStore,
    private readonly second: SecondPerson,
    private readonly trail: AuditLog,
    private readonly security: SecurityLog,
    private readonly clock: Clock,
    private readonly timers: Timers,
  ) {
    timers.handle(IN_FORCE, ({ id }, tx) => this.comeIntoForce(tx, Number(id)));
  }

  /** Registers a call that waits; the returned function takes its requests. Once per name, before the first request. */
  register<P>(call: WaitingCall<P>): (caller: Requester, request: Request<P>) => Promise<number> {
    if (this.calls.has(call.name)) throw new Error(`invariant: two calls that wait are named ${call.name}`);
    this.calls.set(call.name, call as WaitingCall<unknown>);
    return (caller, request) => this.ask(call, caller, request);
  }

  /** Those of the calls that the caller's roles include, newest first. */
  async list(caller: Caller, state: ApprovalState | undefined, page: Page): Promise<DataPage<ApprovalRow>> {
    const calls = [...this.calls.values()]
      .filter(({ role }) => includesRole(caller.roles, role))
      .map(({ name }) => name);
    const { rows, total } = await this.store.list(this.database, { calls, state }, page, this.clock.now());
    return toDataPage({ rows, total }, page, rowOf);
  }

  /** Those of these calls that are not in force yet, oldest first. */
  async pending(calls: readonly string[]): Promise<WaitingChange[]> {
    return (await this.store.pending(this.database, calls, this.clock.now())).map(
      ({ id: approvalId, target, after, inForceAt }) => ({ approvalId, target, after, inForceAt }),
    );
  }

  /**
   * Carries a call out and returns the part that only the approver is shown; a change of a guarded row is held first,
   * and carried out when a third person approves it too. Throws `common.notFound`, `common.forbidden` for a role that
   * is too low, `admin.decided`, `admin.samePerson` {hours} (`SecondPerson`), `admin.outdated` when its subject or its
   * requester has changed; `AskUnavailable` when its service has not answered: then the call stays sent.
   */
  async approve(caller: Caller, id: number, reason: string): Promise<ChangeFacts> {
    const { approved, call } = await this.database.transaction(async (tx) => {
      const { approval, call } = await this.undecided(tx, caller, id);
      if (!(await this.second.has(caller.userId, call.role, tx))) throw new Refused('common.forbidden');
      // One approval is enough for a call that is not held for an hour: its approver may ask again for the answer.
      const first = call.holdMs === undefined ? null : approval.decidedBy;
      const others = first === null ? [approval.createdBy] : [approval.createdBy, first];
      await this.second.require(caller.userId, others, tx);
      if ((await call.subject?.(tx, approval.payload)) === caller.userId)
        throw new Refused('admin.samePerson', { hours: SECOND_PERSON_HOURS });
      if (!(await this.second.has(approval.createdBy, call.role, tx))) throw new Refused('admin.outdated');
      return { approved: await this.approved(tx, caller, { approval, call, reason }), call };
    });
    const result = approved ?? (await this.carryOutSent(id, actorOf(caller)));
    await result.publishEvents();
    this.security.record('approval.approved', { approval_id: id, call: call.name });
    return result.shown ?? {};
  }

  /**
   * The effect of one person's approval: a held change that is approved once more is carried out. Null: the call is
   * marked as sent, and has to be carried out once that is committed.
   */
  private async approved(
    tx: Tx,
    caller: Caller,
    {
      approval,
      call,
      reason,
    }: { readonly approval: Approval; readonly call: WaitingCall<unknown>; readonly reason: string },
  ): Promise<CarriedOut | null> {
    const { id } = approval;
    const now = this.clock.now();
    if (approval.sent) {
      await this.store.countTry(tx, id);
      return null;
    }
    if (approval.isHeld) {
      this.recordDecision(tx, actorOf(caller), approval, { state: 'approved', reason, inForceAt: now });
      await this.send(tx, id, caller.userId);
      return null;
    }
    const before = await call.before(tx, approval.payload);
    if (!before || !isDeepStrictEqual(plain(before), approval.before)) throw new Refused('admin.outdated');
    if (call.isAsked && call.holdMs === undefined) {
      await this.store.hold(tx, id, { by: caller.userId, reason, inForceAt: null }, now);
      await this.send(tx, id, caller.userId);
      return null;
    }
    if (call.holdMs === undefined) {
      const result = await this.carryOut(tx, call, approval, actorOf(caller));
      await this.decide(tx, caller, approval, { state: 'approved', reason });
      return result;
    }
    const inForceAt = now + call.holdMs;
    await this.store.hold(tx, id, { by: caller.userId, reason, inForceAt }, now);
    await this.timers.set(tx, IN_FORCE, String(id), inForceAt);
    this.recordDecision(tx, actorOf(caller), approval, { state: 'approved', reason, inForceAt });
    return { shown: { in_force_at: timeText(inForceAt) }, publishEvents: () => Promise.resolve() };
  }

  /** Marks a held call as sent, and has it carried out again later in case no answer comes. */
  private async send(tx: Tx, id: number, by: number): Promise<void> {
    const now = this.clock.now();
    await this.store.send(tx, id, by, now);
    await this.store.countTry(tx, id);
    await this.timers.set(tx, IN_FORCE, String(id), now + REPEAT_MS);
  }

  /** Asks the service of a call that is marked as sent. @throws Refused, AskUnavailable */
  private async carryOutSent(id: number, approver: Actor): Promise<CarriedOut> {
    const outcome = await this.database.transaction(async (tx) => {
      const approval = await this.lock(tx, id);
      const call = approval && this.calls.get(approval.call);
      // Its timer has meanwhile had the answer.
      if (!call || !approval.sent)
        return approval?.state === 'approved' && !approval.isHeld ? DONE : new Refused('admin.outdated');
      const by = approval.sent.by.id === approver.id ? approver : approval.sent.by;
      const outcome = await this.answerOf(tx, call, approval, by);
      if (!(outcome instanceof Refused)) await this.timers.cancel(tx, IN_FORCE, String(id));
      else if (call.holdMs !== undefined) {
        await this.store.unsend(tx, id);
        await this.timers.set(tx, IN_FORCE, String(id), approval.inForceAt ?? this.clock.now());
      }
      return outcome;
    });
    if (outcome instanceof Refused) throw outcome;
    return outcome;
  }

  /**
   * Carries out a call that is marked as sent, and records the outcome once it is known. A refusal has had no effect:
   * the call waits for a second person again, or stays held where it is one of a guarded row.
   */
  private async answerOf(
    tx: Tx,
    call: WaitingCall<unknown>,
    approval: Approval,
    by: Actor,
  ): Promise<CarriedOut | Refused> {
    const { id } = approval;
    const isGuarded = call.holdMs !== undefined;
    try {
      const result = await this.carryOut(tx, call, approval, by);
      await this.store.release(tx, id, isGuarded ? this.clock.now() : null);
      if (!isGuarded) this.recordDecision(tx, by, approval, { state: 'approved', reason: approval.decisionReason });
      return result;
    } catch (error) {
      if (!(error instanceof Refused) || refusalType(error) === 'pending') throw error;
      if (!isGuarded) {
        await this.store.reopen(tx, id);
        await this.timers.cancel(tx, IN_FORCE, String(id));
      }
      return error;
    }
  }

  /**
   * Carries out a held change at its time, or a call again whose service has not answered. A change whose requester or
   * approver has lost the role, or whose value in force has changed since the request, is dropped. The owning service
   * checks the latter; the former is checked before the call is sent, since it may be in force after that.
   */
  private async comeIntoForce(tx: Tx, id: number): Promise<void> {
    const approval = await this.store.lock(tx, id, this.clock.now());
    const call = approval && this.calls.get(approval.call);
    if (!call || !approval.isHeld || approval.decidedBy === null) return;
    const drop = async (why: string): Promise<void> => {
      await this.store.decide(tx, id, { state: 'rejected', by: null, reason: why }, this.clock.now());
      this.trail.record(
        tx,
        { id: 0, name: 'auth' },
        {
          action: `${actionOf(approval.call)}.drop`,
          target: approval.target,
          reason: why,
          before: approval.before,
          after: { ...approval.before, approval_id: id },
        },
      );
    };
    if (approval.sent) {
      let outcome: CarriedOut | Refused;
      try {
        outcome = await this.answerOf(tx, call, approval, approval.sent.by);
      } catch (error) {
        this.logger.warn(`approval ${id} (${approval.call}) has no answer: ${(error as Error).message}`);
        return this.repeat(tx, id, approval.sent.tries);
      }
      if (!(outcome instanceof Refused)) tx.afterCommit(() => void outcome.publishEvents());
      else if (call.holdMs !== undefined && outcome.key !== 'admin.outdated') {
        this.logger.warn(`approval ${id} (${approval.call}) is refused: ${outcome.key}`);
        await this.repeat(tx, id, approval.sent.tries);
      } else if (call.holdMs !== undefined)
        await drop('What is in force has changed since it was asked for, or its bounds no longer hold.');
      return;
    }
    for (const operatorId of [approval.createdBy, approval.decidedBy])
      if (!(await this.second.has(operatorId, call.role, tx)))
        return drop('Who asked for it or approved it is no operator of the role any more.');
    await this.store.send(tx, id, approval.decidedBy, this.clock.now());
    // It is carried out by the next timer, once it is committed that it is sent.
    await this.timers.set(tx, IN_FORCE, String(id), this.clock.now());
  }

  /** Has a sent call carried out again after it was tried once more in vain. */
  private async repeat(tx: Tx, id: number, triesBefore: number): Promise<void> {
    await this.store.countTry(tx, id);
    const waitMs = Math.min(REPEAT_MS * 2 ** triesBefore, REPEAT_MAX_MS);
    await this.timers.set(tx, IN_FORCE, String(id), this.clock.now() + waitMs);
  }

  /** Locks a call, after its timer: the timer's handler has them in that order, too. */
  private async lock(tx: Tx, id: number): Promise<Approval | null> {
    await this.timers.lock(tx, IN_FORCE, String(id));
    return this.store.lock(tx, id, this.clock.now());
  }

  private carryOut(tx: Tx, call: WaitingCall<unknown>, approval: Approval, approver: Actor): Promise<CarriedOut> {
    return call.carryOut(tx, approval.payload, {
      requesterId: approval.createdBy,
      approver,
      reason: approval.reason,
      approval,
      approvedBy: [...new Set([...(approval.isHeld ? [approval.decidedByName] : []), approver.name])],
    });
  }

  /**
   * The requester may withdraw the call; anybody else of the role may reject it, also while it is held, unless its
   * service was asked to carry it out: then `admin.decided`. Throws like `approve`, except for the second person.
   */
  async reject(caller: Caller, id: number, reason: string): Promise<void> {
    const name = await this.database.transaction(async (tx) => {
      const { approval, call } = await this.undecided(tx, caller, id);
      // It may be in force already.
      if (approval.sent) throw new Refused('admin.decided', { state: approval.state }, { field: 'id' });
      if (approval.isHeld) await this.timers.cancel(tx, IN_FORCE, String(id));
      await this.decide(tx, caller, approval, { state: 'rejected', reason });
      return call.name;
    });
    this.security.record('approval.rejected', { approval_id: id, call: name });
  }

  private async ask<P>(
    call: WaitingCall<P>,
    caller: Requester,
    { target, reason, after, payload }: Request<P>,
  ): Promise<number> {
    const now = this.clock.now();
    const id = await this.database.transaction(async (tx) => {
      const before = await call.before(tx, payload);
      if (!before) throw new Refused('common.notFound');
      const id = await this.store.add(
        tx,
        { call: call.name, target, reason, before, after, payload, createdBy: caller.userId },
        now,
        now + WAITS_MS,
      );
      this.trail.record(tx, actorOf(caller), {
        action: `${actionOf(call.name)}.request`,
        target,
        reason,
        before,
        after: { ...after, approval_id: id },
      });
      return id;
    });
    this.security.record('approval.requested', { approval_id: id, call: call.name, target });
    return id;
  }

  /** Returns a call that waits or is held. */
  private async undecided(
    tx: Tx,
    caller: Caller,
    id: number,
  ): Promise<{ readonly approval: Approval; readonly call: WaitingCall<unknown> }> {
    const approval = await this.lock(tx, id);
    const call = approval && this.calls.get(approval.call);
    if (!call) throw new Refused('common.notFound', {}, { field: 'id' });
    if (!includesRole(caller.roles, call.role)) throw new Refused('common.forbidden');
    if (approval.state !== 'waiting' && !approval.isHeld)
      throw new Refused('admin.decided', { state: approval.state }, { field: 'id' });
    return { approval, call };
  }

  private async decide(tx: Tx, caller: Caller, approval: Approval, decision: Decision): Promise<void> {
    const { state, reason } = decision;
    await this.store.decide(tx, approval.id, { state, by: caller.userId, reason }, this.clock.now());
    this.recordDecision(tx, actorOf(caller), approval, decision);
  }

  private recordDecision(
    tx: Tx,
    by: Actor,
    { id, call, target, before, after }: Approval,
    { state, reason, inForceAt }: Decision,
  ): void {
    this.trail.record(tx, by, {
      action: `${actionOf(call)}.${state === 'approved' ? 'approve' : 'reject'}`,
      target,
      reason,
      before,
      after: {
        ...(state === 'approved' ? after : before),
        approval_id: id,
        ...(inForceAt === undefined ? {} : { in_force_at: timeText(inForceAt) }),
      },
    });
  }
}

/** The requester of a call, as named in the audit log. */
type Requester = Pick<Caller, 'userId' | 'accountNumber'>;
interface Decision {
  readonly state: 'approved' | 'rejected';
  readonly reason: string;
  /** Of a change that is or was held. */
  readonly inForceAt?: number;
}

const DONE: CarriedOut = { publishEvents: () => Promise.resolve() };
const actionOf = (call: string): string => call.replaceAll('/', '.');
/** As it comes back from the database. */
const plain = (shown: ChangeFacts): unknown => JSON.parse(JSON.stringify(shown));
const rowOf = (approval: Approval): ApprovalRow => ({
  id: approval.id,
  call: approval.call,
  target: approval.target,
  reason: approval.reason,
  before: approval.before,
  after: approval.after,
  state: approval.state,
  created_by: approval.createdByName,
  decided_by: approval.decidedByName,
  create_time: timeText(approval.createdAt),
  in_force_at: timeText(approval.inForceAt),
  held: approval.isHeld ? 1 : 0,
  sent: approval.sent ? 1 : 0,
  sent_time: timeText(approval.sent?.at ?? null),
  sent_tries: approval.sent?.tries ?? 0,
});
