import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { AcceptorDeal, AcceptorDealType, AcceptorWay } from '../domain/acceptor-deal.js';

/** Payment details of an acceptor. */
export interface AcceptorPayment {
  readonly wechatNickname: string;
  readonly wechatAccount: string;
  readonly aliNickname: string;
  readonly aliAccount: string;
  readonly bankName: string;
  readonly bankAccount: string;
  readonly bankAddress: string;
}
export interface AcceptorRow {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** In percent at `PERCENT_SCALE`. */
  readonly rechargeRate: bigint;
  readonly cashRate: bigint;
  readonly payment: AcceptorPayment;
  /** Cash granted by the house, in cents; deals add to it and take from it. */
  readonly granted: bigint;
  /** The ledger has not answered the last grant yet. */
  readonly granting: boolean;
}
export interface AcceptorRates {
  readonly rechargeRate: bigint;
  readonly cashRate: bigint;
}

/** Acceptors and their terms. */
export abstract class AcceptorStore {
  /** In the order in which they became acceptors. */
  abstract list(): Promise<readonly AcceptorRow[]>;
  abstract findById(id: number): Promise<AcceptorRow | null>;
  abstract findByUser(userId: number): Promise<AcceptorRow | null>;
  /** Locks the row. */
  abstract lock(tx: Tx, userId: number): Promise<AcceptorRow | null>;
  /** Adds an acceptor, or changes name and rates. */
  abstract save(tx: Tx, userId: number, facts: AcceptorRates & { readonly name: string }): Promise<void>;
  abstract setRates(tx: Tx, userId: number, rates: AcceptorRates): Promise<void>;
  abstract setPayment(tx: Tx, userId: number, payment: AcceptorPayment): Promise<void>;
  abstract setGranted(tx: Tx, userId: number, granted: bigint, granting: boolean): Promise<void>;
}

export interface AcceptorDealFilter {
  readonly userId?: number | undefined;
  readonly acceptorId?: number | undefined;
  readonly type?: AcceptorDealType | undefined;
  readonly way?: AcceptorWay | undefined;
  /** `is_sure` of the contract: 0 open, 1 confirmed, 2 rejected. */
  readonly isSure?: number | undefined;
  /** Only deals that finance has to decide; false: only the others. */
  readonly isObjected?: boolean | undefined;
  /** Either party of the deal. */
  readonly partyId?: number | undefined;
}
/** Deals with acceptors. */
export abstract class AcceptorDealStore {
  abstract insert(tx: Tx, deal: AcceptorDeal): Promise<void>;
  /** Locks the row. */
  abstract lock(tx: Tx, id: string): Promise<AcceptorDeal | null>;
  abstract find(id: string): Promise<AcceptorDeal | null>;
  abstract save(tx: Tx, deal: AcceptorDeal): Promise<void>;
  /** Deletes a deal whose hold the ledger has refused. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** Unfinished deposits of a person; no other transaction counts them before the commit. */
  abstract countOpenDeposits(tx: Tx, userId: number): Promise<number>;
  /** Coins of an acceptor that a person's deposits reserve, including deposits that wait for the ledger. */
  abstract sumReserved(userId: number, acceptorId: number, tx?: Tx): Promise<bigint>;
  /** Times of objections to deposits that were decided against a person, since a business time; ms. */
  abstract listDecidedAgainst(userId: number, since: number): Promise<readonly number[]>;
  /** Newest first; only deals that people can see. */
  abstract list(
    filter: AcceptorDealFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<AcceptorDeal>>;
}

/** Coins that the house has paid in place of an acceptor, in units. */
export interface AcceptorDebt {
  readonly dealId: string;
  readonly acceptorId: number;
  readonly currencyId: number;
  readonly scale: number;
  readonly amount: bigint;
  readonly createdAt: number;
}
/** The part of a debt that a payment covers. */
export interface DebtPart {
  readonly dealId: string;
  readonly units: bigint;
}
/** Debts of acceptors; an acceptor with a debt takes no new deals. */
export abstract class AcceptorDebts {
  abstract add(tx: Tx, debt: AcceptorDebt): Promise<void>;
  /** Debts of these acceptors; those without one are left out. With `tx` it reads in that transaction. */
  abstract findOwed(acceptorIds: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, bigint>>;
  /** Reserves up to `units` of the oldest debts for a payment; `settle` or `release` ends it. */
  abstract reserve(tx: Tx, acceptorId: number, units: bigint): Promise<readonly DebtPart[]>;
  abstract settle(tx: Tx, parts: readonly DebtPart[]): Promise<void>;
  abstract release(tx: Tx, parts: readonly DebtPart[]): Promise<void>;
}

/** Balances of a user, in units: coins at their scale, cash in cents. */
export interface AcceptorBalance {
  readonly posted: bigint;
  /** Coins of an acceptor that deposits reserve. */
  readonly reserved: bigint;
  readonly cash: bigint;
  readonly legal: bigint;
}
/** Balances in the ledger. */
export abstract class AcceptorBalances {
  abstract findBalance(userId: number): Promise<AcceptorBalance>;
}
/** The coin in which acceptors deal. */
export interface AcceptorCoin {
  readonly id: number;
  readonly scale: number;
}
