import type { Issuer } from '@bourse/events';
import type { Units } from '@bourse/money';

export type { Issuer } from '@bourse/events';

/** Owner of an account: a user's id, or the house in a partition as a negative number (`houseOwner`). */
export type Owner = number;

/** Every partition has its own part of each house account; the house's balance is their sum (architecture §4). */
export const houseOwner = (partition: number): Owner => -1 - partition;
export const isHouse = (owner: Owner): boolean => owner < 0;

/** One side of a leg: the available balance of an account, or a hold on it. */
export interface LegAccount {
  readonly owner: Owner;
  readonly account: string;
  readonly hold: string | null;
}

/**
 * The amount of a leg, in units of its currency. `rest`: all that remains in the hold it debits; `max`/`min`:
 * min(available, max), refused below min.
 */
export type Amount = Units | 'rest' | { readonly max: Units; readonly min: Units };

/** A movement of one currency from one account to another, so that every journal sums to zero. */
export interface Leg {
  readonly from: LegAccount;
  readonly to: LegAccount;
  readonly currency: number;
  readonly amount: Amount;
  readonly fee: boolean;
}

/** Legs that apply together or not at all. The cause names a hold that the legs open. */
export interface Journal {
  readonly causeType: string;
  readonly causeId: string;
  readonly legs: readonly Leg[];
}

/** Journals of one command: all apply, or none. */
export interface Posting {
  readonly issuer: Issuer;
  /** The person on whose call the issuer acts; null: the issuer acts by itself. */
  readonly onBehalfOf: Owner | null;
  readonly journals: readonly Journal[];
}

/**
 * One line of a statement: the effect of one leg on one side. `sequence` counts the lines of an account and state
 * without gaps.
 */
export interface Entry {
  readonly owner: Owner;
  readonly account: string;
  readonly currency: number;
  readonly hold: string | null;
  /** Signed. */
  readonly amount: bigint;
  /** The account's amount in this state (available, or held in total) afterwards. */
  readonly after: bigint;
  readonly sequence: number;
  readonly fee: boolean;
}

export type Refusal =
  | {
      readonly code: 'balance_insufficient';
      readonly owner: Owner;
      readonly account: string;
      readonly currency: number;
      readonly balance: bigint;
      readonly wanted: bigint;
    }
  | { readonly code: 'hold_exceeded'; readonly hold: string; readonly remaining: bigint; readonly wanted: bigint }
  | { readonly code: 'debit_not_allowed'; readonly issuer: Issuer; readonly account: string }
  | { readonly code: 'account_not_owned'; readonly owner: Owner }
  | { readonly code: 'foreign_partition'; readonly owner: Owner }
  | { readonly code: 'account_unknown'; readonly account: string }
  | { readonly code: 'currency_misplaced'; readonly account: string; readonly currency: number }
  | { readonly code: 'amount_invalid'; readonly amount: bigint }
  | { readonly code: 'balance_too_large'; readonly owner: Owner; readonly account: string; readonly balance: bigint }
  | { readonly code: 'leg_invalid'; readonly account: string };

/**
 * `entries` has a list for each journal, in order; `held` is the amount that the posting put into holds, by currency of
 * its first one.
 */
export type Outcome =
  | {
      readonly ok: true;
      readonly entries: readonly (readonly Entry[])[];
      readonly held: { readonly currency: number; readonly amount: bigint } | null;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** Balances of one account. Sequences count the lines of its two states. */
export interface AccountState {
  readonly owner: Owner;
  readonly account: string;
  readonly currency: number;
  readonly available: bigint;
  readonly held: bigint;
  readonly availableSequence: number;
  readonly heldSequence: number;
}
/** A part of `held`, with its purpose. */
export interface HoldState {
  readonly owner: Owner;
  readonly account: string;
  readonly currency: number;
  readonly hold: string;
  readonly remaining: bigint;
  readonly causeType: string;
  readonly causeId: string;
}

export type AccountKey = string;
export type HoldKey = string;
export const accountKey = (owner: Owner, account: string, currency: number): AccountKey =>
  `${owner}.${account}.${currency}`;
export const holdKey = (owner: Owner, account: string, currency: number, hold: string): HoldKey =>
  `${owner}.${account}.${currency}#${hold}`;
