import { Inject, Injectable } from '@nestjs/common';
import { digestsOf, flowOf, HOLD_BUCKET, type AuditCheck, type AuditFlow } from '@bourse/messaging';
import { PointsAudit, PointsDatabase, type AuditPart, type NeededHold } from '../../application/ports.js';

/** Injection token of the list of `AuditPart`. */
export const AUDIT_PARTS = Symbol('parts of the audit');

/** The products' parts of the audit in one snapshot. */
@Injectable()
export class PostgresPointsAudit extends PointsAudit {
  readonly prefixes: readonly string[];
  /** Rows `hold`, `currency`, `amount` of everything that objects need. */
  private readonly needed: string;

  constructor(
    private readonly database: PointsDatabase,
    @Inject(AUDIT_PARTS) private readonly parts: readonly AuditPart[],
  ) {
    super();
    this.prefixes = parts.flatMap(({ prefixes }) => prefixes);
    const rows = parts.map(({ holds }) => `(${holds})`).join(' union all ');
    this.needed = `select u.hold, u.currency, sum(u.amount) as amount
      from (${rows}) u (hold, currency, amount) group by 1, 2 having sum(u.amount) <> 0`;
  }

  async holdDigests(prefix: string): Promise<readonly string[]> {
    return digestsOf(
      await this.database.query(
        `select ${HOLD_BUCKET.replaceAll('$hold', 'n.hold')} as bucket, count(*) as count,
           sum(hashtextextended(n.hold || ' ' || n.currency || ' ' || trim_scale(n.amount)::text, 0))::text as sum
         from (${this.needed}) n where split_part(n.hold, ':', 1) = $1 group by 1`,
        [prefix],
      ),
    );
  }

  holdLines(prefix: string, buckets: readonly number[]): Promise<{ lines: readonly NeededHold[]; flow: AuditFlow }> {
    return this.database.transaction(
      async (tx) => ({
        lines: await tx.query<NeededHold & Record<string, unknown>>(
          `select n.hold, n.currency, trim_scale(n.amount)::text as amount from (${this.needed}) n
           where split_part(n.hold, ':', 1) = $1 and ${HOLD_BUCKET.replaceAll('$hold', 'n.hold')} = any($2::int[])`,
          [prefix, buckets],
        ),
        flow: await flowOf(tx),
      }),
      { isolation: 'repeatable read' },
    );
  }

  checks(): Promise<readonly AuditCheck[]> {
    return this.database.transaction(
      async (tx) => {
        const checks: AuditCheck[] = [];
        for (const part of this.parts)
          for (const [name, { says, wrong }] of Object.entries(part.checks)) {
            const found = await tx.query<{ what: string }>(`${wrong} limit 20`);
            const detail = found.length === 0 ? says : `not so: ${found.map(({ what }) => what).join(', ')}`;
            checks.push({ name, ok: found.length === 0, detail });
          }
        return checks;
      },
      { isolation: 'repeatable read' },
    );
  }
}
