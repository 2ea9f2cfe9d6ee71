import { Injectable } from '@nestjs/common';
import type { PairRow, QuotationGroup, QuotationItem } from '@bourse/contract';
import type { DepthView, KlineView, MarketMode, TickerView } from '@bourse/events';
import { decimals, divide, formatUnits, multiply, rescale, toUnits } from '@bourse/money';
import { Reference, Views } from '@bourse/messaging';
import { Clock } from '@bourse/platform';
import { SCALE, withoutHoles, type Candle, type Changed } from '../domain/candle.js';
import { changePercent, type DayFigures } from '../domain/day-window.js';
import { PERIODS, shiftStart, type Period } from '../domain/period.js';
import { barOf, Candles } from './candles.js';
import { Catalog } from './catalog.js';
import { Feed } from './feed.js';
import { PublishedBooks } from './published-books.js';
import { Trades } from './trades.js';

/** The figures on a pair's tile, as text at the pair's scales. */
export interface Ticker {
  readonly now: string;
  readonly yesterday: string;
  readonly change: string;
  readonly volume: string;
  readonly high: string;
  readonly low: string;
}

/** Tickers and bars are views: at most 4 a second for each pair and stream. */
const PUBLISH_MS = 250;
/** Quiet bars are sent only after changed bars that are at most so many intervals old. */
const QUIET_BARS_MAX = 5;
/** The newest ended bars of one publication: a reader that misses earlier ones sees it by the times (api §4). */
const ENDED_BARS_MAX = 5;
/** The newest bars that were sent as final and are corrected in one publication: no gap in the times shows those. */
const CORRECTED_BARS_MAX = 100;
/** A ticker that has not changed is published again after this, so that a late reader's copy is never old. */
const RENEW_MS = 5_000;

/** Quotations of all pairs: the figures of the last 24 hours, and the views made from them. */
@Injectable()
export class Quotations {
  private timer: NodeJS.Timeout | undefined;
  private readonly published = new Map<string, { text: string; at: number; seq: number }>();
  private readonly bars = new Map<string, { text: string; time: number; seq: number }>();
  /** Pairs traded since the views were published last. */
  private readonly traded = new Set<number>();
  /** The bars that those trades changed, by pair and period and by their time: the last state of each. */
  private readonly changed = new Map<string, Map<number, Candle>>();
  private second = 0;

  constructor(
    private readonly catalog: Catalog,
    private readonly trades: Trades,
    private readonly candles: Candles,
    private readonly feed: Feed,
    private readonly books: PublishedBooks,
    private readonly views: Views,
    private readonly reference: Reference,
    private readonly clock: Clock,
  ) {
    trades.onTrades((pair, _, changed) => this.onTrades(pair, changed));
    feed.lastPrice = (pair) => (this.trades.day(pair.id) === null ? null : this.ticker(pair).now);
  }

  run(): void {
    this.publish();
    this.timer = setInterval(() => this.publish(), PUBLISH_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Mode of a market, as its book last reported it; `normal` until then. */
  mode(symbol: string): MarketMode {
    return this.reference.get<{ mode: MarketMode }>('mode', symbol)?.mode ?? 'normal';
  }

  ticker(pair: PairRow): Ticker {
    const figures = this.figures(pair);
    const shown = (units: bigint): bigint => rescale(units, SCALE, pair.priceScale, 'half_up');
    const price = (units: bigint): string => formatUnits(shown(units), pair.priceScale);
    return {
      now: price(figures.now),
      yesterday: price(figures.yesterday),
      high: price(figures.high),
      low: price(figures.low),
      // Computed from the rounded prices of the answer, so that a client computes the same.
      change: formatUnits(changePercent(shown(figures.yesterday), shown(figures.now)), 2),
      volume: formatUnits(rescale(figures.volume, SCALE, pair.numberScale, 'down'), pair.numberScale),
    };
  }

  item(pair: PairRow): QuotationItem {
    const ticker = this.ticker(pair);
    const book = this.books.get(pair.symbol);
    return {
      id: pair.id,
      symbol: pair.symbol,
      legal_id: pair.legalId,
      legal_name: pair.legalName,
      currency_id: pair.currencyId,
      currency_name: pair.currencyName,
      now_price: ticker.now,
      change: ticker.change,
      volume: ticker.volume,
      quote_volume: this.quoteVolume(pair),
      high: ticker.high,
      low: ticker.low,
      bid: bestPrice(pair, book?.bids),
      ask: bestPrice(pair, book?.asks),
      ts: this.clock.now(),
      is_display: pair.isDisplay ? 1 : 0,
      open_coin_trade: pair.openSpot ? 1 : 0,
      open_lever: pair.openLever ? 1 : 0,
      open_microtrade: pair.openMicro ? 1 : 0,
      lever_share_num: pair.leverShareNum,
      price_scale: pair.priceScale,
      number_scale: pair.numberScale,
      min_total: pair.minTotal,
      maker_fee: pair.makerFee,
      taker_fee: pair.takerFee,
      market_band: pair.marketBand,
      mode: this.mode(pair.symbol),
      feed: this.feed.kind(pair.symbol),
    };
  }

  /** Pairs by their quote, in the catalog's order; conversions into CNY for the tiles (rules §2). */
  groups(): QuotationGroup[] {
    const groups = new Map<number, QuotationGroup>();
    for (const pair of this.catalog.pairs) {
      let group = groups.get(pair.legalId);
      if (!group) {
        const cny = this.cnyPerUnit(pair.legalId);
        groups.set(
          pair.legalId,
          (group = {
            name: pair.legalName,
            id: pair.legalId,
            rmb_relation: cny,
            fiat_convert_cny: cny,
            usdt_price: this.feed.usdtPrice(pair.legalId) ?? '0',
            quotation: [],
          }),
        );
      }
      group.quotation.push(this.item(pair));
    }
    return [...groups.values()];
  }

  /** Displayed pairs, the highest quote volume of 24 hours first (api §6.6). */
  byVolume(): QuotationItem[] {
    const turnover = (pair: PairRow): bigint => this.figures(pair).turnover;
    return this.catalog.pairs
      .filter(({ isDisplay }) => isDisplay)
      .map((pair) => ({ pair, turnover: turnover(pair) }))
      .sort((a, b) => (a.turnover === b.turnover ? a.pair.id - b.pair.id : a.turnover < b.turnover ? 1 : -1))
      .map(({ pair }) => this.item(pair));
  }

  /** Turnover of a pair in 24 hours, in USDT with two decimals; null while a price in USDT is missing. */
  private turnover(pair: PairRow): string | null {
    const { turnover } = this.figures(pair);
    if (turnover === 0n) return '0.00';
    const usdt = this.feed.usdtPrice(pair.legalId);
    if (usdt === null) return null;
    return formatUnits(multiply(turnover, SCALE, toUnits(usdt, decimals(usdt)), decimals(usdt), 2, 'down'), 2);
  }

  /** Turnover of a pair in 24 hours, in its quote. */
  private quoteVolume(pair: PairRow): string {
    const scale = this.catalog.currency(pair.legalId)?.scale ?? SCALE;
    return formatUnits(rescale(this.figures(pair).turnover, SCALE, scale, 'down'), scale);
  }

  /** CNY of one unit of a currency, two decimals. */
  private cnyPerUnit(currencyId: number): string {
    const usdt = this.feed.usdtPrice(currencyId);
    if (usdt === null) return '0.00';
    return formatUnits(
      divide(toUnits(usdt, SCALE) * toUnits(this.catalog.cnyPerUsdt, SCALE), 10n ** BigInt(2 * SCALE - 2), 'half_up'),
      2,
    );
  }

  /** Before anything was traded or recorded, all prices are the index price. */
  private figures(pair: PairRow): DayFigures {
    const figures = this.trades.day(pair.id);
    if (figures) return figures;
    const index = this.feed.price(pair.symbol);
    const price = index ? rescale(index.price, pair.priceScale, SCALE, 'down') : 0n;
    return { now: price, yesterday: price, high: price, low: price, volume: 0n, turnover: 0n };
  }

  private publish(): void {
    const now = this.clock.now();
    // Time alone changes a view at most once a second: bars end, and trades leave the last 24 hours.
    const second = Math.floor(now / 1_000);
    const due =
      second === this.second ? this.catalog.pairs.filter(({ id }) => this.traded.has(id)) : this.catalog.pairs;
    this.second = second;
    this.traded.clear();
    for (const pair of due) {
      this.publishTicker(pair, now);
      for (const period of PERIODS) this.publishBar(pair, period, now);
    }
  }

  private publishTicker(pair: PairRow, now: number): void {
    const ticker = this.ticker(pair);
    const text = JSON.stringify(ticker);
    const before = this.published.get(pair.symbol);
    if (before?.text === text && this.clock.real() - before.at < RENEW_MS) return;
    const seq = this.sequence(before?.seq);
    this.published.set(pair.symbol, { text, at: this.clock.real(), seq });
    const view: TickerView = {
      symbol: pair.symbol,
      pairId: pair.id,
      seq,
      nowPrice: ticker.now,
      change: ticker.change,
      volume: ticker.volume,
      high: ticker.high,
      low: ticker.low,
      yesterday: ticker.yesterday,
      today: ticker.now,
      turnover: this.turnover(pair),
      tradesToday: this.trades.today(pair.id),
      at: now,
    };
    this.views.publish(`ticker/${pair.symbol}`, view, true);
  }

  private onTrades(pair: PairRow, changed: Changed): void {
    this.traded.add(pair.id);
    for (const period of PERIODS) {
      const key = keyOf(pair, period);
      const bars = this.changed.get(key) ?? new Map<number, Candle>();
      for (const bar of changed[period]) bars.set(bar.time, bar);
      if (bars.size > 0) this.changed.set(key, bars);
    }
  }

  private publishBar(pair: PairRow, period: Period, now: number): void {
    const key = keyOf(pair, period);
    const bar = this.candles.current(pair.id, period);
    if (!bar) return;
    const before = this.bars.get(key);
    let seq = before?.seq;
    const publish = (body: Omit<KlineView, 'seq' | 'at'>): void => {
      seq = this.sequence(seq);
      this.views.publish(`kline/${pair.symbol}`, { ...body, seq, at: now } satisfies KlineView);
    };
    const bodyOf = (candle: Candle, final: boolean) => ({
      symbol: pair.symbol,
      pairId: pair.id,
      period,
      ...barOf(candle),
      final,
    });
    const allEnded = this.takeEnded(key, period, bar.time);
    // The bar that readers have seen in progress gets its final values, however many have ended since.
    const ended = allEnded.filter(
      ({ time }, index) =>
        index >= allEnded.length - (before && time < before.time ? CORRECTED_BARS_MAX : ENDED_BARS_MAX) ||
        time === before?.time,
    );
    // The bar that has just ended is pushed once more with its final values, before the next one begins.
    if (before && before.time < (ended[0]?.time ?? bar.time))
      publish({ ...(JSON.parse(before.text) as ReturnType<typeof bodyOf>), final: true });
    for (const candle of ended) publish(bodyOf(candle, true));
    const body = bodyOf(bar, false);
    const text = JSON.stringify(body);
    // The newest view of a period is what a new reader begins with: it is the bar in progress.
    if (before?.text !== text || ended.length > 0) publish(body);
    this.bars.set(key, { text, time: bar.time, seq: seq! });
  }

  /**
   * The bars before the one of `time` that trades have changed since they were published last, and the quiet ones after
   * those: their price is the close before them. After a longer gap the quiet ones are left out: a jump of the clock
   * makes any number of them, and the trades of bars that are read late may still come.
   */
  private takeEnded(key: string, period: Period, time: number): readonly Candle[] {
    const changed = this.changed.get(key);
    this.changed.delete(key);
    const bars = [...(changed?.values() ?? [])]
      .filter((bar) => bar.time < time)
      .toSorted((one, other) => one.time - other.time);
    if (!bars[0] || bars[0].time < shiftStart(period, time, -QUIET_BARS_MAX)) return bars;
    return withoutHoles(bars, period, bars[0].time, shiftStart(period, time, -1), null);
  }

  /** Rises by pair and stream, also over a restart: quarter seconds of real time, or one more than the last. */
  private sequence(last: number | undefined): number {
    return Math.max((last ?? 0) + 1, Math.floor(this.clock.real() / PUBLISH_MS));
  }
}

const keyOf = (pair: PairRow, period: Period): string => `${pair.symbol} ${period}`;

/** Price of the best level at the pair's scale; zero for an empty side. */
function bestPrice({ priceScale }: PairRow, levels: DepthView['bids'] = []): string {
  const price = levels[0]?.[0] ?? '0';
  const scale = decimals(price);
  return formatUnits(rescale(toUnits(price, scale), scale, priceScale, 'half_up'), priceScale);
}
