import type { Database } from '@bourse/persistence';
import type { AuditCheck } from './audit-loop.js';

/** The most names of wrong objects that a check lists. */
const NAMED = 20;

/** Checks by name: the description of each, and a query that returns the wrong objects in a column `what`. */
export type AuditChecks = Readonly<Record<string, { readonly says: string; readonly wrong: string }>>;

/** Runs these checks, all in one snapshot. */
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
