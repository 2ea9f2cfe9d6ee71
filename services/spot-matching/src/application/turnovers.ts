/** A person's turnover of some days, in units of USDT at TURNOVER_SCALE. */
export interface Turnover {
  readonly userId: number;
  readonly units: bigint;
}
/** A piece of a market's trades, to be counted once. */
export interface TradePiece {
  readonly symbol: string;
  /** Business time, ms: trades before the first are too old to count, those from the second on are not due yet. */
  readonly from: number;
  readonly to: number;
  readonly quoteId: number;
  /** USDT of one unit of the quote: the price of those of these days that have none yet; null: it is not known. */
  readonly price: string | null;
}
/** `more`: more trades may follow; `unpriced`: the next ones wait for the price of their quote. */
export type Counted = 'more' | 'all' | 'unpriced';

/** Turnover of people by day (UTC), counted from the stored trades. A day is the number of days since 1970. */
export abstract class Turnovers {
  /** The last day up to which all trades are counted. */
  abstract closedDay(): Promise<number | null>;
  /** Notes that all trades of a day, and of the days before, are counted. */
  abstract close(day: number): Promise<void>;
  /** Markets that have executed a command. */
  abstract symbols(): Promise<readonly string[]>;
  /**
   * Counts the next trades of a market, and notes in the same transaction how far it has come: several instances, and
   * one that was stopped, count each trade once. Trades of which nobody has turnover need no price.
   */
  abstract count(piece: TradePiece): Promise<Counted>;
  /** Sums by person of the days from `first` to `last`, by rising id after `after`; fewer than `limit` at the end. */
  abstract sums(first: number, last: number, after: number, limit: number): Promise<readonly Turnover[]>;
  abstract ofPerson(userId: number, first: number, last: number): Promise<bigint>;
  /** Deletes days before this one. */
  abstract dropBefore(day: number): Promise<void>;
}
