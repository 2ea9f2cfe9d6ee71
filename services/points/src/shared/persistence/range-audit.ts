import { PartsAudit, type AuditCheck, type AuditPart } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import type { PartCheck } from '../application/database.js';

/** People with ids above one up to another, both as decimal text. */
interface PeopleRange {
  readonly above: string;
  readonly upTo: string;
}
const NOBODY = '-1';
const EVERYBODY = '9223372036854775807';
/** Ranges that are kept because something was wrong: beyond them the alarm says enough. */
const WRONG_MAX = 20;

/**
 * The products' parts of the audit in one snapshot. Checks by person go through the people in ranges, one more range in
 * each round, and then from the first again; a range with a fault is checked in each round until it is repaired, so
 * that the alarm stays as long as its cause.
 */
export class PostgresPointsAudit extends PartsAudit {
  /** The last person of the ranges checked so far. */
  private auditedUpTo = NOBODY;
  private wrong: readonly PeopleRange[] = [];

  /** `people`: how many members one round adds to those that it checks again. */
  constructor(
    database: Database,
    parts: readonly AuditPart[],
    private readonly people: number,
  ) {
    super(database, parts);
  }

  override async checks(): Promise<readonly AuditCheck[]> {
    const audited = await this.database.transaction((tx) => this.auditRange(tx), { isolation: 'repeatable read' });
    this.auditedUpTo = audited.next.upTo === EVERYBODY ? NOBODY : audited.next.upTo;
    this.wrong = audited.wrong.slice(0, WRONG_MAX);
    return audited.checks;
  }

  private async auditRange(
    tx: Tx,
  ): Promise<{ readonly next: PeopleRange; readonly wrong: PeopleRange[]; readonly checks: AuditCheck[] }> {
    const next = await this.rangeAbove(tx, this.auditedUpTo);
    const ranges = [...this.wrong.filter(({ above }) => above !== next.above), next];
    const wrong = new Set<PeopleRange>();
    const checks: AuditCheck[] = [];
    for (const part of this.parts)
      for (const [name, check] of Object.entries<PartCheck>(part.checks)) {
        const found: string[] = [];
        for (const range of check.byPeople ? ranges : [null]) {
          const inRange = await wrongIn(tx, check, range);
          if (range && inRange.length > 0) wrong.add(range);
          found.push(...inRange);
        }
        const detail = found.length === 0 ? check.says : `not so: ${found.slice(0, FOUND_MAX).join(', ')}`;
        checks.push({ name, ok: found.length === 0, detail });
      }
    return { next, wrong: [...wrong], checks };
  }

  /** The last range reaches beyond all members: people in no team are in some range, too. */
  private async rangeAbove(tx: Tx, above: string): Promise<PeopleRange> {
    const [last] = await tx.query<{ id: string }>(
      `select m.id::text from team_member m where m.id > $1::bigint order by m.id limit 1 offset $2`,
      [above, this.people - 1],
    );
    return { above, upTo: last?.id ?? EVERYBODY };
  }
}

const FOUND_MAX = 20;
async function wrongIn(tx: Tx, { wrong }: PartCheck, range: PeopleRange | null): Promise<string[]> {
  const params = range ? [range.above, range.upTo] : [];
  const found = await tx.query<{ what: string }>(`${wrong} limit ${FOUND_MAX}`, params);
  return found.map(({ what }) => what);
}
