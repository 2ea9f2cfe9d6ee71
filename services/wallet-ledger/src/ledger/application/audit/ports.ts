import type { AuditCheck } from '@bourse/messaging';

/** Checks of other tables in the ledger's schema, run in the same round and reported with the ledger's own. */
export abstract class FurtherChecks {
  /** All checks of this round; a failed one names the first wrong row. */
  abstract run(): Promise<AuditCheck[]>;
}
