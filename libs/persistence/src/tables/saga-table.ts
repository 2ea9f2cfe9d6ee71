import type { Tx } from '../ports.js';

/** A saga under way: an object that waits for the ledger's result (architecture §7). */
export interface SagaRow {
  /** Name of the saga in its service, and the object it is about: together they are unique while it is under way. */
  readonly name: string;
  readonly object: string;
  /** The call that waits for its answer; null for what no call has begun. */
  readonly commandId: string | null;
  /** The process in which that call waits. */
  readonly replyTo: string | null;
  /** Of a later step: the name under which that call has waited since the first one; null: its own. */
  readonly waitsAs: string | null;
  /**
   * JSON that only the saga reads: the data of its handlers, and a move's command, which is sent again after a refusal.
   */
  readonly note: string | null;
}

/** The sagas under way now. */
export interface SagasUnderWay {
  readonly count: number;
  /** Age of the oldest of them by the database's clock, ms; 0 without any. */
  readonly oldestMs: number;
  /** How many of them the ledger has refused at least once although nothing may refuse them. */
  readonly postponed: number;
  /** The first of those, at most `POSTPONED_NAMED_MAX`: name and object of each. */
  readonly postponedNames: readonly string[];
}
/** So many postponed sagas are named; the others are counted. */
export const POSTPONED_NAMED_MAX = 5;

/** Sagas under way, one row each; the row goes in the transaction that ends the saga. */
export abstract class SagaTable {
  /** False when a saga of this name is under way for the object already: then nothing is stored. */
  abstract begin(tx: Tx, row: SagaRow): Promise<boolean>;
  /**
   * Stores many sagas at once; false when one of them is under way already: then the transaction must be rolled back.
   */
  abstract beginAll(tx: Tx, rows: readonly SagaRow[]): Promise<boolean>;
  /** Ends a saga and returns its row. Null: it is not under way, so its result was applied before. */
  abstract end(tx: Tx, name: string, object: string): Promise<SagaRow | null>;
  /**
   * The same for many sagas of one name; missing ones are left out. Notes can be long, so they are returned only for
   * the names that want them; for others they are null, except those of later steps.
   */
  abstract endAll(
    tx: Tx,
    name: string,
    objects: readonly string[],
    wanted?: { readonly notes: boolean },
  ): Promise<readonly SagaRow[]>;
  /**
   * The saga stays under way, and `takeDue` returns it again after 1, 2, 4 … seconds, at most `secondsMax`. Returns how
   * often it was postponed; 0 when it is not under way.
   */
  abstract postpone(tx: Tx, name: string, object: string, secondsMax: number): Promise<number>;
  /** Postponed sagas that are due and that no other transaction holds, each returned once. */
  abstract takeDue(tx: Tx, max: number): Promise<readonly SagaRow[]>;
  abstract underWay(): Promise<SagasUnderWay>;
  abstract isUnderWay(name: string, object: string): Promise<boolean>;
}
