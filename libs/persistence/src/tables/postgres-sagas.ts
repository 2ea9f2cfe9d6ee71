import type { Database, Tx } from '../ports.js';
import { POSTPONED_NAMED_MAX, SagaTable, type SagaRow, type SagasUnderWay } from './saga-table.js';

interface Stored {
  readonly name: string;
  readonly object: string;
  readonly command_id: string | null;
  readonly reply_to: string | null;
  readonly waits_as: string | null;
  readonly note: string | null;
}
const COLUMNS = 'name, object, command_id, reply_to, waits_as, note';

/** The table `saga` of a schema in PostgreSQL. */
export class PostgresSagas extends SagaTable {
  constructor(private readonly database: Database) {
    super();
  }

  async begin(tx: Tx, { name, object, commandId, replyTo, waitsAs, note }: SagaRow): Promise<boolean> {
    const stored = await tx.execute(
      `insert into saga (${COLUMNS}) values ($1, $2, $3, $4, $5, $6) on conflict (name, object) do nothing`,
      [name, object, commandId, replyTo, waitsAs, note],
    );
    return stored === 1;
  }

  async beginAll(tx: Tx, rows: readonly SagaRow[]): Promise<boolean> {
    const stored = await tx.execute(
      `insert into saga (${COLUMNS})
        select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        on conflict (name, object) do nothing`,
      [
        rows.map(({ name }) => name),
        rows.map(({ object }) => object),
        rows.map(({ commandId }) => commandId),
        rows.map(({ replyTo }) => replyTo),
        rows.map(({ waitsAs }) => waitsAs),
        rows.map(({ note }) => note),
      ],
    );
    return stored === rows.length;
  }

  async end(tx: Tx, name: string, object: string): Promise<SagaRow | null> {
    const [row] = await tx.query<Stored>(`delete from saga where name = $1 and object = $2 returning ${COLUMNS}`, [
      name,
      object,
    ]);
    return row ? rowOf(row) : null;
  }

  async endAll(
    tx: Tx,
    name: string,
    objects: readonly string[],
    { notes } = { notes: false },
  ): Promise<readonly SagaRow[]> {
    const rows = await tx.query<Stored>(
      `delete from saga where name = $1 and object = any($2::text[])
       returning name, object, command_id, reply_to, waits_as,
         ${notes ? 'note' : 'case when waits_as is not null then note end as note'}`,
      [name, objects],
    );
    return rows.map(rowOf);
  }

  async postpone(tx: Tx, name: string, object: string, secondsMax: number): Promise<number> {
    const [row] = await tx.query<{ tries: number }>(
      `update saga
        set tries = tries + 1, not_before = now() + least(power(2, least(tries, 30)), $3::int) * interval '1 second'
       where name = $1 and object = $2 returning tries`,
      [name, object, secondsMax],
    );
    return row?.tries ?? 0;
  }

  async takeDue(tx: Tx, max: number): Promise<readonly SagaRow[]> {
    const rows = await tx.query<Stored>(
      `update saga set not_before = null where (name, object) in (
         select name, object
         from saga
         where not_before <= now()
         order by not_before limit $1::int for update skip locked)
       returning ${COLUMNS}`,
      [max],
    );
    return rows.map(rowOf);
  }

  async underWay(): Promise<SagasUnderWay> {
    const [row] = await this.database.query<{ count: number; postponed: number; oldest: string; names: string[] }>(
      `select count(*)::int as count, count(*) filter (where tries > 0)::int as postponed,
         array(select name || ' ' || object from saga where tries > 0 order by created_at, name, object
           limit ${POSTPONED_NAMED_MAX}) as names,
         round(coalesce(extract(epoch from now() - min(created_at)), 0) * 1000)::bigint as oldest from saga`,
    );
    return {
      count: row?.count ?? 0,
      oldestMs: Number(row?.oldest ?? 0),
      postponed: row?.postponed ?? 0,
      postponedNames: row?.names ?? [],
    };
  }

  async isUnderWay(name: string, object: string): Promise<boolean> {
    const rows = await this.database.query('select 1 from saga where name = $1 and object = $2', [name, object]);
    return rows.length > 0;
  }
}

const rowOf = (row: Stored): SagaRow => ({
  name: row.name,
  object: row.object,
  commandId: row.command_id,
  replyTo: row.reply_to,
  waitsAs: row.waits_as,
  note: row.note,
});
