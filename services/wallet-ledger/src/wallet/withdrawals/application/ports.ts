import type { ChainName, Rows } from '@bourse/contract';
import type { Lease } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { WithdrawalFacts } from '../domain/risk.js';
import type { WithdrawalEvent, WithdrawalState } from '../domain/withdrawal.js';
import type { Signature } from '../../chains/application/chain.js';
import type { NewPayout, PayoutEnd, PayoutRecall, PayoutSettler } from './payouts.js';

/**
 * A withdrawal as stored. Amounts are decimal texts at the scale of the coin, values at USD_SCALE, times business ms.
 */
export interface WithdrawalRow {
  readonly id: string;
  readonly userId: number;
  readonly currencyId: number;
  readonly networkId: number;
  readonly number: string;
  readonly fee: string;
  readonly received: string;
  readonly address: string;
  readonly memo: string;
  readonly state: WithdrawalState;
  readonly value: string;
  readonly approvalsNeeded: number;
  readonly approvals: number;
  readonly reason: string;
  readonly txId: string;
  readonly confirmations: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}
export type NewWithdrawal = Pick<
  WithdrawalRow,
  | 'id'
  | 'userId'
  | 'currencyId'
  | 'networkId'
  | 'number'
  | 'fee'
  | 'received'
  | 'address'
  | 'memo'
  | 'value'
  | 'approvalsNeeded'
  | 'createdAt'
> & {
  readonly state: 'review' | 'sending';
  /** UTC day whose limit it counts against, `YYYY-MM-DD`. */ readonly day: string;
  readonly commandId: string;
};

interface Slice {
  readonly size: number;
  readonly offset: number;
}

/** Table of withdrawals and of each person's daily sums. */
export abstract class WithdrawalStore {
  abstract insert(tx: Tx, row: NewWithdrawal): Promise<void>;
  /** Locks the withdrawal. Null: it does not exist. */
  abstract lock(tx: Tx, id: string): Promise<WithdrawalRow | null>;
  /** Without a lock. */
  abstract find(id: string): Promise<WithdrawalRow | null>;
  /** Stores a new valuation: its value, also in the day's sum, and the number of operators that must approve it. */
  abstract revalue(
    tx: Tx,
    id: string,
    assessed: { readonly value: bigint; readonly approvalsNeeded: number },
  ): Promise<void>;
  /**
   * Moves the withdrawal if it is in the event's starting state, and gives back its unused part of the daily limit; one
   * that returns to review has no approvals and needs one. False otherwise.
   */
  abstract move(
    tx: Tx,
    id: string,
    event: WithdrawalEvent,
    what: { readonly at: number; readonly reason?: string },
  ): Promise<boolean>;
  /** The operators who have approved it so far. */
  abstract approvers(sql: Pick<Tx, 'query'>, id: string): Promise<readonly number[]>;
  /** Removes the approvals of these operators. */
  abstract removeApprovals(tx: Tx, id: string, operatorIds: readonly number[]): Promise<void>;
  /** False if this operator has approved it before. */
  abstract approve(tx: Tx, id: string, operatorId: number, at: number): Promise<boolean>;
  /** Counts a value against a person's day. False: it would exceed the limit, and nothing is counted. */
  abstract takeDay(tx: Tx, userId: number, day: string, value: bigint, limit: bigint): Promise<boolean>;
  /** Gives back a counted value. Units at USD_SCALE. */
  abstract giveDay(tx: Tx, userId: number, day: string, value: bigint): Promise<void>;
  /**
   * Value of a person's stored withdrawals that were requested less than 24 hours before `at`, or after it, and were
   * not cancelled, rejected or failed, units at USD_SCALE. Requests of several instances are not opened in the order of
   * their times. `openedBefore`: only those opened before this one.
   */
  abstract valueOfDay(tx: Pick<Tx, 'query'>, userId: number, at: number, openedBefore?: string): Promise<bigint>;
  /** The counted sum of a day, units at USD_SCALE. */
  abstract usedOn(userId: number, day: string): Promise<bigint>;
  /** Newest first. */
  abstract ofUser(userId: number, filter: { readonly currency?: number }, slice: Slice): Promise<Rows<WithdrawalRow>>;
  abstract all(
    filter: {
      readonly id?: string | undefined;
      readonly state?: WithdrawalState | undefined;
      readonly userId?: number | undefined;
    },
    slice: Slice,
  ): Promise<Rows<WithdrawalRow>>;
  /** One of a person's own, as the lists show it; null for another person's. */
  abstract one(userId: number, id: string): Promise<WithdrawalRow | null>;
}

/** Facts of the books about a withdrawal and its address. `deposited`: of its coin in the 24 hours before it. */
export interface BookedFacts extends Pick<
  WithdrawalFacts,
  'earlier' | 'earlierToAddress' | 'othersToAddress' | 'lastDepositAt'
> {
  readonly id: string;
  readonly addressBoundAt: number | null;
  readonly deposited: string;
}
/** Facts about withdrawals under review. */
export abstract class RiskReader {
  /** In no order. */
  abstract of(ids: readonly string[]): Promise<readonly BookedFacts[]>;
}

/** A payout that has not ended; without signatures it was never sent. */
export interface OpenPayout extends NewPayout {
  readonly signatures: readonly Signature[];
}

/** Table of payouts, of their signatures, and of the spends of these. */
export abstract class PayoutStore {
  /** The same reference again does nothing. */
  abstract enqueue(tx: Tx, payout: NewPayout): Promise<void>;
  /**
   * The signed payments, the movements of the house, and the others of each contract: up to `max` of each of these, in
   * this order, oldest first. A contract whose payments wait does not keep back those of another one.
   */
  abstract open(chain: ChainName, max: number): Promise<readonly OpenPayout[]>;
  /** All open movements of the house out of the hot wallet (`gas:`, `cold:`). */
  abstract ofHouse(chain: ChainName): Promise<readonly Pick<NewPayout, 'reference' | 'to'>[]>;
  /** Sum of all open payments, by contract. */
  abstract owed(chain: ChainName): Promise<ReadonlyMap<string, bigint>>;
  /** Spends of signatures of payouts that have not ended. */
  abstract reserved(chain: ChainName): Promise<ReadonlySet<string>>;
  /**
   * Stores a signature with all its spends before it may be sent. Throws when the lease is lost, when the payout has
   * ended or has another number of signatures than `attempt`, or when another payout spends the same: then nothing is
   * stored.
   */
  abstract sign(lease: Lease, payout: Pick<NewPayout, 'reference' | 'chain'>, signature: Signature): Promise<void>;
  /** Stores the visible progress of an open payment. */
  abstract progress(
    lease: Lease,
    reference: string,
    seen: { readonly txId: string; readonly confirmations: number },
  ): Promise<void>;
  /** Ends a payout once, with its settler's bookings in the same transaction. */
  abstract end(
    lease: Lease,
    payout: Pick<NewPayout, 'reference' | 'chain'>,
    outcome: PayoutEnd,
    settler: PayoutSettler,
  ): Promise<void>;
  /**
   * Removes an unsigned payout, with its settler's bookings. False when it is signed, or not there: then nothing is
   * changed.
   */
  abstract recall(
    lease: Lease,
    payout: Pick<NewPayout, 'reference'>,
    outcome: PayoutRecall,
    settler: PayoutSettler,
  ): Promise<boolean>;
}
