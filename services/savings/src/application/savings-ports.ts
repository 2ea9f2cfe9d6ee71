import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';
import type { Accepted, Agreement, SubscriptionState } from '../domain/subscription.js';

/** A term on offer (rules §15): percent and whole coins as decimal texts. */
export interface DepositConfig {
  readonly id: number;
  readonly currencyId: number;
  readonly day: number;
  readonly interestRate: string;
  readonly saveMin: string;
  readonly isOpen: boolean;
}
/** Terms, which operators change. */
export abstract class DepositConfigs {
  /** By currency and days. */
  abstract all(): Promise<readonly DepositConfig[]>;
}

/** How long a day of terms is, and how those that end with it are paid: set by set. */
export abstract class Days {
  abstract readonly ms: number;
  /** Terms of one set, which is one transaction. */
  abstract readonly batch: number;
  /** A set begins this long after the one before it, ms of business time. */
  abstract readonly everyMs: number;
  /** The least pause after the previous set was booked, ms of business time: the time left to all other commands. */
  abstract readonly restMs: number;
}

/** The interest of the house in the ledger. */
export abstract class HouseInterest {
  /** Free and reserved in a currency, decimal text. @throws AskUnavailable */
  abstract of(currencyId: number): Promise<string>;
}

export interface SubscriptionFilter {
  readonly userId?: number | undefined;
  readonly state?: Exclude<SubscriptionState, 'waiting'> | undefined;
}

export abstract class SubscriptionStore {
  /**
   * The interest that the house has reserved, or is about to reserve, for a person in a currency, in units. Until the
   * transaction ends, others that ask for the same person and currency wait.
   */
  abstract lockReserved(tx: Tx, agreement: Agreement): Promise<bigint>;
  /** Stores what waits for the ledger. */
  abstract insert(tx: Tx, agreement: Agreement): Promise<void>;
  /**
   * The ledger has accepted these, each at its time. Returns them in the order of the ids. @throws Error when one does
   * not wait.
   */
  abstract accept(
    tx: Tx,
    outcomes: readonly { readonly object: string; readonly acceptedAt: number }[],
    dayMs: number,
  ): Promise<readonly Accepted[]>;
  /** Deletes a subscription that the ledger has refused. @throws Error if it does not wait. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** Locks a subscription that the ledger has accepted; null: none has this id. */
  abstract lock(tx: Tx, id: string): Promise<Accepted | null>;
  /** Locks the first of those that accrue and end at or before `until`, by id; waits for rows that are locked. */
  abstract lockDue(tx: Tx, until: number, limit: number): Promise<readonly Accepted[]>;
  /** Stores the ends of those that are locked. @throws Error when one has ended before. */
  abstract saveEnded(tx: Tx, ended: readonly Accepted[]): Promise<void>;
  /** The newest first. */
  abstract list(filter: SubscriptionFilter, page: Page): Promise<Rows<Accepted>>;
}
