import { mayGoNegativeSql } from '@bourse/events';
import { digestsOf, flowOf, HOLD_BUCKET } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import {
  AuditReads,
  type AuditedAccount,
  type AuditedRow,
  type CurrencyTotals,
  type Snapshot,
} from '../../application/ports.js';

interface AccountRow {
  owner: string;
  account: string;
  currency: number;
  available: string;
  held: string;
  available_sequence: string;
  held_sequence: string;
  holds: string;
}
const ACCOUNT =
  'b.owner, b.product as account, b.currency, b.available::text, b.held::text, b.available_sequence, b.held_sequence';
/** Weight of an account's name; must equal `nameWeight`, by which the lines are summed. */
const WEIGHT =
  '(((owner % 10007) + 10007) % 10007 + 1 + 10007 * (ascii(product) + 3 * ' +
  `coalesce(ascii(nullif(substr(product, 3, 1), '')), 0) + length(product)))`;

export class PostgresAuditReads extends AuditReads {
  constructor(private readonly database: Database) {
    super();
  }

  inSnapshot<T>(look: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.database.transaction((tx) => look(snapshotOf(tx)), { isolation: 'repeatable read' });
  }

  async holdDigests(prefix: string): Promise<readonly string[]> {
    return digestsOf(
      await this.database.query(
        `select ${HOLD_BUCKET.replaceAll('$hold', 'h.hold')} as bucket, count(*) as count,
      sum(hashtextextended(h.hold || ' ' || h.currency || ' ' || trim_scale(h.amount)::text, 0))::text as sum
      from (select name as hold, currency, sum(remaining) as amount
        from hold
        where name like $1 || ':%'
        group by 1, 2) h
      group by 1`,
        [prefix],
      ),
    );
  }
}

function snapshotOf(tx: Tx): Snapshot {
  return {
    flow: () => flowOf(tx),
    async accounts() {
      return (
        await tx.query<AccountRow>(
          `select ${ACCOUNT}, coalesce(h.sum, 0)::text as holds
         from balance b
         left join (select owner, product, currency, sum(remaining) as sum
           from hold
           group by 1, 2, 3) h using (owner, product, currency)
         order by b.owner, b.product, b.currency`,
        )
      ).map(accountOf);
    },
    async clearing() {
      return (
        await tx.query<AccountRow>(
          `select ${ACCOUNT}, '0' as holds from balance b where owner < 0 and product = 'h.clearing' order by 1, 3`,
        )
      ).map(accountOf);
    },
    async totals() {
      const rows = await tx.query<{
        currency: number;
        available: string;
        held: string;
        a: string;
        h: string;
        by_name: string;
      }>(
        `select currency, trunc(sum(available) * 1e18)::text as available, trunc(sum(held) * 1e18)::text as held,
          sum(available_sequence)::text as a, sum(held_sequence)::text as h,
           trunc(sum((available + 3 * held) * ${WEIGHT}) * 1e18)::text as by_name from balance group by currency`,
      );
      return rows.map(({ currency, available, held, a, h, by_name: byName }): CurrencyTotals => ({
        currency,
        available,
        held,
        lines: [a, h],
        byName,
      }));
    },
    async overdrawn() {
      return (
        (
          await tx.query(
            `select 1 from balance
              where available = 'NaN' or held = 'NaN' or held < 0 or (available < 0 and not ${mayGoNegativeSql()})
              limit 1`,
          )
        ).length > 0
      );
    },
    async holdMismatch() {
      const [row] = await tx.query<{
        owner: string;
        product: string;
        currency: number;
        held: string | null;
        holds: string | null;
        name: string | null;
      }>(
        `select owner, product, currency, b.held::text, h.sum::text as holds, h.name
         from (select owner, product, currency, held from balance where held <> 0) b
         full
         join (select owner, product, currency, sum(remaining) as sum, min(name) as name
           from hold
           group by 1, 2, 3) h using (owner, product, currency)
         where coalesce(b.held, 0) is distinct from coalesce(h.sum, 0) order by 1, 2, 3 limit 1`,
      );
      return row
        ? `${row.owner}.${row.product}.${row.currency} holds ${row.held ?? '0'}, its holds keep ` +
            `${row.holds ?? '0'}${row.held === null ? ` (${row.name ?? ''})` : ''}`
        : null;
    },
    async bounds(partition) {
      const [row] = await tx.query<{ first: string | null; last: string | null }>(
        'select min(number) as first, max(number) as last from journal where partition = $1',
        [partition],
      );
      return { first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) };
    },
    async journals({ partition, from, to }) {
      // Selects by a range of numbers instead of a limit, so that the planner reads only these rows, whatever its
      // statistics.
      const rows = await tx.query<{
        number: string;
        part: number;
        owner: string;
        id: string;
        cause_type: string;
        cause_id: string;
        entries: string;
        previous_hash: string;
        hash: string;
        at: string;
      }>(
        `select number, part, owner, id, cause_type, cause_id, entries::text, previous_hash, hash,
          floor(extract(epoch from created_at) * 1000)::bigint as at
         from journal where partition = $1 and number > $2 and number <= $3 order by number, part`,
        [partition, from, to],
      );
      return rows.map((row): AuditedRow => ({
        partition,
        number: Number(row.number),
        part: row.part,
        owner: Number(row.owner),
        id: row.id,
        causeType: row.cause_type,
        causeId: row.cause_id,
        entries: row.entries,
        previousHash: row.previous_hash,
        hash: row.hash,
        at: Number(row.at),
      }));
    },
    async fingerprint({ partition, from, to }) {
      const [row] = await tx.query<{ print: string }>(
        `select count(*) || ':' || coalesce(sum(hashtextextended(concat_ws('|', number, part, owner, id, cause_type,
              cause_id, created_at, previous_hash, hash, entries::text),
            0)),
          0)::text as print
         from journal where partition = $1 and number > $2 and number <= $3`,
        [partition, from, to],
      );
      return row?.print ?? '';
    },
    async holdLines(prefix, buckets) {
      return tx.query<{ hold: string; currency: number; amount: string }>(
        `select name as hold, currency, sum(remaining)::text as amount
          from hold
          where name like $1 || ':%' and ${HOLD_BUCKET.replaceAll('$hold', 'name')} = any($2::int[])
          group by 1, 2`,
        [prefix, buckets],
      );
    },
  };
}

const accountOf = (row: AccountRow): AuditedAccount => ({
  owner: Number(row.owner),
  account: row.account,
  currency: row.currency,
  available: row.available,
  held: row.held,
  availableSequence: Number(row.available_sequence),
  heldSequence: Number(row.held_sequence),
  holds: row.holds,
});
