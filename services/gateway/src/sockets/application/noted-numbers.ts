import type { LogMark } from '@bourse/messaging';

/** The last row included in the noted numbers. If it is not at its place in the log, the log is another one. */
export interface LastRow {
  readonly stream: string;
  readonly number: number;
  readonly hash: string;
}
/** The numbers of one partition's users, and the log position at which they hold. */
export interface Noted {
  /** Increases when numbering restarts: numbers noted under an earlier era are void. */
  readonly era: number;
  /** Number of a user without an event in this era. */
  readonly base: number;
  readonly mark: LogMark;
  /** Null: nothing was noted in this era. */
  readonly last: LastRow | null;
  readonly seqs: readonly (readonly [number, number])[];
  /** An earlier mark of this era: the newest events are between it and `mark`. Null: none is left. */
  readonly before: LogMark | null;
}
/** The read progress that a gateway wants to note. */
export interface ToNote {
  readonly era: number;
  readonly mark: LogMark & { readonly offset: string };
  readonly last: LastRow;
  /** Users whose numbers have changed since the last note of this gateway, or earlier. */
  readonly seqs: readonly (readonly [number, number])[];
}

/**
 * The numbers of private events at a log position, shared by all gateways (decision 0101). Every gateway counts the
 * same log from there and so gets the same numbers; the first one notes them.
 */
export abstract class NotedNumbers {
  /** The numbers noted last; numbering restarts if the log was set back since. */
  abstract load(partition: number, now: number): Promise<Noted>;
  /**
   * Notes the result of `read`, unless another gateway is responsible at the moment, then `read` is not called, or is
   * further ahead. Returns whether it was noted.
   */
  abstract note(partition: number, read: () => ToNote): Promise<boolean>;
  abstract eraOf(partition: number): Promise<number>;
  /** Restarts the numbers above all that were given; once per ended era, however many gateways call it. */
  abstract beginAnew(partition: number, era: number, now: number): Promise<void>;
  /** Lets another gateway note at once. */
  abstract release(): Promise<void>;
}
