import type { Tx } from '@bourse/persistence';

/** The value of a fee, for the day and the person that it counts for. */
export interface FeeValue {
  readonly day: number;
  readonly userId: number;
  /** USD, units of VALUE_SCALE; below zero for a returned fee. */
  readonly value: bigint;
}
/** A fee of a coin of which no price was known when it came. */
export interface UnvaluedFee {
  readonly journal: string;
  readonly userId: number;
  readonly currencyId: number;
  /** Decimal text. */
  readonly amount: string;
  /** When it was paid, business time. */
  readonly at: number;
}
/** Points of one person for one day. */
export interface DayPoints {
  readonly day: number;
  readonly userId: number;
  /** Units of POINTS_SCALE. */
  readonly points: bigint;
}

/** Fees by day and person, and which days are booked. */
export abstract class AccrualStore {
  /** The first day that is not booked; null before there is one. It stays so until the transaction ends. */
  abstract nextDay(tx: Tx): Promise<number | null>;
  /** Begins with this day. False: it has begun already. */
  abstract begin(tx: Tx, day: number): Promise<boolean>;
  /** From here on what comes for this day counts for the next one. False: it did so before. */
  abstract close(tx: Tx, day: number): Promise<boolean>;
  /** Adds fees to their days, which are not closed. */
  abstract add(tx: Tx, fees: readonly FeeValue[]): Promise<void>;
  abstract keepUnvalued(tx: Tx, fees: readonly UnvaluedFee[]): Promise<void>;
  /** Takes fees out that are to be valued again, the oldest first. */
  abstract takeUnvalued(tx: Tx, limit: number): Promise<readonly UnvaluedFee[]>;
  /** People of a closed day whose points were not worked out yet, locked, in the order of their ids. */
  abstract open(tx: Tx, day: number, limit: number): Promise<readonly FeeValue[]>;
  /** The points of people of a day; those with none are done with it, the others wait for the ledger. */
  abstract settle(tx: Tx, rows: readonly DayPoints[]): Promise<void>;
  /** The ledger has them. @throws Error for what did not wait for it */
  abstract book(tx: Tx, keys: readonly Pick<DayPoints, 'day' | 'userId'>[]): Promise<readonly DayPoints[]>;
}

/** The values of coins. */
export abstract class UsdPrices {
  /** USD for one coin, exact decimal text: the last recorded price. Null: none has come yet. */
  abstract of(currencyId: number): string | null;
}
