import { Injectable } from '@nestjs/common';
import { nameColumn, numberColumn, REFUSALS, type Database, type Tx } from '@bourse/persistence';
import { formatUnits } from '@bourse/money';
import {
  EngineStore,
  type AmendRow,
  type EngineWrite,
  type MarketRow,
  type TrailWrite,
} from '../../application/ports.js';
import {
  feeScale,
  heldScale,
  PERCENT_SCALE,
  type Market,
  type Mode,
  type Trade,
  type Order,
  numberText,
  priceText,
} from '@bourse/matching';
import { ORDER_COLUMNS, orderFromRow, timestamp, withTrails, type OrderRow } from './order-rows.js';
import { SpotDatabase } from './spot-database.js';

interface StoredMarket {
  symbol: string;
  partition: number;
  sequence: string;
  trade_sequence: string;
  last_price: string;
  mode: Mode;
  mode_version: string;
  at: Date;
  hash: string;
}

/** Rows of the engine, written by the thousand: one statement per table and commit. */
@Injectable()
export class PostgresEngineStore extends EngineStore {
  constructor(private readonly database: SpotDatabase) {
    super();
  }

  async markets(symbols?: readonly string[]): Promise<MarketRow[]> {
    const rows = await this.database.query<StoredMarket>(
      'select * from market where $1::text[] is null or symbol = any($1::text[])',
      [symbols ?? null],
    );
    return rows.map((row) => ({
      symbol: row.symbol,
      partition: row.partition,
      sequence: Number(row.sequence),
      tradeSequence: Number(row.trade_sequence),
      lastPrice: row.last_price,
      mode: row.mode,
      modeVersion: Number(row.mode_version),
      at: row.at.getTime(),
      hash: row.hash,
    }));
  }

  async noteOneOwner(accounts: readonly number[]): Promise<void> {
    await this.database.execute(
      'insert into meta (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [ONE_OWNER, accounts.join(',')],
    );
  }

  async openOrders(market: Market): Promise<Order[]> {
    const orders: Order[] = [];
    // In parts: a statement may take three seconds, and a book may hold a hundred thousand orders.
    for (let after = '-1'; ;) {
      const rows = await this.database.query<OrderRow>(
        `select ${ORDER_COLUMNS} from orders
          where symbol = $1 and status = 1 and sequence > $2
          order by sequence limit ${LOAD_ROWS}`,
        [market.symbol, after],
      );
      for (const row of await withTrails(this.database, rows)) orders.push(orderFromRow(market, row));
      const last = rows.at(-1);
      if (!last || rows.length < LOAD_ROWS) return orders;
      after = last.sequence;
    }
  }

  async done(
    at: Pick<Database, 'query'>,
    orders: readonly { readonly orderId: string; readonly userId: number }[],
  ): Promise<Map<string, 'filled' | 'cancelled'>> {
    const rows = await at.query<{ id: string; full: boolean }>(
      `select o.id, o.filled = o.quantity as full
        from orders o
        join unnest($1::bigint[], $2::bigint[]) as a(id, user_id) on a.id = o.id and a.user_id = o.user_id
        where o.status = 2`,
      [orders.map(({ orderId }) => orderId), orders.map(({ userId }) => userId)],
    );
    return new Map(rows.map((row) => [row.id, row.full ? 'filled' : 'cancelled']));
  }

  prepare({ partition, inserted, updated, trades, amends, trails, markets }: EngineWrite): (tx: Tx) => Promise<void> {
    const params = [
      ...columns(
        ORDER_TYPES,
        inserted.map(([market, order]) => insertedRow(market, order)),
      ),
      ...columns(
        UPDATE_TYPES,
        updated.map(([market, order]) => updatedRow(market, order)),
      ),
      ...columns(
        TRADE_TYPES,
        trades.map(([market, trade]) => tradeRow(market, trade)),
      ),
      ...columns(
        AMEND_TYPES,
        amends.map(([market, amend]) => amendRow(market, amend)),
      ),
      ...columns(MARKET_TYPES, markets.map(marketRow)),
    ];
    const ofTrails = columns(TRAIL_TYPES, trails.map(trailRow));
    return async (tx) => {
      await Promise.all([
        tx.query(WRITE, [...params, updated.length, partition, markets.length]),
        ...(trails.length > 0 ? [tx.query(WRITE_TRAILS, ofTrails)] : []),
      ]);
    };
  }
}

const LOAD_ROWS = 5_000;
/** Row of `meta` that names the accounts that count as one owner, with commas between. */
export const ONE_OWNER = 'one-owner';

type Cell = string | number | boolean;
const insertedRow = (market: Market, order: Order): Cell[] => [
  order.id,
  order.userId,
  order.clientOrderId,
  market.symbol,
  market.pairId,
  order.side,
  order.type,
  order.timeInForce,
  order.postOnly,
  order.selfTrade,
  priceText(market, order.price),
  priceText(market, order.stopPrice),
  numberText(market, order.quantity),
  formatUnits(order.held, heldScale(market, order.side)),
  formatUnits(order.makerFee, PERCENT_SCALE),
  formatUnits(order.takerFee, PERCENT_SCALE),
  timestamp(order.placedAt),
  timestamp(order.updatedAt),
  order.sequence,
  order.cancelSequence,
  order.status,
  order.reason,
  order.triggered,
  numberText(market, order.filled),
  formatUnits(order.quoteFilled, market.quoteScale),
  formatUnits(order.fee, feeScale(market, order.side)),
  formatUnits(order.holdLeft, heldScale(market, order.side)),
  order.linkId || '0',
  order.parentId || '0',
  priceText(market, order.takeProfit),
  priceText(market, order.stopLoss),
  order.triggerBy,
];
const updatedRow = (market: Market, order: Order): Cell[] => [
  order.id,
  priceText(market, order.price),
  numberText(market, order.quantity),
  formatUnits(order.held, heldScale(market, order.side)),
  timestamp(order.updatedAt),
  order.sequence,
  order.cancelSequence,
  order.status,
  order.reason,
  order.triggered,
  numberText(market, order.filled),
  formatUnits(order.quoteFilled, market.quoteScale),
  formatUnits(order.fee, feeScale(market, order.side)),
  formatUnits(order.holdLeft, heldScale(market, order.side)),
];
const tradeRow = (market: Market, trade: Trade): Cell[] => [
  market.symbol,
  trade.sequence,
  market.pairId,
  priceText(market, trade.price),
  numberText(market, trade.quantity),
  formatUnits(trade.quote, market.quoteScale),
  trade.taker.side,
  trade.buyer.userId,
  trade.seller.userId,
  trade.buyer.id,
  trade.seller.id,
  formatUnits(trade.buyerFee, market.baseScale),
  formatUnits(trade.sellerFee, market.quoteScale),
  timestamp(trade.at),
];
const amendRow = (market: Market, amend: AmendRow): Cell[] => [
  market.symbol,
  amend.sequence,
  amend.id,
  amend.orderId,
  amend.sequenceBefore,
  amend.tradeSequence,
  priceText(market, amend.priceBefore),
  numberText(market, amend.quantityBefore),
  priceText(market, amend.price),
  numberText(market, amend.quantity),
  timestamp(amend.at),
];
const trailRow = ({ market, order, trail, tradeSequence }: TrailWrite): Cell[] => [
  order.id,
  formatUnits(BigInt(trail.percent), 2),
  priceText(market, trail.amount),
  priceText(market, trail.activation),
  priceText(market, trail.reference),
  trail.since,
  priceText(market, trail.best),
  tradeSequence,
];
const marketRow = (row: MarketRow): Cell[] => [
  row.symbol,
  row.partition,
  row.sequence,
  row.tradeSequence,
  row.lastPrice,
  row.mode,
  row.modeVersion,
  timestamp(row.at),
  row.hash,
];

/** Rows turned into the column arrays that `unnest` takes. */
function columns(types: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  return types.map((type, column) => {
    const cells = rows.map((row) => row[column] as Cell);
    return type === 'text' || type === 'timestamptz'
      ? nameColumn(cells as string[])
      : numberColumn(cells as (string | number)[]);
  });
}

const ORDER_TYPES = [
  'bigint',
  'bigint',
  'text',
  'text',
  'int',
  'smallint',
  'text',
  'smallint',
  'boolean',
  'smallint',
  'numeric',
  'numeric',
  'numeric',
  'numeric',
  'numeric',
  'numeric',
  'timestamptz',
  'timestamptz',
  'bigint',
  'bigint',
  'smallint',
  'text',
  'boolean',
  'numeric',
  'numeric',
  'numeric',
  'numeric',
  'bigint',
  'bigint',
  'numeric',
  'numeric',
  'text',
];
const UPDATE_COLUMNS = [
  'id',
  'price',
  'quantity',
  'held',
  'updated_at',
  'sequence',
  'cancel_sequence',
  'status',
  'reason',
  'triggered',
  'filled',
  'quote_filled',
  'fee',
  'hold_left',
];
const UPDATE_TYPES = [
  'bigint',
  'numeric',
  'numeric',
  'numeric',
  'timestamptz',
  'bigint',
  'bigint',
  'smallint',
  'text',
  'boolean',
  'numeric',
  'numeric',
  'numeric',
  'numeric',
];
const TRADE_COLUMNS =
  'symbol, sequence, pair_id, price, quantity, quote, taker_side, buyer_id, ' +
  'seller_id, buy_order_id, sell_order_id, buyer_fee, seller_fee, at';
const TRADE_TYPES = [
  'text',
  'bigint',
  'int',
  'numeric',
  'numeric',
  'numeric',
  'smallint',
  'bigint',
  'bigint',
  'bigint',
  'bigint',
  'numeric',
  'numeric',
  'timestamptz',
];
const AMEND_COLUMNS =
  'symbol, sequence, id, order_id, sequence_before, trade_sequence, price_before, quantity_before, price, quantity, at';
const AMEND_TYPES = [
  'text',
  'bigint',
  'bigint',
  'bigint',
  'bigint',
  'bigint',
  'numeric',
  'numeric',
  'numeric',
  'numeric',
  'timestamptz',
];
const MARKET_COLUMNS = 'symbol, partition, sequence, trade_sequence, last_price, mode, mode_version, at, hash';
const MARKET_TYPES = ['text', 'int', 'bigint', 'bigint', 'numeric', 'text', 'bigint', 'timestamptz', 'text'];
const TRAIL_TYPES = ['bigint', 'numeric', 'numeric', 'numeric', 'numeric', 'bigint', 'numeric', 'bigint'];
/** `unnest` of column arrays whose parameters begin behind the given number. */
const unnest = (types: readonly string[], behind: number): string =>
  `unnest(${types.map((type, index) => `$${behind + index + 1}::${type}[]`).join(', ')})`;
const AFTER_ORDERS = ORDER_TYPES.length;
const AFTER_UPDATES = AFTER_ORDERS + UPDATE_TYPES.length;
const AFTER_TRADES = AFTER_UPDATES + TRADE_TYPES.length;
const AFTER_AMENDS = AFTER_TRADES + AMEND_TYPES.length;
const AFTER_MARKETS = AFTER_AMENDS + MARKET_TYPES.length;

// One statement for all tables: a commit costs as many round trips as statements. No row is named twice, so their order
// does not matter. Orders go 1→2 only: a done order is never touched again, and the row count says so. `+ 0` keeps that
// check away from the planner: by `status = 1` it could take an index of the open orders alone, and reads all of them
// when it believes them to be few. A market is written by the partition that it is at home in, and by no other one.
const WRITE = `
  with inserted as (insert into orders (${ORDER_COLUMNS}) select * from ${unnest(ORDER_TYPES, 0)}),
  changed as (
    update orders o set ${UPDATE_COLUMNS.slice(1)
      .map((column) => `${column} = u.${column}`)
      .join(', ')}
    from ${unnest(UPDATE_TYPES, AFTER_ORDERS)} as u(${UPDATE_COLUMNS.join(', ')})
    where o.id = u.id and o.status + 0 = 1 returning 1),
  executed as (insert into trades (${TRADE_COLUMNS}) select * from ${unnest(TRADE_TYPES, AFTER_UPDATES)}),
  amended as (insert into amends (${AMEND_COLUMNS}) select * from ${unnest(AMEND_TYPES, AFTER_TRADES)}),
  states as (
    insert into market (${MARKET_COLUMNS}) select * from ${unnest(MARKET_TYPES, AFTER_AMENDS)}
    on conflict (symbol) do update set partition = excluded.partition, sequence = excluded.sequence,
      trade_sequence = excluded.trade_sequence, last_price = excluded.last_price, mode = excluded.mode,
      mode_version = excluded.mode_version, at = excluded.at, hash = excluded.hash
    where market.partition = $${AFTER_MARKETS + 2}::int returning 1),
  counts as (select (select count(*) from changed) as orders, (select count(*) from states) as markets)
  select case
      when orders <> $${AFTER_MARKETS + 1}::int then refuse('${REFUSALS.broken}',
        'invariant: ' || orders || ' rows of open orders changed, not as many as orders did')
      when markets <> $${AFTER_MARKETS + 3}::int then refuse('${REFUSALS.broken}',
        'invariant: a market is not at home in the partition that writes it')
      else 1 end
  from counts`;

const WRITE_TRAILS = `
  insert into trails (order_id, percent, amount, activation, reference, since, best, trade_sequence)
  select * from ${unnest(TRAIL_TYPES, 0)}
  on conflict (order_id) do update set since = excluded.since, best = excluded.best,
    trade_sequence = excluded.trade_sequence`;
