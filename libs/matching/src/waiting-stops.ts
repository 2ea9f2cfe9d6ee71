import { BUY, type Side } from './book.js';
import type { Order } from './order.js';

/**
 * The stops of one side that wait for their trigger price, the next one to start first; at one price in time order. A
 * market may have any number of them, so the place of one is found by halves.
 */
export class WaitingStops {
  /** In reverse: to take the next one moves no other. */
  private readonly list: Order[] = [];

  constructor(private readonly side: Side) {}

  /** The one that starts first. */
  get next(): Order | undefined {
    return this.list.at(-1);
  }

  /** Takes the one that starts first out of the list. */
  take(): Order | undefined {
    return this.list.pop();
  }

  /** Puts a stop at its place; its price and sequence stay as they are while it waits. */
  add(order: Order): void {
    this.list.splice(this.placeOf(order), 0, order);
  }

  /** Takes a stop out; one that does not wait here changes nothing. */
  delete(order: Order): void {
    const at = this.placeOf(order);
    if (this.list[at] === order) this.list.splice(at, 1);
  }

  /** Adds many stops at once. */
  restore(orders: readonly Order[]): void {
    for (const order of orders) this.list.push(order);
    this.list.sort((a, b) => this.lead(b, a));
  }

  /** Below zero when the first one starts first: no two have one sequence, so each has one place. */
  private lead(one: Order, other: Order): number {
    const nearer = this.side === BUY ? one.stopPrice - other.stopPrice : other.stopPrice - one.stopPrice;
    return nearer || one.sequence - other.sequence;
  }

  private placeOf(order: Order): number {
    return firstIndex(this.list, (other) => this.lead(other, order) <= 0);
  }
}

/** The first index of a sorted list from which on `holds` is true; its length when it is nowhere. */
export function firstIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
