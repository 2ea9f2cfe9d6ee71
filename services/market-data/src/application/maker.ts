import { Injectable, Logger } from '@nestjs/common';
import { MAKER_ID, type PairRow } from '@bourse/contract';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import { Clock, Metrics } from '@bourse/platform';
import {
  Budget,
  gridStep,
  levelKey,
  planLadder,
  type LadderPair,
  type LadderPlan,
  type Quote,
  type Side,
  type RestingOrder,
} from '../domain/ladder.js';
import { Pauses } from '../domain/pauses.js';
import { Catalog } from './catalog.js';
import { TOTAL_SCALE } from './catalog-rows.js';
import { Feed } from './feed.js';
import { HouseOrders } from './house-orders.js';
import type { HouseOrder } from './ports.js';
import { Quotations } from './quotations.js';
import { Trades } from './trades.js';

/** Commands of the house in all, per second, and what may gather for a burst (architecture §6). */
const COMMANDS_PER_SECOND = 20;
const BURST = 1_000;
/** Commands on their way at the same time. */
const AT_ONCE = 64;
/** How often the orders in the book are compared with those that the maker expects. */
const RECONCILE_MS = 20_000;
/** A level where no order could rest (another account's order is in the way) is tried again after this. */
const LEVEL_REST_MS = 10_000;
/** A side without funds and a market that refuses pause on their own clock (`domain/pauses.ts`). */
const SIDES = ['buy', 'sell'] as const;
/** Parts of a plan, in the order in which they are granted. */
const PARTS = ['crossing', 'free', 'blocked', 'surplus'] as const;
/** Value of a level by quote; others quote a thousand smallest orders. */
const LEVEL_VALUES: Readonly<Record<string, string>> = { USDT: '8000', BTC: '0.15', ETH: '2' };

interface OpenOrder extends RestingOrder {
  remaining: bigint;
}
interface QuotedPair {
  readonly pair: PairRow;
  readonly ladder: LadderPair;
  step: bigint | null;
  resting: Map<string, OpenOrder>;
  /** Commands of this pair are on their way: no new plan before they are answered. */
  busy: boolean;
  readonly restingUntil: Map<string, number>;
}

/**
 * The house account that quotes every pair around its feed, by real orders through the ordinary path. It plans once a
 * tick from its resting orders; they survive a restart and are found again. A stale feed removes all quotes of its
 * pair.
 */
@Injectable()
export class Maker {
  private readonly logger = new Logger('Maker');
  private readonly budget = new Budget(COMMANDS_PER_SECOND, BURST);
  private desks: readonly QuotedPair[] = [];
  private inFlight = 0;
  private readonly queue: (() => void)[] = [];
  private reconciledAt: number | null = null;
  private reconciling = false;
  private readonly pauses = new Pauses();
  private readonly refusals;
  private stopped = false;

  constructor(
    private readonly desk: HouseOrders,
    private readonly catalog: Catalog,
    private readonly feed: Feed,
    private readonly quotations: Quotations,
    private readonly trades: Trades,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter('bourse_maker_refusals_total', 'Orders of the maker that were refused, by key', [
      'key',
    ]);
    metrics.gauge('bourse_maker_pauses', 'Causes for which the maker quotes less than it should', [], (gauge) =>
      gauge.set(this.pauses.causes().length),
    );
  }

  start(): void {
    this.desks = this.catalog.pairs
      .filter(({ openSpot }) => openSpot)
      .map((pair) => ({
        pair,
        ladder: ladderOf(pair),
        step: null,
        resting: new Map(),
        busy: false,
        restingUntil: new Map(),
      }));
    this.trades.onTrades((pair, trades) => {
      const desk = this.desks.find((one) => one.pair.id === pair.id);
      for (const trade of trades) {
        const order = desk?.resting.get(trade.makerOrderId);
        if (!desk || !order) continue;
        order.remaining -= toUnits(trade.quantity, pair.numberScale);
        if (order.remaining <= 0n) desk.resting.delete(order.id);
      }
    });
    this.feed.onTick(() => this.tick());
  }

  stop(): void {
    this.stopped = true;
  }

  private tick(): void {
    if (this.stopped) return;
    const real = this.clock.real();
    if (this.reconciledAt === null || real - this.reconciledAt > RECONCILE_MS) void this.reconcile();
    if (this.reconciledAt === null) return;
    this.act(real);
  }

  private act(real: number): void {
    const planned = this.desks
      .filter(({ busy }) => !busy)
      .map((desk) => ({ desk, plan: this.plan(desk, real), granted: emptyPlan() }));
    // Dangerous orders of all pairs first; then the levels, from the feed outwards, the pairs in turn.
    for (const part of PARTS) {
      const total = planned.reduce((sum, { plan }) => sum + plan[part].length, 0);
      let left = this.budget.take(total, real);
      for (let rank = 0; left > 0; rank++) {
        const before = left;
        for (const { plan, granted } of planned) {
          const item = plan[part][rank];
          if (item === undefined || left === 0) continue;
          (granted[part] as (RestingOrder | Quote)[]).push(item);
          left--;
        }
        if (left === before) break;
      }
    }
    for (const { desk, granted } of planned)
      if (PARTS.some((part) => granted[part].length > 0)) void this.carryOut(desk, granted);
  }

  private plan(desk: QuotedPair, real: number): LadderPlan {
    const resting = [...desk.resting.values()];
    const feed = this.feed.fresh(desk.pair.symbol);
    if (!feed) return { ...emptyPlan(), crossing: resting };
    if (this.quotations.mode(desk.pair.symbol) !== 'normal') return emptyPlan();
    desk.step = gridStep(feed.price, desk.step);
    const plan = planLadder(desk.ladder, feed.price, desk.step, resting);
    const wanted = [...plan.free, ...plan.blocked].filter(
      (quote) => (desk.restingUntil.get(levelKey(quote)) ?? 0) <= real,
    );
    const { symbol } = desk.pair;
    for (const side of SIDES)
      if (!wanted.some((quote) => quote.side === side) && resting.some((order) => order.side === side))
        this.over(sideOf(symbol, side));
    if (resting.length > 0 && wanted.every(({ side }) => this.pauses.has(sideOf(symbol, side)))) this.over(symbol);
    let left = Math.min(this.pauses.allows(symbol, real), this.pauses.allows(deskOf(symbol), real));
    const bySide = new Map(SIDES.map((side) => [side, this.pauses.allows(sideOf(symbol, side), real)]));
    const tried = new Set(
      wanted.filter(({ side }) => {
        const ofSide = bySide.get(side) ?? 0;
        if (left === 0 || ofSide === 0) return false;
        bySide.set(side, ofSide - 1);
        left -= 1;
        return true;
      }),
    );
    const isTried = (quote: Quote): boolean => tried.has(quote);
    return { ...plan, free: plan.free.filter(isTried), blocked: plan.blocked.filter(isTried) };
  }

  private async carryOut(desk: QuotedPair, { crossing, free, blocked, surplus }: LadderPlan): Promise<void> {
    desk.busy = true;
    try {
      const add = (quotes: readonly Quote[]): Promise<unknown> =>
        Promise.all(quotes.map((quote) => this.limited(() => this.place(desk, quote))));
      const takeAway = (orders: readonly RestingOrder[]): Promise<boolean[]> =>
        Promise.all(orders.map((order) => this.limited(() => this.cancel(desk, order))));
      // New levels are sent ahead of the cancels of the side that they replace. A bid may be at a level where an ask
      // has just been cancelled: such levels wait for those cancels.
      const [, gone] = await Promise.all([add(free), takeAway(crossing)]);
      if (gone.every(Boolean)) await add(blocked);
      await takeAway(surplus);
      this.over(deskOf(desk.pair.symbol));
    } catch (error) {
      // The outcome of the command is unknown: the orders in the book decide.
      this.reconciledAt = null;
      this.pause(deskOf(desk.pair.symbol), UNREACHABLE, error);
    } finally {
      desk.busy = false;
      if (desk.restingUntil.size > 200)
        for (const [key, until] of desk.restingUntil) if (until < this.clock.real()) desk.restingUntil.delete(key);
    }
  }

  private async cancel(desk: QuotedPair, order: RestingOrder): Promise<boolean> {
    const gone = await this.desk.cancel(MAKER_ID, order.id);
    if (gone) desk.resting.delete(order.id);
    return gone;
  }

  private async place(desk: QuotedPair, quote: Quote): Promise<void> {
    const { pair } = desk;
    const side = sideOf(pair.symbol, quote.side);
    const now = this.clock.real();
    if (this.pauses.allows(side, now) === 0 || this.pauses.allows(pair.symbol, now) === 0) return;
    const placed = await this.desk.place(MAKER_ID, {
      legal_id: String(pair.legalId),
      currency_id: String(pair.currencyId),
      type: quote.side === 'buy' ? '1' : '2',
      post_only: '1',
      target_price: formatUnits(quote.price, pair.priceScale),
      amount: formatUnits(quote.quantity, pair.numberScale),
    });
    if (!placed.ok) {
      this.refusals.inc({ key: placed.key });
      // Without funds on one side the other is quoted on.
      if (placed.key === 'balance.insufficient')
        this.pause(side, `out of ${quote.side === 'buy' ? pair.legalName : pair.currencyName}`);
      else this.pause(pair.symbol, `${pair.symbol} is refused: ${placed.key}`);
      return;
    }
    this.pauses.lift(side);
    this.pauses.lift(pair.symbol);
    if (placed.order.done) desk.restingUntil.set(levelKey(quote), this.clock.real() + LEVEL_REST_MS);
    else
      desk.resting.set(placed.order.id, {
        id: placed.order.id,
        side: quote.side,
        price: quote.price,
        remaining: quote.quantity,
      });
  }

  /** Reads the resting orders. Pairs with commands under way keep the expected orders until the next time. */
  private async reconcile(): Promise<void> {
    if (this.reconciling) return;
    this.reconciling = true;
    try {
      const free = this.desks.filter(({ busy }) => !busy);
      for (const desk of free) desk.busy = true;
      try {
        const open = await this.desk.open(MAKER_ID);
        for (const desk of free)
          this.believe(
            desk,
            open.filter(({ symbol }) => symbol === desk.pair.symbol),
          );
        if (free.length === this.desks.length || this.reconciledAt !== null) this.reconciledAt = this.clock.real();
        this.over(OWN_ORDERS);
      } finally {
        for (const desk of free) desk.busy = false;
      }
    } catch (error) {
      this.pause(OWN_ORDERS, UNREACHABLE, error);
    } finally {
      this.reconciling = false;
    }
  }

  private believe(desk: QuotedPair, open: readonly HouseOrder[]): void {
    const before = desk.resting;
    desk.resting = new Map(
      open
        .filter(({ done }) => !done)
        .map((order) => {
          const price = toUnits(order.price, desk.pair.priceScale);
          return [
            order.id,
            before.get(order.id) ?? {
              id: order.id,
              side: order.side as Side,
              price,
              remaining: BigInt(Number.MAX_SAFE_INTEGER),
            },
          ];
        }),
    );
    // An order that vanished without a trade could not rest: another account's order is in the way.
    for (const order of before.values())
      if (!desk.resting.has(order.id)) desk.restingUntil.set(levelKey(order), this.clock.real() + LEVEL_REST_MS);
  }

  private async limited<T>(run: () => Promise<T>): Promise<T> {
    while (this.inFlight >= AT_ONCE) await new Promise<void>((resolve) => this.queue.push(resolve));
    this.inFlight++;
    try {
      return await run();
    } finally {
      this.inFlight--;
      this.queue.shift()?.();
    }
  }

  /** Logged once for each cause, and once more when it is over: not at each order. */
  private pause(name: string, cause: string, error?: unknown): void {
    if (!this.pauses.begin(name, cause, this.clock.real())) return;
    const detail = error === undefined ? '' : ` (${(error as Error).message})`;
    this.logger.warn(`${cause}: quotes that need it are paused${detail}; retried until it works`);
  }

  private over(name: string): void {
    const cause = this.pauses.end(name);
    if (cause !== null) this.logger.log(`no longer: ${cause}`);
  }
}

/** Returns the parameters by which a pair is quoted. */
export function ladderOf(pair: PairRow): LadderPair {
  const scale = pair.priceScale + pair.numberScale;
  const value = LEVEL_VALUES[pair.legalName];
  const minTotal = smallestTotal(pair);
  return {
    symbol: pair.symbol,
    priceScale: pair.priceScale,
    numberScale: pair.numberScale,
    levelValue: value ? toUnits(value, scale) : minTotal * 1_000n,
    minTotal,
  };
}

/**
 * Returns the smallest value of an order at the scale `priceScale + numberScale`. Rounded up: operators may set more
 * decimals than a total of the pair has [MARKET-045].
 */
export const smallestTotal = ({ minTotal, priceScale, numberScale }: PairRow): bigint =>
  rescale(toUnits(minTotal, TOTAL_SCALE), TOTAL_SCALE, priceScale + numberScale, 'up');

const emptyPlan = (): LadderPlan => ({ crossing: [], free: [], blocked: [], surplus: [] });
const UNREACHABLE = 'spot does not answer';
/** Names of what may pause: a pair is named by its symbol. */
const OWN_ORDERS = 'own orders';
const deskOf = (symbol: string): string => `orders of ${symbol}`;
const sideOf = (symbol: string, side: Side): string => `${symbol} ${side}`;
