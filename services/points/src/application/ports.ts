import type { AuditCheck, AuditFlow } from '@bourse/messaging';
import { Database } from '@bourse/persistence';

/** The database of this service: schema `points`. */
export abstract class PointsDatabase extends Database {}

/** Draws ids that cannot be walked: decimal text of 63 bits. */
export abstract class Ids {
  abstract next(): string;
}

/** A hold that an object of this service needs in the ledger. */
export interface NeededHold {
  readonly hold: string;
  readonly currency: number;
  readonly amount: string;
}

/**
 * One part of the audit. `holds` is a query that gives the rows `(hold text, currency int, amount numeric)`
 * that its objects need in the ledger; several rows of one hold and currency are summed.
 */
export abstract class AuditPart {
  /** Prefixes of its holds, without the colon. */
  abstract readonly prefixes: readonly string[];
  abstract readonly holds: string;
  /** Checks of one snapshot, by their names. */
  abstract readonly checks: Readonly<Record<string, PartCheck>>;
}

/** What a check says, and a query that gives what is wrong in a column `what`. */
export interface PartCheck {
  readonly says: string;
  readonly wrong: string;
  /** The query looks at people with ids above `$1` up to `$2`, so that a look costs the same however many there are. */
  readonly byPeople?: boolean;
}

/** What the auditor asks. */
export abstract class PointsAudit {
  abstract readonly prefixes: readonly string[];
  /** Of the holds with this prefix. */
  abstract holdDigests(prefix: string): Promise<readonly string[]>;
  abstract holdLines(
    prefix: string,
    buckets: readonly number[],
  ): Promise<{ readonly lines: readonly NeededHold[]; readonly flow: AuditFlow }>;
  abstract checks(): Promise<readonly AuditCheck[]>;
}
