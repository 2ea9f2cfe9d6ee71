import { BUY, type Side } from './book.js';
import type { Order } from './order.js';
import { SortedList } from './sorted-list.js';

/** The stops of one side that wait for one kind of price, the next one to start first; at one price in time order. */
export class WaitingStops extends SortedList<Order> {
  constructor(side: Side) {
    super((one, other) => {
      const nearer = side === BUY ? one.stopPrice - other.stopPrice : other.stopPrice - one.stopPrice;
      // No two have one sequence, so each has one place.
      return nearer || one.sequence - other.sequence;
    });
  }
}
