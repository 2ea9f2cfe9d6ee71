import type { MicroResult } from '@bourse/formulas';
import type { AuditCheck, NeededHolds } from '@bourse/messaging';
import { Database, type Tx } from '@bourse/persistence';
import type { Agreement, Contract } from '../domain/contract.js';
import type { Claim, Policy } from '../domain/policy.js';
import type { Tick, TickHead } from '../domain/tick.js';

/** The database of this service: schema `micro`. */
export abstract class MicroDatabase extends Database {}

/** A recorded tick with the signature of its hash. */
export interface SignedTick extends Tick {
  readonly signature: string;
  readonly publicKey: string;
}

/** The time window of a query for ticks: after < time ≤ until. */
export interface TickWindow {
  readonly symbol: string;
  readonly after: number;
  readonly until: number;
}

/** The own copy of the recorded ticks. */
export abstract class TickStore {
  /** The heads of the chains; in a transaction the rows stay locked until it ends. */
  abstract heads(tx?: Tx): Promise<readonly TickHead[]>;
  /** Stores ticks that continue their chains, each market's last one as its head. */
  abstract append(tx: Tx, ticks: readonly SignedTick[]): Promise<void>;
  /** The chains of these markets are broken, until a tick that follows comes. */
  abstract markBroken(tx: Tx, symbols: readonly string[]): Promise<void>;
  /** Ticks in any of the windows, each once. */
  abstract within(windows: readonly TickWindow[], tx?: Tx): Promise<readonly SignedTick[]>;
  /** Keeps ticks that have opened or judged a contract for good. */
  abstract keep(tx: Tx, ticks: readonly Tick[]): Promise<void>;
  /** Ticks that were kept for good, by their ids. */
  abstract kept(symbol: string, ids: readonly bigint[]): Promise<readonly Tick[]>;
  /** Makes room for the coming days and lets go of days before this time. */
  abstract maintain(now: number, keptSince: number): Promise<void>;
}

export interface Page {
  readonly page: number;
  readonly size: number;
  readonly offset: number;
}
export interface ContractFilter {
  readonly userId?: number | undefined;
  readonly isClosed?: boolean | undefined;
  readonly matchId?: number | undefined;
}
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly total: number;
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
  /** Releases the contracts' part of both counters. */
  abstract giveBack(tx: Tx, contracts: readonly Agreement[]): Promise<void>;
  abstract insert(tx: Tx, contract: Agreement): Promise<void>;
  /** The ledger has accepted a contract that waits. @throws Error when it does not wait. */
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
  /** A contract that people see; null without one. */
  abstract find(id: string): Promise<Contract | null>;
}

/** Terms and bounds of what can be bought (rules §15); amounts in whole coins. */
export interface InsuranceTypeRow {
  readonly id: number;
  readonly currencyId: number;
  readonly name: string;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly premiumRate: string;
  readonly endProfitRate: string;
  readonly claimLossRate: string;
  readonly claimRate: string;
  readonly claimsPerDay: number;
  readonly stakeRate: string;
  readonly maxOpen: number;
  readonly quota: string;
  /** The part of the quota that active policies use. */
  readonly used: string;
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
/** Rows that operators change. */
export abstract class CatalogStore {
  abstract seconds(): Promise<readonly SecondsRow[]>;
  abstract insuranceTypes(): Promise<readonly InsuranceTypeRow[]>;
}

export abstract class PolicyStore {
  /** Takes an amount of whole coins of a type's quota; false when it is not left. */
  abstract takeQuota(tx: Tx, typeId: number, amount: string): Promise<boolean>;
  abstract giveQuota(tx: Tx, typeId: number, amount: string): Promise<void>;
  /** False when the person has one in this coin already. */
  abstract insert(tx: Tx, policy: Policy): Promise<boolean>;
  /** A policy that was bought is active. @throws Error when it does not wait. */
  abstract activate(tx: Tx, id: string): Promise<Policy>;
  /** Forgets a policy that the ledger has refused. @throws Error when it does not wait. */
  abstract drop(tx: Tx, id: string): Promise<Policy>;
  /** Locks the policy of a person that is not at an end, in a coin; null without one that was bought. */
  abstract lockActive(tx: Tx, userId: number, currencyId: number): Promise<Policy | null>;
  /** Locks policies, in the order of their ids. */
  abstract lock(tx: Tx, ids: readonly string[]): Promise<readonly Policy[]>;
  /** Stores vault, running contracts, state and end of policies that are locked. */
  abstract save(tx: Tx, policies: readonly Policy[]): Promise<void>;
  abstract list(userId: number, currencyId: number | undefined, page: Page): Promise<Rows<Policy>>;
  /** Policies of a person that are not at an end. */
  abstract active(userId: number): Promise<readonly Policy[]>;
  /** Takes one of the payouts of a person's day; false when there were `most` already. */
  abstract takePayout(tx: Tx, userId: number, day: number, most: number): Promise<boolean>;
  abstract givePayout(tx: Tx, userId: number, day: number): Promise<void>;
  abstract insertClaim(tx: Tx, claim: Claim): Promise<void>;
  abstract lockClaim(tx: Tx, id: string): Promise<Claim | null>;
  abstract saveClaim(tx: Tx, claim: Claim): Promise<void>;
  abstract dropClaim(tx: Tx, id: string): Promise<void>;
  abstract claims(userId: number | undefined, currencyId: number | undefined, page: Page): Promise<Rows<Claim>>;
}

/** How often contracts of a coin came out in which way, and what the house has set aside. */
export interface HouseLine {
  readonly currency: string;
  readonly reserved: string;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The queries of auditors and of the public page. */
export abstract class MicroAudit {
  abstract holdDigests(): Promise<readonly string[]>;
  abstract holdLines(buckets: readonly number[]): Promise<NeededHolds>;
  abstract checks(): Promise<readonly AuditCheck[]>;
  abstract house(): Promise<readonly HouseLine[]>;
}
