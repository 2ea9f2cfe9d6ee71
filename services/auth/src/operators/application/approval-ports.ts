import type { Rows } from '@bourse/contract';
import type { ChangeFacts } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Sponsorship } from '../domain/second-person.js';
import type { ApprovalState } from '../../shared/application/ports/approval-state.js';
import type { Sql } from '../../shared/application/ports/database.js';
import type { OperatorRole } from '../../shared/application/ports/operators.js';
import type { Actor } from '../../shared/application/audit-log.js';

export interface NewApproval {
  readonly call: string;
  readonly target: string;
  readonly reason: string;
  readonly before: ChangeFacts;
  readonly after: ChangeFacts;
  /**
   * Data needed to carry the call out. It may hold a password's hash; it is never shown, and is emptied when nothing is
   * left to do.
   */
  readonly payload: unknown;
  readonly createdBy: number;
}
/** One call that waits or waited. Times are business time, ms. */
export interface Approval extends NewApproval {
  readonly id: number;
  /** The effective state: a call that was not decided in time is rejected. */
  readonly state: ApprovalState;
  readonly createdByName: string;
  /** The deciding operator; null and empty: not decided, or not in time. */
  readonly decidedBy: number | null;
  readonly decidedByName: string;
  readonly decisionReason: string;
  readonly createdAt: number;
  /** When an approved call that is held comes, or has come, into force; null otherwise. */
  readonly inForceAt: number | null;
  /** Approved and not in force yet, or not known to be. */
  readonly isHeld: boolean;
  /** Its service was asked to carry it out, and the outcome is not known; null otherwise. Always held. */
  readonly sent: { readonly by: Actor; readonly at: number; readonly tries: number } | null;
}

/** Calls that wait for a second operator, and the sponsors of operators. */
export abstract class ApprovalStore {
  abstract add(tx: Tx, approval: NewApproval, now: number, expiresAt: number): Promise<number>;
  /** Locks the call. Null: it does not exist. */
  abstract lock(tx: Tx, id: number, now: number): Promise<Approval | null>;
  /** `by` null: it was outdated when it would have come into force. */
  abstract decide(
    tx: Tx,
    id: number,
    decision: { readonly state: 'approved' | 'rejected'; readonly by: number | null; readonly reason: string },
    now: number,
  ): Promise<void>;
  /** Records that the call is approved and comes into force later; null: as soon as its service has answered. */
  abstract hold(
    tx: Tx,
    id: number,
    approval: { readonly by: number; readonly reason: string; readonly inForceAt: number | null },
    now: number,
  ): Promise<void>;
  /** Records that the service of a held call is going to be asked to carry it out: it was not asked yet. */
  abstract send(tx: Tx, id: number, by: number, now: number): Promise<void>;
  /** Counts one more attempt of a call that is marked as sent. */
  abstract countTry(tx: Tx, id: number): Promise<void>;
  /** Records that the service of a held call has refused it: the call is held as before. */
  abstract unsend(tx: Tx, id: number): Promise<void>;
  /** Records that a held call waits for a second person again. */
  abstract reopen(tx: Tx, id: number): Promise<void>;
  /** Records that a held call was carried out; `inForceAt` null: it is none of a guarded row. */
  abstract release(tx: Tx, id: number, inForceAt: number | null): Promise<void>;
  /** Those of these calls that are not in force: waiting for a second person, or held. */
  abstract pending(sql: Sql, calls: readonly string[], now: number): Promise<readonly Approval[]>;
  /** Those of these calls, newest first. */
  abstract list(
    sql: Sql,
    filter: { readonly calls: readonly string[]; readonly state?: ApprovalState | undefined },
    page: { readonly size: number; readonly offset: number },
    now: number,
  ): Promise<Rows<Approval>>;
  /** Number of all calls that wait for a second person, and of those that are held. */
  abstract waiting(sql: Sql, now: number): Promise<{ readonly waiting: number; readonly held: number }>;
  /** Rejects calls that were not decided in time, and empties their payload; returns their number. */
  abstract expire(sql: Sql, now: number): Promise<number>;
  abstract sponsor(tx: Tx, operatorId: number, sponsorIds: readonly number[], now: number): Promise<void>;
  /** Sponsorships that began after a time. */
  abstract sponsorships(sql: Sql, after: number): Promise<readonly Sponsorship[]>;
}

/**
 * Work left after a call was carried out: events to publish after the commit, and the part that only the approver is
 * shown, once.
 */
export interface CarriedOut {
  readonly shown?: ChangeFacts;
  publishEvents(): Promise<void>;
}
/** A call that takes two people (`4E` in api §2.12) and has no list of its own. */
export interface WaitingCall<P> {
  readonly name: string;
  /** Lowest role for requesting, approving or rejecting it. */
  readonly role: OperatorRole;
  /** The state in force, read in the transaction; null when there is nothing left to change. */
  before(tx: Tx, payload: P): Promise<ChangeFacts | null>;
  /**
   * Time from the approval until it comes into force, business time, ms; the approval of a third person brings it into
   * force at once. Undefined: it is carried out with the approval.
   */
  readonly holdMs?: number | undefined;
  /**
   * Whether `carryOut` asks another service. The approval is then committed first: if no answer comes, the call may
   * have taken effect, so it can no longer be rejected, and is asked for again until the outcome is known.
   */
  readonly isAsked?: true;
  /** The operator whose access it changes, who may not approve it. */
  subject?(tx: Tx, payload: P): Promise<number | null>;
  /**
   * Carries the call out, in the transaction of the decision. One of another service may be carried out twice and must
   * change nothing the second time (`approval.sent.at` is the same then). @throws Refused `admin.outdated`; a refusal
   * that is not of type `pending` says that it has had no effect
   */
  carryOut(
    tx: Tx,
    payload: P,
    people: {
      readonly requesterId: number;
      readonly approver: Actor;
      readonly reason: string;
      readonly approval: Approval;
      /** Names of the approvers. */
      readonly approvedBy: readonly string[];
    },
  ): Promise<CarriedOut>;
}
