import type { LedgerTotal } from '../domain/expected-totals.js';

/** What the ledger has booked for objects of this service, as its auditor asks. */
export abstract class LedgerTotals {
  /** What the journals of objects of a cause have moved; without an entry: nothing that stays. */
  abstract findTotals(
    causeType: string,
    causeIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly LedgerTotal[]>>;
  /** Cash in the quota account of an acceptor, free and held together; decimal text. */
  abstract findQuota(userId: number): Promise<string>;
}
