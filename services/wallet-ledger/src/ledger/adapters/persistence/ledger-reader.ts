import type { Rows } from '@bourse/contract';
import type { LedgerReply } from '@bourse/events';
import type { CauseNet } from '@bourse/messaging';
import { batched, Conditions, COUNTED_BEYOND, readPage, readPieces, type Database } from '@bourse/persistence';
import {
  LedgerReader,
  type BalanceRow,
  type CheckRow,
  type DayMove,
  type HoldRow,
  type JournalFilter,
  type LogFilter,
  type LogRow,
  type TransferRow,
} from '../../application/ports.js';
import type { PackedEntry } from '../../application/writer/entries.js';
import { REPEATED, type StoredCommand } from './writer-store.js';
import type { Owner } from '../../domain/journal.js';

interface Page {
  readonly size: number;
  readonly offset: number;
}
type StoredAnswer = Pick<StoredCommand, 'id' | 'answer' | 'held' | 'body_hash'>;
interface StoredJournal {
  partition: number;
  number: string;
  id: string;
  cause_type: string;
  cause_id: string;
  at: string;
}
interface StoredLine extends StoredJournal {
  place: number;
  account: string;
  currency: number;
  state: 'a' | 'h';
  amount: string;
  after: string;
  fee: boolean;
}

/** Lines of an owner's journals, unpacked from the rows. */
const LINES = `
  select j.partition, j.number, (e.line->>8)::int as place, j.id, j.cause_type, j.cause_id,
    floor(extract(epoch from j.created_at) * 1000)::bigint as at,
    e.line->>0 as account, (e.line->>1)::int as currency, e.line->>2 as state, e.line->>3 as amount,
      e.line->>4 as after, e.line->>6 = '1' as fee
  from journal j cross join lateral json_array_elements(j.entries) as e(line)`;
/** Journals of orders only hold funds and return them: most of a trading program's, and cheap to leave out by name. */
const HOLD_CAUSE = 'order';
const DAY_MS = 86_400_000;
/** Rows per piece of an export. */
const PIECE = 500;
/** Journals that a search from one end of a history reads at first, and the factor by which it then goes further. */
const SEARCHED = 500;
const FURTHER = 4;

/** Reads for callers, from the tables: committed state only. */
export class PostgresLedgerReader extends LedgerReader {
  private readonly stored = batched((ids: readonly string[]) => this.storedAll(ids));

  constructor(private readonly database: Database) {
    super();
  }

  async balances(owner: Owner): Promise<BalanceRow[]> {
    return this.database.query<{ currency: number; account: string; available: string; held: string } & BalanceRow>(
      `select currency, product as account, available::text, held::text
        from balance
        where owner = $1
        order by currency, product`,
      [owner],
    );
  }

  async availableOf(
    account: string,
    house: string,
    currency: number,
    userIds: readonly number[],
  ): Promise<{ readonly balances: Readonly<Record<string, string>>; readonly house: string }> {
    const rows = await this.database.query<{ owner: string | null; available: string }>(
      `select owner::text, available::text from balance
         where product = $1 and currency = $3 and owner = any($4::bigint[])
       union all
       select null, coalesce(sum(available), 0)::text from balance where product = $2 and currency = $3 and owner < 0`,
      [account, house, currency, userIds],
    );
    return {
      balances: Object.fromEntries(rows.flatMap((row) => (row.owner === null ? [] : [[row.owner, row.available]]))),
      house: rows.find(({ owner }) => owner === null)?.available ?? '0',
    };
  }

  async houseTotal(account: string, currency: number): Promise<string> {
    const [row] = await this.database.query<{ total: string }>(
      `select trim_scale(coalesce(sum(available + held), 0))::text as total
         from balance where product = $1 and currency = $2 and owner < 0`,
      [account, currency],
    );
    return row!.total;
  }

  async holds(owner: Owner, currency?: number): Promise<HoldRow[]> {
    const rows = await this.database.query<{
      currency: number;
      account: string;
      remaining: string;
      name: string;
      cause_type: string;
      cause_id: string;
    }>(
      `select currency, product as account, remaining::text, name, cause_type, cause_id
        from hold
        where owner = $1 and ($2::int is null or currency = $2)
        order by currency, product, name`,
      [owner, currency ?? null],
    );
    return rows.map(({ cause_type: causeType, cause_id: causeId, ...row }) => ({ ...row, causeType, causeId }));
  }

  async journalsOf(owner: Owner, causeType: string, causeId: string): Promise<{ number: number; partition: number }[]> {
    const rows = await this.database.query<{ number: string; partition: number }>(
      `select distinct number, partition from journal
        where cause_type = $1 and cause_id = $2 and owner = $3 and cause_type not in ('trade', 'order')
        order by number`,
      [causeType, causeId, owner],
    );
    return rows.map(({ number, partition }) => ({ number: Number(number), partition }));
  }

  async netsOf(causeType: string, causeIds: readonly string[]): Promise<CauseNet[]> {
    const rows = await this.database.query<{
      cause_id: string;
      owner: string | null;
      account: string;
      currency: number;
      amount: string;
    }>(
      `select j.cause_id, case when j.owner > 0 then j.owner::text end as owner, e.line->>0 as account,
         (e.line->>1)::int as currency, trim_scale(sum((e.line->>3)::numeric))::text as amount
       from journal j cross join lateral json_array_elements(j.entries) as e(line)
       where j.cause_type = $1 and j.cause_id = any($2::text[]) and j.cause_type not in ('trade', 'order')
       group by 1, 2, 3, 4 having sum((e.line->>3)::numeric) <> 0`,
      [causeType, causeIds],
    );
    return rows.map(({ cause_id: causeId, owner, ...row }) => ({
      ...row,
      causeId,
      owner: owner === null ? null : Number(owner),
    }));
  }

  async logs(filter: LogFilter, { size, offset }: Page): Promise<Rows<LogRow>> {
    const total = await this.countOf(filter, offset + size);
    // Reads no further than the last line: for an account with few lines the query would scan the whole history.
    const wanted = Math.min(size, total - offset);
    if (wanted <= 0) return { rows: [], total };
    const rows = await (isCounted(filter)
      ? this.linesFromEnds(filter, { wanted, offset, total })
      : this.lines(filter, 'desc', { wanted, offset }));
    return { rows: rows.map(rowOf), total };
  }

  /**
   * Lines whose total is known, newest first. They are searched from the newest journal and from the oldest one in
   * turn, each time further: an account with few, old lines would otherwise be sought through all journals since.
   */
  private async linesFromEnds(
    filter: LogFilter,
    { wanted, offset, total }: { readonly wanted: number; readonly offset: number; readonly total: number },
  ): Promise<StoredLine[]> {
    for (let searched = SEARCHED; ; searched *= FURTHER) {
      const after = await this.numberAt(filter.owner, 'desc', searched);
      const newest = await this.lines(filter, 'desc', { wanted, offset }, after);
      // Fewer in the whole history: it is as long as it is.
      if (newest.length === wanted || after === null) return newest;
      const before = await this.numberAt(filter.owner, 'asc', searched);
      const oldest = await this.lines(filter, 'asc', { wanted, offset: total - offset - wanted }, before);
      if (oldest.length === wanted) return oldest.reverse();
    }
  }

  /** The number of the journal at this place of an owner's history, from its newest or its oldest; null: none. */
  private async numberAt(owner: Owner, order: 'asc' | 'desc', place: number): Promise<string | null> {
    const [row] = await this.database.query<{ number: string }>(
      `select number from journal where owner = $1 order by number ${order} limit 1 offset ${place}`,
      [owner],
    );
    return row?.number ?? null;
  }

  /** Lines in this order of their journals, up to a journal, which is left out; null: up to the other end. */
  private lines(
    filter: LogFilter,
    order: 'asc' | 'desc',
    { wanted, offset }: { readonly wanted: number; readonly offset: number },
    end: string | null = null,
  ): Promise<StoredLine[]> {
    const { where, params } = conditions(filter).add(`j.number ${order === 'desc' ? '>' : '<'} ?`, end ?? undefined);
    return this.database.query<StoredLine>(
      `${LINES} where ${where} order by j.number ${order}, place ${order} limit ${wanted} offset ${offset}`,
      params,
    );
  }

  /**
   * Counts lines by the sequences of their accounts. With a filter by time or cause it counts them one by one, up to a
   * limit beyond the page.
   */
  private async countOf(filter: LogFilter, shown: number): Promise<number> {
    if (isCounted(filter)) return this.countLines(filter);
    const { where, params } = conditions(filter);
    const [row] = await this.database.query<{ count: string }>(
      `select count(*) as count
        from (select 1 from journal j
          cross join lateral json_array_elements(j.entries) as e(line)
          where ${where} limit ${shown + COUNTED_BEYOND}) counted`,
      params,
    );
    return Number(row?.count);
  }

  /** Counts the lines of accounts by their sequences. */
  private async countLines(filter: Pick<LogFilter, 'owner' | 'state' | 'account' | 'currency'>): Promise<number> {
    const [row] = await this.database.query<{ available: string; held: string }>(
      `select coalesce(sum(available_sequence), 0) as available, coalesce(sum(held_sequence), 0) as held from balance
       where owner = $1 and ($2::text is null or product = $2) and ($3::int is null or currency = $3)`,
      [filter.owner, filter.account ?? null, filter.currency ?? null],
    );
    return (
      (filter.state === 'held' ? 0 : Number(row?.available)) + (filter.state === 'available' ? 0 : Number(row?.held))
    );
  }

  async journals(filter: JournalFilter, page: Page): Promise<Rows<readonly LogRow[]>> {
    if (!filter.holds && filter.causeType === HOLD_CAUSE) return { rows: [], total: 0 };
    // For accounts without a line the query would scan the whole history.
    if ((await this.countLines(filter)) === 0) return { rows: [], total: 0 };
    const { where, params } = journalConditions(filter);
    const { rows, total } = await readPage<StoredJournal & { entries: readonly PackedEntry[] }>(
      this.database,
      {
        columns: `partition, number, id, cause_type, cause_id, entries,
          floor(extract(epoch from created_at) * 1000)::bigint as at`,
        from: 'journal j',
        where,
        params,
        orderBy: 'number desc',
      },
      page,
    );
    return { rows: rows.map(({ entries, ...journal }) => entries.map((entry) => lineOf(journal, entry))), total };
  }

  async *allLogs(filter: LogFilter): AsyncGenerator<readonly LogRow[]> {
    const { where, params } = conditions(filter);
    const at = params.length;
    const journals = addJournal(new Conditions(), filter);
    const journalsAt = journals.params.length;
    // The end is fixed first, and so is that of each piece before its lines are read: a journal that is committed
    // meanwhile is in none of them, and no line before the last one is missing.
    const [all] = await this.database.query<{ number: string | null }>(
      'select max(number) as number from journal where owner = $1',
      [filter.owner],
    );
    yield* readPieces<LogRow, number>(async (after = 0) => {
      // A piece contains whole journals only, all of the filter's time and cause.
      const [piece] = await this.database.query<{ number: string | null }>(
        `select max(n.number) as number from (
           select j.number from journal j
             where ${journals.where} and j.number > $${journalsAt + 1} and j.number <= $${journalsAt + 2}
             order by j.number limit ${PIECE}) n`,
        [...journals.params, after, all?.number ?? 0],
      );
      if (!piece?.number) return { rows: [], last: undefined };
      const rows = await this.database.query<StoredLine>(
        `${LINES} where ${where} and j.number > $${at + 1} and j.number <= $${at + 2} order by j.number, place`,
        [...params, after, piece.number],
      );
      return { rows: rows.map(rowOf), last: Number(piece.number) };
    });
  }

  async dayMoves(owner: Owner, since: number): Promise<DayMove[]> {
    const rows = await this.database.query<{
      day: string;
      currency: number;
      cause_type: string;
      fee: boolean;
      amount: string;
    }>(
      `select (floor(l.at / ${DAY_MS}) * ${DAY_MS})::bigint as day, l.currency, l.cause_type, l.fee,
          sum(l.amount::numeric)::text as amount
        from (${LINES} where j.owner = $1 and j.created_at >= $2) l
        group by 1, 2, 3, 4 having sum(l.amount::numeric) <> 0`,
      [owner, new Date(since).toISOString()],
    );
    return rows.map(({ day, currency, cause_type: causeType, fee, amount }) => ({
      day: Number(day),
      currency,
      causeType,
      fee,
      amount,
    }));
  }

  async transfers(owner: Owner, page: Page): Promise<Rows<TransferRow>> {
    const { rows, total } = await readPage<{
      cause_id: string;
      entries: readonly PackedEntry[];
      at: string;
    }>(
      this.database,
      {
        columns: 'cause_id, entries, floor(extract(epoch from created_at) * 1000)::bigint as at',
        from: 'journal',
        where: `owner = $1 and cause_type = 'transfer'`,
        params: [owner],
        orderBy: 'number desc',
      },
      page,
    );
    return {
      total,
      rows: rows.flatMap(({ cause_id: transferId, entries: [from, to], at }) =>
        from && to ? [{ transferId, currency: from[1], from: from[0], to: to[0], amount: to[3], at: Number(at) }] : [],
      ),
    };
  }

  async notes(adjustments: readonly number[]): Promise<ReadonlyMap<string, string>> {
    return new Map(
      (
        await this.database.query<{ id: number; note: string }>(
          'select id, note from adjustment where id = any($1::int[])',
          [adjustments],
        )
      ).map(({ id, note }) => [String(id), note]),
    );
  }

  async check(owner: Owner): Promise<CheckRow[]> {
    return this.database.query<
      {
        account: string;
        state: 'available' | 'held';
        currency: number;
        balance: string;
        sum: string;
        equal: boolean;
      } & CheckRow
    >(
      // The stored sums plus the lines since then. A person's partition has one cursor, and this statement reads all of
      // it in one snapshot.
      `with lines as (
         select e.line->>0 as account, (e.line->>1)::int as currency, e.line->>2 as state, (e.line->>3)::numeric as sum
         from journal j cross join lateral json_array_elements(j.entries) as e(line)
         where j.owner = $1
           and j.number > coalesce((select c.number from line_cursor c
               where $1 > 0 and c.partition = (select b.partition from balance b where b.owner = $1 limit 1)),
             0)
         union all select product, currency, state, sum from line_sum where owner = $1),
       sums as (select account, currency, state, sum(sum) as sum from lines group by 1, 2, 3),
       states as (
         select product as account, currency, 'a' as state, available as balance from balance where owner = $1
         union all select product, currency, 'h', held from balance where owner = $1)
       select account, case state when 'a' then 'available' else 'held' end as state, currency,
         coalesce(balance, 0)::text as balance, coalesce(sum, 0)::text as sum,
         coalesce(balance, 0) = coalesce(sum, 0) as equal
       from states full join sums using (account, currency, state) order by currency, account, state`,
      [owner],
    );
  }

  async answer(commandId: string, bodyHash: string | null = null): Promise<LedgerReply | null> {
    const row = await this.stored(commandId);
    if (row && bodyHash !== null && row.body_hash !== null && row.body_hash !== bodyHash)
      return { commandId, ok: false, answer: { type: 'error', key: 'common.keyReused' }, repeated: false };
    return row
      ? {
          commandId,
          ok: row.answer.type === 'ok',
          answer: row.answer,
          repeated: true,
          ...(row.held === null ? {} : { held: row.held }),
        }
      : null;
  }

  /** For each command, the row that was written first. */
  private async storedAll(ids: readonly string[]): Promise<(StoredAnswer | undefined)[]> {
    const rows = await this.database.query<StoredAnswer & Record<string, unknown>>(
      `select distinct on (id) id, answer, held, body_hash
        from command
        where id = any($1::text[]) and ${REPEATED}
        order by id, created_at`,
      [ids],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }
}

/** Whether the sequences of the accounts count the lines of a filter. */
const isCounted = ({ from, to, causeType, causeId }: LogFilter): boolean =>
  (from ?? to ?? causeType ?? causeId) === undefined;

/** Conditions on the journal `j` and its line `e.line`. */
const conditions = (filter: LogFilter): Conditions => addLine(addJournal(new Conditions(), filter), filter);

/** Conditions on the journal `j` alone. */
function journalConditions(filter: JournalFilter): Conditions {
  const all = addJournal(new Conditions(), filter);
  if (!filter.holds) all.add('j.cause_type <> ?', HOLD_CAUSE);
  const fits = addLine(new Conditions(all.params), filter).where;
  const changesTotal = filter.holds
    ? ''
    : 'group by e.line->>0, e.line->>1, e.line->>6 having sum((e.line->>3)::numeric) <> 0';
  return all.addText(`exists (select 1 from json_array_elements(j.entries) as e(line) where ${fits} ${changesTotal})`);
}

const addJournal = (to: Conditions, { owner, from, to: end, causeType, causeId }: LogFilter): Conditions =>
  to
    .add('j.owner = ?', owner)
    .add('j.created_at >= ?', from === undefined ? undefined : new Date(from).toISOString())
    .add('j.created_at < ?', end === undefined ? undefined : new Date(end).toISOString())
    .add('j.cause_type = ?', causeType)
    .add('j.cause_id = ?', causeId);

const addLine = (to: Conditions, { state, account, currency }: LogFilter): Conditions =>
  to
    .add('e.line->>2 = ?', state && (state === 'available' ? 'a' : 'h'))
    .add('e.line->>0 = ?', account)
    .add('(e.line->>1)::int = ?', currency);

/** A line of a journal from the row of an owner. */
const lineOf = (
  journal: StoredJournal,
  [account, currency, state, amount, after, , fee, , place]: PackedEntry,
): LogRow => rowOf({ ...journal, account, currency, state, amount, after, fee: fee === 1, place });

function rowOf(row: StoredLine): LogRow {
  return {
    partition: row.partition,
    number: Number(row.number),
    place: row.place,
    journalId: row.id,
    causeType: row.cause_type,
    causeId: row.cause_id,
    at: Number(row.at),
    account: row.account,
    currency: row.currency,
    state: row.state === 'a' ? 'available' : 'held',
    amount: row.amount,
    after: row.after,
    fee: row.fee,
  };
}
