import type { Database } from '@bourse/persistence';
import { delay } from '../log/delay.js';
import type { AuditCheck } from './audit-loop.js';

/** The most names of wrong objects that a check lists. */
const NAMED = 20;
/** Pause before the objects of a check with a grace are read again, ms. */
const REREAD_MS = 250;

interface AuditRule {
  readonly says: string;
  /** Query that returns the wrong objects in a column `what`. */
  readonly wrong: string;
  /** Real time for which an object may be wrong while the work that corrects it is under way, ms; absent: none. */
  readonly graceMs?: number;
}
/** Checks by name. */
export type AuditChecks = Readonly<Record<string, AuditRule>>;

/** Runs these checks, all in one snapshot; objects of a check with a grace are read again after it [AUDIT-031]. */
export async function checkAll(
  database: Pick<Database, 'transaction' | 'query'>,
  lists: readonly AuditChecks[],
): Promise<readonly AuditCheck[]> {
  const rules = lists.flatMap((list) => Object.entries(list));
  const found = await database.transaction(
    async (tx) => {
      const all: (readonly string[])[] = [];
      for (const [, { wrong }] of rules)
        all.push((await tx.query<{ what: string }>(`${wrong} limit ${NAMED}`)).map(({ what }) => what));
      return all;
    },
    { isolation: 'repeatable read' },
  );
  return Promise.all(
    rules.map(async ([name, rule], at) => {
      const wrong = await remainingAfterGrace(database, rule, found[at] ?? []);
      return { name, ok: wrong.length === 0, detail: wrong.length === 0 ? rule.says : `not so: ${wrong.join(', ')}` };
    }),
  );
}

/** The objects that stay wrong until the grace of their check ends. */
async function remainingAfterGrace(
  database: Pick<Database, 'query'>,
  { wrong, graceMs = 0 }: AuditRule,
  found: readonly string[],
): Promise<readonly string[]> {
  let remaining = found;
  for (const until = performance.now() + graceMs; remaining.length > 0 && performance.now() < until;) {
    await delay(REREAD_MS);
    const rows = await database.query<{ what: string }>(`select what from (${wrong}) w where what = any($1::text[])`, [
      remaining,
    ]);
    remaining = rows.map(({ what }) => what);
  }
  return remaining;
}
