import type { Log, Replies } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import type { Alarms, Clock, Notice, Refused } from '@bourse/platform';
import type { LedgerOrder } from './ledger-client.js';

/** The answer to a call that waits for a saga. */
export type SagaAnswer = Notice | Refused;

/** The outcome of a saga, as its handlers get it. */
export interface Outcome<Note> {
  /** The id of the object, as it was given to `begin`. */
  readonly object: string;
  readonly userId: number;
  /** The note that `begin` stored for the handlers. */
  readonly note: Note;
  /** The amount really held, decimal text; null where the command holds nothing. */
  readonly held: string | null;
  /** When the ledger accepted it, in business time (`Clock.now`), ms; decisions by time are based on it. */
  readonly acceptedAt: number;
}

/**
 * A handler's answer when the call keeps waiting for the end of another step: `Saga.next` and `Moves.next` return it
 * [SAGA-019].
 */
export class Continued {
  constructor(
    /** The outcome whose call keeps waiting. */
    readonly outcome: Outcome<unknown>,
  ) {}
}

/** How one kind of object opens (architecture §7). Both handlers run in the transaction that ends the saga. */
export interface SagaSpec<Note> {
  /** Unique in its service, and never changed: rows and messages carry it. */
  readonly name: string;
  /** The journal was posted: the object opens, or its next step begins. Returns the caller's answer. */
  onPosted?(tx: Tx, outcome: Outcome<Note>): Promise<SagaAnswer | Continued>;
  /**
   * Replaces `onPosted` for kinds of which many open in one second: gets all results that arrived together. Returns an
   * answer for each, in their order.
   */
  onAllPosted?(tx: Tx, outcomes: readonly Outcome<Note>[]): Promise<readonly SagaAnswer[]>;
  /**
   * No money has moved and none will: the object is refused, and its counters are released. Returns the caller's
   * answer. The result of an earlier step is reversed first, by `Moves.next`.
   */
  onRefused(tx: Tx, outcome: Outcome<Note>, refusal: Refused): Promise<SagaAnswer | Continued>;
}

/** The first step of a saga. */
export interface Begun<Note> {
  readonly object: string;
  readonly command: LedgerOrder;
  readonly note: Note;
}

/** The first step of a move out of a hold. `answer` is final: the object has made its transition. */
export interface Moved {
  readonly object: string;
  readonly command: LedgerOrder;
  readonly answer: Notice;
}

/** The last step of a call that waits: `answer`, which may be a refusal, is given when the move is booked. */
export interface LastMove extends Pick<Moved, 'object' | 'command'> {
  readonly answer: SagaAnswer;
}
/** The call that waits for the end of a saga. */
export interface Waiting {
  readonly commandId: string;
  /** The process in which it waits, and under which name. */
  readonly replyTo: string | null;
  readonly name: string;
}

/** Kinds of moves out of a hold. */
export interface MoveSpec {
  /** Unique in its service, and never changed. */
  readonly name: string;
  /** Runs in the transaction that records the booking of the move. */
  readonly onBooked?: (tx: Tx, object: string) => Promise<void>;
  /** Replaces `onBooked` for kinds of which many are booked in one second: gets all that were booked together. */
  readonly onAllBooked?: (tx: Tx, objects: readonly string[]) => Promise<void>;
}

export interface SagasParts {
  /** The service: its results have a topic of their own. */
  readonly service: string;
  readonly database: Database;
  readonly log: Pick<Log, 'consume' | 'partitionsOf'>;
  readonly replies: Replies;
  readonly clock: Pick<Clock, 'real' | 'offset'>;
  readonly alarms: Alarms;
  /** Partitions of the ledger. */
  readonly partitions: number;
}
