import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';
import type { Claim, Policy } from '../domain/policy.js';

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
/** Types of insurance, whose rows operators change. */
export abstract class InsuranceTypes {
  abstract all(): Promise<readonly InsuranceTypeRow[]>;
}

export abstract class PolicyStore {
  /** Reserves whole coins of a type's quota; false if less is left. */
  abstract takeQuota(tx: Tx, typeId: number, amount: string): Promise<boolean>;
  abstract giveQuota(tx: Tx, typeId: number, amount: string): Promise<void>;
  /** Stores a waiting policy; false if the person has one in this coin already. */
  abstract insert(tx: Tx, policy: Policy): Promise<boolean>;
  /** Activates a bought policy. @throws Error if it does not wait. */
  abstract activate(tx: Tx, id: string): Promise<Policy>;
  /** Deletes a policy that the ledger has refused, and returns it. @throws Error if it does not wait. */
  abstract drop(tx: Tx, id: string): Promise<Policy>;
  /** Locks a person's bought and not ended policy in a coin; null: there is none. */
  abstract lockActive(tx: Tx, userId: number, currencyId: number): Promise<Policy | null>;
  /** Locks policies, in the order of their ids. */
  abstract lock(tx: Tx, ids: readonly string[]): Promise<readonly Policy[]>;
  /** Stores vault, running contracts, state and end of policies that are locked. */
  abstract save(tx: Tx, policies: readonly Policy[]): Promise<void>;
  abstract list(userId: number, currencyId: number | undefined, page: Page): Promise<Rows<Policy>>;
  /** A person's policies that have not ended. */
  abstract active(userId: number): Promise<readonly Policy[]>;
  /** Counts a payout of a person on a day; false if there are `most` already. */
  abstract takePayout(tx: Tx, userId: number, day: number, most: number): Promise<boolean>;
  abstract givePayout(tx: Tx, userId: number, day: number): Promise<void>;
  abstract insertClaim(tx: Tx, claim: Claim): Promise<void>;
  abstract lockClaim(tx: Tx, id: string): Promise<Claim | null>;
  abstract saveClaim(tx: Tx, claim: Claim): Promise<void>;
  abstract dropClaim(tx: Tx, id: string): Promise<void>;
  abstract claims(userId: number | undefined, currencyId: number | undefined, page: Page): Promise<Rows<Claim>>;
}
