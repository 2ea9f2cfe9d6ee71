/**
 * The order book of one market, as both implementations offer it: `LadderBook` runs the exchange, `PlainBook` is the
 * simple reference that it is compared with. Prices are ticks (1 .. MAX_TICK), quantities lots (whole numbers up to
 * MAX_LOTS), owners small integers, 0 for an order without self-trade prevention. Ids grow: the id of an order is its
 * place in time. No clock, no randomness, no I/O: the same commands give the same events.
 */

export const BUY = 0;
export const SELL = 1;
export type Side = typeof BUY | typeof SELL;

export const GTC = 0;
export const IOC = 1;
export const FOK = 2;
export type TimeInForce = typeof GTC | typeof IOC | typeof FOK;

/** Which order is cancelled when an order meets a resting order of the same owner (rules §2). */
export const CANCEL_NEWEST = 0;
export const CANCEL_OLDEST = 1;
export const CANCEL_BOTH = 2;
export type SelfTrade = typeof CANCEL_NEWEST | typeof CANCEL_OLDEST | typeof CANCEL_BOTH;

/** The order rests with `remaining` lots. */
export const RESTED = 0;
/** The order filled completely. */
export const FILLED = 1;
/** Immediate or cancel: its rest was cancelled. */
export const IOC_REST = 2;
/** Fill or kill: it could not fill whole, and nothing happened. */
export const FOK_KILLED = 3;
/** Post only: it would have traded, and nothing happened. */
export const POST_ONLY_CROSSED = 4;
/** Its rest was cancelled at an order of its own owner. */
export const SELF_TRADE = 5;
/** Rest of a market order: the book, the bound or the budget ended. */
export const MARKET_REST = 6;
/** The book has no room for another order or price; nothing happened. */
export const NO_ROOM = 7;
export type Outcome =
  | typeof RESTED
  | typeof FILLED
  | typeof IOC_REST
  | typeof FOK_KILLED
  | typeof POST_ONLY_CROSSED
  | typeof SELF_TRADE
  | typeof MARKET_REST
  | typeof NO_ROOM;

/** Largest price in ticks; one below the largest int32, which stands for "no ask". */
export const MAX_TICK = 0x7ffffffe;
/** Largest quantity in lots, of an order and of all orders at one price: above it float64 would skip numbers. */
export const MAX_LOTS = Number.MAX_SAFE_INTEGER;

/**
 * The effects of a command on resting orders, in order. `quantity` above 0: a trade at `price`, the maker's price.
 * Below 0: the maker was cancelled by self-trade prevention with `-quantity` lots left, and no trade took place.
 */
export type VisitEvent = (makerId: number, takerId: number, price: number, quantity: number) => void;
export type VisitOrder = (side: Side, price: number, id: number, owner: number, remaining: number) => void;
/** One price level: ticks and the sum of its lots. */
export type Level = readonly [price: number, quantity: number];

export interface Book {
  /** Number of resting orders. */
  readonly size: number;
  /** Highest bid in ticks, 0 without bids. */
  readonly bestBid: number;
  /** Lowest ask in ticks, 0 without asks. */
  readonly bestAsk: number;
  /** Lots left of the order of the last `limit` or `market`. */
  readonly remaining: number;
  /** Number of events so far. They can be read until the next command. */
  readonly events: number;
  limit(
    id: number,
    owner: number,
    side: Side,
    price: number,
    quantity: number,
    timeInForce: TimeInForce,
    postOnly: boolean,
    selfTrade: SelfTrade,
  ): Outcome;
  /**
   * Fills at prices up to `bound` (buy) or down to it (sell), and never rests. A budget bounds what a buy may spend, in
   * ticks × lots as two limbs (`quote.ts`); NO_BUDGET for none.
   */
  market(
    id: number,
    owner: number,
    side: Side,
    quantity: number,
    bound: number,
    fillOrKill: boolean,
    selfTrade: SelfTrade,
    budgetHigh: number,
    budgetLow: number,
  ): Outcome;
  /** Cancels a resting order and returns the lots that were left; 0 when no such order rests. */
  cancel(id: number): number;
  /** Takes lots off a resting order, which keeps its place; `lots` is less than what it has left. */
  reduce(id: number, lots: number): void;
  /** Lots left of a resting order; 0 when no such order rests. */
  left(id: number): number;
  /** Visits the events from number `from` on, and returns the number of the next one. */
  drain(from: number, visit: VisitEvent): number;
  /** The best levels of a side, best first. */
  levels(side: Side, most: number): Level[];
  /** All resting orders: bids best first, then asks best first, in time order within a price. */
  orders(visit: VisitOrder): void;
  /** Hash over (side, price, id, remaining) of all resting orders in priority order: equal books have equal hashes. */
  hash(): string;
}

/** `budgetHigh` of a market order without a budget. */
export const NO_BUDGET = -1;

/**
 * The hash that both books compute; 64 bits as two lanes, because 32 would let one in four billion differences pass.
 */
export class BookHash {
  private a = 0x811c9dc5;
  private b = 0x9747b28c;
  add(value: number): void {
    const low = value >>> 0;
    const high = Math.floor(value / 0x1_0000_0000) >>> 0;
    this.a = Math.imul(Math.imul(this.a ^ low, 0x01000193) ^ high, 0x01000193) >>> 0;
    this.b = Math.imul(Math.imul(this.b ^ high, 0x85ebca6b) ^ low, 0xc2b2ae35) >>> 0;
    this.b = (this.b ^ (this.b >>> 15)) >>> 0;
  }
  text(): string {
    return this.a.toString(16).padStart(8, '0') + this.b.toString(16).padStart(8, '0');
  }
}

/** Computes the hash of a book by visiting all its orders. */
export function hashOf(book: Pick<Book, 'orders'>): string {
  const hash = new BookHash();
  book.orders((side, price, id, _owner, remaining) => {
    hash.add(side);
    hash.add(price);
    hash.add(id);
    hash.add(remaining);
  });
  return hash.text();
}
