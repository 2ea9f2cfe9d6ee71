import type { LedgerTotal } from '../domain/expected-totals.js';

/** Totals that the ledger has booked for objects of this service. */
export abstract class LedgerTotals {
  /** Totals of the journals of objects of a cause; an object without an entry has moved nothing. */
  abstract findTotals(
    causeType: string,
    causeIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly LedgerTotal[]>>;
  /** Cash in the quota account of an acceptor, free and held, decimal text. */
  abstract findQuota(userId: number): Promise<string>;
}
