import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Complaint, ComplaintMessage, ComplaintState } from '../domain/complaint.js';

interface Slice {
  readonly offset: number;
  readonly size: number;
}
/** A message as it is written; `operatorId` of the operator who answers. */
export interface NewMessage extends ComplaintMessage {
  readonly operatorId: number | null;
}

/** The filter of support's list. */
export interface ComplaintFilter {
  readonly state?: ComplaintState | undefined;
  readonly userId?: number | undefined;
}

export abstract class ComplaintStore {
  /**
   * The number of a person's complaints that are not closed; locks opening and counting them until the transaction
   * ends.
   */
  abstract openOf(tx: Tx, userId: number): Promise<number>;
  abstract insert(tx: Tx, complaint: Complaint): Promise<void>;
  abstract save(tx: Tx, complaint: Complaint): Promise<void>;
  /** Adds the next message of a complaint. */
  abstract addMessage(tx: Tx, id: number, message: NewMessage): Promise<void>;
  abstract lock(tx: Tx, id: number): Promise<Complaint | null>;
  abstract find(id: number): Promise<Complaint | null>;
  /** A page of a person's complaints, last changed first. */
  abstract ofUser(userId: number, page: Slice): Promise<Rows<Complaint>>;
  /**
   * A page of the complaints of all people or of one: open ones longest waiting first, then the others last changed
   * first.
   */
  abstract list(filter: ComplaintFilter, page: Slice): Promise<Rows<Complaint>>;
  abstract messages(id: number): Promise<readonly ComplaintMessage[]>;
  /** How many wait for support. */
  abstract waiting(): Promise<number>;
}
