import type { Rows } from '@bourse/contract';
import type { AuditedHold, AuditFlow, MovedSums, TradedSums, TradeSpan } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import type { Span } from '@bourse/platform';
import type { Market, Mode, Trade, Order, Trail } from '@bourse/matching';

/** The changes of one commit of the engine. Orders are in their current state. */
export interface EngineWrite {
  /** The partition that writes: until now every market of `markets` must have had it as home. */
  readonly partition: number;
  /** Orders that arrived with this batch. */
  readonly inserted: readonly (readonly [Market, Order])[];
  /** Orders that existed before. */
  readonly updated: readonly (readonly [Market, Order])[];
  readonly trades: readonly (readonly [Market, Trade])[];
  readonly amends: readonly (readonly [Market, AmendRow])[];
  readonly trails: readonly TrailWrite[];
  readonly markets: readonly MarketRow[];
}
/** The trail of a trailing stop, moved by all trades up to a number. */
export interface TrailWrite {
  readonly market: Market;
  readonly order: Order;
  readonly trail: Trail;
  /** Number of the market's last trade. */
  readonly tradeSequence: number;
}
/** An applied amend, in ticks and lots; read by a replay and by the auditor. */
export interface AmendRow {
  readonly id: string;
  readonly orderId: string;
  /** The market's sequence of the amend, and the sequence of its order before it. */
  readonly sequence: number;
  readonly sequenceBefore: number;
  /** Number of the market's last trade before it. */
  readonly tradeSequence: number;
  readonly priceBefore: number;
  readonly quantityBefore: number;
  readonly price: number;
  readonly quantity: number;
  readonly at: number;
}
export interface MarketRow {
  readonly symbol: string;
  /** The home partition of its book: only the owner of this partition runs the book and writes this row. */
  readonly partition: number;
  readonly sequence: number;
  readonly tradeSequence: number;
  readonly lastPrice: string;
  readonly mode: Mode;
  readonly modeVersion: number;
  readonly at: number;
  /** Hash of the book at `sequence`, for comparison at a restart. */
  readonly hash: string;
}

/** Store of the engine's orders, trades and market numbers. */
export abstract class EngineStore {
  /** Rows of all markets that have executed a command, or of these markets. */
  abstract markets(symbols?: readonly string[]): Promise<MarketRow[]>;
  /** Stores the accounts that count as one owner here (`Market.oneOwner`), for later replays of a book. */
  abstract noteOneOwner(accounts: readonly number[]): Promise<void>;
  /** Open orders of a market, in the order of their sequence. */
  abstract openOrders(market: Market): Promise<Order[]>;
  /**
   * Reads the rows from the orders now, and returns the function that writes them: the next batch may change the orders
   * meanwhile.
   */
  abstract prepare(write: EngineWrite): (tx: Tx) => Promise<void>;
  /** The final states of those orders of these owners that are done, by order id. */
  abstract done(
    at: Pick<Database, 'query'>,
    orders: readonly { readonly orderId: string; readonly userId: number }[],
  ): Promise<Map<string, 'filled' | 'cancelled'>>;
}

/** A stored trade from the view of one of its sides. */
export interface StoredFill {
  readonly symbol: string;
  readonly sequence: number;
  readonly price: number;
  readonly quantity: number;
  readonly quote: bigint;
  readonly side: 0 | 1;
  readonly orderId: string;
  readonly fee: bigint;
  readonly role: 'maker' | 'taker';
  readonly at: number;
}
export interface OrderFilter {
  readonly status?: 1 | 2;
  readonly side?: 0 | 1;
  readonly pairIds?: readonly number[];
  /** By the time of placing; absent: all, the newest first. */
  readonly span?: Span;
}
export interface FillFilter {
  readonly orderId?: string;
  readonly pairIds?: readonly number[];
  /** By the time of the trade; absent: all, the newest first. */
  readonly span?: Span;
}

/** Reads for the calls, always for one owner. */
export abstract class OrderReads {
  abstract byId(userId: number, orderId: string): Promise<Order | null>;
  /** The owner of the order. */
  abstract ofAnybody(orderId: string): Promise<Order | null>;
  abstract byClientId(userId: number, clientOrderId: string): Promise<Order | null>;
  /** Orders of the same time are sorted by sequence. Cancelled orders without a fill are in no list (rules §2). */
  abstract list(userId: number, filter: OrderFilter, offset: number, limit: number): Promise<Rows<Order>>;
  /** Open orders of all people, newest first: no index covers all orders ever placed. */
  abstract open(offset: number, limit: number): Promise<Rows<Order>>;
  abstract fills(userId: number, filter: FillFilter, offset: number, limit: number): Promise<Rows<StoredFill>>;
  /**
   * All orders of a list, oldest first, in pieces: those that were placed before the first piece was read, each once,
   * as it is when its own piece is read. One that ends without a fill before that is in no list any more.
   */
  abstract allOrders(userId: number, filter: OrderFilter): AsyncGenerator<readonly Order[]>;
  /** All fills of a list, oldest first, in pieces, under the same rule. */
  abstract allFills(userId: number, filter: FillFilter): AsyncGenerator<readonly StoredFill[]>;
}

/** Orders that were answered as accepted before their engine has stored them, for all copies of this service. */
export abstract class AcceptedOrders {
  /** Keeps those whose rows are not there yet, before their call is answered. */
  abstract add(orders: readonly Order[]): Promise<void>;
  /** Those of a person whose rows are not there yet; of the last hour, or of `maxAgeMs`. */
  abstract of(userId: number, maxAgeMs?: number): Promise<readonly Order[]>;
}

export interface AuditedMarket {
  readonly symbol: string;
  readonly sequence: number;
  readonly tradeSequence: number;
  readonly hash: string;
}
/** The fields of an open order that its book knows, in ticks and lots. */
export type AuditedOrder = Pick<Order, 'id' | 'side' | 'price' | 'sequence' | 'quantity' | 'filled'> & {
  readonly waiting: boolean;
};

/** One consistent snapshot of all orders and trades. */
export interface AuditSnapshot {
  flow(): Promise<AuditFlow>;
  markets(): Promise<readonly AuditedMarket[]>;
  /** Fingerprint over the open orders of a market, and their number. */
  openPrint(symbol: string): Promise<{ readonly print: string; readonly count: number }>;
  openOrders(market: Market, after: number, limit: number): Promise<readonly AuditedOrder[]>;
  /** The first fault among the trades after `from`, as a sentence. */
  newTradesWrong(symbol: string, from: number, to: number): Promise<string | null>;
  /** Open orders whose filled amount is not the sum of their trades. */
  fillsUnexplained(): Promise<readonly string[]>;
  /**
   * The first order in an impossible state, among the next ones; `last` is the cursor of the following read, null at
   * the end.
   */
  statesWrong(after: string): Promise<{ readonly fault: string | null; readonly last: string | null }>;
  /** The first open order whose hold is not the one that it needs. */
  needsWrong(markets: readonly Market[]): Promise<string | null>;
}
/** Reads for the auditor. */
export abstract class AuditReads {
  abstract inSnapshot<T>(look: (snapshot: AuditSnapshot) => Promise<T>): Promise<T>;
  /** The needs of open orders, as one digest per bucket of their holds' names. */
  abstract holdDigests(markets: readonly Market[]): Promise<readonly string[]>;
  abstract holdLines(
    markets: readonly Market[],
    buckets: readonly number[],
  ): Promise<{ readonly lines: readonly AuditedHold[]; readonly flow: AuditFlow }>;
  abstract trades(
    market: Market,
    span: TradeSpan,
  ): Promise<{ readonly moved: readonly MovedSums[]; readonly traded: readonly TradedSums[] }>;
}
