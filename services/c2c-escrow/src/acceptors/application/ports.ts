import type { Tx } from '@bourse/persistence';
import type { AcceptorDeal, AcceptorDealType, AcceptorWay } from '../domain/acceptor-deal.js';

/** Where people pay an acceptor. */
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
  /** Cash that the house has granted, in cents; deals add to it and take from it. */
  readonly granted: bigint;
  /** The ledger has not decided the last grant yet. */
  readonly granting: boolean;
}
export interface AcceptorRates {
  readonly rechargeRate: bigint;
  readonly cashRate: bigint;
}

/** Who the acceptors are, and on what terms. */
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
  /** Only those that finance has to decide; false: all others. */
  readonly isObjected?: boolean | undefined;
  /** Either side of the deal. */
  readonly partyId?: number | undefined;
}
/** Deals of acceptors. */
export abstract class AcceptorDealStore {
  abstract insert(tx: Tx, deal: AcceptorDeal): Promise<void>;
  /** Locks it. */
  abstract lock(tx: Tx, id: string): Promise<AcceptorDeal | null>;
  abstract find(id: string): Promise<AcceptorDeal | null>;
  abstract save(tx: Tx, deal: AcceptorDeal): Promise<void>;
  /** Takes away what the ledger has refused. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** Deposits of a person that have not ended; until the commit no other transaction counts them. */
  abstract countOpenDeposits(tx: Tx, userId: number): Promise<number>;
  /** Coins of an acceptor that deposits of a person reserve, also deposits that the ledger has not decided. */
  abstract sumReserved(userId: number, acceptorId: number, tx?: Tx): Promise<bigint>;
  /** When objections of a person to deposits were decided against them, since a business time; ms. */
  abstract listDecidedAgainst(userId: number, since: number): Promise<readonly number[]>;
  /** Newest first, those alone that people see. */
  abstract list(
    filter: AcceptorDealFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly AcceptorDeal[]; readonly total: number }>;
}

/** What the house has paid in the place of an acceptor, in units of a coin. */
export interface AcceptorDebt {
  readonly dealId: string;
  readonly acceptorId: number;
  readonly currencyId: number;
  readonly scale: number;
  readonly amount: bigint;
  readonly createdAt: number;
}
/** What is paid of a debt. */
export interface DebtPart {
  readonly dealId: string;
  readonly units: bigint;
}
/** Debts of acceptors: who has one takes no new deals until it is paid. */
export abstract class AcceptorDebts {
  abstract add(tx: Tx, debt: AcceptorDebt): Promise<void>;
  /** What these acceptors owe; who owes nothing is left out. Within `tx` as it is there. */
  abstract findOwed(acceptorIds: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, bigint>>;
  /** Sets aside up to so many units for a payment, the oldest debts first: what `settle` or `release` ends. */
  abstract reserve(tx: Tx, acceptorId: number, units: bigint): Promise<readonly DebtPart[]>;
  abstract settle(tx: Tx, parts: readonly DebtPart[]): Promise<void>;
  abstract release(tx: Tx, parts: readonly DebtPart[]): Promise<void>;
}

/** What somebody has available, in units: coins at their scale, cash in cents. */
export interface AcceptorBalance {
  readonly posted: bigint;
  /** Coins of an acceptor that deposits of people keep. */
  readonly reserved: bigint;
  readonly cash: bigint;
  readonly legal: bigint;
}
/** Balances, as the ledger tells them. */
export abstract class AcceptorBalances {
  abstract findBalance(userId: number): Promise<AcceptorBalance>;
}
/** The coin in which acceptors deal. */
export interface AcceptorCoin {
  readonly id: number;
  readonly scale: number;
}
