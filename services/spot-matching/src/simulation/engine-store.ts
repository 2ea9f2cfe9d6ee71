import type { Rows } from '@bourse/contract';
import type { Database, Tx } from '@bourse/persistence';
import {
  MemoryError,
  rejectUnused,
  type MemoryDatabase,
  type MemoryTx,
  type Statement,
} from '@bourse/persistence/memory';
import {
  AcceptedOrders,
  EngineStore,
  type AmendRow,
  OrderReads,
  type EngineWrite,
  type MarketRow,
  type OrderFilter,
} from '../application/ports.js';
import { type Market, isWaiting, type Order, follow, triggerAt, type Trail } from '@bourse/matching';

export type StoredOrder = Order & { readonly pairId: number; readonly symbol: string };
/** A stored trade. Ticks, lots and units. */
export interface StoredTrade {
  readonly symbol: string;
  readonly sequence: number;
  readonly price: number;
  readonly quantity: number;
  readonly quote: bigint;
  readonly takerSide: 0 | 1;
  readonly buyerId: number;
  readonly sellerId: number;
  readonly buyOrderId: string;
  readonly sellOrderId: string;
  readonly buyerFee: bigint;
  readonly sellerFee: bigint;
  readonly at: number;
}

/** A stored trail, with the number of the last trade that has moved it. */
export interface StoredTrail {
  readonly orderId: string;
  readonly trail: Trail;
  readonly tradeSequence: number;
}

/** A stored amend. */
export type StoredAmend = AmendRow & { readonly symbol: string };

/** Tables of the engine on a server in memory, with the keys and checks of those in PostgreSQL. */
export class SimulatedEngineStore extends EngineStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  markets(symbols?: readonly string[]): Promise<MarketRow[]> {
    return this.database.statement('markets', async (at) =>
      at
        .rows<MarketRow>('spot.market')
        .map(([, row]) => row)
        .filter(({ symbol }) => symbols?.includes(symbol) ?? true),
    );
  }

  /** Not needed: the simulator rebuilds books with the markets that it runs. */
  noteOneOwner(): Promise<void> {
    return Promise.resolve();
  }

  openOrders(market: Market): Promise<Order[]> {
    return this.database.statement('open orders', async (at) =>
      at
        .rows<StoredOrder>('spot.orders')
        .filter(([, row]) => row.symbol === market.symbol && row.status === 1)
        .map(([, row]) => moved(at, row))
        .sort((a, b) => a.sequence - b.sequence),
    );
  }

  prepare({ partition, inserted, updated, trades, amends, trails, markets }: EngineWrite): (tx: Tx) => Promise<void> {
    const stored = ([market, order]: readonly [Market, Order]): StoredOrder => ({
      ...order,
      pairId: market.pairId,
      symbol: market.symbol,
    });
    const [fresh, changed] = [inserted.map(stored), updated.map(stored)];
    const rows = trades.map(([{ symbol }, trade]): StoredTrade => ({
      symbol,
      sequence: trade.sequence,
      price: trade.price,
      quantity: trade.quantity,
      quote: trade.quote,
      takerSide: trade.taker.side,
      buyerId: trade.buyer.userId,
      sellerId: trade.seller.userId,
      buyOrderId: trade.buyer.id,
      sellOrderId: trade.seller.id,
      buyerFee: trade.buyerFee,
      sellerFee: trade.sellerFee,
      at: trade.at,
    }));
    const taken = amends.map(([{ symbol }, amend]): StoredAmend => ({ ...amend, symbol }));
    const trailed = trails.map(({ order, trail, tradeSequence }): StoredTrail => ({
      orderId: order.id,
      trail,
      tradeSequence,
    }));
    return async (tx) => {
      const count = await (tx as MemoryTx).statement('write orders and trades', async (at) => {
        let touched = 0;
        for (const row of fresh) {
          await at.lock('spot.orders', row.id);
          if (at.get('spot.orders', row.id)) throw new MemoryError(`order ${row.id} is there already`, '23505');
          await at.put('spot.orders', row.id, checked(row));
        }
        for (const row of changed) {
          await at.lock('spot.orders', row.id);
          if (at.get<StoredOrder>('spot.orders', row.id)?.status !== 1) continue;
          await at.put('spot.orders', row.id, checked(row));
          touched += 1;
        }
        for (const row of rows) {
          const key = `${row.symbol}#${row.sequence}`;
          await at.lock('spot.trades', key);
          if (at.get('spot.trades', key)) throw new MemoryError(`trade ${key} is there already`, '23505');
          await at.put('spot.trades', key, row);
        }
        for (const row of taken) {
          const key = `${row.symbol}#${row.sequence}`;
          await at.lock('spot.amends', key);
          if (at.get('spot.amends', key)) throw new MemoryError(`amend ${key} is there already`, '23505');
          await at.put('spot.amends', key, row);
        }
        for (const row of trailed) {
          await at.lock('spot.trails', row.orderId);
          await at.put('spot.trails', row.orderId, row);
        }
        for (const row of markets) {
          await at.lock('spot.market', row.symbol);
          const home = at.get<MarketRow>('spot.market', row.symbol)?.partition ?? partition;
          if (home !== partition)
            throw new Error(`invariant: ${row.symbol} is at home in ${home}, not in ${partition}`);
          await at.put('spot.market', row.symbol, row);
        }
        return touched;
      });
      if (count !== changed.length)
        throw new Error(`invariant: ${changed.length} open orders changed, ${count} rows did`);
    };
  }

  done(
    at: Pick<Database, 'query'>,
    orders: readonly { readonly orderId: string; readonly userId: number }[],
  ): Promise<Map<string, 'filled' | 'cancelled'>> {
    return (at as MemoryTx | MemoryDatabase).statement('done orders', async (at) => {
      const done = new Map<string, 'filled' | 'cancelled'>();
      for (const { orderId, userId } of orders) {
        const row = at.get<StoredOrder>('spot.orders', orderId);
        if (row?.status === 2 && row.userId === userId)
          done.set(orderId, row.filled === row.quantity ? 'filled' : 'cancelled');
      }
      return done;
    });
  }
}

/** The source of the trails and trades of the orders. */
interface TrailRows {
  readonly trail: (orderId: string) => StoredTrail | null | undefined;
  readonly trades: () => readonly StoredTrade[];
}

/** A stored order; a waiting trailing stop has the trail that its market's trades have moved since it was stored. */
export function movedOrder(row: StoredOrder, { trail: find, trades }: TrailRows): StoredOrder {
  if (!row.trail) return { ...row };
  const stored = find(row.id);
  if (!stored) throw new Error(`invariant: trailing stop ${row.id} has no trail`);
  let { trail } = stored;
  if (isWaiting(row))
    for (const { symbol, sequence, price } of trades())
      if (symbol === row.symbol && sequence > stored.tradeSequence) trail = follow(trail, row.side, price);
  return { ...row, trail, stopPrice: triggerAt(trail, row.side, trail.best) };
}

const moved = (at: Pick<Statement, 'get' | 'rows'>, row: StoredOrder): StoredOrder =>
  movedOrder(row, {
    trail: (orderId) => at.get<StoredTrail>('spot.trails', orderId),
    trades: () => at.rows<StoredTrade>('spot.trades').map(([, trade]) => trade),
  });

function checked(row: StoredOrder): StoredOrder {
  if (row.filled < 0 || row.filled > row.quantity || row.holdLeft < 0n || row.holdLeft > row.held || row.fee < 0n)
    throw new MemoryError(
      `order ${row.id} would be filled ${row.filled} of ${row.quantity} with ${row.holdLeft} of ${row.held} left`,
      '23514',
    );
  return Object.freeze(row);
}

/** Accepted orders without rows; none is dropped. */
export class SimulatedAcceptedOrders extends AcceptedOrders {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  add(orders: readonly Order[]): Promise<void> {
    return this.database.statement('keep accepted orders', async (at) => {
      for (const order of orders) {
        await at.lock('spot.accepted', order.id);
        if (!at.get('spot.orders', order.id)) await at.put('spot.accepted', order.id, Object.freeze({ ...order }));
      }
    });
  }

  of(userId: number): Promise<readonly Order[]> {
    return this.database.statement('accepted orders', async (at) =>
      at
        .rows<Order>('spot.accepted')
        .map(([, order]) => order)
        .filter((order) => order.userId === userId && !at.get('spot.orders', order.id)),
    );
  }
}

export class SimulatedOrderReads extends OrderReads {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  byId(userId: number, orderId: string): Promise<StoredOrder | null> {
    return this.database.statement('order', async (at) => {
      const row = at.get<StoredOrder>('spot.orders', orderId);
      return row?.userId === userId ? { ...row } : null;
    });
  }

  ofAnybody(orderId: string): Promise<StoredOrder | null> {
    return this.database.statement('order', async (at) => at.get<StoredOrder>('spot.orders', orderId) ?? null);
  }

  byClientId(userId: number, clientOrderId: string): Promise<StoredOrder | null> {
    return this.database.statement(
      'order by client id',
      async (at) =>
        at
          .rows<StoredOrder>('spot.orders')
          .map(([, row]) => row)
          .filter((row) => row.userId === userId && row.clientOrderId !== '' && row.clientOrderId === clientOrderId)
          .at(-1) ?? null,
    );
  }

  list(userId: number, { status }: OrderFilter, offset: number, limit: number): Promise<Rows<StoredOrder>> {
    return this.database.statement('orders', async (at) => {
      const rows = at
        .rows<StoredOrder>('spot.orders')
        .map(([, row]) => row)
        .filter((row) => row.userId === userId && (status === undefined || row.status === status))
        .reverse();
      return { rows: rows.slice(offset, offset + limit).map((row) => ({ ...row })), total: rows.length };
    });
  }

  open = rejectUnused;
  fills = rejectUnused;
  async *allOrders(): AsyncGenerator<never> {
    yield rejectUnused();
  }
  async *allFills(): AsyncGenerator<never> {
    yield rejectUnused();
  }
}
