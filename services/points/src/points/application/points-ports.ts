import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { PointsAccount } from '../domain/points-account.js';
import type { Binding } from '../domain/points-binding.js';
import type { PointsExchange } from '../domain/points-exchange.js';

/** Accounts of points, their bindings and exchanges. */
export abstract class PointsStore {
  /** The account of a person, locked; created empty if it does not exist. */
  async lockAccount(tx: Tx, userId: number): Promise<PointsAccount> {
    const [account] = await this.lockAccounts(tx, [userId]);
    return account!;
  }
  saveAccount(tx: Tx, account: PointsAccount): Promise<void> {
    return this.saveAccounts(tx, [account]);
  }
  /** The same for several people, in an order that all share; each once. */
  abstract lockAccounts(tx: Tx, userIds: readonly number[]): Promise<readonly PointsAccount[]>;
  abstract saveAccounts(tx: Tx, accounts: readonly PointsAccount[]): Promise<void>;
  /** An empty one if it does not exist. */
  abstract account(userId: number): Promise<PointsAccount>;

  /** The binding of a person, in whatever state. */
  abstract binding(userId: number): Promise<Binding | null>;
  /** False when the person has one already. */
  abstract insertBinding(tx: Tx, binding: Binding): Promise<boolean>;
  abstract lockBinding(tx: Tx, reference: string): Promise<Binding | null>;
  /** Stores a binding that is locked. False when another person is bound to its account: nothing is stored then. */
  abstract saveBinding(tx: Tx, binding: Binding): Promise<boolean>;
  abstract dropBinding(tx: Tx, reference: string): Promise<void>;
  /** References of bindings that are `voiding`, or `asking` for longer than this. */
  abstract abandoned(askedForMs: number, limit: number): Promise<readonly string[]>;
  /** People who are bound, and whose membership auth does not know yet. */
  abstract untold(limit: number): Promise<readonly number[]>;
  abstract markTold(userId: number): Promise<void>;

  abstract insertExchange(tx: Tx, exchange: PointsExchange): Promise<void>;
  /** An exchange that waits for the ledger, locked. @throws Error for any other */
  abstract waitingExchange(tx: Tx, id: string): Promise<PointsExchange>;
  abstract finishExchange(tx: Tx, id: string, at: number): Promise<PointsExchange>;
  abstract dropExchange(tx: Tx, id: string): Promise<void>;
  /** Those that are done, the newest first. */
  abstract exchanges(
    userId: number,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<PointsExchange>>;
}

/** A try to bind an account of the third party; the reference names it there for ever. */
export interface BindingClaim {
  readonly reference: string;
  readonly userName: string;
  readonly password: string;
}
/** The third party's verdict on a try. */
export type BindingVerdict =
  /** Its own name of the account, and its balance; `free` of the points may be exchanged at once. */
  | { readonly kind: 'bound'; readonly account: string; readonly points: bigint; readonly free: bigint }
  /** Account or password is wrong. */
  | { readonly kind: 'wrong' }
  /** The account is bound under another reference. */
  | { readonly kind: 'taken' };

/** The third party gave no answer that can be understood: whether it has done what it was asked is not known. */
export class ProgramUnavailable extends Error {}

/** The third party whose points people bring (docs/interfaces.md). Calls may be repeated under one reference. */
export abstract class PointsProgram {
  /** Whether this install has a third party at all. */
  abstract readonly isOpen: boolean;
  /** Binds an account under a reference. @throws ProgramUnavailable */
  abstract bind(claim: BindingClaim): Promise<BindingVerdict>;
  /** Takes back whatever was done under a reference, also what comes later. @throws ProgramUnavailable */
  abstract release(reference: string): Promise<void>;
}

/** The price of the coin that points are exchanged for. */
export interface CoinPrice {
  /** USDT for one coin, units of POINTS_SCALE. */
  readonly price: bigint;
  /** The feed gave it at most 5 s ago. */
  readonly isFresh: boolean;
}
export abstract class ExchangePrices {
  /** Null: no price has ever come. */
  abstract of(currencyId: number): CoinPrice | null;
}

/** The part of the points programme that auth keeps. */
export abstract class ProgramMembers {
  /** Makes a person a member: the profile's `type` is 1. @throws AskUnavailable */
  abstract join(userId: number): Promise<void>;
}
