import type { AuditCheck } from '@bourse/messaging';

/** What the auditors found in a round. */
export interface AuditResult {
  readonly checkedAt: number;
  readonly checks: readonly AuditCheck[];
  /** When every part answered last: of this round or of an earlier one; absent: not since this is known. */
  readonly wholeAt?: number;
}

/** The last joined round, for all gateways; one of them runs it. */
export abstract class RoundStore {
  /** True for one instance, once within `everyMs`. */
  abstract claim(everyMs: number): Promise<boolean>;
  abstract write(result: AuditResult): Promise<void>;
  abstract read(): Promise<AuditResult | null>;
}
