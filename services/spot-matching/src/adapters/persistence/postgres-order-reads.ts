import { Injectable } from '@nestjs/common';
import type { Rows } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { readPieces } from '@bourse/persistence';
import type { Span } from '@bourse/platform';
import { Markets } from '../../application/markets.js';
import { OrderReads, type FillFilter, type OrderFilter, type StoredFill } from '../../application/ports.js';
import { BUY, lotsOf, ticksOf, type Market, type Order } from '@bourse/matching';
import { ORDER_COLUMNS, orderFromRow, type OrderRow, withTrails } from './order-rows.js';
import { SpotDatabase } from './spot-database.js';

interface TradeRow {
  symbol: string;
  sequence: string;
  pair_id: number;
  price: string;
  quantity: string;
  quote: string;
  taker_side: 0 | 1;
  buyer_id: string;
  seller_id: string;
  buy_order_id: string;
  sell_order_id: string;
  buyer_fee: string;
  seller_fee: string;
  at: Date;
}

/** Ids have 63 bits; no order has a larger one. */
const ID_MAX = (1n << 63n) - 1n;

/** Condition that a time is between two parameters, unix ms: number `first` and the next; null is no bound. */
const within = (column: string, first: number): string =>
  `($${first}::bigint is null or ${column} >= to_timestamp($${first}::bigint / 1000.0)) and ` +
  `($${first + 1}::bigint is null or ${column} <= to_timestamp($${first + 1}::bigint / 1000.0))`;
const boundsOf = (span: Span | undefined): (number | null)[] => [span?.from ?? null, span?.to ?? null];
const directionOf = (span: Span | undefined): 'asc' | 'desc' => span?.order ?? 'desc';

/** Rows of a piece of a whole history. */
const PIECE = 500;
/** The order of whole histories. Neither changes with an amend; a sequence does. */
const ORDER_PLACE = 'placed_at, id';
const FILL_PLACE = 'at, sequence, symbol';

/** A row with its whole time: a `Date` has milliseconds alone, and a row whose time has more would be read again. */
interface Placed {
  readonly place: string;
}
interface Filtered {
  readonly where: string;
  readonly params: readonly unknown[];
}
/** Orders of a list: $1 to $6. */
const filterOrders = (userId: number, { status, side, pairIds, span }: OrderFilter): Filtered => ({
  where:
    'user_id = $1 and (status = 1 or filled > 0) and ($2::smallint is null or status = $2) and ' +
    '($3::smallint is null or side = $3) and ($4::int[] is null or pair_id = any($4)) and ' +
    within('placed_at', 5),
  params: [userId, status ?? null, side ?? null, pairIds ?? null, ...boundsOf(span)],
});
/** Fills of a list, of both sides of the owner $1: $2 to $5. */
const filterFills = (userId: number, { orderId, pairIds, span }: FillFilter): Filtered => ({
  where:
    '($2::bigint is null or buy_order_id = $2 or sell_order_id = $2) and ' +
    '($3::int[] is null or pair_id = any($3)) and ' +
    within('at', 4),
  params: [userId, orderId ?? null, pairIds ?? null, ...boundsOf(span)],
});
/**
 * Reads the first rows of both sides of $1 in an order; each side ends by itself, along its index. A person who is both
 * sides of a trade has it once.
 */
const bothSides = (where: string, orderBy: string, limit: number): string => {
  const end = `order by ${orderBy} limit ${limit}`;
  const ofSide = (side: string): string =>
    `(select *, at::text as place from trades where ${side} and ${where} ${end})`;
  return `select * from (
    ${ofSide('buyer_id = $1')} union all ${ofSide('seller_id = $1 and buyer_id <> $1')}) both_sides ${end}`;
};

/** Orders and fills of one owner, always with `owner = subject` in the statement; `open` is for operators only. */
@Injectable()
export class PostgresOrderReads extends OrderReads {
  constructor(
    private readonly database: SpotDatabase,
    private readonly markets: Markets,
  ) {
    super();
  }

  async byId(userId: number, orderId: string): Promise<Order | null> {
    if (BigInt(orderId) > ID_MAX) return null;
    return this.first(
      await this.database.query<OrderRow>(`select ${ORDER_COLUMNS} from orders where id = $1 and user_id = $2`, [
        orderId,
        userId,
      ]),
    );
  }

  async ofAnybody(orderId: string): Promise<Order | null> {
    return this.first(
      await this.database.query<OrderRow>(`select ${ORDER_COLUMNS} from orders where id = $1`, [orderId]),
    );
  }

  async byClientId(userId: number, clientOrderId: string): Promise<Order | null> {
    if (clientOrderId === '') return null;
    return this.first(
      await this.database.query<OrderRow>(
        `select ${ORDER_COLUMNS} from orders
          where user_id = $1 and client_order_id = $2 and client_order_id <> ''
          order by placed_at desc limit 1`,
        [userId, clientOrderId],
      ),
    );
  }

  async list(userId: number, filter: OrderFilter, offset: number, limit: number): Promise<Rows<Order>> {
    const { where, params } = filterOrders(userId, filter);
    const direction = directionOf(filter.span);
    const [rows, [count]] = await Promise.all([
      this.database.query<OrderRow>(
        `select ${ORDER_COLUMNS} from orders
          where ${where}
          order by placed_at ${direction}, sequence ${direction}, id ${direction} offset $7 limit $8`,
        [...params, offset, limit],
      ),
      this.database.query<{ total: string }>(`select count(*) as total from orders where ${where}`, params),
    ]);
    return { rows: await this.orders(rows), total: Number(count?.total ?? 0) };
  }

  async open(offset: number, limit: number): Promise<Rows<Order>> {
    const [rows, [count]] = await Promise.all([
      this.database.query<OrderRow>(
        `select ${ORDER_COLUMNS} from orders
          where status = 1
          order by placed_at desc, sequence desc, id desc offset $1 limit $2`,
        [offset, limit],
      ),
      this.database.query<{ total: string }>('select count(*) as total from orders where status = 1'),
    ]);
    return { rows: await this.orders(rows), total: Number(count?.total ?? 0) };
  }

  async fills(userId: number, filter: FillFilter, offset: number, limit: number): Promise<Rows<StoredFill>> {
    if (filter.orderId !== undefined && BigInt(filter.orderId) > ID_MAX) return { rows: [], total: 0 };
    const filtered = filterFills(userId, filter);
    const { params } = filtered;
    const where = `(buyer_id = $1 or seller_id = $1) and ${filtered.where}`;
    const direction = directionOf(filter.span);
    const [rows, [count]] = await Promise.all([
      this.database.query<TradeRow>(
        `select * from trades
          where ${where}
          order by at ${direction}, sequence ${direction}, symbol offset $6 limit $7`,
        [...params, offset, limit],
      ),
      this.database.query<{ total: string }>(`select count(*) as total from trades where ${where}`, params),
    ]);
    return { rows: rows.map((row) => this.fill(userId, row)), total: Number(count?.total ?? 0) };
  }

  async *allOrders(userId: number, filter: OrderFilter): AsyncGenerator<readonly Order[]> {
    const { where, params } = filterOrders(userId, filter);
    // The end is fixed first: an order that is placed meanwhile is behind it.
    const [end] = await this.database.query<Placed & { id: string }>(
      `select placed_at::text as place, id from orders where ${where} order by placed_at desc, id desc limit 1`,
      params,
    );
    if (!end) return;
    yield* readPieces<Order, readonly [at: string, id: string]>(async (after) => {
      const rows = await this.database.query<OrderRow & Placed>(
        `select ${ORDER_COLUMNS}, placed_at::text as place from orders
          where ${where} and (${ORDER_PLACE}) > ($7::timestamptz, $8::bigint)
            and (${ORDER_PLACE}) <= ($9::timestamptz, $10::bigint)
          order by ${ORDER_PLACE} limit ${PIECE}`,
        [...params, ...(after ?? ['-infinity', '0']), end.place, end.id],
      );
      const last = rows.at(-1);
      return { rows: await this.orders(rows), last: last && [last.place, last.id] };
    });
  }

  async *allFills(userId: number, filter: FillFilter): AsyncGenerator<readonly StoredFill[]> {
    const { where, params } = filterFills(userId, filter);
    // The end is fixed first: a trade that is made meanwhile is behind it.
    const [end] = await this.database.query<TradeRow & Placed>(
      bothSides(where, 'at desc, sequence desc, symbol desc', 1),
      params,
    );
    if (!end) return;
    yield* readPieces<StoredFill, readonly [at: string, sequence: string, symbol: string]>(async (after) => {
      const between =
        `${where} and (${FILL_PLACE}) > ($6::timestamptz, $7::bigint, $8::text)` +
        ` and (${FILL_PLACE}) <= ($9::timestamptz, $10::bigint, $11::text)`;
      const rows = await this.database.query<TradeRow & Placed>(bothSides(between, FILL_PLACE, PIECE), [
        ...params,
        ...(after ?? ['-infinity', '0', '']),
        ...[end.place, end.sequence, end.symbol],
      ]);
      const last = rows.at(-1);
      return {
        rows: rows.map((row) => this.fill(userId, row)),
        last: last && [last.place, last.sequence, last.symbol],
      };
    });
  }

  private fill(userId: number, row: TradeRow): StoredFill {
    const market = this.marketOf(row.pair_id);
    const buyer = Number(row.buyer_id) === userId;
    const side = buyer ? 0 : 1;
    return {
      symbol: row.symbol,
      sequence: Number(row.sequence),
      price: ticksOf(market, row.price),
      quantity: lotsOf(market, row.quantity),
      quote: toUnits(row.quote, market.quoteScale),
      side,
      orderId: buyer ? row.buy_order_id : row.sell_order_id,
      fee: buyer ? toUnits(row.buyer_fee, market.baseScale) : toUnits(row.seller_fee, market.quoteScale),
      role: (row.taker_side === BUY) === buyer ? 'taker' : 'maker',
      at: row.at.getTime(),
    };
  }

  private async first(rows: OrderRow[]): Promise<Order | null> {
    const [order] = await this.orders(rows);
    return order ?? null;
  }
  private async orders(rows: OrderRow[]): Promise<Order[]> {
    return (await withTrails(this.database, rows)).map((row) => orderFromRow(this.marketOf(row.pair_id), row));
  }

  private marketOf(pairId: number): Market {
    const market = this.markets.byPair(pairId);
    if (!market) throw new Error(`invariant: stored rows name pair ${pairId}, which the catalog does not have`);
    return market;
  }
}
