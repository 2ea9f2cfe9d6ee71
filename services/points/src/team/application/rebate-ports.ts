import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';

/** A fee as the ledger reported it. */
export interface RebateFee {
  readonly journal: string;
  readonly payer: number;
  readonly currency: number;
  /** Decimal text; negative for a returned fee. */
  readonly amount: string;
  /** Unix ms. */
  readonly at: number;
  /** Percentages by generation, at PERCENT_SCALE, as they were when the fee came. */
  readonly percents: readonly bigint[];
}
/** The people above a member: up to three, the inviter first. */
export interface Upline {
  readonly ids: readonly number[];
  /** False: one of them, or the payer, has not registered yet as far as is known. */
  readonly isKnown: boolean;
}
/** One person's share of one fee, at SHARE_SCALE. */
export interface RebateShare extends Pick<RebateFee, 'journal' | 'payer' | 'currency'> {
  readonly generation: number;
  readonly person: number;
  readonly percent: bigint;
  readonly amount: bigint;
  readonly day: number;
}
/** The amount that a person is owed for a day in one coin. */
export interface OwedDay {
  readonly day: number;
  readonly person: number;
  readonly currency: number;
  readonly sum: bigint;
}
export interface Carry {
  readonly person: number;
  readonly currency: number;
  readonly amount: bigint;
}
/** A day that is settled; `amount` is decimal text, `0` where it is less than a unit. */
export interface SettledDay extends OwedDay {
  readonly amount: string;
  readonly isPaid: boolean;
}
export interface PaidRebate {
  readonly id: string;
  readonly day: number;
  readonly person: number;
  readonly currency: number;
  readonly amount: string;
  /** Unix ms. */
  readonly paidAt: number;
}

/** Rebates: the amounts owed by day, person and coin, and the payments. */
export abstract class RebateStore {
  /** The last day that is paid; null before the first start. In the turn of `TeamStore.alone`. */
  abstract closed(tx: Tx): Promise<number | null>;
  abstract close(tx: Tx, day: number): Promise<void>;
  /** The people above each of these. */
  abstract uplines(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Upline>>;
  /** Stores fees that wait until their line is known; one that waits already stays unchanged. */
  abstract wait(tx: Tx, fees: readonly RebateFee[]): Promise<void>;
  abstract waiting(tx: Tx, limit: number): Promise<readonly RebateFee[]>;
  abstract leaveWaiting(tx: Tx, fees: readonly RebateFee[]): Promise<void>;
  /** Stores shares that are not there yet, and adds them to what is owed for their days. */
  abstract addShares(tx: Tx, shares: readonly RebateShare[]): Promise<void>;

  /** The amounts owed for days up to one that is closed, oldest day first, locked. */
  abstract owed(tx: Tx, day: number, limit: number): Promise<readonly OwedDay[]>;
  /** The remainders of earlier days of these people and coins. */
  abstract carries(tx: Tx, of: readonly Pick<OwedDay, 'person' | 'currency'>[]): Promise<readonly Carry[]>;
  abstract settle(tx: Tx, days: readonly SettledDay[], carries: readonly Carry[]): Promise<void>;
  /** Marks these as booked by the ledger, each once, and returns their rows. */
  abstract paid(
    tx: Tx,
    days: readonly Pick<OwedDay, 'day' | 'person' | 'currency'>[],
    at: number,
  ): Promise<readonly PaidRebate[]>;

  /** The payments to a person, the newest first. */
  abstract ofPerson(person: number, page: Page): Promise<Rows<PaidRebate>>;
}
