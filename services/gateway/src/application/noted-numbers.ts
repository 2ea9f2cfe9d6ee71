import type { LogMark } from '@bourse/messaging';

/** The last row that the noted numbers count. The log still has it at its place, or it is another log. */
export interface LastRow {
  readonly stream: string;
  readonly number: number;
  readonly hash: string;
}
/** The numbers of one partition's users, and where in the log they hold. */
export interface Noted {
  /** Increases when numbers begin again: numbers noted under an earlier era are void. */
  readonly era: number;
  /** Number of a user who had no event in this era. */
  readonly base: number;
  readonly mark: LogMark;
  /** Null: nothing was noted in this era. */
  readonly last: LastRow | null;
  readonly seqs: readonly (readonly [number, number])[];
  /** An earlier mark of this era: what lies between it and `mark` are the newest events. Null: none is left. */
  readonly before: LogMark | null;
}
/** What a gateway has read, as it wants it noted. */
export interface ToNote {
  readonly era: number;
  readonly mark: LogMark & { readonly offset: string };
  readonly last: LastRow;
  /** Users whose numbers have changed since the last note of this gateway, or earlier. */
  readonly seqs: readonly (readonly [number, number])[];
}

/**
 * The numbers of private events as of a place in the log, which all gateways share (decision 0101). Every gateway
 * counts the same log from there, and so comes to the same numbers; whoever comes first notes them.
 */
export abstract class NotedNumbers {
  /** What was noted last; numbers begin again when the log was set back since. */
  abstract load(partition: number, now: number): Promise<Noted>;
  /**
   * Notes what `read` gives, unless another gateway does it these seconds, then `read` is not called, or is further.
   * Tells whether it was noted.
   */
  abstract note(partition: number, read: () => ToNote): Promise<boolean>;
  abstract eraOf(partition: number): Promise<number>;
  /** Begins numbers again, above all that were given; once for each era that has ended, however many gateways ask. */
  abstract beginAnew(partition: number, era: number, now: number): Promise<void>;
  /** Another gateway may note at once. */
  abstract release(): Promise<void>;
}
