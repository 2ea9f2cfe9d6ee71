import type { AuditCheck } from '@bourse/messaging';

/** The findings of the auditors in a round. */
export interface AuditResult {
  readonly checkedAt: number;
  readonly checks: readonly AuditCheck[];
  /**
   * Time of the last round in which every part answered: this one or an earlier one; absent: none since this is
   * recorded.
   */
  readonly wholeAt?: number;
}

/** The last joined round, for all gateways; one of them runs it. */
export abstract class RoundStore {
  /** True for one instance, once within `everyMs`. */
  abstract claim(everyMs: number): Promise<boolean>;
  abstract write(result: AuditResult): Promise<void>;
  abstract read(): Promise<AuditResult | null>;
}
