import type { ChainName } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { DepositState } from '../../domain/deposit/deposit.js';

/** A deposit as stored. Amounts are decimal texts at the scale of the coin; times business ms. */
export interface DepositRow {
  readonly id: string;
  readonly networkId: number;
  readonly chain: ChainName;
  readonly contract: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly memo: string;
  /** Null: a payment to the house that names nobody. */
  readonly userId: number | null;
  readonly currencyId: number;
  readonly amount: string;
  /** Null: no block of the best chain has it. */
  readonly height: number | null;
  readonly state: DepositState;
  readonly needed: number;
  /** Least deposit of its network when it was seen. */
  readonly minimum: string;
  readonly returnAddress: string;
  readonly returnFee: string;
  readonly returnTxId: string;
  /**
   * What its return counts, US dollars, and against which UTC day; `''`: none was asked for since returns are counted.
   */
  readonly returnValue: string;
  readonly returnDay: string;
  /** How often it was sent back, or tried to. */ readonly returnAttempts: number;
  readonly seenAt: number;
  /** When its state or its block last changed. */
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

/** What narrows the operators' list; without a part all there are. */
export interface DepositFilter {
  readonly states?: readonly DepositState[] | undefined;
  readonly userId?: number | undefined;
}

/** A block that the watcher came by. */
export interface SeenBlock {
  readonly height: number;
  readonly hash: string;
}
export interface Slice {
  readonly size: number;
  readonly offset: number;
}
export interface Found<R> {
  readonly rows: readonly R[];
  readonly total: number;
}

/** Table of deposits and of the blocks that the watcher has seen. */
export abstract class DepositStore {
  /** Blocks stored of a chain, newest first. */
  abstract blocks(chain: ChainName): Promise<readonly SeenBlock[]>;
  /**
   * Stores a block and what it brought. A payment known already is only hung on this block; `kept` blocks below stay
   * known.
   */
  abstract note(
    tx: Tx,
    chain: ChainName,
    block: SeenBlock,
    deposits: readonly NewDeposit[],
    kept: number,
  ): Promise<void>;
  /** Blocks above a height are no longer of the best chain: what they brought hangs on none. */
  abstract orphan(tx: Tx, chain: ChainName, above: number): Promise<void>;
  /** Height at which the next deposit that is seen has its confirmations; null: none waits. */
  abstract nextDue(chain: ChainName): Promise<number | null>;
  /** Deposits that have their confirmations at a tip, oldest block first. */
  abstract due(chain: ChainName, tip: number, max: number): Promise<readonly string[]>;
  /** Deposits of money that was booked and that no block has any more. */
  abstract lost(chain: ChainName): Promise<readonly DepositRow[]>;

  /** Deposits of one person and coin are decided one after another. */
  abstract alone(tx: Tx, userId: number, currencyId: number): Promise<void>;
  /** Null: there is none. Locks it. */
  abstract lock(tx: Tx, id: string): Promise<DepositRow | null>;
  /** What is held of a person's deposits of a coin, locked. */
  abstract held(tx: Tx, userId: number, currencyId: number): Promise<readonly DepositRow[]>;
  /** False when it is not in the state `from`. */
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
        /** Counted against the person's day, US dollars. */ readonly value: string;
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
  abstract ofUser(userId: number, filter: { readonly currency?: number }, slice: Slice): Promise<Found<DepositRow>>;
  abstract all(filter: DepositFilter, slice: Slice): Promise<Found<DepositRow>>;
}

/** An address given out. */
export interface GivenAddress {
  readonly address: string;
  readonly memo: string;
}

/** Table of the addresses given out. An address is a person's for ever. */
export abstract class DepositAddressStore {
  abstract find(userId: number, chain: ChainName): Promise<GivenAddress | null>;
  /** Gives out the next one; the one that a person has stays. `make` derives it from its number. */
  abstract give(userId: number, chain: ChainName, make: (index: number) => GivenAddress): Promise<GivenAddress>;
  /** Which of these addresses are given out. */
  abstract known(chain: ChainName, addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whose an address with a memo is. */
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
  /** Null: there is none. Locks it. */
  abstract lock(tx: Tx, id: string): Promise<ClaimRow | null>;
  /** False when the deposit belongs to another claim already. */
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
  abstract ofUser(userId: number, filter: { readonly currency?: number }, slice: Slice): Promise<Found<ClaimRow>>;
  abstract all(filter: ClaimFilter, slice: Slice): Promise<Found<ClaimRow>>;
}
