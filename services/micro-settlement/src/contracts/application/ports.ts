import type { Rows } from '@bourse/contract';
import type { MicroResult } from '@bourse/formulas';
import type { Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';
import type { Agreement, Contract } from '../domain/contract.js';

export interface ContractFilter {
  readonly userId?: number | undefined;
  readonly isClosed?: boolean | undefined;
  readonly matchId?: number | undefined;
}
/** Until when the ticks of a market are known. */
export interface Known {
  readonly symbol: string;
  readonly through: number;
}
/** A contract that has ended. */
export interface Closed extends Contract {
  readonly result: MicroResult;
  readonly handledAt: number;
}

/** Contracts, with the counters that bound them. */
export abstract class ContractStore {
  /** Counts one more running contract of a person; false when there are `most` already. */
  abstract takeOpen(tx: Tx, userId: number, most: number): Promise<boolean>;
  /** Counts what the house may owe in a market and coin; false when it would be over the cap. */
  abstract takeReserve(tx: Tx, contract: Agreement, cap: bigint): Promise<boolean>;
  /** Subtracts contracts from both counters. */
  abstract giveBack(tx: Tx, contracts: readonly Agreement[]): Promise<void>;
  abstract insert(tx: Tx, contract: Agreement): Promise<void>;
  /** Marks a waiting contract as accepted by the ledger. @throws Error if it does not wait. */
  abstract accept(tx: Tx, id: string, acceptedAt: number): Promise<Contract>;
  /** Deletes a contract that the ledger has refused, and returns it. @throws Error when it does not wait. */
  abstract drop(tx: Tx, id: string): Promise<Contract>;
  /** Locks contracts that wait for their opening tick and can be decided, the oldest first. */
  abstract takeOpening(tx: Tx, known: readonly Known[], limit: number): Promise<readonly Contract[]>;
  /** Locks running contracts whose judging ticks are all known, the first to expire first. */
  abstract takeExpired(tx: Tx, known: readonly Known[], limit: number): Promise<readonly Contract[]>;
  abstract saveOpened(tx: Tx, contracts: readonly Contract[]): Promise<void>;
  abstract saveClosed(tx: Tx, contracts: readonly Closed[]): Promise<void>;
  abstract list(filter: ContractFilter, page: Page): Promise<Rows<Contract>>;
  /** Returns a contract that the ledger has accepted; null: none has this id. */
  abstract find(id: string): Promise<Contract | null>;
}

/** A duration that can be chosen. */
export interface SecondsRow {
  readonly id: number;
  readonly seconds: number;
  readonly profitRatio: string;
  readonly minMoney: string;
  readonly maxMoney: string;
  readonly isOpen: boolean;
}
/** Durations, whose rows operators change. */
export abstract class Durations {
  abstract all(): Promise<readonly SecondsRow[]>;
}
