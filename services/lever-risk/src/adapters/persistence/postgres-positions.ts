import { Injectable } from '@nestjs/common';
import type { Rows } from '@bourse/contract';
import type { Direction } from '@bourse/formulas';
import { Conditions, readPage, readPieces, type Tx } from '@bourse/persistence';
import {
  LeverDatabase,
  PositionStore,
  type AccountName,
  type Change,
  type ClosedFilter,
  type OpenSum,
  type PositionFilter,
} from '../../application/ports.js';
import { outcomeOf, type Position } from '../../domain/position.js';
import { addOpenNotional, openNotional, OWN_SLOT } from './open-notional.js';
import {
  CHANGE_ALL_SQL,
  CHANGE_SQL,
  changeAllParams,
  changeParams,
  COLUMNS,
  INSERT_SQL,
  insertParams,
  positionOf,
  type PositionRow,
} from './position-rows.js';

interface OpenSumRow extends Record<string, unknown> {
  readonly at: number;
  readonly pair_id: number;
  readonly quote: number;
  readonly number_scale: number;
  readonly quote_scale: number;
  readonly lots: string;
  readonly notional: string;
}

/** Rows of a history that are read at once. */
const PIECE = 500;
const SELECT = `select ${COLUMNS} from lever_position`;

@Injectable()
export class PostgresPositions extends PositionStore {
  constructor(private readonly database: LeverDatabase) {
    super();
  }

  async insert(tx: Tx, position: Position): Promise<void> {
    await tx.execute(INSERT_SQL, insertParams(position));
  }

  async drop(tx: Tx, id: string): Promise<void> {
    await tx.execute('delete from lever_position where id = $1 and status = -1', [id]);
  }

  async change(tx: Tx, before: Position, after: Position): Promise<boolean> {
    return (await tx.execute(CHANGE_SQL, changeParams(before, after))) === 1;
  }

  async changeAll(tx: Tx, changes: readonly Change[]): Promise<boolean> {
    if (changes.length === 0) return true;
    return (await tx.execute(CHANGE_ALL_SQL, changeAllParams(changes))) === changes.length;
  }

  async find(id: string, userId?: number): Promise<Position | null> {
    const [row] = await this.database.query<PositionRow>(
      `${SELECT} where id = $1 and ($2::bigint is null or user_id = $2) and status >= 0`,
      [id, userId ?? null],
    );
    return row ? positionOf(row) : null;
  }

  async findByClientId(clientId: string, userId: number): Promise<Position | null> {
    const [row] = await this.database.query<PositionRow>(
      `${SELECT} where user_id = $1 and client_id = $2 and client_id <> '' and status >= 0
       order by lever_position.created_at desc, lever_position.id desc limit 1`,
      [userId, clientId],
    );
    return row ? positionOf(row) : null;
  }

  async lock(tx: Tx, ids: readonly string[]): Promise<readonly Position[]> {
    const rows = await tx.query<PositionRow>(`${SELECT} where id = any($1::bigint[]) order by id for update`, [ids]);
    return rows.map(positionOf);
  }

  async accountsOf(tx: Tx, ids: readonly string[]): Promise<readonly AccountName[]> {
    const rows = await tx.query<{ user_id: string; quote: number }>(
      'select distinct user_id::text, quote from lever_position where id = any($1::bigint[])',
      [ids],
    );
    return rows.map(({ user_id: userId, quote }) => ({ userId: Number(userId), quote }));
  }

  async settling(tx: Tx, settlements: readonly string[]): Promise<readonly Position[]> {
    const rows = await tx.query<PositionRow>(
      `${SELECT} where settlement = any($1::text[]) and status = 2 order by id for update`,
      [settlements],
    );
    return rows.map(positionOf);
  }

  async liveOf(accounts: readonly AccountName[]): Promise<readonly Position[]> {
    const rows = await this.database.query<PositionRow>(
      `${SELECT} where status in (0, 1, 2)
         and (user_id, quote) in (select * from unnest($1::bigint[], $2::int[])) order by created_at, id`,
      [accounts.map(({ userId }) => userId), accounts.map(({ quote }) => quote)],
    );
    return rows.map(positionOf);
  }

  async openQuotes(userId: number, direction?: Direction): Promise<readonly number[]> {
    // The condition of the partial index is repeated so that the planner uses it.
    const rows = await this.database.query<{ quote: number }>(
      `select distinct quote from lever_position
       where user_id = $1 and status in (0, 1, 2) and status = 1 and ($2::boolean is null or is_long = $2)
       order by quote`,
      [userId, direction === undefined ? null : direction === 'long'],
    );
    return rows.map(({ quote }) => quote);
  }

  async openSums(userId: number, moments: readonly number[]): Promise<readonly OpenSum[]> {
    const rows = await this.database.query<OpenSumRow>(
      // Each half repeats the condition of its partial index, so that closes of long ago are not read.
      `with own as (
         select * from lever_position where user_id = $1 and status in (0, 1, 2) and status in (1, 2)
         union all select * from lever_position where user_id = $1 and status = 3 and handled_at >= $3)
       select m.place::int - 1 as at, pair_id, quote, number_scale, quote_scale,
         sum(case when is_long then lots else -lots end)::text as lots,
         sum(case when is_long then notional else -notional end)::text as notional
       from own join unnest($2::bigint[]) with ordinality as m(ms, place)
         on opened_at < ms and (status <> 3 or handled_at >= ms)
       group by m.place, pair_id, quote, number_scale, quote_scale`,
      [userId, moments, moments[0]],
    );
    return rows.map(({ at, pair_id: pairId, quote, number_scale: numberScale, quote_scale: quoteScale, ...sums }) => ({
      ...{ at, pairId, quote, scales: { numberScale, quoteScale } },
      lots: BigInt(sums.lots),
      notional: BigInt(sums.notional),
    }));
  }

  async list(
    { userId, status, quote, pairIds }: PositionFilter,
    offset: number,
    size: number,
  ): Promise<Rows<Position>> {
    const conditions = new Conditions()
      .add('status = ?::smallint', status)
      .add('user_id = ?::bigint', userId)
      .add('quote = ?::int', quote)
      .add('pair_id = any(?::int[])', pairIds);
    if (status === undefined) conditions.addText('status >= 0');
    const { params, where } = conditions;
    // Qualified: the unqualified names are those of the selected texts, which have no index.
    const orderBy = 'lever_position.created_at desc, lever_position.id desc';
    const list = { columns: COLUMNS, from: 'lever_position', where, params, orderBy };
    const { rows, total } = await readPage<PositionRow>(this.database, list, { size, offset });
    return { rows: rows.map(positionOf), total };
  }

  async *allClosed(userId: number, { pairIds, from, to }: ClosedFilter): AsyncGenerator<readonly Position[]> {
    const { params, where } = new Conditions()
      .add('user_id = ?::bigint', userId)
      .add('pair_id = any(?::int[])', pairIds)
      .add('handled_at >= ?::bigint', from)
      .add('handled_at <= ?::bigint', to);
    const closed = `${where} and status = 3`;
    const place = 'lever_position.handled_at, lever_position.id';
    type Place = readonly [at: string, id: string];
    // The end is fixed first. A position that is booked meanwhile may be left out: its time is that of the decision.
    const [end] = await this.database.query<{ at: string; id: string }>(
      `select lever_position.handled_at::text as at, lever_position.id::text as id from lever_position
       where ${closed} order by lever_position.handled_at desc, lever_position.id desc limit 1`,
      params,
    );
    if (!end) return;
    const next = params.length + 1;
    yield* readPieces<Position, Place>(async (after) => {
      const rows = await this.database.query<PositionRow & { closed_at: string }>(
        `select ${COLUMNS}, lever_position.handled_at::text as closed_at from lever_position
         where ${closed} and (${place}) > ($${next}::bigint, $${next + 1}::bigint)
           and (${place}) <= ($${next + 2}::bigint, $${next + 3}::bigint)
         order by ${place} limit ${PIECE}`,
        [...params, ...(after ?? ['0', '0']), end.at, end.id],
      );
      const last = rows.at(-1);
      return { rows: rows.map(positionOf), last: last && [last.closed_at, last.id] };
    });
  }

  async countOutcomes(tx: Tx, ended: readonly Position[]): Promise<void> {
    const counts = new Map<string, number>();
    for (const position of ended) counts.set(outcomeOf(position), (counts.get(outcomeOf(position)) ?? 0) + 1);
    const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (sorted.length === 0) return;
    await tx.execute(
      `insert into outcome (kind, slot, positions)
       select kind, ${OWN_SLOT}, positions from unnest($1::text[], $2::bigint[]) as n(kind, positions)
       on conflict (kind, slot) do update set positions = outcome.positions + excluded.positions`,
      [sorted.map(([kind]) => kind), sorted.map(([, count]) => count)],
    );
  }

  addOpenNotional(tx: Tx, quote: number, notional: bigint, most: bigint | null): Promise<boolean> {
    return addOpenNotional(tx, { quote, notional, most });
  }
  openNotional(quote: number): Promise<bigint> {
    return openNotional(this.database, quote);
  }
}
