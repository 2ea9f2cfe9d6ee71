import type { QuotationItem, SpotFill, SpotOrder } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { minOf, toUnits } from '@bourse/money';
import {
  baseOf,
  BUY,
  CANCEL_NEWEST,
  exitOrders,
  fillView,
  GTC,
  hasExits,
  holdFor,
  IOC,
  isWaiting,
  lotsToClose,
  MarketEngine,
  newOrder,
  orderView,
  percent,
  PlainBook,
  SELL,
  type Listener,
  type Market,
  type Order,
  type Side,
} from '@bourse/matching';
import { PracticeAccount } from './account.js';
import {
  checkTotal,
  PracticeRefusal,
  readPracticeOrder,
  ticksIn,
  type PracticeFields,
  type PracticeOrder,
} from './practice-order.js';
import { HOUR_MS, MINUTE_MS, minuteOf, type Print, type RecordedDay } from './prints.js';
import { replayBook, type ReplayBook } from './replay-book.js';

/** Owners of orders: the person, and the two sides of the replayed market. */
const PERSON = 1;
const MAKER = 2;
const TAKER = 3;

/** The rules of a pair as they were when the practice began. */
export const practiceTermsOf = (pair: QuotationItem) => ({
  symbol: pair.symbol,
  pairId: pair.id,
  baseId: pair.currency_id,
  baseName: pair.currency_name,
  quoteId: pair.legal_id,
  quoteName: pair.legal_name,
  priceScale: pair.price_scale,
  numberScale: pair.number_scale,
  minTotal: pair.min_total,
  makerFee: pair.maker_fee,
  takerFee: pair.taker_fee,
  band: pair.market_band,
});
export type PracticeTerms = ReturnType<typeof practiceTermsOf>;

const marketOf = (terms: PracticeTerms): Market => ({
  ...terms,
  baseScale: COIN_SCALE,
  quoteScale: COIN_SCALE,
  minTotal: toUnits(terms.minTotal, COIN_SCALE),
  makerFee: percent(terms.makerFee),
  takerFee: percent(terms.takerFee),
  band: percent(terms.band),
});

/** Worth of the account at a moment, in units of the quote. */
export interface EquityPoint {
  readonly at: number;
  readonly equity: bigint;
}

/**
 * A recorded day with the person's orders in it. The engine of the exchange matches them; the other side is the record:
 *
 * - A resting order fills whole when a print goes through its price, and with the printed quantity at its price once
 *   the quantity that lay ahead of it is used up.
 * - What takes at once meets the replayed book around the last print, beyond its spread.
 * - Stops are triggered by prints, and then take from that book.
 *
 * Deterministic: the same day and the same commands at the same moments give the same fills.
 */
export class PracticeMarket {
  readonly market: Market;
  readonly account: PracticeAccount;
  /** Oldest first. */
  readonly fills: SpotFill[] = [];
  readonly curve: EquityPoint[] = [];
  private readonly engine: MarketEngine;
  private readonly orders = new Map<string, Order>();
  /** Quantity that lies ahead of a resting order of the person, as an order of the replayed market. */
  private readonly ahead = new Map<string, Order>();
  private readonly ladder: Order[] = [];
  private readonly exits: Order[] = [];
  /** Orders that ended in the present step of the engine. */
  private readonly gone: string[] = [];
  private next = 0;
  private windowStart = 0;
  private windowLots = 0;
  private lastPrice = 0;
  private at: number;
  private ids = 0;
  /** The last print has not reached the engine yet: none of the person's orders was touched by it. */
  private isPending = false;
  /** Counts changes of the person's orders and balances. */
  revision = 0;

  constructor(
    terms: PracticeTerms,
    readonly day: RecordedDay,
    readonly start: bigint,
  ) {
    this.market = marketOf(terms);
    this.account = new PracticeAccount(start);
    this.at = day.start;
    this.engine = new MarketEngine(this.market, new PlainBook(), {
      sequence: 0,
      tradeSequence: 0,
      lastPrice: 0,
      mode: 'normal',
      at: day.start,
    });
  }

  /** Ticks of the last print; 0 before the first. */
  get last(): number {
    return this.lastPrice;
  }
  get now(): number {
    return this.at;
  }
  /** How many prints have happened. */
  get printed(): number {
    return this.next;
  }

  /** Lets the record happen up to a moment, the prints of that moment included. */
  runTo(time: number): void {
    const { prints } = this.day;
    for (let print = prints[this.next]; print && print.at <= time; print = prints[this.next]) {
      this.mark(print.at);
      this.next += 1;
      this.take(print);
    }
    this.mark(time);
    this.at = Math.max(this.at, time);
  }

  /** Places an order now. @returns the order, or the limit leg of a pair. @throws PracticeRefusal */
  place(fields: PracticeFields): SpotOrder {
    const { order, stopLeg, held } = this.read(fields);
    Object.assign(order, { id: this.newId() });
    if (stopLeg) {
      Object.assign(stopLeg, { id: this.newId(), linkId: order.id });
      Object.assign(order, { linkId: stopLeg.id });
    }
    this.enter(order, held, stopLeg ?? null);
    return orderView(this.market, order);
  }

  /** Checks an order that is to replace a waiting stop of the same side. @throws PracticeRefusal as `place` would */
  checkReplacement(id: string, fields: PracticeFields): void {
    const order = this.orders.get(id);
    if (!order || order.status === 2) throw new PracticeRefusal('trade.notOpen');
    this.read(fields, order.holdLeft);
  }

  /** Reads an order with what it holds of the free money and of `freed`. @throws PracticeRefusal; nothing changes */
  private read(fields: PracticeFields, freed = 0n): PracticeOrder & { readonly held: bigint } {
    if (this.lastPrice === 0) throw new PracticeRefusal('trade.bookEmpty');
    const { market, account, lastPrice: last, at } = this;
    const read = readPracticeOrder(fields, { market, userId: PERSON, at, last, book: this.offered() });
    const { order, hold } = read;
    const free = account.free[order.side === BUY ? 'quote' : 'base'] + freed;
    const [least, most] = typeof hold === 'bigint' ? [hold, hold] : [hold.min, hold.max];
    if (free < least) throw new PracticeRefusal('balance.insufficient');
    return { ...read, held: minOf(free, most) };
  }

  /** Cancels an open order. @returns undefined when it is not open any more */
  cancel(id: string): SpotOrder | undefined {
    const order = this.engine.cancel(id, PERSON, 'user', this.at, this.listener);
    this.settle();
    return order ? orderView(this.market, order) : undefined;
  }

  /** Moves an open limit order to another price, in place. @throws PracticeRefusal */
  move(id: string, price: string): void {
    const order = this.orders.get(id);
    if (!order || order.status === 2) throw new PracticeRefusal('trade.notOpen');
    const ticks = ticksIn(this.market, price, order.side === BUY ? 'cuy.pbPrice' : 'cuy.psPrice');
    checkTotal(this.market, ticks, order.quantity);
    // With the person's own orders, as the engine sees them: it must refuse nothing after the order has lost its place.
    const { bids, asks } = this.offered();
    const crosses = order.side === BUY ? ticks >= (asks[0]?.[0] ?? Infinity) : ticks <= (bids[0]?.[0] ?? 0);
    if (order.postOnly && crosses) throw new PracticeRefusal('trade.postOnly');
    if (this.orders.get(order.linkId)?.status === 1) throw new PracticeRefusal('trade.linked');
    const need = holdFor(this.market, order, ticks, order.quantity - order.filled) - order.holdLeft;
    const { free } = this.account;
    if (need > free[order.side === BUY ? 'quote' : 'base']) throw new PracticeRefusal('balance.insufficient');
    this.print();
    this.setLadder(this.lastPrice);
    this.dropAhead(id);
    this.queue(id, order.side, ticks);
    const held = need > 0n ? need : 0n;
    const amend = { id: this.newId(), price: ticks, quantity: null, held };
    const answer = this.engine.amend(id, PERSON, amend, this.at, this.listener);
    this.clearLadder();
    this.settle();
    if (answer === null || typeof answer === 'string') throw new PracticeRefusal('trade.notOpen');
  }

  /** Open orders of the person, newest first. */
  get open(): SpotOrder[] {
    return this.views((order) => order.status === 1);
  }
  /** Ended orders that were filled, the latest first; as everywhere, unfilled cancelled ones are left out. */
  get done(): SpotOrder[] {
    return this.views((order) => order.status === 2 && order.filled > 0).sort((one, other) => other.ts - one.ts);
  }

  /** The replayed book with the person's resting orders in it; empty before the first print. */
  offered(): ReplayBook {
    if (this.lastPrice === 0) return { bids: [], asks: [] };
    const book = replayBook(this.lastPrice, this.levelLots());
    const own = [...this.engine.open.values()].filter((order) => order.userId === PERSON && !isWaiting(order));
    const bids = own.filter(({ side }) => side === BUY);
    const asks = own.filter(({ side }) => side === SELL);
    const bestBid = Math.max(0, ...bids.map(({ price }) => price));
    const bestAsk = Math.min(Infinity, ...asks.map(({ price }) => price));
    return {
      bids: merge(
        book.bids.filter(([price]) => price < bestAsk),
        bids,
        -1,
      ),
      asks: merge(
        book.asks.filter(([price]) => price > bestBid),
        asks,
        1,
      ),
    };
  }

  /** Worth of all that the account has, coins at the last print, down. */
  equity(): bigint {
    const base = this.account.total('base');
    const atLast = (base * BigInt(this.lastPrice)) / 10n ** BigInt(this.market.priceScale);
    return this.account.total('quote') + atLast;
  }

  private readonly listener: Listener = {
    traded: (trade) => {
      const base = baseOf(this.market, trade.quantity);
      for (const order of [trade.buyer, trade.seller]) {
        if (order.userId !== PERSON) continue;
        this.account.fill(order, trade, base);
        const fee = order === trade.buyer ? trade.buyerFee : trade.sellerFee;
        const role = order === trade.maker ? 'maker' : 'taker';
        this.fills.push(fillView(this.market, trade, order.side, order.id, fee, role));
      }
    },
    updated: (order) => this.changed(order),
    amended: ({ order, taken, given }) => {
      this.account.adjust(order.id, taken, given);
      this.revision += 1;
    },
    holdMoved: (move) => this.account.moveHold(move),
    ended: (order) => {
      if (order.userId !== PERSON) return;
      this.account.release(order);
      this.gone.push(order.id);
      if (hasExits(order) && order.filled > 0) this.exits.push(order);
      this.revision += 1;
    },
  };

  private changed(order: Order): void {
    if (order.userId !== PERSON) return;
    this.orders.set(order.id, order);
    this.revision += 1;
  }

  private views(filter: (order: Order) => boolean): SpotOrder[] {
    return [...this.orders.values()]
      .filter(filter)
      .reverse()
      .map((order) => orderView(this.market, order));
  }

  /** Takes the next print of the record. */
  private take(print: Print): void {
    this.at = Math.max(this.at, print.at);
    this.windowLots += print.lots;
    this.lastPrice = print.price;
    this.isPending = true;
    if (this.touches(print.price)) this.print(print);
  }

  /** Whether a print at a price concerns an order of the person. */
  private touches(price: number): boolean {
    for (const order of this.engine.open.values()) {
      if (order.userId !== PERSON) continue;
      if (order.trail !== null && isWaiting(order)) return true;
      const isUp = isWaiting(order) ? order.side === BUY : order.side === SELL;
      const at = isWaiting(order) ? order.stopPrice : order.price;
      if (isUp ? price >= at : price <= at) return true;
    }
    return false;
  }

  /** Gives the engine the last print, with its quantity where it concerns an order. */
  private print({ price, lots, at }: Pick<Print, 'price' | 'lots' | 'at'> = this.lastPrint()): void {
    if (!this.isPending) return;
    this.isPending = false;
    this.setLadder(price);
    // A stop may come to rest in the midst of this print: a level lies ahead of it too.
    const waiting = [...this.engine.open.values()].filter(
      (order) => order.userId === PERSON && isWaiting(order) && order.type === 'stop_limit',
    );
    for (const order of waiting) this.queue(order.id, order.side, order.price);
    if (this.passThrough(price)) this.setLadder(price);
    const sells = this.engine.depth.bestBid === price;
    const buys = this.engine.depth.bestAsk === price;
    if (!sells && !buys) this.house(MAKER, SELL, price, lots, at, false);
    this.house(TAKER, sells ? SELL : BUY, price, lots, at, true);
    this.clearLadder();
    for (const order of waiting) if (isWaiting(order)) this.dropAhead(order.id);
    this.settle();
  }

  private lastPrint(): Print {
    return this.day.prints[this.next - 1]!;
  }

  /** Fills resting orders of the person that a print went through, each whole. @returns whether there was one */
  private passThrough(price: number): boolean {
    const passed = [...this.engine.open.values()].filter(
      (order) =>
        order.userId === PERSON &&
        !isWaiting(order) &&
        (order.side === BUY ? order.price > price : order.price < price),
    );
    for (const { id } of passed) this.dropAhead(id);
    passed.sort((one, other) =>
      one.side === other.side && one.side === BUY
        ? other.price - one.price || one.sequence - other.sequence
        : one.price - other.price || one.sequence - other.sequence,
    );
    for (const order of passed)
      if (order.status === 1)
        this.house(TAKER, order.side === BUY ? SELL : BUY, order.price, order.quantity - order.filled, this.at, true);
    return passed.length > 0;
  }

  /** An order of the replayed market. */
  private house(user: number, side: Side, price: number, lots: number, at: number, takes: boolean): Order {
    const order = newOrder({
      id: `h${(this.ids += 1)}`,
      clientOrderId: '',
      userId: user,
      pairId: this.market.pairId,
      side,
      type: 'limit',
      timeInForce: takes ? IOC : GTC,
      postOnly: !takes,
      selfTrade: CANCEL_NEWEST,
      price,
      stopPrice: 0,
      quantity: lots,
      held: holdFor(this.market, { type: 'limit', side, stopPrice: 0, trail: null }, price, lots),
      makerFee: 0n,
      takerFee: 0n,
      placedAt: at,
    });
    this.engine.place(order, at, this.listener);
    return order;
  }

  private setLadder(price: number): void {
    this.clearLadder();
    const { bids, asks } = replayBook(price, this.levelLots());
    for (const [levels, side] of [
      [bids, BUY],
      [asks, SELL],
    ] as const)
      for (const [at, lots] of levels) this.ladder.push(this.house(MAKER, side, at, lots, this.at, false));
  }

  private clearLadder(): void {
    for (const order of this.ladder.splice(0)) this.end(order);
  }

  private end({ id, status }: Order): void {
    if (status === 1) this.engine.cancel(id, MAKER, 'market', this.at, this.listener);
  }

  /** Puts the quantity of a level before an order that may come to rest at a price. */
  private queue(id: string, side: Side, price: number): void {
    this.ahead.set(id, this.house(MAKER, side, price, this.levelLots(), this.at, false));
  }

  private dropAhead(id: string): void {
    const order = this.ahead.get(id);
    this.ahead.delete(id);
    if (order) this.end(order);
  }

  /** Holds money for an order and gives it to the engine. */
  private enter(order: Order, held: bigint, stopLeg: Order | null): void {
    this.print();
    order.held = held;
    order.holdLeft = held;
    this.account.hold(order, held);
    this.orders.set(order.id, order);
    if (stopLeg) this.orders.set(stopLeg.id, stopLeg);
    this.setLadder(this.lastPrice);
    if (order.type === 'limit') this.queue(order.id, order.side, order.price);
    if (stopLeg) this.engine.placePair(order, stopLeg, this.at, this.listener);
    else this.engine.place(order, this.at, this.listener);
    this.clearLadder();
    this.settle();
  }

  /** After a command: what lay ahead of ended orders goes, and their exits are placed. */
  private settle(): void {
    for (const id of this.gone.splice(0)) this.dropAhead(id);
    for (const parent of this.exits.splice(0)) this.placeExits(parent);
  }

  private placeExits(parent: Order): void {
    const quantity = lotsToClose(this.market, parent);
    if (quantity === 0) return;
    const { first, stopLeg, need } = exitOrders(this.market, parent, quantity, () => this.newId());
    const fees = { makerFee: this.market.makerFee, takerFee: this.market.takerFee };
    Object.assign(first, fees);
    if (stopLeg) Object.assign(stopLeg, fees, { linkId: first.id });
    if (stopLeg) Object.assign(first, { linkId: stopLeg.id });
    const free = this.account.free[first.side === BUY ? 'quote' : 'base'];
    this.enter(first, minOf(free, need), stopLeg);
  }

  private newId(): string {
    return String((this.ids += 1));
  }

  /** Lots of a level: a mean minute of the last hour of the record. */
  private levelLots(): number {
    const { prints } = this.day;
    for (; this.windowStart < this.next; this.windowStart += 1) {
      const print = prints[this.windowStart]!;
      if (print.at > this.at - HOUR_MS) break;
      this.windowLots -= print.lots;
    }
    const minutes = Math.min(60, Math.floor((this.at - this.day.start) / MINUTE_MS) + 1);
    return Math.max(1, Math.floor(this.windowLots / minutes));
  }

  /** Marks the worth of the account at each full minute up to a moment. */
  private mark(time: number): void {
    const last = this.curve.at(-1);
    for (let at = last ? last.at + MINUTE_MS : this.day.start; at <= minuteOf(time); at += MINUTE_MS)
      this.curve.push({ at, equity: this.equity() });
  }
}

/** Levels with the orders of the person among them, best first. */
function merge(
  levels: ReplayBook['bids'],
  own: readonly Order[],
  direction: 1 | -1,
): readonly (readonly [number, number])[] {
  const sums = new Map(levels.map(([price, lots]) => [price, lots]));
  for (const { price, quantity, filled } of own) sums.set(price, (sums.get(price) ?? 0) + quantity - filled);
  return [...sums].sort(([one], [other]) => (one - other) * direction);
}
