import type { Rows } from '@bourse/contract';
import type { ExportPiece } from '@bourse/messaging';
import { numberColumn, type Database } from '@bourse/persistence';
import {
  ReportReader,
  type BookedJournal,
  type CoinSums,
  type FoundMovement,
  type ReportWork,
  type HouseRow,
  type JournalFilter,
} from '../application/ports.js';

interface StoredPart {
  partition: number;
  number: string;
  owner: string;
  cause_type: string;
  cause_id: string;
  entries: readonly (readonly [string, number, 'a' | 'h', string, string, number, 0 | 1, string | null, number])[];
  at: string;
}
interface Key {
  readonly partition: number;
  readonly number: number;
}
interface Span extends Key {
  readonly to: number;
}

/** Most withdrawals, and most deposits, that a search finds. */
const FOUND_MAX = 10;
/** Journals per piece of an export. */
const PIECE = 500;
const PARTS = `select partition, number, owner, cause_type, cause_id, entries,
    floor(extract(epoch from created_at) * 1000)::bigint as at
  from journal`;

/** The books in PostgreSQL. A time is searched among the numbers of each partition, which rise with it. */
export class PostgresReportReader extends ReportReader {
  constructor(
    private readonly database: Database,
    private readonly partitions: number,
  ) {
    super();
  }

  async journals(
    filter: JournalFilter,
    { size, offset }: { readonly size: number; readonly offset: number },
  ): Promise<Rows<BookedJournal>> {
    const spans = await this.spans(filter.from, filter.to);
    const where = `partition = any($1::int[]) and number > ($2::bigint[])[array_position($1::int[], partition)]
      and number <= ($3::bigint[])[array_position($1::int[], partition)]
      and ($4::bigint is null or owner = $4)
      and ($5::text is null or cause_type = $5) and ($6::text is null or cause_id = $6)`;
    const params = [
      spans.map(({ partition }) => partition),
      spans.map(({ number }) => number),
      spans.map(({ to }) => to),
      filter.owner ?? null,
      filter.causeType ?? null,
      filter.causeId ?? null,
    ];
    const narrow = filter.owner !== undefined || filter.causeType !== undefined || filter.causeId !== undefined;
    const [keys, [count]] = narrow
      ? await Promise.all([
          this.database.query<{ partition: number; number: string }>(
            `select partition, number
              from journal
              where ${where}
              group by 1, 2
              order by min(created_at) desc, number desc, partition limit ${size} offset ${offset}`,
            params,
          ),
          this.database.query<{ count: string }>(
            `select count(distinct (partition, number)) as count from journal where ${where}`,
            params,
          ),
        ])
      : [
          await this.newest(spans, size, offset),
          [{ count: String(spans.reduce((sum, { number, to }) => sum + to - number, 0)) }],
        ];
    return {
      rows: await this.whole(keys.map((key) => ({ partition: key.partition, number: Number(key.number) }))),
      total: Number(count?.count),
    };
  }

  /** The newest rows of all partitions together, each read along its own numbers. */
  private newest(
    spans: readonly Span[],
    size: number,
    offset: number,
  ): Promise<{ partition: number; number: string }[]> {
    return this.database.query(
      `select partition, number from unnest($1::int[], $2::bigint[], $3::bigint[]) as s(p, low, high)
       cross join lateral (select partition, number, created_at
         from journal
         where partition = s.p and number > s.low and number <= s.high and part = 0
         order by number desc limit ${size + offset}) newest
       order by created_at desc, number desc, partition limit ${size} offset ${offset}`,
      [
        numberColumn(spans.map(({ partition }) => partition)),
        numberColumn(spans.map(({ number }) => number)),
        numberColumn(spans.map(({ to }) => to)),
      ],
    );
  }

  private async whole(keys: readonly Key[]): Promise<BookedJournal[]> {
    const rows = await this.database.query<StoredPart>(
      `${PARTS} join unnest($1::int[], $2::bigint[]) as k(partition, number) using ` +
        '(partition, number) order by partition, number, part',
      [numberColumn(keys.map(({ partition }) => partition)), numberColumn(keys.map(({ number }) => number))],
    );
    const journals = new Map(journalsOf(rows).map((journal) => [`${journal.partition}/${journal.number}`, journal]));
    return keys.flatMap(({ partition, number }) => journals.get(`${partition}/${number}`) ?? []);
  }

  async journalsAfter(
    from: number,
    to: number,
    after: string | null,
  ): Promise<{ journals: BookedJournal[]; after: string | null }> {
    const [at = -1, reached = 0] = after?.split('/').map(Number) ?? [];
    for (const { partition, number: first, to: last } of await this.spans(from, to)) {
      const number = partition === at ? Math.max(first, reached) : first;
      if (partition < at || number >= last) continue;
      const end = Math.min(last, number + PIECE);
      return {
        journals: journalsOf(
          await this.database.query<StoredPart>(
            `${PARTS} where partition = $1 and number > $2 and number <= $3 order by number, part`,
            [partition, number, end],
          ),
        ),
        after: `${partition}/${end}`,
      };
    }
    return { journals: [], after: null };
  }

  async house(): Promise<HouseRow[]> {
    return this.database.query<HouseRow & { currency: number }>(
      `select product as account, currency, sum(available)::text as balance, sum(held)::text as held
        from balance
        where owner < 0
        group by product, currency
        order by product, currency`,
    );
  }

  sums(): Promise<CoinSums[]> {
    return this.database.query<CoinSums & { currency: number }>(
      `select currency,
          coalesce(sum(available + held) filter (where owner < 0 and product = 'h.outside'), 0)::text as outside,
          coalesce(sum(available + held) filter (where owner >= 0), 0)::text as people,
          coalesce(sum(available + held) filter (where owner < 0 and product = 'h.suspense'), 0)::text as suspense,
          coalesce(sum(available + held) filter (where owner < 0 and product = 'h.clearing'), 0)::text as clearing,
          coalesce(sum(available + held) filter (
            where owner < 0 and product not in ('h.outside', 'h.suspense', 'h.clearing')), 0)::text as own
        from balance
        group by currency
        order by currency`,
    );
  }

  async find(text: string, id: string | null): Promise<FoundMovement[]> {
    const rows = await this.database.query<Omit<FoundMovement, 'userId'> & { user_id: string | null }>(
      `(select 'withdrawal' as kind, w.id::text as id, w.user_id, w.currency_id as currency, w.number::text as amount
          from withdrawal w
          where w.id = $2 or w.address = $1
            or w.id in (
              select substr(p.reference, 12)::bigint from payout p
              where p.tx_id = $1 and p.tx_id <> '' and p.reference like 'withdrawal:%'
            )
          order by w.created_at desc limit ${FOUND_MAX})
       union all
       (select 'deposit', d.id::text, d.user_id, d.currency_id, d.amount::text
          from deposit d
          where d.id = $2 or d.tx_id = $1 or d.address = $1
          order by d.seen_at desc limit ${FOUND_MAX})`,
      [text, id],
    );
    return rows.map(({ user_id: userId, ...row }) => ({ ...row, userId: Number(userId ?? 0) }));
  }

  async work(): Promise<ReportWork> {
    const [row] = await this.database.query<Record<keyof ReportWork, number>>(`
      select (select count(*)::int from withdrawal where state = 'review') as withdrawals,
        (select count(*)::int from deposit where state = 'held') as deposits_held,
        (select count(*)::int from charge_req where status = 1) as charge_reqs,
        (select count(*)::int from adjustment where state = 'waiting' and user_id is not null) as adjustments,
        (select count(*)::int from adjustment where state = 'waiting' and user_id is null) as house_fundings`);
    if (!row) throw new Error('invariant: a count without a row');
    return row;
  }

  depositsAfter(from: number, to: number, after: string | null): Promise<ExportPiece> {
    return this.piece(
      [
        'id',
        'time',
        'user_id',
        'currency_id',
        'network',
        'contract',
        'amount',
        'state',
        'tx_id',
        'output',
        'address',
        'memo',
        'return_address',
        'return_tx_id',
        'updated',
      ],
      `
      select id::text, seen_at::text as at,
        array[id::text, ${iso('seen_at')}, coalesce(user_id::text, ''), currency_id::text,
          coalesce((select type from network n where n.id = network_id), network_id::text), contract, amount::text,
          state, tx_id, output::text, address, memo, return_address, return_tx_id, ${iso('updated_at')}] as fields
      from deposit
      where seen_at >= $1 and seen_at < $2 and (seen_at, id) > ($3::timestamptz, $4::bigint)
      order by seen_at, id limit ${PIECE}`,
      from,
      to,
      after,
    );
  }

  withdrawalsAfter(from: number, to: number, after: string | null): Promise<ExportPiece> {
    return this.piece(
      [
        'id',
        'time',
        'user_id',
        'currency_id',
        'network',
        'number',
        'fee',
        'received',
        'address',
        'memo',
        'state',
        'reason',
        'tx_id',
        'updated',
      ],
      `
      select w.id::text, w.created_at::text as at,
        array[w.id::text, ${iso('w.created_at')}, w.user_id::text, w.currency_id::text,
          coalesce((select type from network n where n.id = network_id), network_id::text), w.number::text, w.fee::text,
          w.received::text, w.address, w.memo, w.state, w.reason, coalesce(p.tx_id, ''),
          ${iso('w.updated_at')}] as fields
      from withdrawal w
      left join payout p on p.reference = 'withdrawal:' || w.id
      where w.created_at >= $1 and w.created_at < $2 and (w.created_at, w.id) > ($3::timestamptz, $4::bigint)
      order by w.created_at, w.id limit ${PIECE}`,
      from,
      to,
      after,
    );
  }

  private async piece(
    columns: readonly string[],
    sql: string,
    from: number,
    to: number,
    after: string | null,
  ): Promise<ExportPiece> {
    const [at = '-infinity', last = '0'] = after?.split('|') ?? [];
    const rows = await this.database.query<{ id: string; at: string; fields: string[] }>(sql, [
      new Date(from).toISOString(),
      new Date(to).toISOString(),
      at,
      last,
    ]);
    const end = rows.length < PIECE ? undefined : rows.at(-1);
    return { columns, rows: rows.map(({ fields }) => fields), after: end ? `${end.at}|${end.id}` : null };
  }

  /** Numbers of each partition within a span of time, as (number, to]. */
  private async spans(from?: number, to?: number): Promise<Span[]> {
    return Promise.all(
      Array.from({ length: this.partitions }, async (_, partition): Promise<Span> => {
        const [row] = await this.database.query<{ first: string | null; last: string | null }>(
          'select min(number) as first, max(number) as last from journal where partition = $1',
          [partition],
        );
        const [first, last] = [Number(row?.first ?? 1), Number(row?.last ?? 0)];
        return {
          partition,
          number: from === undefined ? first - 1 : await this.before(partition, first - 1, last, from),
          to: to === undefined ? last : await this.before(partition, first - 1, last, to),
        };
      }),
    );
  }

  /** The last number of a partition that was booked before a time. */
  private async before(partition: number, low: number, high: number, at: number): Promise<number> {
    let [known, unknown] = [low, high];
    while (known < unknown) {
      const middle = Math.ceil((known + unknown) / 2);
      const [row] = await this.database.query<{ before: boolean }>(
        'select created_at < $3 as before from journal where partition = $1 and number = $2 limit 1',
        [partition, middle, new Date(at).toISOString()],
      );
      if (row?.before === true) known = middle;
      else unknown = middle - 1;
    }
    return known;
  }
}

/** A time as ISO text in UTC, because the other columns of an export are text. */
const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function journalsOf(parts: readonly StoredPart[]): BookedJournal[] {
  const journals: (BookedJournal & { legs: BookedJournal['legs'][number][] })[] = [];
  for (const row of parts) {
    const number = Number(row.number);
    let journal = journals.at(-1);
    if (journal?.number !== number || journal.partition !== row.partition)
      journals.push(
        (journal = {
          partition: row.partition,
          number,
          at: Number(row.at),
          causeType: row.cause_type,
          causeId: row.cause_id,
          legs: [],
        }),
      );
    for (const [account, currency, state, amount] of row.entries)
      journal.legs.push({
        owner: Number(row.owner),
        account,
        state: state === 'a' ? 'available' : 'held',
        currency,
        amount,
      });
  }
  return journals;
}
