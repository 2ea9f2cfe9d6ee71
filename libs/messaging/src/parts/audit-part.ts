import type { Database } from '@bourse/persistence';
import { checkAll, type AuditChecks } from '../audit/audit-checks.js';
import type { AuditCheck } from '../audit/audit-loop.js';
import { HoldReads, type NeededHolds } from '../audit/needed-holds.js';

const NO_HOLDS = 'select null::text, null::int, null::numeric where false';

/** The checks that one part of a service adds to the auditor. */
export abstract class AuditPart {
  /** Prefixes of the holds of its objects, without the colon; none where it holds nothing. */
  readonly prefixes: readonly string[] = [];
  /**
   * A query that returns the rows `(hold text, currency int, amount numeric)` that its objects need in the ledger;
   * several rows of one hold and currency are summed.
   */
  readonly holds: string = NO_HOLDS;
  abstract readonly checks: AuditChecks;
}

/** The audit of a service that consists of parts. */
export class PartsAudit {
  /** Prefixes of the holds of all parts. */
  readonly prefixes: readonly string[];
  private readonly needed: HoldReads;

  constructor(
    protected readonly database: Database,
    protected readonly parts: readonly AuditPart[],
  ) {
    this.prefixes = parts.flatMap(({ prefixes }) => prefixes);
    const rows = parts.map(({ holds }) => `(${holds})`).join(' union all ');
    this.needed = new HoldReads(
      database,
      `select u.hold, u.currency, sum(u.amount) as amount
      from (${rows}) u (hold, currency, amount) group by 1, 2 having sum(u.amount) <> 0`,
    );
  }

  /** Digests of the holds with this prefix, one per bucket. */
  holdDigests(prefix: string): Promise<readonly string[]> {
    return this.needed.digests(prefix);
  }

  holdLines(prefix: string, buckets: readonly number[]): Promise<NeededHolds> {
    return this.needed.lines(buckets, prefix);
  }

  /** The checks of all parts, in one snapshot. */
  checks(): Promise<readonly AuditCheck[]> {
    return checkAll(
      this.database,
      this.parts.map(({ checks }) => checks),
    );
  }
}
