import { holdFor, keepsPriority, type Amend, type Amended, type AmendRefusal } from './amend.js';
import {
  BUY,
  FOK,
  FILLED,
  FOK_KILLED,
  IOC_REST,
  MARKET_REST,
  NO_BUDGET,
  NO_ROOM,
  POST_ONLY_CROSSED,
  RESTED,
  SELF_TRADE,
  SELL,
  type Book,
  type Outcome,
  type Side,
} from './book.js';
import { baseOf, budgetOf, capOf, feeOf, floorOf, quoteOf, type Market } from './market.js';
import { isMarket, isStop, isWaiting, reaches, type CancelReason, type Order, type TriggerPrice } from './order.js';
import { pairHold, takenBy, type HoldMove } from './pair.js';
import { toLimbs } from './quote.js';
import { RollingHash } from './rolling-hash.js';
import { follow, triggerAt } from './trail.js';
import { TrailingStops } from './trailing-stops.js';
import { WaitingStops } from './waiting-stops.js';

export type Mode = 'normal' | 'cancel_only' | 'halted';

/** One execution, with the money it moves (rules §2). */
export interface Trade {
  /** Counts per market without gaps. */
  readonly sequence: number;
  /** Ticks and lots. */
  readonly price: number;
  readonly quantity: number;
  /** Quote units, rounded down once, the same for both sides. */
  readonly quote: bigint;
  readonly maker: Order;
  readonly taker: Order;
  readonly buyer: Order;
  readonly seller: Order;
  /** Base units. */
  readonly buyerFee: bigint;
  /** Quote units. */
  readonly sellerFee: bigint;
  /** Quote units that the buyer's limit held and the price did not need; given back with the trade. */
  readonly improvement: bigint;
  readonly at: number;
}

/** Receives each change, in order. Orders are the engine's own objects: a listener that keeps a state copies it. */
export interface Listener {
  traded(trade: Trade): void;
  /** The order changed: it arrived, filled, started or ended. `trade` is set for a fill. */
  updated(order: Order, trade: Trade | null): void;
  /** An amend was applied; the order's trades and its new state follow. */
  amended(amended: Amended): void;
  /** The limit leg of a pair holds less, since one leg has ended the other. */
  holdMoved(move: HoldMove): void;
  /** The order will never change again; the rest of its hold is released. Follows `updated`. */
  ended(order: Order): void;
}

/** Numbers that continue over restarts. Ticks; 0 before the first trade. */
export interface MarketState {
  readonly sequence: number;
  readonly tradeSequence: number;
  readonly lastPrice: number;
  readonly mode: Mode;
  readonly at: number;
}

/**
 * One market: its book, the stops around it, and the money its trades move. Deterministic: the same commands with the
 * same times give the same orders, trades and sequence numbers.
 */
export class MarketEngine {
  private sequence: number;
  private tradeSequence: number;
  private last: number;
  private currentMode: Mode;
  private at: number;
  private readonly orders = new Map<string, Order>();
  private readonly resting = new Map<number, Order>();
  private readonly owners = new Map<number, number>();
  private readonly stops: Readonly<Record<Side, WaitingStops>> = {
    [BUY]: new WaitingStops(BUY),
    [SELL]: new WaitingStops(SELL),
  };
  /** Waiting stops that no trade starts: `trigger` does. */
  private readonly byMark: Readonly<Record<Side, WaitingStops>> = {
    [BUY]: new WaitingStops(BUY),
    [SELL]: new WaitingStops(SELL),
  };
  /** Waiting trailing stops, by the unit of their distance. */
  private readonly trailing: Readonly<
    Record<Side, { readonly percent: TrailingStops; readonly amount: TrailingStops }>
  > = {
    [BUY]: { percent: new TrailingStops(BUY), amount: new TrailingStops(BUY) },
    [SELL]: { percent: new TrailingStops(SELL), amount: new TrailingStops(SELL) },
  };
  private readonly allTrailing = ([BUY, SELL] as const).flatMap((side) => Object.values(this.trailing[side]));
  /** Stops that a trade of the present command has reached. */
  private readonly due: Order[] = [];
  private drained: number;
  private readonly rolling = new RollingHash();

  constructor(
    readonly market: Market,
    private readonly book: Book,
    state: MarketState,
  ) {
    ({
      sequence: this.sequence,
      tradeSequence: this.tradeSequence,
      lastPrice: this.last,
      mode: this.currentMode,
      at: this.at,
    } = state);
    this.drained = book.events;
  }

  get state(): MarketState {
    return {
      sequence: this.sequence,
      tradeSequence: this.tradeSequence,
      lastPrice: this.last,
      mode: this.currentMode,
      at: this.at,
    };
  }
  get depth(): Pick<Book, 'levels' | 'bestBid' | 'bestAsk' | 'size'> {
    return this.book;
  }
  /** Open orders, waiting stops included. */
  get open(): ReadonlyMap<string, Order> {
    return this.orders;
  }

  /** Waiting trailing stops in no particular order. */
  get trails(): readonly Order[] {
    return this.allTrailing.flatMap(({ all }) => [...all]);
  }

  /** Whether stops wait for the mark. */
  get waitsForMark(): boolean {
    return this.byMark[BUY].size + this.byMark[SELL].size > 0;
  }
  /** The waiting stops that a mark reaches: those that `trigger` starts. */
  reachedByMark(mark: number): readonly Order[] {
    return ([BUY, SELL] as const).flatMap((side) => this.byMark[side].leading((order) => reaches(order, mark)));
  }

  /**
   * Hash over (side, price, sequence, remaining) of all resting orders, updated with each change, so that reading it is
   * free.
   */
  hash(): string {
    return this.rolling.text();
  }
  /** The same orders, read from the book in its own order. */
  bookHash(): string {
    return this.book.hash();
  }

  /**
   * Puts stored open orders back, oldest first, into an empty market.
   * @throws Error when they do not make a book at rest: the rows were altered.
   */
  restore(orders: readonly Order[]): void {
    const stops: Record<TriggerPrice, Record<Side, Order[]>> = {
      last: { [BUY]: [], [SELL]: [] },
      mark: { [BUY]: [], [SELL]: [] },
    };
    for (const order of orders) {
      if (order.status !== 1) throw new Error(`invariant: order ${order.id} is done and cannot be restored`);
      this.orders.set(order.id, order);
      if (isWaiting(order)) {
        if (order.trail) this.wait(order);
        else stops[order.triggerBy][order.side].push(order);
        continue;
      }
      this.resting.set(order.sequence, order);
      const outcome = this.book.limit(
        order.sequence,
        this.ownerOf(order.userId),
        order.side,
        order.price,
        order.quantity - order.filled,
        0,
        false,
        0,
      );
      this.rolling.toggle(order.side, order.price, order.sequence, order.quantity - order.filled);
      if (outcome !== RESTED || this.book.events !== this.drained)
        throw new Error(`invariant: stored order ${order.id} of ${this.market.symbol} does not rest (${outcome})`);
    }
    for (const side of [BUY, SELL] as const) {
      this.stops[side].restore(stops.last[side]);
      this.byMark[side].restore(stops.mark[side]);
    }
  }

  /** Takes an accepted order. `at` is business time, ms; it never runs backwards within a market. */
  place(order: Order, at: number, listener: Listener): void {
    this.tick(at);
    order.sequence = ++this.sequence;
    order.updatedAt = this.at;
    if (this.currentMode !== 'normal') {
      this.end(order, 'operator', listener);
      return;
    }
    if (order.parentId !== '' && order.held < holdFor(this.market, order, order.price, order.quantity)) {
      this.end(order, 'balance', listener);
      return;
    }
    this.orders.set(order.id, order);
    if (order.trail) {
      order.trail = { ...order.trail, since: this.tradeSequence };
      if (!this.reached(order)) this.trail(order, this.last);
    }
    if (isStop(order) && !this.reached(order)) {
      this.wait(order);
      listener.updated(order, null);
      return;
    }
    order.triggered = isStop(order);
    this.execute(order, listener);
    this.startStops(listener);
  }

  /**
   * Takes an OCO pair: a limit and a stop of one amount; the limit leg has the hold of both. A fill of the limit leg,
   * the start of the stop leg, and the end of either leg end the other one in the same step.
   */
  placePair(limit: Order, stop: Order, at: number, listener: Listener): void {
    this.tick(at);
    for (const leg of [limit, stop]) {
      leg.sequence = ++this.sequence;
      leg.updatedAt = this.at;
    }
    const isOpen = this.currentMode === 'normal';
    if (!isOpen || limit.held < pairHold(this.market, limit, stop)) {
      for (const leg of [stop, limit]) this.finish(leg, isOpen ? 'balance' : 'operator', listener);
      return;
    }
    for (const leg of [limit, stop]) this.orders.set(leg.id, leg);
    listener.updated(stop, null);
    if (this.reached(stop)) {
      listener.updated(limit, null);
      this.start(stop, listener);
    } else {
      this.wait(stop);
      this.execute(limit, listener);
    }
    this.startStops(listener);
  }

  /** Cancels an open order; null when the market has no such open order of this owner. */
  cancel(orderId: string, userId: number, reason: CancelReason, at: number, listener: Listener): Order | null {
    const order = this.openOf(orderId, userId);
    if (!order) return null;
    this.tick(at);
    order.cancelSequence = ++this.sequence;
    if (isWaiting(order)) this.leaveStops(order);
    else this.leaveBook(order);
    this.end(order, reason, listener);
    return order;
  }

  /**
   * Changes price or amount of an open order; null when the market has no such open order of this owner. It keeps its
   * place when only the amount shrinks; otherwise it goes to the end of its price, and may trade.
   */
  amend(orderId: string, userId: number, amend: Amend, at: number, listener: Listener): Order | AmendRefusal | null {
    const order = this.openOf(orderId, userId);
    if (!order) return null;
    if (this.otherLeg(order)) return 'linked';
    const price = amend.price ?? order.price;
    const quantity = amend.quantity ?? order.quantity;
    const isKept = keepsPriority(order, price, quantity);
    const held = holdFor(this.market, order, price, quantity);
    const need = quantity > order.filled ? holdFor(this.market, order, price, quantity - order.filled) : 0n;
    if (this.currentMode !== 'normal') return 'paused';
    if (quantity <= order.filled) return 'filled';
    if (!isKept && order.postOnly && !isWaiting(order) && this.crosses(order.side, price)) return 'post_only';
    if (need > order.holdLeft + amend.held) return 'hold';
    this.tick(at);
    const { holdLeft } = order;
    const before = { sequence: order.sequence, price: order.price, quantity: order.quantity };
    const sequence = ++this.sequence;
    if (isWaiting(order)) {
      if (!isKept) this.leaveStops(order);
    } else if (isKept) this.shrink(order, quantity);
    else this.leaveBook(order);
    Object.assign(order, { price, quantity, held, holdLeft: need, updatedAt: this.at });
    if (!isKept) order.sequence = sequence;
    listener.amended({
      amend,
      order,
      sequence,
      before,
      tradeSequence: this.tradeSequence,
      taken: need > holdLeft ? need - holdLeft : 0n,
      given: need < holdLeft ? holdLeft - need : 0n,
    });
    if (isWaiting(order) || isKept) {
      if (!isKept) this.wait(order);
      listener.updated(order, null);
    } else {
      this.execute(order, listener);
      this.startStops(listener);
    }
    return order;
  }

  /**
   * Starts a stop that waits for the mark; null: the market is not open, or it has no such waiting stop of this owner
   * that the mark reaches. The mark comes with the command, so that the engine gives the same again.
   */
  trigger(orderId: string, userId: number, mark: number, at: number, listener: Listener): Order | null {
    const order = this.openOf(orderId, userId);
    if (!order || !isWaiting(order) || order.triggerBy !== 'mark' || !reaches(order, mark)) return null;
    if (this.currentMode !== 'normal') return null;
    this.tick(at);
    this.leaveStops(order);
    this.start(order, listener);
    this.startStops(listener);
    return order;
  }

  /**
   * A mode change is a command like others. Open orders stay; new ones are refused by ending them (rules §2: operator).
   */
  setMode(mode: Mode, at: number): void {
    this.tick(at);
    this.sequence++;
    this.currentMode = mode;
  }

  private openOf(orderId: string, userId: number): Order | null {
    const order = this.orders.get(orderId);
    return order?.userId === userId ? order : null;
  }

  private tick(at: number): void {
    this.at = Math.max(this.at, at);
  }

  /** Whether the last price starts a stop. */
  private reached(order: Order): boolean {
    if (order.triggerBy === 'mark' || (order.trail && order.stopPrice === 0)) return false;
    return this.last !== 0 && reaches(order, this.last);
  }

  /** Moves the trigger of a trailing stop after a last price. */
  private trail(order: Order, price: number): void {
    const trail = follow(order.trail!, order.side, price);
    if (trail === order.trail) return;
    order.trail = trail;
    order.stopPrice = triggerAt(trail, order.side, trail.best);
  }

  /** Sets the stops of one side due that the trade which has just happened reaches. */
  private collectDue(waiting: WaitingStops): void {
    while (waiting.next && this.reached(waiting.next)) this.due.push(waiting.take()!);
  }

  private wait(order: Order): void {
    this.waitingWith(order).add(order);
  }

  /** A stop that is about to start in this step is in no list any more. */
  private leaveStops(order: Order): void {
    this.waitingWith(order).delete(order);
  }

  private waitingWith({ side, trail, triggerBy }: Order): WaitingStops | TrailingStops {
    if (!trail) return triggerBy === 'mark' ? this.byMark[side] : this.stops[side];
    return trail.amount > 0 ? this.trailing[side].amount : this.trailing[side].percent;
  }

  private leaveBook(order: Order): void {
    const left = order.quantity - order.filled;
    if (this.book.cancel(order.sequence) !== left)
      throw new Error(`invariant: order ${order.id} and its place in the book differ`);
    this.rolling.toggle(order.side, order.price, order.sequence, left);
    this.resting.delete(order.sequence);
  }

  /** Lowers the amount of a resting order, which keeps its place. */
  private shrink({ side, price, sequence, filled, quantity }: Order, to: number): void {
    if (to === quantity) return;
    this.book.reduce(sequence, quantity - to);
    this.rolling.toggle(side, price, sequence, quantity - filled);
    this.rolling.toggle(side, price, sequence, to - filled);
  }

  /** Whether a limit at this price meets an order of the other side. */
  private crosses(side: Side, price: number): boolean {
    const { bestAsk, bestBid } = this.book;
    return side === BUY ? bestAsk !== 0 && price >= bestAsk : bestBid !== 0 && price <= bestBid;
  }

  /** Starts the stops that a trade reached, oldest first; their trades may start more. */
  private startStops(listener: Listener): void {
    while (this.due.length > 0) {
      const started = this.due.splice(0).sort((a, b) => a.sequence - b.sequence);
      // The first price of a market may start stops of both sides: one may have traded with the limit leg of another.
      for (const order of started) if (order.status === 1) this.start(order, listener);
    }
  }

  private start(order: Order, listener: Listener): void {
    order.triggered = true;
    order.sequence = ++this.sequence;
    order.updatedAt = this.at;
    if (order.linkId !== '') this.takeHold(order, listener);
    this.execute(order, listener);
  }

  /** The stop leg of a pair starts: it takes the hold, and the limit leg ends. */
  private takeHold(stop: Order, listener: Listener): void {
    const limit = this.otherLeg(stop);
    if (!limit) throw new Error(`invariant: stop leg ${stop.id} starts without its limit leg`);
    const units = takenBy(this.market, stop, limit.holdLeft);
    limit.held -= units;
    limit.holdLeft -= units;
    stop.held = units;
    stop.holdLeft = units;
    listener.holdMoved({ limit, stop, units });
    this.endLeg(limit, listener);
  }

  /** A limit leg was filled: its stop leg ends, and it keeps only the hold that it needs itself. */
  private endStopLeg(limit: Order, listener: Listener): void {
    const stop = this.otherLeg(limit);
    if (!stop) return;
    const held = holdFor(this.market, limit, limit.price, limit.quantity);
    const units = limit.held - held;
    limit.held = held;
    limit.holdLeft -= units;
    if (units > 0n) listener.holdMoved({ limit, stop: null, units });
    this.endLeg(stop, listener);
  }

  /** Ends a leg because of its other leg. */
  private endLeg(leg: Order, listener: Listener): void {
    leg.updatedAt = this.at;
    if (isWaiting(leg)) this.leaveStops(leg);
    else if (this.resting.has(leg.sequence)) this.leaveBook(leg);
    this.finish(leg, 'oco', listener);
  }

  /** The other leg of an order's pair, while both are open. */
  private otherLeg({ linkId }: Order): Order | undefined {
    return linkId === '' ? undefined : this.orders.get(linkId);
  }

  private execute(order: Order, listener: Listener): void {
    const before = order.filled;
    const outcome = isMarket(order) ? this.runMarket(order) : this.runLimit(order);
    this.drained = this.book.drain(this.drained, (makerId, _takerId, price, quantity) => {
      const maker = this.resting.get(makerId);
      if (!maker) throw new Error(`invariant: the book knows an order ${makerId} that its market does not`);
      this.rolling.toggle(maker.side, maker.price, makerId, maker.quantity - maker.filled);
      if (quantity < 0) this.end(maker, 'stp', listener);
      else {
        this.trade(maker, order, price, quantity, listener);
        if (maker.status === 1) this.rolling.toggle(maker.side, maker.price, makerId, maker.quantity - maker.filled);
      }
    });
    if (outcome === RESTED) {
      this.resting.set(order.sequence, order);
      this.rolling.toggle(order.side, order.price, order.sequence, order.quantity - order.filled);
      if (order.filled === before) listener.updated(order, null);
    } else if (order.filled < order.quantity) this.end(order, REASONS[outcome], listener);
  }

  private runLimit(order: Order): Outcome {
    return this.book.limit(
      order.sequence,
      this.ownerOf(order.userId),
      order.side,
      order.price,
      order.quantity - order.filled,
      order.timeInForce,
      order.postOnly,
      order.selfTrade,
    );
  }

  private runMarket(order: Order): Outcome {
    const bound = order.type === 'market' ? order.price : this.boundNow(order.side);
    if (bound === 0) return MARKET_REST;
    const [high, low] = order.side === BUY ? toLimbs(budgetOf(this.market, order.held)) : [NO_BUDGET, 0];
    return this.book.market(
      order.sequence,
      this.ownerOf(order.userId),
      order.side,
      order.quantity,
      bound,
      order.timeInForce === FOK,
      order.selfTrade,
      high,
      low,
    );
  }

  /** Cap or floor of a market order that starts now; 0 when the other side is empty. */
  private boundNow(side: Side): number {
    const best = side === BUY ? this.book.bestAsk : this.book.bestBid;
    return best === 0 ? 0 : side === BUY ? capOf(this.market, best) : floorOf(this.market, best);
  }

  private trade(maker: Order, taker: Order, price: number, quantity: number, listener: Listener): void {
    const { market } = this;
    const [buyer, seller] = taker.side === BUY ? [taker, maker] : [maker, taker];
    const quote = quoteOf(market, price, quantity, 'down');
    const base = baseOf(market, quantity);
    const improvement = isMarket(buyer) ? 0n : quoteOf(market, buyer.price - price, quantity, 'down');
    const trade: Trade = {
      sequence: ++this.tradeSequence,
      price,
      quantity,
      quote,
      maker,
      taker,
      buyer,
      seller,
      improvement,
      at: this.at,
      buyerFee: feeOf(base, buyer === taker ? buyer.takerFee : buyer.makerFee),
      sellerFee: feeOf(quote, seller === taker ? seller.takerFee : seller.makerFee),
    };
    this.last = price;
    this.collectDue(this.stops[BUY]);
    this.collectDue(this.stops[SELL]);
    for (const stops of this.allTrailing) stops.follow(price, this.due);
    this.fill(buyer, trade, quote + improvement, trade.buyerFee);
    this.fill(seller, trade, base, trade.sellerFee);
    listener.traded(trade);
    listener.updated(maker, trade);
    listener.updated(taker, trade);
    if (maker.linkId !== '') this.endStopLeg(maker, listener);
    if (taker.linkId !== '') this.endStopLeg(taker, listener);
    if (maker.status === 2) this.close(maker, listener);
    if (taker.status === 2) this.close(taker, listener);
  }

  private fill(order: Order, trade: Trade, used: bigint, fee: bigint): void {
    order.filled += trade.quantity;
    order.quoteFilled += trade.quote;
    order.fee += fee;
    order.holdLeft -= used;
    order.updatedAt = this.at;
    if (order.holdLeft < 0n || order.filled > order.quantity)
      throw new Error(
        `invariant: order ${order.id} used more than it holds ` +
          `(${order.holdLeft}, ${order.filled} of ${order.quantity})`,
      );
    if (order.filled === order.quantity) order.status = 2;
  }

  /** Ends an order, and with it the other leg of its pair. */
  private end(order: Order, reason: CancelReason, listener: Listener): void {
    this.finish(order, reason, listener);
    const other = this.otherLeg(order);
    if (other) this.endLeg(other, listener);
  }

  private finish(order: Order, reason: CancelReason, listener: Listener): void {
    order.status = 2;
    order.reason = reason;
    order.updatedAt = this.at;
    listener.updated(order, null);
    this.close(order, listener);
  }

  private close(order: Order, listener: Listener): void {
    this.orders.delete(order.id);
    this.resting.delete(order.sequence);
    listener.ended(order);
  }

  private ownerOf(userId: number): number {
    const who = this.market.oneOwner?.has(userId) ? ONE_OWNER : userId;
    let owner = this.owners.get(who);
    if (owner === undefined) this.owners.set(who, (owner = this.owners.size + 1));
    return owner;
  }
}

/** Represents all accounts of `Market.oneOwner`; no account has this id. */
const ONE_OWNER = 0;

const REASONS: Readonly<Record<Outcome, CancelReason>> = {
  [RESTED]: '',
  [FILLED]: '',
  [IOC_REST]: 'ioc',
  [FOK_KILLED]: 'fok',
  [POST_ONLY_CROSSED]: 'post_only',
  [SELF_TRADE]: 'stp',
  [MARKET_REST]: 'market',
  [NO_ROOM]: 'operator',
};
