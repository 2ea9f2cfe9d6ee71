import { bookChecksum, type DepthPush } from '@bourse/contract';
import { comparePrices } from './price-order.js';

/** One price level as text: `[price, number]`. */
export type BookLevel = [price: string, number: string];
export type BookFault = 'gap' | 'checksum' | 'no_snapshot';
export type BookResult = { readonly ok: true } | { readonly ok: false; readonly fault: BookFault };

const OK: BookResult = { ok: true };

/**
 * The book of one pair as this socket received it: snapshot, then numbered differences. A message that does not follow
 * the last one, or leads to other levels than its checksum, is a fault: the caller clears the book and subscribes
 * again.
 */
export class Book {
  /** Best first: bids fall, asks rise. */
  readonly bids: BookLevel[] = [];
  readonly asks: BookLevel[] = [];
  lastPrice = '';
  proportion = '';
  today = '';
  yesterday = '';
  /** Number of the last message applied; 0 without a snapshot. */
  seq = 0;
  /** Server time of the last message. */
  ts = 0;

  constructor(readonly symbol: string) {}

  clear(): void {
    this.bids.length = 0;
    this.asks.length = 0;
    this.seq = 0;
    this.ts = 0;
  }

  apply(push: DepthPush): BookResult {
    if (push.kind === 'full') {
      replace(
        this.bids,
        push.bids.map((level): BookLevel => [level.price, level.number]),
      );
      replace(
        this.asks,
        push.asks.map((level): BookLevel => [level.price, level.number]),
      );
    } else if (push.kind === 'snapshot') {
      replace(this.bids, pairs(push.b));
      replace(this.asks, pairs(push.a));
    } else {
      if (this.seq === 0) return { ok: false, fault: 'no_snapshot' };
      // A repeat, as a resumed subscription may send, changes nothing.
      if (push.seq <= this.seq) return OK;
      if (push.prev_seq !== this.seq) return { ok: false, fault: 'gap' };
      patch(this.bids, push.b, true);
      patch(this.asks, push.a, false);
    }
    this.seq = push.seq;
    this.ts = push.ts;
    this.lastPrice = push.last_price;
    this.proportion = push.proportion;
    this.today = push.today;
    this.yesterday = push.yesterday;
    return bookChecksum(this.bids, this.asks) === push.checksum ? OK : { ok: false, fault: 'checksum' };
  }
}

function patch(side: BookLevel[], flat: readonly string[], falling: boolean): void {
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const price = flat[at]!;
    const number = flat[at + 1]!;
    const place = find(side, price, falling);
    const known = side[place]?.[0] === price;
    if (number === '0') {
      if (known) side.splice(place, 1);
    } else if (known) {
      side[place]![1] = number;
    } else {
      side.splice(place, 0, [price, number]);
    }
  }
}

/** The index of a price, or the index at which to insert it. */
function find(side: readonly BookLevel[], price: string, falling: boolean): number {
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = comparePrices(side[middle]![0], price);
    if (falling ? order > 0 : order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pairs(flat: readonly string[]): BookLevel[] {
  const levels: BookLevel[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) levels.push([flat[at]!, flat[at + 1]!]);
  return levels;
}

function replace(side: BookLevel[], levels: readonly BookLevel[]): void {
  side.length = 0;
  side.push(...levels);
}
