import type { OperatorAction as ActionEvent } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';

/** A line as it stands: who did what to whom, why, and what that changed. `at` is ms. */
export interface AuditLogLine {
  readonly id: number;
  readonly at: number;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly before: string;
  readonly after: string;
}
/** Each part narrows the list; `to` is not part of it. Times are ms. */
export interface AuditLogFilter {
  readonly operator?: string;
  readonly action?: string;
  readonly target?: string;
  /** What was done to this person, or to what is theirs. */
  readonly userId?: number;
  readonly from?: number;
  readonly to?: number;
}

/** Everything operators did, in every service (api §2.12). Lines are added, never changed. */
export abstract class AuditLog {
  /** What services tell, in the transaction that moves their consumer on; what is there already stays as it is. */
  abstract add(tx: Tx, actions: readonly ActionEvent[]): Promise<void>;
  /** Newest first. */
  abstract list(
    filter: AuditLogFilter,
    page: Page,
  ): Promise<{ readonly lines: AuditLogLine[]; readonly total: number }>;
  /** How many since then, ms. */
  abstract since(at: number): Promise<number>;
  /** Oldest first, beyond an id: for exports. */
  abstract after(filter: AuditLogFilter, id: number, limit: number): Promise<AuditLogLine[]>;
}
