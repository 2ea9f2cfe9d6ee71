import type { ChangeFacts } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Sponsorship } from '../../domain/second-person.js';
import type { Sql } from '../ports/database.js';
import type { OperatorRole } from '../ports/operators.js';
import type { Actor } from '../audit-log.js';

export const APPROVAL_STATES = ['waiting', 'approved', 'rejected'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];
export interface NewApproval {
  readonly call: string;
  readonly target: string;
  readonly reason: string;
  readonly before: ChangeFacts;
  readonly after: ChangeFacts;
  /**
   * What carrying it out needs. It may hold a password's hash; it is shown to nobody, and emptied when nothing is left
   * to do.
   */
  readonly payload: unknown;
  readonly createdBy: number;
}
/** One call that waits, or waited. Times are business time, ms. */
export interface Approval extends NewApproval {
  readonly id: number;
  /** As it counts now: one that nobody has decided in time is rejected. */
  readonly state: ApprovalState;
  readonly createdByName: string;
  /** Who decided; null and empty: nobody, or nobody in time. */
  readonly decidedBy: number | null;
  readonly decidedByName: string;
  readonly createdAt: number;
  /** When an approved one that is held comes, or has come, into force; null: it is none of these. */
  readonly inForceAt: number | null;
  /** Approved, and not in force yet. */
  readonly isHeld: boolean;
}

/** What waits for a second operator, and who stands behind whose access. */
export abstract class ApprovalStore {
  abstract add(tx: Tx, approval: NewApproval, now: number, expiresAt: number): Promise<number>;
  /** Locks it; null: there is none. */
  abstract lock(tx: Tx, id: number, now: number): Promise<Approval | null>;
  /** `by` null: it was outdated when it would have come into force. */
  abstract decide(
    tx: Tx,
    id: number,
    decision: { readonly state: 'approved' | 'rejected'; readonly by: number | null; readonly reason: string },
    now: number,
  ): Promise<void>;
  /** Notes that it is approved and comes into force later. */
  abstract hold(
    tx: Tx,
    id: number,
    approval: { readonly by: number; readonly reason: string; readonly inForceAt: number },
    now: number,
  ): Promise<void>;
  /** Notes that a held one was carried out. */
  abstract release(tx: Tx, id: number, now: number): Promise<void>;
  /** Those of some calls that are not in force: waiting for a second person, or held. */
  abstract pending(sql: Sql, calls: readonly string[], now: number): Promise<readonly Approval[]>;
  /** Those of some calls, newest first. */
  abstract list(
    sql: Sql,
    filter: { readonly calls: readonly string[]; readonly state?: ApprovalState | undefined },
    page: { readonly size: number; readonly offset: number },
    now: number,
  ): Promise<{ readonly rows: readonly Approval[]; readonly total: number }>;
  /** How many wait for a second person now, of all calls, and how many are held. */
  abstract waiting(sql: Sql, now: number): Promise<{ readonly waiting: number; readonly held: number }>;
  /** Rejects what nobody decided in time, and empties what it would have needed; answers how many. */
  abstract expire(sql: Sql, now: number): Promise<number>;
  abstract sponsor(tx: Tx, operatorId: number, sponsorIds: readonly number[], now: number): Promise<void>;
  /** Sponsorships that began after a time. */
  abstract sponsorships(sql: Sql, after: number): Promise<readonly Sponsorship[]>;
}

/**
 * What a call that was carried out leaves to do: news to tell after the commit, and what only the approver is shown,
 * once.
 */
export interface CarriedOut {
  readonly shown?: ChangeFacts;
  tell(): Promise<void>;
}
/** A call that takes two people (`4E` in api §2.12) and has no list of its own. */
export interface WaitingCall<P> {
  readonly name: string;
  /** Lowest role of who asks for it, approves it or refuses it. */
  readonly role: OperatorRole;
  /** What stands now, read in the transaction; null when there is nothing left that it could change. */
  before(tx: Tx, payload: P): Promise<ChangeFacts | null>;
  /**
   * How long after the approval it comes into force, business time, ms; a third person who approves as well brings it
   * into force at once. Undefined: it is carried out with the approval.
   */
  readonly holdMs?: number | undefined;
  /** The operator whose access it changes: such a person does not approve it. */
  subject?(tx: Tx, payload: P): Promise<number | null>;
  /**
   * Does it, in the transaction of the decision. One that is held may be asked for twice and must change nothing the
   * second time. @throws Refused `admin.outdated`
   */
  carryOut(
    tx: Tx,
    payload: P,
    people: {
      readonly requesterId: number;
      readonly approver: Actor;
      readonly reason: string;
      readonly approval: Approval;
      /** Names of those who approved it. */
      readonly approvedBy: readonly string[];
    },
  ): Promise<CarriedOut>;
}
