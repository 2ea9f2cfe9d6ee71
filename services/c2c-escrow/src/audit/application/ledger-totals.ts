import type { Net } from '../domain/expected-totals.js';

/** What the ledger has booked for objects of this service, as its auditor asks. */
export abstract class LedgerNets {
  /** What the journals of objects of a cause have moved; without an entry: nothing that stays. */
  abstract of(causeType: string, causeIds: readonly string[]): Promise<ReadonlyMap<string, readonly Net[]>>;
  /** Cash in the quota account of an acceptor, free and held together; decimal text. */
  abstract quotaOf(userId: number): Promise<string>;
}
