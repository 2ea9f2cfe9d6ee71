import type { Tx } from '@bourse/persistence';
import type { Market } from '../domain/market.js';
import type { Mode, Trade } from '../domain/market-engine.js';
import type { Order } from '../domain/order.js';

/** What one commit of the engine changes. Orders as they are now. */
export interface EngineWrite {
  /** Orders that came with this batch. */
  readonly inserted: readonly (readonly [Market, Order])[];
  /** Orders that were there before. */
  readonly updated: readonly (readonly [Market, Order])[];
  readonly trades: readonly (readonly [Market, Trade])[];
  readonly markets: readonly MarketRow[];
}
export interface MarketRow {
  readonly symbol: string; readonly partition: number; readonly sequence: number; readonly tradeSequence: number; readonly lastPrice: string;
  readonly mode: Mode; readonly modeVersion: number; readonly at: number;
  /** Of the book at `sequence`: a restart compares. */
  readonly hash: string;
}

/** Where the engine keeps orders, trades and the numbers of its markets. */
export abstract class EngineStore {
  abstract markets(partition: number): Promise<MarketRow[]>;
  /** Open orders of a market, in the order of their sequence. */
  abstract openOrders(market: Market): Promise<Order[]>;
  /** Takes the rows as they are now, and gives what writes them: the next batch may change the orders meanwhile. */
  abstract prepare(write: EngineWrite): (tx: Tx) => Promise<void>;
  /** Which of these orders of these owners are done, and how; by order id. */
  abstract done(tx: Tx, orders: readonly { readonly orderId: string; readonly userId: number }[]): Promise<Map<string, 'filled' | 'cancelled'>>;
}

/** A stored trade seen from one of its sides. */
export interface StoredFill { readonly symbol: string; readonly sequence: number; readonly price: number; readonly quantity: number; readonly quote: bigint; readonly side: 0 | 1; readonly orderId: string; readonly fee: bigint; readonly role: 'maker' | 'taker'; readonly at: number }
export interface OrderFilter { readonly status?: 1 | 2; readonly side?: 0 | 1; readonly pairIds?: readonly number[] }
export interface FillFilter { readonly orderId?: string; readonly pairIds?: readonly number[] }
export interface Slice<X> { readonly rows: readonly X[]; readonly total: number }

/** What the calls read. Always for one owner. */
export abstract class OrderReads {
  abstract byId(userId: number, orderId: string): Promise<Order & { readonly pairId: number } | null>;
  abstract byClientId(userId: number, clientOrderId: string): Promise<Order & { readonly pairId: number } | null>;
  /** Newest first. Cancelled orders without a fill are in no list (rules §2). */
  abstract list(userId: number, filter: OrderFilter, offset: number, limit: number): Promise<Slice<Order & { readonly pairId: number }>>;
  abstract fills(userId: number, filter: FillFilter, offset: number, limit: number): Promise<Slice<StoredFill>>;
}

/** What the auditor reads. */
export abstract class AuditReads {
  /** Sequence of a market and its open orders, at one instant; null before its first command. */
  abstract book(market: Market): Promise<{ readonly sequence: number; readonly orders: readonly Order[] } | null>;
  /** Markets whose trades are not 1, 2, 3 … up to their counter. */
  abstract tradeGaps(): Promise<string[]>;
  /** Open orders whose filled amount is not the sum of their trades. */
  abstract fillsUnexplained(): Promise<string[]>;
}
