import { minOf } from '@bourse/money';
import {
  BUY,
  CANCEL_BOTH,
  CANCEL_NEWEST,
  FILLED,
  FOK,
  FOK_KILLED,
  GTC,
  hashOf,
  IOC_REST,
  MARKET_REST,
  MAX_LOTS,
  NO_ROOM,
  POST_ONLY_CROSSED,
  RESTED,
  SELF_TRADE,
  SELL,
  type Book,
  type Level,
  type Outcome,
  type SelfTrade,
  type Side,
  type TimeInForce,
  type VisitEvent,
  type VisitOrder,
} from './book.js';

interface Resting {
  readonly id: number;
  readonly owner: number;
  readonly side: Side;
  readonly price: number;
  left: number;
}
interface Incoming {
  readonly id: number;
  readonly owner: number;
  readonly side: Side;
  readonly bound: number;
  left: number;
  readonly selfTrade: SelfTrade;
  budget: bigint | null;
}

/**
 * A book that is easy to verify by reading: one array per side, best first, objects and bigint. It is the reference for
 * `LadderBook`.
 */
export class PlainBook implements Book {
  private readonly bids: Resting[] = [];
  private readonly asks: Resting[] = [];
  private readonly log: (readonly [number, number, number, number])[] = [];
  remaining = 0;

  /** @param capacity Most orders at rest; the next one is refused. */
  constructor(private readonly capacity = Number.MAX_SAFE_INTEGER) {}

  get size(): number {
    return this.bids.length + this.asks.length;
  }
  get bestBid(): number {
    return this.bids[0]?.price ?? 0;
  }
  get bestAsk(): number {
    return this.asks[0]?.price ?? 0;
  }
  get events(): number {
    return this.log.length;
  }

  limit(
    id: number,
    owner: number,
    side: Side,
    price: number,
    quantity: number,
    timeInForce: TimeInForce,
    postOnly: boolean,
    selfTrade: SelfTrade,
  ): Outcome {
    this.remaining = quantity;
    const order: Incoming = { id, owner, side, bound: price, left: quantity, selfTrade, budget: null };
    if (timeInForce === GTC && !this.hasRoom(side, price, quantity)) return NO_ROOM;
    if (postOnly && this.opposite(side)[0] !== undefined && reaches(order, this.opposite(side)[0]!.price))
      return POST_ONLY_CROSSED;
    if (timeInForce === FOK && this.tryFill(order, false).left > 0) return FOK_KILLED;
    const stopped = this.tryFill(order, true).stopped;
    this.remaining = order.left;
    if (order.left === 0) return FILLED;
    if (stopped) return SELF_TRADE;
    if (timeInForce !== GTC) return IOC_REST;
    const own = side === BUY ? this.bids : this.asks;
    let at = own.findIndex((other) => (side === BUY ? other.price < price : other.price > price));
    if (at < 0) at = own.length;
    own.splice(at, 0, { id, owner, side, price, left: order.left });
    return RESTED;
  }

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
  ): Outcome {
    this.remaining = quantity;
    const budget = budgetHigh < 0 ? null : (BigInt(budgetHigh) << 44n) + BigInt(budgetLow);
    const order: Incoming = { id, owner, side, bound, left: quantity, selfTrade, budget };
    if (fillOrKill && this.tryFill(order, false).left > 0) return FOK_KILLED;
    const stopped = this.tryFill(order, true).stopped;
    this.remaining = order.left;
    return order.left === 0 ? FILLED : stopped ? SELF_TRADE : MARKET_REST;
  }

  /** Walks the other side. With `real` the fills happen; without it only the remainder is computed. */
  private tryFill(order: Incoming, real: boolean): { left: number; stopped: boolean } {
    const others = this.opposite(order.side);
    let { left, budget } = order;
    let stopped = false;
    for (const maker of [...others]) {
      if (left === 0 || !reaches(order, maker.price)) break;
      if (order.owner !== 0 && maker.owner === order.owner) {
        if (real && order.selfTrade !== CANCEL_NEWEST) {
          this.log.push([maker.id, order.id, maker.price, -maker.left]);
          others.splice(others.indexOf(maker), 1);
        }
        if (order.selfTrade === CANCEL_NEWEST || order.selfTrade === CANCEL_BOTH) {
          stopped = true;
          break;
        }
        continue;
      }
      let take = Math.min(left, maker.left);
      if (budget !== null) take = Number(minOf(BigInt(take), budget / BigInt(maker.price)));
      if (take === 0) break;
      left -= take;
      if (budget !== null) budget -= BigInt(maker.price) * BigInt(take);
      if (!real) {
        if (take < maker.left) break;
        continue;
      }
      this.log.push([maker.id, order.id, maker.price, take]);
      maker.left -= take;
      if (maker.left > 0) break;
      others.splice(others.indexOf(maker), 1);
    }
    if (real) {
      order.left = left;
      order.budget = budget;
    }
    return { left, stopped };
  }

  cancel(id: number): number {
    for (const side of [this.bids, this.asks]) {
      const at = side.findIndex((order) => order.id === id);
      if (at >= 0) return side.splice(at, 1)[0]!.left;
    }
    return 0;
  }

  reduce(id: number, lots: number): void {
    const order = [...this.bids, ...this.asks].find((one) => one.id === id);
    if (!order || order.left <= lots) throw new Error(`invariant: order ${id} cannot give ${lots} lots`);
    order.left -= lots;
  }

  left(id: number): number {
    return [...this.bids, ...this.asks].find((order) => order.id === id)?.left ?? 0;
  }

  drain(from: number, visit: VisitEvent): number {
    for (const event of this.log.slice(from)) visit(...event);
    return this.log.length;
  }

  levels(side: Side, most: number): Level[] {
    const sums = new Map<number, number>();
    for (const order of side === BUY ? this.bids : this.asks)
      sums.set(order.price, (sums.get(order.price) ?? 0) + order.left);
    return [...sums].slice(0, most);
  }

  orders(visit: VisitOrder): void {
    for (const order of [...this.bids, ...this.asks]) visit(order.side, order.price, order.id, order.owner, order.left);
  }

  hash(): string {
    return hashOf(this);
  }

  private hasRoom(side: Side, price: number, quantity: number): boolean {
    const there = (side === BUY ? this.bids : this.asks).reduce(
      (sum, order) => (order.price === price ? sum + order.left : sum),
      0,
    );
    return this.size < this.capacity && there + quantity <= MAX_LOTS;
  }

  private opposite(side: Side): Resting[] {
    return side === SELL ? this.bids : this.asks;
  }
}

const reaches = (order: Incoming, price: number): boolean =>
  order.side === BUY ? price <= order.bound : price >= order.bound;
