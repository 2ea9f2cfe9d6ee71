import {
  BUY,
  CANCEL_NEWEST,
  CANCEL_OLDEST,
  FILLED,
  FOK,
  FOK_KILLED,
  GTC,
  hashOf,
  IOC_REST,
  MARKET_REST,
  MAX_LOTS,
  MAX_TICK,
  NO_BUDGET,
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
import { Budget } from './quote.js';

/** Bounds of one book. The arrays start small and double until these. */
export interface LadderLimits {
  /** Maximum number of resting orders. */
  readonly orders: number;
  /**
   * Maximum number of pages of 1,024 ticks that hold orders at one time: 20 kB each, so that far-off prices cannot
   * exhaust the memory.
   */
  readonly pages: number;
}

const NONE = MAX_TICK + 1; // "no ask": above every bound, so that the matching loop needs no second test
const PAGE_BITS = 10;
const PAGE_MASK = 1023;
// A slot is 32 bytes, seen as 4 float64 (id, left) and 8 int32 (price, next, previous, owner and side).
const ID = 0;
const LEFT = 1;
const PRICE = 4;
const NEXT = 5;
const PREVIOUS = 6;
const OWNER = 7;

/**
 * The fast book. One ladder of price levels serves both sides, because a book is never crossed: bids end where asks
 * begin. Levels lie in pages of 1,024 ticks made on first use, with bitmaps that find the next level in a few `clz32`.
 * Orders are 32-byte slots of one buffer, linked in time order inside their level. An id finds its slot by open
 * addressing; a deletion shifts the run back, so that no tombstones gather. Events go into a buffer that starts over
 * with each drain. A command allocates nothing in steady state.
 */
export class LadderBook implements Book {
  size = 0;
  remaining = 0;
  events = 0;

  // Slot 0 is unused: zeroed arrays mean "empty" everywhere.
  private capacity: number;
  private numbers: Float64Array;
  private links: Int32Array;
  private free = 0;
  private used = 1;
  private table: Int32Array;
  private tableMask: number;

  // Events are at the start of the buffer until they are drained: data that is written and read at once stays in the
  // cache. The buffer has room for twice the orders of the book, because one command makes at most one event per
  // resting order.
  private log: Float64Array;
  private logStart = 0;

  private directory = new Int32Array(1024);
  private pageBits = new Int32Array(32);
  private pageSummary = new Int32Array(1);
  private pageCapacity = 4;
  private pageCount = 0;
  private pagesUsed = 1;
  private freePages: number[] = [];
  private ends = new Int32Array(4 * 2048);
  private sums = new Float64Array(4 * 1024);
  private words = new Int32Array(4 * 32);
  private summaries = new Int32Array(4);

  private bid = 0;
  private ask = NONE;
  private readonly budget = new Budget();
  private stopped = false;

  constructor(private readonly limits: LadderLimits = { orders: 1 << 20, pages: 4096 }) {
    this.capacity = Math.min(1024, powerOfTwo(limits.orders));
    const buffer = new ArrayBuffer(this.capacity * 32);
    this.numbers = new Float64Array(buffer);
    this.links = new Int32Array(buffer);
    this.table = new Int32Array(this.capacity * 4);
    this.tableMask = this.table.length - 1;
    this.log = new Float64Array(this.capacity * 2 * 4);
  }

  get bestBid(): number {
    return this.bid;
  }
  get bestAsk(): number {
    return this.ask === NONE ? 0 : this.ask;
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
    if (timeInForce === GTC && !this.growLadder(side, price, quantity)) return NO_ROOM;
    let left = quantity;
    if (side === BUY ? this.ask <= price : this.bid >= price) {
      if (postOnly) return POST_ONLY_CROSSED;
      this.budget.bounded = false;
      if (timeInForce === FOK && this.unfillable(owner, side, price, quantity, selfTrade, NO_BUDGET, 0) > 0)
        return FOK_KILLED;
      left = this.match(id, owner, side, price, quantity, selfTrade);
      this.remaining = left;
      if (left === 0) return FILLED;
      if (this.stopped) return SELF_TRADE;
    } else if (timeInForce === FOK) return FOK_KILLED;
    if (timeInForce !== GTC) return IOC_REST;
    this.rest(id, owner, side, price, left);
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
    if (fillOrKill && this.unfillable(owner, side, bound, quantity, selfTrade, budgetHigh, budgetLow) > 0)
      return FOK_KILLED;
    this.budget.set(budgetHigh, budgetLow);
    const left = this.match(id, owner, side, bound, quantity, selfTrade);
    this.remaining = left;
    return left === 0 ? FILLED : this.stopped ? SELF_TRADE : MARKET_REST;
  }

  cancel(id: number): number {
    const place = this.placeOf(id);
    const slot = this.table[place]!;
    if (slot === 0) return 0;
    const links = this.links;
    const at = slot << 3;
    const left = this.numbers[(slot << 2) + LEFT]!;
    const price = links[at + PRICE]!;
    const level = (this.directory[price >> PAGE_BITS]! << PAGE_BITS) | (price & PAGE_MASK);
    const next = links[at + NEXT]!;
    const previous = links[at + PREVIOUS]!;
    if (previous !== 0) links[(previous << 3) + NEXT] = next;
    else this.ends[level << 1] = next;
    if (next !== 0) links[(next << 3) + PREVIOUS] = previous;
    else this.ends[(level << 1) + 1] = previous;
    this.sums[level] = this.sums[level]! - left;
    this.forget(place);
    links[at + NEXT] = this.free;
    this.free = slot;
    this.size--;
    if (next === 0 && previous === 0) {
      this.clearLevel(price);
      if (price === this.bid) this.bid = this.below(price);
      else if (price === this.ask) this.ask = this.above(price);
    }
    return left;
  }

  reduce(id: number, lots: number): void {
    const slot = this.find(id);
    const left = slot === 0 ? 0 : this.numbers[(slot << 2) + LEFT]!;
    if (left <= lots) throw new Error(`invariant: order ${id} cannot give ${lots} lots`);
    const level = this.levelOf(this.links[(slot << 3) + PRICE]!);
    this.numbers[(slot << 2) + LEFT] = left - lots;
    this.sums[level] = this.sums[level]! - lots;
  }

  left(id: number): number {
    const slot = this.find(id);
    return slot === 0 ? 0 : this.numbers[(slot << 2) + LEFT]!;
  }

  drain(from: number, visit: VisitEvent): number {
    const { log, events, logStart } = this;
    if (from < logStart) throw new Error(`invariant: events from ${from} on are gone, the log begins at ${logStart}`);
    for (let at = (from - logStart) << 2; at < (events - logStart) << 2; at += 4)
      visit(log[at]!, log[at + 1]!, log[at + 2]!, log[at + 3]!);
    this.logStart = events;
    return events;
  }

  levels(side: Side, most: number): Level[] {
    const levels: Level[] = [];
    for (
      let price = side === BUY ? this.bid : this.ask;
      levels.length < most && price !== 0 && price !== NONE;
      price = side === BUY ? this.below(price) : this.above(price)
    ) {
      levels.push([price, this.sums[this.levelOf(price)]!]);
    }
    return levels;
  }

  orders(visit: VisitOrder): void {
    for (let price = this.bid; price !== 0; price = this.below(price)) this.visitLevel(BUY, price, visit);
    for (let price = this.ask; price !== NONE; price = this.above(price)) this.visitLevel(SELL, price, visit);
  }

  hash(): string {
    return hashOf(this);
  }

  private visitLevel(side: Side, price: number, visit: VisitOrder): void {
    for (let slot = this.ends[this.levelOf(price) << 1]!; slot !== 0; slot = this.links[(slot << 3) + NEXT]!) {
      visit(
        side,
        price,
        this.numbers[(slot << 2) + ID]!,
        this.links[(slot << 3) + OWNER]!,
        this.numbers[(slot << 2) + LEFT]!,
      );
    }
  }

  private levelOf(price: number): number {
    return (this.directory[price >> PAGE_BITS]! << PAGE_BITS) | (price & PAGE_MASK);
  }

  /**
   * Trades against the other side and returns the lots left. Sets `stopped` when an order of the same owner was met.
   */
  private match(id: number, owner: number, side: Side, bound: number, quantity: number, selfTrade: SelfTrade): number {
    const { numbers, links, ends, log, budget } = this;
    // If nobody drains, the oldest events are dropped, and a drain that asks for them fails.
    if (this.events - this.logStart > this.capacity) this.logStart = this.events;
    const { logStart } = this;
    const bounded = budget.bounded;
    let left = quantity;
    let price = side === BUY ? this.ask : this.bid;
    let events = this.events;
    let stop = false;
    let ownStop = false;
    while (left > 0 && !stop && (side === BUY ? price <= bound : price >= bound && price !== 0)) {
      const level = (this.directory[price >> PAGE_BITS]! << PAGE_BITS) | (price & PAGE_MASK);
      let slot = ends[level << 1]!;
      let sum = this.sums[level]!;
      do {
        const at = slot << 2;
        const have = numbers[at + LEFT]!;
        const eventAt = (events - logStart) << 2;
        if (owner !== 0 && links[(slot << 3) + OWNER] === owner) {
          ownStop = stop = selfTrade !== CANCEL_OLDEST;
          if (selfTrade === CANCEL_NEWEST) break;
          log[eventAt] = numbers[at + ID]!;
          log[eventAt + 1] = id;
          log[eventAt + 2] = price;
          log[eventAt + 3] = -have;
          events++;
          sum -= have;
        } else {
          let take = left < have ? left : have;
          if (bounded) {
            const paid = budget.affordable(price, take);
            if (paid < take) {
              stop = true;
              take = paid;
            }
            if (take === 0) break;
            budget.spend(price, take);
          }
          log[eventAt] = numbers[at + ID]!;
          log[eventAt + 1] = id;
          log[eventAt + 2] = price;
          log[eventAt + 3] = take;
          events++;
          left -= take;
          sum -= take;
          if (take < have) {
            numbers[at + LEFT] = have - take;
            break;
          }
        }
        this.forget(this.placeOf(numbers[at + ID]!));
        const next = links[(slot << 3) + NEXT]!;
        links[(slot << 3) + NEXT] = this.free;
        this.free = slot;
        this.size--;
        slot = next;
      } while (slot !== 0 && left > 0 && !stop);
      ends[level << 1] = slot;
      this.sums[level] = sum;
      if (slot !== 0) {
        links[(slot << 3) + PREVIOUS] = 0;
      } else {
        ends[(level << 1) + 1] = 0;
        this.clearLevel(price);
        if (side === BUY) this.ask = price = this.above(price);
        else this.bid = price = this.below(price);
      }
    }
    this.events = events;
    this.stopped = ownStop;
    return left;
  }

  /** The lots that would be left of an order that must fill whole; changes nothing. */
  private unfillable(
    owner: number,
    side: Side,
    bound: number,
    quantity: number,
    selfTrade: SelfTrade,
    budgetHigh: number,
    budgetLow: number,
  ): number {
    const { numbers, links, budget } = this;
    budget.set(budgetHigh, budgetLow);
    let left = quantity;
    for (
      let price = side === BUY ? this.ask : this.bid;
      price !== 0 && price !== NONE && (side === BUY ? price <= bound : price >= bound);
      price = side === BUY ? this.above(price) : this.below(price)
    ) {
      for (let slot = this.ends[this.levelOf(price) << 1]!; slot !== 0; slot = links[(slot << 3) + NEXT]!) {
        if (owner !== 0 && links[(slot << 3) + OWNER] === owner) {
          if (selfTrade !== CANCEL_OLDEST) return left;
          continue;
        }
        const want = Math.min(left, numbers[(slot << 2) + LEFT]!);
        if (budget.bounded) {
          if (budget.affordable(price, want) < want) return left;
          budget.spend(price, want);
        }
        left -= want;
        if (left === 0) return 0;
      }
    }
    return left;
  }

  private rest(id: number, owner: number, side: Side, price: number, quantity: number): void {
    const page = this.directory[price >> PAGE_BITS]! || this.openPage(price >> PAGE_BITS);
    let slot = this.free;
    if (slot !== 0) this.free = this.links[(slot << 3) + NEXT]!;
    else slot = this.used++;
    const { numbers, links, ends } = this;
    const at = slot << 3;
    const level = (page << PAGE_BITS) | (price & PAGE_MASK);
    const tail = ends[(level << 1) + 1]!;
    numbers[(slot << 2) + ID] = id;
    numbers[(slot << 2) + LEFT] = quantity;
    links[at + PRICE] = price;
    links[at + NEXT] = 0;
    links[at + PREVIOUS] = tail;
    links[at + OWNER] = owner;
    ends[(level << 1) + 1] = slot;
    if (tail !== 0) links[(tail << 3) + NEXT] = slot;
    else {
      ends[level << 1] = slot;
      const word = (price & PAGE_MASK) >> 5;
      this.words[(page << 5) + word] = this.words[(page << 5) + word]! | (1 << (price & 31));
      this.summaries[page] = this.summaries[page]! | (1 << word);
      if (side === BUY) {
        if (price > this.bid) this.bid = price;
      } else if (price < this.ask) this.ask = price;
    }
    this.sums[level] = this.sums[level]! + quantity;
    this.remember(id, slot);
    this.size++;
  }

  // Id → slot. Ids are counted up, so their low bits spread them evenly without mixing, and neighbours in time are
  // neighbours in memory.

  private find(id: number): number {
    return this.table[this.placeOf(id)]!;
  }

  /** The index of an id in the table, or the empty index that ends its run. */
  private placeOf(id: number): number {
    const { table, tableMask, numbers } = this;
    let at = id & tableMask;
    for (let slot = table[at]!; slot !== 0 && numbers[(slot << 2) + ID] !== id; slot = table[at]!)
      at = (at + 1) & tableMask;
    return at;
  }

  private remember(id: number, slot: number): void {
    const { table, tableMask, numbers } = this;
    let at = id & tableMask;
    for (; table[at] !== 0; at = (at + 1) & tableMask)
      if (numbers[(table[at]! << 2) + ID] === id) throw new Error(`invariant: order ${id} rests already`);
    table[at] = slot;
  }

  /** Backward-shift deletion: later entries of the run move up if their own index allows it. */
  private forget(place: number): void {
    const { table, tableMask, numbers } = this;
    let hole = place;
    for (let at = (hole + 1) & tableMask; ; at = (at + 1) & tableMask) {
      const slot = table[at]!;
      if (slot === 0) break;
      const home = numbers[(slot << 2) + ID]! & tableMask;
      if (((at - home) & tableMask) >= ((at - hole) & tableMask)) {
        table[hole] = slot;
        hole = at;
      }
    }
    table[hole] = 0;
  }

  // Bitmaps.

  private clearLevel(price: number): void {
    const page = this.directory[price >> PAGE_BITS]!;
    const word = (price & PAGE_MASK) >> 5;
    const bits = this.words[(page << 5) + word]! & ~(1 << (price & 31));
    this.words[(page << 5) + word] = bits;
    if (bits !== 0) return;
    const summary = this.summaries[page]! & ~(1 << word);
    this.summaries[page] = summary;
    if (summary === 0) this.closePage(price >> PAGE_BITS, page);
  }

  /** Next level below a price; 0 when there is none. The level itself may be removed already. */
  private below(price: number): number {
    const number = price >> PAGE_BITS;
    const page = this.directory[number]!;
    if (page !== 0) {
      const word = (price & PAGE_MASK) >> 5;
      const bits = this.words[(page << 5) + word]! & ((1 << (price & 31)) - 1);
      if (bits !== 0) return (price & ~31) | (31 - Math.clz32(bits));
      const summary = this.summaries[page]! & ((1 << word) - 1);
      if (summary !== 0) return this.highest(number, page, summary);
    }
    let at = number >> 5;
    let bits = this.pageBits[at]! & ((1 << (number & 31)) - 1);
    if (bits === 0) {
      let up = at >> 5;
      let summary = this.pageSummary[up]! & ((1 << (at & 31)) - 1);
      while (summary === 0) {
        if (up === 0) return 0;
        summary = this.pageSummary[--up]!;
      }
      at = (up << 5) | (31 - Math.clz32(summary));
      bits = this.pageBits[at]!;
    }
    const lower = (at << 5) | (31 - Math.clz32(bits));
    return this.highest(lower, this.directory[lower]!, this.summaries[this.directory[lower]!]!);
  }

  /** Next level above a price; NONE when there is none. */
  private above(price: number): number {
    const number = price >> PAGE_BITS;
    const page = this.directory[number]!;
    if (page !== 0) {
      const word = (price & PAGE_MASK) >> 5;
      const bits = this.words[(page << 5) + word]! & (-2 << (price & 31));
      if (bits !== 0) return (price & ~31) | lowestBit(bits);
      const summary = this.summaries[page]! & (-2 << word);
      if (summary !== 0) return this.lowest(number, page, summary);
    }
    let at = number >> 5;
    let bits = this.pageBits[at]! & (-2 << (number & 31));
    if (bits === 0) {
      let up = at >> 5;
      let summary = this.pageSummary[up]! & (-2 << (at & 31));
      while (summary === 0) {
        if (++up === this.pageSummary.length) return NONE;
        summary = this.pageSummary[up]!;
      }
      at = (up << 5) | lowestBit(summary);
      bits = this.pageBits[at]!;
    }
    const upper = (at << 5) | lowestBit(bits);
    return this.lowest(upper, this.directory[upper]!, this.summaries[this.directory[upper]!]!);
  }

  private highest(number: number, page: number, summary: number): number {
    const word = 31 - Math.clz32(summary);
    return (number << PAGE_BITS) | (word << 5) | (31 - Math.clz32(this.words[(page << 5) + word]!));
  }

  private lowest(number: number, page: number, summary: number): number {
    const word = lowestBit(summary);
    return (number << PAGE_BITS) | (word << 5) | lowestBit(this.words[(page << 5) + word]!);
  }

  // Room. Growing doubles the capacity, so its cost per order vanishes; a book at its limits refuses instead.

  private growLadder(side: Side, price: number, quantity: number): boolean {
    if (this.free === 0 && this.used === this.capacity && !this.growSlots()) return false;
    if (this.size >= this.limits.orders) return false;
    const number = price >> PAGE_BITS;
    if (number >= this.directory.length) this.growDirectory(number);
    const page = this.directory[number]!;
    if (page === 0) return this.pageCount < this.limits.pages;
    // A level of the other side is removed before this order rests on it.
    const crosses = side === BUY ? this.ask <= price : this.bid >= price;
    return crosses || this.sums[(page << PAGE_BITS) | (price & PAGE_MASK)]! + quantity <= MAX_LOTS;
  }

  private growSlots(): boolean {
    if (this.size >= this.limits.orders) return false;
    this.capacity *= 2;
    // Copied as bytes: links read as float64 may be NaN patterns, which a copy by value may change.
    const buffer = new ArrayBuffer(this.capacity * 32);
    new Uint8Array(buffer).set(new Uint8Array(this.numbers.buffer as ArrayBuffer));
    this.numbers = new Float64Array(buffer);
    this.links = new Int32Array(buffer);
    this.table = new Int32Array(this.capacity * 4);
    this.tableMask = this.table.length - 1;
    for (let slot = 1; slot < this.used; slot++) this.remember(this.numbers[(slot << 2) + ID]!, slot);
    const log = new Float64Array(this.capacity * 2 * 4);
    log.set(this.log);
    this.log = log;
    return true;
  }

  private growDirectory(number: number): void {
    let length = this.directory.length;
    while (length <= number) length *= 2;
    this.directory = grown(this.directory, length);
    this.pageBits = grown(this.pageBits, length >> 5);
    this.pageSummary = grown(this.pageSummary, length >> 10);
  }

  private openPage(number: number): number {
    let page = this.freePages.pop();
    if (page === undefined) {
      page = this.pagesUsed++;
      if (page === this.pageCapacity) {
        this.pageCapacity *= 2;
        this.ends = grown(this.ends, this.pageCapacity * 2048);
        this.words = grown(this.words, this.pageCapacity * 32);
        this.summaries = grown(this.summaries, this.pageCapacity);
        const sums = new Float64Array(this.pageCapacity * 1024);
        sums.set(this.sums);
        this.sums = sums;
      }
    }
    this.directory[number] = page;
    this.pageBits[number >> 5] = this.pageBits[number >> 5]! | (1 << (number & 31));
    this.pageSummary[number >> 10] = this.pageSummary[number >> 10]! | (1 << ((number >> 5) & 31));
    this.pageCount++;
    return page;
  }

  private closePage(number: number, page: number): void {
    this.directory[number] = 0;
    this.freePages.push(page);
    this.pageCount--;
    const bits = this.pageBits[number >> 5]! & ~(1 << (number & 31));
    this.pageBits[number >> 5] = bits;
    if (bits === 0) this.pageSummary[number >> 10] = this.pageSummary[number >> 10]! & ~(1 << ((number >> 5) & 31));
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
const powerOfTwo = (atLeast: number): number => {
  let power = 16;
  while (power < atLeast) power *= 2;
  return power;
};
function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
