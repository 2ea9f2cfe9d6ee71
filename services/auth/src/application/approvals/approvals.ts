import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { SECOND_PERSON_HOURS, type DataPage } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { Clock, includesRole, Refused, SecurityLog, timeText, type Caller, type Page } from '@bourse/platform';
import { dataPage } from '../data-page.js';
import { AuthDatabase } from '../ports/database.js';
import { Operators } from '../ports/operators.js';
import { actorOf, AuditLog } from '../audit-log.js';
import {
  ApprovalStore,
  type Approval,
  type ApprovalState,
  type CarriedOut,
  type Shown,
  type WaitingCall,
} from './ports.js';
import { SecondPerson } from './second-person.js';

/** What nobody decides for this long is rejected by itself, business time. */
const WAITS_MS = 7 * 24 * 3_600_000;

export interface ApprovalRow {
  readonly id: number;
  readonly call: string;
  readonly target: string;
  readonly reason: string;
  readonly before: Shown;
  readonly after: Shown;
  readonly state: ApprovalState;
  readonly created_by: string;
  readonly decided_by: string;
  readonly create_time: string;
}
interface Request<P> {
  readonly target: string;
  readonly reason: string;
  readonly after: Shown;
  readonly payload: P;
}

/**
 * Calls of operators that take two people and have no list of their own: they wait here until a second person of the
 * same role approves them, and are then carried out against what stands at that time, in the transaction of the
 * decision (api §2.12) [HARD-104].
 */
@Injectable()
export class Approvals {
  private readonly calls = new Map<string, WaitingCall<unknown>>();

  constructor(
    private readonly database: AuthDatabase,
    private readonly store: ApprovalStore,
    private readonly operators: Operators,
    private readonly second: SecondPerson,
    private readonly trail: AuditLog,
    private readonly security: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** Names a call that waits; `ask` then takes its requests. Once for each name, before the first request. */
  register<P>(call: WaitingCall<P>): (caller: Caller, request: Request<P>) => Promise<number> {
    if (this.calls.has(call.name)) throw new Error(`invariant: two calls that wait are named ${call.name}`);
    this.calls.set(call.name, call as WaitingCall<unknown>);
    return (caller, request) => this.ask(call, caller, request);
  }

  /** Those of the calls that the caller's roles reach, newest first. */
  async list(caller: Caller, state: ApprovalState | undefined, page: Page): Promise<DataPage<ApprovalRow>> {
    const calls = [...this.calls.values()]
      .filter(({ role }) => includesRole(caller.roles, role))
      .map(({ name }) => name);
    const { rows, total } = await this.store.list(this.database, { calls, state }, page, this.clock.now());
    return dataPage(rows.map(rowOf), total, page);
  }

  /**
   * Carries one out and answers what only the approver is shown. Throws `common.notFound`, `common.forbidden` for a
   * role that is too low, `admin.decided`, `admin.samePerson` {hours} (`SecondPerson`), `admin.outdated` when what it
   * was about or who asked for it has changed.
   */
  async approve(caller: Caller, id: number, reason: string): Promise<Shown> {
    const { result, call } = await this.database.transaction(async (tx) => {
      const { approval, call } = await this.waiting(tx, caller, id);
      const [requester, approver] = [
        await this.operators.byId(tx, approval.createdBy),
        await this.operators.byId(tx, caller.userId),
      ];
      // The caller's record may be a minute old; what was taken away since counts.
      if (!approver?.active || !includesRole(approver.roles, call.role)) throw new Refused('common.forbidden');
      await this.second.require(caller.userId, [approval.createdBy], tx);
      if ((await call.subject?.(tx, approval.payload)) === caller.userId)
        throw new Refused('admin.samePerson', { hours: SECOND_PERSON_HOURS });
      if (!requester?.active || !includesRole(requester.roles, call.role)) throw new Refused('admin.outdated');
      const before = await call.before(tx, approval.payload);
      if (!before || !isDeepStrictEqual(plain(before), approval.before)) throw new Refused('admin.outdated');
      const result: CarriedOut = await call.carryOut(tx, approval.payload, {
        requesterId: approval.createdBy,
        approver: actorOf(caller),
        reason: approval.reason,
      });
      await this.decide(tx, caller, approval, { state: 'approved', reason });
      return { result, call };
    });
    await result.tell();
    this.security.record('approval.approved', { approval_id: id, call: call.name });
    return result.shown ?? {};
  }

  /**
   * Who asked may take it back; anybody else of the role may refuse it. Throws as `approve`, but knows no second
   * person.
   */
  async reject(caller: Caller, id: number, reason: string): Promise<void> {
    const name = await this.database.transaction(async (tx) => {
      const { approval, call } = await this.waiting(tx, caller, id);
      await this.decide(tx, caller, approval, { state: 'rejected', reason });
      return call.name;
    });
    this.security.record('approval.rejected', { approval_id: id, call: name });
  }

  private async ask<P>(
    call: WaitingCall<P>,
    caller: Caller,
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

  private async waiting(
    tx: Tx,
    caller: Caller,
    id: number,
  ): Promise<{ readonly approval: Approval; readonly call: WaitingCall<unknown> }> {
    const approval = await this.store.lock(tx, id, this.clock.now());
    const call = approval && this.calls.get(approval.call);
    if (!call) throw new Refused('common.notFound', {}, { field: 'id' });
    if (!includesRole(caller.roles, call.role)) throw new Refused('common.forbidden');
    if (approval.state !== 'waiting') throw new Refused('admin.decided', { state: approval.state }, { field: 'id' });
    return { approval, call };
  }

  private async decide(
    tx: Tx,
    caller: Caller,
    { id, call, target, before, after }: Approval,
    { state, reason }: { readonly state: 'approved' | 'rejected'; readonly reason: string },
  ): Promise<void> {
    await this.store.decide(tx, id, { state, by: caller.userId, reason }, this.clock.now());
    this.trail.record(tx, actorOf(caller), {
      action: `${actionOf(call)}.${state === 'approved' ? 'approve' : 'reject'}`,
      target,
      reason,
      before,
      after: { ...(state === 'approved' ? after : before), approval_id: id },
    });
  }
}

const actionOf = (call: string): string => call.replaceAll('/', '.');
/** As it comes back from the database. */
const plain = (shown: Shown): unknown => JSON.parse(JSON.stringify(shown));
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
});
