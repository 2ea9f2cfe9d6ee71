import { Injectable } from '@nestjs/common';
import { HOUSE_ACCOUNTS } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { TURNOVER_SCALE } from '@bourse/settings';
import { Turnovers, type Counted, type TradePiece, type Turnover } from '../../application/turnovers.js';
import { SpotDatabase } from './spot-database.js';
import { lastTradeBefore } from './trade-times.js';

/** Trades that one transaction counts, and rows that one statement deletes. */
const TRADES_AT_ONCE = 5_000;
const ROWS_AT_ONCE = 10_000;
/** Each day's turnover in a quote, at the price of that day, down. */
const SUM = `sum(trunc(t.amount * p.price, ${TURNOVER_SCALE}))::text`;
/** The sides of trades that count. */
const COUNTED = `from trades t
  cross join lateral (values (t.buyer_id), (t.seller_id)) as side(user_id)
  where t.symbol = $1 and t.sequence > $2 and t.sequence <= $3 and t.at >= $4 and side.user_id <> all($5)`;
const DAYS = `turnover t join turnover_price p using (day, quote_id)`;

/** Turnover in the tables `turnover…`. */
@Injectable()
export class PostgresTurnovers extends Turnovers {
  constructor(private readonly database: SpotDatabase) {
    super();
  }

  async closedDay(): Promise<number | null> {
    const [row] = await this.database.query<{ day: number | null }>('select max(day) as day from turnover_closed');
    return row?.day ?? null;
  }

  async close(day: number): Promise<void> {
    await this.database.execute('insert into turnover_closed (day) values ($1) on conflict do nothing', [day]);
  }

  async symbols(): Promise<readonly string[]> {
    const rows = await this.database.query<{ symbol: string }>('select symbol from market order by symbol');
    return rows.map(({ symbol }) => symbol);
  }

  count(piece: TradePiece): Promise<Counted> {
    return this.database.transaction(async (tx) => {
      const reached = await this.reached(tx, piece);
      const [found] = await tx.query<{ last: string | null }>(
        `select max(sequence) as last from trades
          where symbol = $1 and sequence > $2 and sequence <= $3 and at < $4`,
        [piece.symbol, reached, reached + TRADES_AT_ONCE, new Date(piece.to)],
      );
      const last = Number(found?.last ?? 0);
      if (last === 0) return 'all';
      const counted = [piece.symbol, reached, last, new Date(piece.from), [...HOUSE_ACCOUNTS]];
      if (piece.price === null && (await tx.query(`select 1 ${COUNTED} limit 1`, counted)).length > 0)
        return 'unpriced';
      await tx.query(
        `with counted as (
           select floor(extract(epoch from t.at) / 86400)::int as day, side.user_id, sum(t.quote) as amount
           ${COUNTED}
           group by 1, 2),
         priced as (
           insert into turnover_price (day, quote_id, price)
           select distinct day, $6::int, $7::numeric from counted order by day
           on conflict do nothing)
         insert into turnover (user_id, day, quote_id, amount)
         select user_id, day, $6::int, amount from counted order by user_id, day
         on conflict (user_id, day, quote_id) do update set amount = turnover.amount + excluded.amount`,
        [...counted, piece.quoteId, piece.price ?? '0'],
      );
      await tx.query('update turnover_reached set sequence = $2 where symbol = $1', [piece.symbol, last]);
      return 'more';
    });
  }

  /** The number up to which a market's trades are counted; locked, so that another instance waits for this one. */
  private async reached(tx: Tx, { symbol, from }: TradePiece): Promise<number> {
    const read = async (): Promise<number | undefined> => {
      const [row] = await tx.query<{ sequence: string }>(
        'select sequence from turnover_reached where symbol = $1 for update',
        [symbol],
      );
      return row && Number(row.sequence);
    };
    const known = await read();
    if (known !== undefined) return known;
    const [newest] = await tx.query<{ last: string | null }>(
      'select max(sequence) as last from trades where symbol = $1',
      [symbol],
    );
    const first = await lastTradeBefore(tx, symbol, Number(newest?.last ?? 0), from);
    await tx.query('insert into turnover_reached (symbol, sequence) values ($1, $2) on conflict do nothing', [
      symbol,
      first,
    ]);
    return (await read()) ?? first;
  }

  async sums(first: number, last: number, after: number, limit: number): Promise<readonly Turnover[]> {
    const rows = await this.database.query<{ user_id: string; sum: string }>(
      `select t.user_id, ${SUM} as sum from ${DAYS}
        where t.user_id > $1 and t.day between $3 and $4
        group by t.user_id
        order by t.user_id
        limit $2`,
      [after, limit, first, last],
    );
    return rows.map((row) => ({ userId: Number(row.user_id), units: toUnits(row.sum, TURNOVER_SCALE) }));
  }

  async ofPerson(userId: number, first: number, last: number): Promise<bigint> {
    const [row] = await this.database.query<{ sum: string | null }>(
      `select ${SUM} as sum from ${DAYS} where t.user_id = $1 and t.day between $2 and $3`,
      [userId, first, last],
    );
    return toUnits(row?.sum ?? '0', TURNOVER_SCALE);
  }

  async dropBefore(day: number): Promise<void> {
    for (const table of ['turnover', 'turnover_price', 'turnover_closed']) {
      const old = `select ctid from ${table} where day < $1 limit ${ROWS_AT_ONCE}`;
      const drop = `delete from ${table} where ctid = any(array(${old}))`;
      while ((await this.database.execute(drop, [day])) === ROWS_AT_ONCE);
    }
  }
}
