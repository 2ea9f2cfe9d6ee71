import type { Database } from '@bourse/persistence';
import type { AuditCheck } from './audit-loop.js';

/** Names of what is wrong that a check tells of at most. */
const NAMED = 20;

/** Checks by name: what each says, and a query that gives what is wrong in a column `what`. */
export type AuditChecks = Readonly<Record<string, { readonly says: string; readonly wrong: string }>>;

/** What these checks find, all in one snapshot. */
export function checkAll(database: Database, lists: readonly AuditChecks[]): Promise<readonly AuditCheck[]> {
  return database.transaction(
    async (tx) => {
      const checks: AuditCheck[] = [];
      for (const [name, { says, wrong }] of lists.flatMap((list) => Object.entries(list))) {
        const found = await tx.query<{ what: string }>(`${wrong} limit ${NAMED}`);
        const detail = found.length === 0 ? says : `not so: ${found.map(({ what }) => what).join(', ')}`;
        checks.push({ name, ok: found.length === 0, detail });
      }
      return checks;
    },
    { isolation: 'repeatable read' },
  );
}
