import { Inject, Injectable } from '@nestjs/common';
import type { AuditCheck } from '@bourse/messaging';
import { NoticesAudit, NoticesDatabase, type AuditPart } from '../../application/ports.js';

/** Injection token of the list of `AuditPart`. */
export const AUDIT_PARTS = Symbol('parts of the audit');

/** The parts' checks in one snapshot. */
@Injectable()
export class PostgresNoticesAudit extends NoticesAudit {
  constructor(
    private readonly database: NoticesDatabase,
    @Inject(AUDIT_PARTS) private readonly parts: readonly AuditPart[],
  ) {
    super();
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
