import { Injectable, Logger } from '@nestjs/common';
import { TAKER_ID, type PairRow } from '@bourse/contract';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import { Clock } from '@bourse/platform';
import { SCALE } from '../domain/candle.js';
import { decideTakerOrder, type TakerDecision } from '../domain/taker-decision.js';
import { Pauses } from '../domain/pauses.js';
import { Catalog } from './catalog.js';
import { Feed } from './feed.js';
import { HouseOrders } from './house-orders.js';
import { smallestTotal } from './maker.js';
import { Pace } from './pace.js';
import { Quotations } from './quotations.js';
import { Trades } from './trades.js';

/** Usual value of one order by quote; others take ten smallest orders. */
const ORDER_VALUES: Readonly<Record<string, string>> = { USDT: '150', BTC: '0.003', ETH: '0.05' };
/** Pause of a pair after a failure; after refusals it grows (`domain/pauses.ts`). */
const REST_MS = 5_000;
const RESTS_QUIETLY = new Set(['market.paused', 'market.stale', 'trade.bookEmpty', 'balance.insufficient']);

interface Hand {
  readonly pair: PairRow;
  busy: boolean;
  tookAt: number | null;
  restUntil: number;
  /** Bought minus sold, in value: the imbalance to even out. */ balance: bigint;
}

/**
 * The house account that takes a little from the quotes, so that last price, trades and candles go with the feed. Real
 * market orders, real fills.
 */
@Injectable()
export class Taker {
  private readonly logger = new Logger('Taker');
  private hands: readonly Hand[] = [];
  private readonly pauses = new Pauses();
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
    this.hands = this.catalog.pairs
      .filter(({ openSpot }) => openSpot)
      .map((pair) => ({ pair, busy: false, tookAt: null, restUntil: 0, balance: 0n }));
    const takeAll = (): void => {
      for (const hand of this.hands) this.considerTaking(hand, draw());
    };
    // In a lively market all house accounts move in the same beat, so that their commands are committed together.
    this.feed.onTick(() => {
      if (!this.pace.isLively()) takeAll();
    });
    this.pace.onBeat(takeAll);
  }

  stop(): void {
    this.stopped = true;
  }

  private considerTaking(hand: Hand, draw: number): void {
    const now = this.clock.real();
    const { pair } = hand;
    const feed = this.feed.fresh(pair.symbol);
    if (
      this.stopped ||
      hand.busy ||
      now < hand.restUntil ||
      this.pauses.allows(pair.symbol, now) === 0 ||
      !feed ||
      this.quotations.mode(pair.symbol) !== 'normal'
    )
      return;
    const last = this.trades.lastTrade(pair.id);
    const taking = decideTakerOrder(
      {
        feed: feed.price,
        last: last ? rescale(last.price, SCALE, pair.priceScale, 'half_up') : null,
        lastTookAt: hand.tookAt,
        boughtMore: hand.balance > 0n,
        lively: this.pace.isLively(),
        now,
      },
      draw,
    );
    if (!taking) return;
    hand.busy = true;
    this.take(hand, taking, feed.price)
      .catch((error: unknown) => {
        hand.restUntil = this.clock.real() + REST_MS;
        this.logger.debug(`${pair.symbol}: ${(error as Error).message}`);
      })
      .finally(() => {
        hand.busy = false;
      });
  }

  private async take(hand: Hand, { side, percent }: TakerDecision, price: bigint): Promise<void> {
    const { pair } = hand;
    const scale = pair.priceScale + pair.numberScale;
    const usual = ORDER_VALUES[pair.legalName];
    const value = ((usual ? toUnits(usual, scale) : smallestTotal(pair) * 10n) * percent) / 100n;
    const placed = await this.desk.place(TAKER_ID, {
      legal_id: String(pair.legalId),
      currency_id: String(pair.currencyId),
      type: side === 'buy' ? '1' : '2',
      order_type: 'market',
      // Its own small quotes (`noise-trader.ts`) must not make a market order fail.
      stp: 'cancel_oldest',
      amount: formatUnits(value / price + 1n, pair.numberScale),
    });
    if (placed.ok) {
      hand.tookAt = this.clock.real();
      const over = this.pauses.end(pair.symbol);
      if (over !== null) this.logger.log(`no longer: ${over}`);
      hand.balance += side === 'buy' ? value : -value;
      return;
    }
    hand.restUntil = this.clock.real() + REST_MS;
    // Out of funds on one side: the other one brings them back.
    if (placed.key === 'balance.insufficient') hand.balance = side === 'buy' ? 1n : -1n;
    if (RESTS_QUIETLY.has(placed.key)) return;
    const cause = `${pair.symbol}: a small order was refused: ${placed.key}`;
    if (this.pauses.begin(pair.symbol, cause, this.clock.real())) this.logger.warn(cause);
  }
}
