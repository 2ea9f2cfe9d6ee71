import type { ChainName, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { DepositState } from '../domain/deposit.js';

/** A deposit as stored. Amounts are decimal texts at the scale of the coin; times business ms. */
export interface DepositRow {
  readonly id: string;
  readonly networkId: number;
  readonly chain: ChainName;
  readonly contract: string;
  readonly txId: string;
  /** Tells payments of one transaction apart, and names none for ever. */
  readonly output: number;
  readonly address: string;
  readonly memo: string;
  /** Null: a payment to the house without an owner. */
  readonly userId: number | null;
  readonly currencyId: number;
  readonly amount: string;
  /** Null: no block of the best chain has it. */
  readonly height: number | null;
  /**
   * Of a held deposit: whether its block is still there and it was decided. One that got another block waits for its
   * confirmations, one whose return has ended without a payment for the next decision.
   */
  readonly isConfirmed: boolean;
  readonly state: DepositState;
  readonly needed: number;
  /** The network's minimum deposit when this one was seen. */
  readonly minimum: string;
  readonly returnAddress: string;
  readonly returnFee: string;
  readonly returnTxId: string;
  /**
   * Value of its return in US dollars and the UTC day that counts it; `''`: no return was requested since returns are
   * counted.
   */
  readonly returnValue: string;
  readonly returnDay: string;
  /** Number of attempts to return it. */ readonly returnAttempts: number;
  readonly seenAt: number;
  /** Time of the last change of its state or block. */
  readonly updatedAt: number;
}
export type NewDeposit = Pick<
  DepositRow,
  | 'id'
  | 'networkId'
  | 'chain'
  | 'contract'
  | 'txId'
  | 'output'
  | 'address'
  | 'memo'
  | 'userId'
  | 'currencyId'
  | 'amount'
  | 'needed'
  | 'minimum'
  | 'seenAt'
> & { readonly height: number; /** Smallest units of the chain. */ readonly chainAmount: bigint };

/** Filter of the operators' list; an absent field does not filter. */
export interface DepositFilter {
  readonly id?: string | undefined;
  readonly states?: readonly DepositState[] | undefined;
  readonly userId?: number | undefined;
}

/** A block that the watcher has read. */
export interface SeenBlock {
  readonly height: number;
  readonly hash: string;
}
export interface Slice {
  readonly size: number;
  readonly offset: number;
}

/** Table of deposits and of the blocks that the watcher has seen. */
export abstract class DepositStore {
  /** Blocks stored of a chain, newest first. */
  abstract blocks(chain: ChainName): Promise<readonly SeenBlock[]>;
  /**
   * Stores a block and all its deposits; `kept` blocks below stay known. A known payment only gets this block's height:
   * one of the same transaction, contract, address, memo and amount. Returns the deposits that were not known.
   */
  abstract note(
    tx: Tx,
    chain: ChainName,
    block: SeenBlock,
    deposits: readonly NewDeposit[],
    kept: number,
  ): Promise<readonly NewDeposit[]>;
  /** Blocks above a height have left the best chain: their deposits have no block any more. */
  abstract orphan(tx: Tx, chain: ChainName, above: number): Promise<void>;
  /** Height at which the next deposit that is seen, or held and decided again, has its confirmations; null: none. */
  abstract nextDue(chain: ChainName): Promise<number | null>;
  /** Deposits that have their confirmations at a tip, oldest block first. */
  abstract due(chain: ChainName, tip: number, max: number): Promise<readonly string[]>;
  /** Closes the chain for payouts until an operator reopens it. Again does nothing. */
  abstract close(tx: Tx, chain: ChainName, reason: string): Promise<void>;
  /** Why the chain was closed; null: it was not. */
  abstract closedFor(chain: ChainName): Promise<string | null>;
  /** Booked deposits that are in no block any more. */
  abstract lost(chain: ChainName): Promise<readonly DepositRow[]>;

  /** Serialises decisions on deposits of one person and coin. Taken before any of these deposits is locked. */
  abstract alone(tx: Tx, userId: number, currencyId: number): Promise<void>;
  /** Without a lock. */
  abstract read(tx: Tx, id: string): Promise<DepositRow | null>;
  /** Locks the deposit. Null: it does not exist. */
  abstract lock(tx: Tx, id: string): Promise<DepositRow | null>;
  /** Clears the mark of a locked, held deposit that is to be decided again. False: it has no mark. */
  abstract takeAgain(tx: Tx, id: string): Promise<boolean>;
  /** Held deposits of a person in a coin that are in a block and have been decided there, locked. */
  abstract held(tx: Tx, userId: number, currencyId: number): Promise<readonly DepositRow[]>;
  /**
   * False when it is not in the state `from`. A deposit with an owner whose return has ended without a payment is
   * decided again: others were decided without it.
   */
  abstract move(
    tx: Tx,
    id: string,
    from: DepositState,
    to: DepositState,
    what: {
      readonly at: number;
      readonly return?: {
        readonly address: string;
        readonly memo: string;
        readonly fee: string;
        /** Value that counts against the person's daily limit, US dollars. */ readonly value: string;
        readonly day: string | null;
      };
      readonly returnTxId?: string;
    },
  ): Promise<boolean>;

  /** Assigns an owner to a deposit that has none and is seen or held; false if it is not such a deposit. */
  abstract setOwner(tx: Tx, id: string, userId: number, at: number): Promise<boolean>;

  abstract one(userId: number, id: string): Promise<DepositRow | null>;
  /** A deposit of any owner, without a lock. */
  abstract find(id: string): Promise<DepositRow | null>;
  /** Newest first. */
  abstract ofUser(userId: number, filter: { readonly currency?: number }, slice: Slice): Promise<Rows<DepositRow>>;
  abstract all(filter: DepositFilter, slice: Slice): Promise<Rows<DepositRow>>;
}

/** An assigned address. */
export interface GivenAddress {
  readonly address: string;
  readonly memo: string;
}

/** Table of the assigned addresses. An address belongs to one person for ever. */
export abstract class DepositAddressStore {
  abstract find(userId: number, chain: ChainName): Promise<GivenAddress | null>;
  /** Assigns the next address; a person's existing address is returned. `make` derives it from its number. */
  abstract give(userId: number, chain: ChainName, make: (index: number) => GivenAddress): Promise<GivenAddress>;
  /** The subset of these addresses that are assigned. */
  abstract known(chain: ChainName, addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** The owner of an address with a memo. */
  abstract owner(chain: ChainName, given: GivenAddress): Promise<number | null>;
}

/** A claim that a deposit is missing. */
export interface ClaimRow {
  readonly id: string;
  readonly userId: number;
  readonly currencyId: number;
  readonly amount: string;
  readonly account: string;
  readonly status: 1 | 2 | 3 | 4;
  readonly depositId: string | null;
  readonly reason: string;
  readonly createdAt: number;
}

export interface ClaimFilter {
  readonly status?: ClaimRow['status'] | undefined;
  readonly userId?: number | undefined;
}

export abstract class ClaimStore {
  abstract add(
    claim: Pick<ClaimRow, 'id' | 'userId' | 'currencyId' | 'amount' | 'account' | 'createdAt'>,
  ): Promise<void>;
  /** Without a lock. */
  abstract find(id: string): Promise<ClaimRow | null>;
  /** Locks the claim. Null: it does not exist. */
  abstract lock(tx: Tx, id: string): Promise<ClaimRow | null>;
  /** False when the deposit already belongs to another claim. */
  abstract decide(
    tx: Tx,
    id: string,
    decision: {
      readonly status: 2 | 3 | 4;
      readonly depositId: string | null;
      readonly by: number;
      readonly reason: string;
      readonly at: number;
    },
  ): Promise<boolean>;
  abstract ofUser(userId: number, filter: { readonly currency?: number }, slice: Slice): Promise<Rows<ClaimRow>>;
  abstract all(filter: ClaimFilter, slice: Slice): Promise<Rows<ClaimRow>>;
}
