import type { AuditCheck } from '@bourse/messaging';

/** Checks of tables that stand beside the ledger, run in the same round and shown beside the ledger's own. */
export abstract class FurtherChecks {
  /** All checks of this round; a failed one names the first wrong row. */
  abstract run(): Promise<AuditCheck[]>;
}
