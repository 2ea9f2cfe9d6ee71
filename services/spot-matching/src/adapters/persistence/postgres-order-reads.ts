import { Injectable } from '@nestjs/common';
import type { Rows } from '@bourse/contract';
import { toUnits } from '@bourse/money';
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

  async list(
    userId: number,
    { status, side, pairIds, span }: OrderFilter,
    offset: number,
    limit: number,
  ): Promise<Rows<Order>> {
    const where =
      'user_id = $1 and (status = 1 or filled > 0) and ($2::smallint is null or status = $2) and ' +
      '($3::smallint is null or side = $3) and ($4::int[] is null or pair_id = any($4)) and ' +
      within('placed_at', 5);
    const params = [userId, status ?? null, side ?? null, pairIds ?? null, ...boundsOf(span)];
    const direction = directionOf(span);
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

  async fills(
    userId: number,
    { orderId, pairIds, span }: FillFilter,
    offset: number,
    limit: number,
  ): Promise<Rows<StoredFill>> {
    if (orderId !== undefined && BigInt(orderId) > ID_MAX) return { rows: [], total: 0 };
    const where =
      '(buyer_id = $1 or seller_id = $1) and ($2::bigint is null or buy_order_id = $2 or ' +
      'sell_order_id = $2) and ($3::int[] is null or pair_id = any($3)) and ' +
      within('at', 4);
    const params = [userId, orderId ?? null, pairIds ?? null, ...boundsOf(span)];
    const direction = directionOf(span);
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
