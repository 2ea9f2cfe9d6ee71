import type { Database } from '@bourse/persistence';
import { digestsOf, flowOf, HOLD_BUCKET, type AuditFlow } from './audit-loop.js';

/** A hold that an object of a service needs in the ledger; the amount is decimal text. */
export interface NeededHold {
  readonly hold: string;
  readonly currency: number;
  readonly amount: string;
}
/** Holds of some buckets, and how far the service had come in the snapshot that they are of. */
export interface NeededHolds {
  readonly lines: readonly NeededHold[];
  readonly flow: AuditFlow;
}

const BUCKET = HOLD_BUCKET.replaceAll('$hold', 'n.hold');
const ofPrefix = (place: string): string => `split_part(n.hold, ':', 1) = ${place}`;

/**
 * The holds that the objects of a service need in the ledger, as the auditor compares them with the ledger's. `needed`
 * is a query that returns one row `hold`, `currency`, `amount` for each hold and currency.
 */
export class HoldReads {
  constructor(
    private readonly database: Database,
    private readonly needed: string,
  ) {}

  /** Digests of the holds with this prefix, or of all, one per bucket. */
  async digests(prefix?: string): Promise<readonly string[]> {
    return digestsOf(
      await this.database.query(
        `select ${BUCKET} as bucket, count(*) as count,
           sum(hashtextextended(n.hold || ' ' || n.currency || ' ' || trim_scale(n.amount)::text, 0))::text as sum
         from (${this.needed}) n ${prefix === undefined ? '' : `where ${ofPrefix('$1')}`} group by 1`,
        prefix === undefined ? [] : [prefix],
      ),
    );
  }

  /** The holds of these buckets, with this prefix or all. */
  lines(buckets: readonly number[], prefix?: string): Promise<NeededHolds> {
    return this.database.transaction(
      async (tx) => ({
        lines: await tx.query<NeededHold & Record<string, unknown>>(
          `select n.hold, n.currency, trim_scale(n.amount)::text as amount from (${this.needed}) n
           where ${BUCKET} = any($1::int[]) ${prefix === undefined ? '' : `and ${ofPrefix('$2')}`}`,
          prefix === undefined ? [buckets] : [buckets, prefix],
        ),
        flow: await flowOf(tx),
      }),
      { isolation: 'repeatable read' },
    );
  }
}
