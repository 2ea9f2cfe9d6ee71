import { Injectable, Logger } from '@nestjs/common';
import { TAKER_ID, type PairRow } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock } from '@bourse/platform';
import { gridStep, type LadderPair, type RestingOrder } from '../domain/ladder.js';
import { stirBook } from '../domain/noise.js';
import { Catalog } from './catalog.js';
import { Feed } from './feed.js';
import { ladderOf } from './maker.js';
import { Pace } from './pace.js';
import { HouseOrders } from './house-orders.js';
import { Quotations } from './quotations.js';
import { Trades } from './trades.js';

/** Pause of a pair after a failure or a refusal. */
const REST_MS = 10_000;

interface QuotedPair {
  readonly pair: PairRow;
  readonly ladder: LadderPair;
  step: bigint | null;
  resting: (RestingOrder & { remaining: bigint })[];
  busy: boolean;
  restUntil: number;
}

/**
 * The house account of a demo install that adds and removes small orders near the best prices while a client is
 * connected (`pace.ts`). Real orders through the ordinary path; the ladders that the maker quotes do not depend on
 * them.
 */
@Injectable()
export class NoiseTrader {
  private readonly logger = new Logger('NoiseTrader');
  private desks: readonly QuotedPair[] = [];
  /** Orders of an earlier process are taken away before anything is added. */
  private swept = false;
  private sweeping = false;
  private stopped = false;

  constructor(
    private readonly desk: HouseOrders,
    private readonly catalog: Catalog,
    private readonly feed: Feed,
    private readonly quotations: Quotations,
    private readonly trades: Trades,
    private readonly pace: Pace,
    private readonly clock: Clock,
  ) {}

  /** `draw` returns numbers in [0, 1). */
  start(draw: () => number = Math.random): void {
    this.desks = this.catalog.pairs
      .filter(({ openSpot }) => openSpot)
      .map((pair) => ({ pair, ladder: ladderOf(pair), step: null, resting: [], busy: false, restUntil: 0 }));
    this.trades.onTrades((pair, trades) => {
      const desk = this.desks.find((one) => one.pair.id === pair.id);
      for (const trade of trades) {
        const order = desk?.resting.find(({ id }) => id === trade.makerOrderId);
        if (!desk || !order) continue;
        order.remaining -= toUnits(trade.quantity, pair.numberScale);
        if (order.remaining <= 0n) desk.resting = desk.resting.filter((one) => one !== order);
      }
    });
    this.pace.onBeat(() => {
      if (this.stopped) return;
      if (!this.swept) return void this.sweep();
      for (const desk of this.desks) if (!desk.busy) void this.stir(desk, draw);
    });
    // No client is connected any more: all its orders are cancelled.
    this.feed.onTick(() => {
      if (this.swept && !this.stopped && !this.pace.isLively()) for (const desk of this.desks) void this.leave(desk);
    });
  }

  stop(): void {
    this.stopped = true;
  }

  private async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      for (const order of await this.desk.open(TAKER_ID)) await this.desk.cancel(TAKER_ID, order.id);
      this.swept = true;
    } catch (error) {
      this.logger.debug(`open orders are not known: ${(error as Error).message}`);
    } finally {
      this.sweeping = false;
    }
  }

  private async stir(desk: QuotedPair, draw: () => number): Promise<void> {
    const { pair } = desk;
    const feed = this.feed.fresh(pair.symbol);
    if (!feed || this.quotations.mode(pair.symbol) !== 'normal' || this.clock.real() < desk.restUntil) return;
    desk.step = gridStep(feed.price, desk.step);
    const move = stirBook(desk.ladder, feed.price, desk.step, desk.resting, draw);
    if (!move) return;
    await this.run(desk, async () => {
      if ('cancel' in move) return this.cancel(desk, move.cancel);
      const { side, price, quantity } = move.place;
      const placed = await this.desk.place(TAKER_ID, {
        legal_id: String(pair.legalId),
        currency_id: String(pair.currencyId),
        type: side === 'buy' ? '1' : '2',
        post_only: '1',
        target_price: formatUnits(price, pair.priceScale),
        amount: formatUnits(quantity, pair.numberScale),
      });
      if (!placed.ok) {
        desk.restUntil = this.clock.real() + REST_MS;
        this.logger.debug(`${pair.symbol}: a small order was refused: ${placed.key}`);
      } else if (!placed.order.done) desk.resting.push({ id: placed.order.id, side, price, remaining: quantity });
    });
  }

  private async leave(desk: QuotedPair): Promise<void> {
    if (desk.busy || desk.resting.length === 0) return;
    await this.run(desk, async () => {
      for (const order of [...desk.resting]) await this.cancel(desk, order);
    });
  }

  private async cancel(desk: QuotedPair, order: RestingOrder): Promise<void> {
    if (await this.desk.cancel(TAKER_ID, order.id)) desk.resting = desk.resting.filter(({ id }) => id !== order.id);
  }

  private async run(desk: QuotedPair, work: () => Promise<void>): Promise<void> {
    desk.busy = true;
    try {
      await work();
    } catch (error) {
      // The outcome of the command is unknown: the resting orders are read again.
      desk.restUntil = this.clock.real() + REST_MS;
      this.swept = false;
      for (const one of this.desks) one.resting = [];
      this.logger.debug(`${desk.pair.symbol}: ${(error as Error).message}`);
    } finally {
      desk.busy = false;
    }
  }
}
