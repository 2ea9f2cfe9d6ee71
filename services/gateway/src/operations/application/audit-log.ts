import type { OperatorAction as ActionEvent } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';

/** A stored line: who did what to whom, why, and what changed. `at` is ms. */
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
/** Each field narrows the list; `to` is exclusive. Times are ms. */
export interface AuditLogFilter {
  readonly operator?: string;
  readonly action?: string;
  readonly target?: string;
  /** Actions that concern this person or an object of the person. */
  readonly userId?: number;
  readonly from?: number;
  readonly to?: number;
}

/** All actions of operators, in every service (api §2.12). Lines are added, never changed. */
export abstract class AuditLog {
  /**
   * Adds actions published by services, in the transaction that advances their consumer; existing lines are not
   * changed.
   */
  abstract add(tx: Tx, actions: readonly ActionEvent[]): Promise<void>;
  /** Newest first. */
  abstract list(
    filter: AuditLogFilter,
    page: Page,
  ): Promise<{ readonly lines: AuditLogLine[]; readonly total: number }>;
  /** Number of lines since then, ms. */
  abstract since(at: number): Promise<number>;
  /** Lines after an id, oldest first: for exports. */
  abstract after(filter: AuditLogFilter, id: number, limit: number): Promise<AuditLogLine[]>;
}
