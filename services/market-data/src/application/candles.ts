import { Injectable } from '@nestjs/common';
import type { Bar, PairRow } from '@bourse/contract';
import { formatTrimmed } from '@bourse/money';
import { Clock } from '@bourse/platform';
import { onScale, quiet, SCALE, wholeMinute, withoutHoles, type Candle } from '../domain/candle.js';
import { intervalStart, shiftStart, type Period } from '../domain/period.js';
import { pastCandles } from '../domain/simulated-history.js';
import { Catalog } from './catalog.js';
import { MarketStore, PriceFeed } from './ports.js';
import { Trades } from './trades.js';

const BARS_MAX = 1_500;

/** A candle as charts get it: numbers, because they serve display only (api §1.6). */
export const barOf = ({ time, open, high, low, close, volume }: Candle): Bar => ({
  time,
  open: plain(open),
  high: plain(high),
  low: plain(low),
  close: plain(close),
  volume: plain(volume),
});
const plain = (units: bigint): number => Number(formatTrimmed(units, SCALE));

/** Candles of all periods: the recording before the first start, own trades from then on. */
@Injectable()
export class Candles {
  constructor(
    private readonly store: MarketStore,
    private readonly feed: PriceFeed,
    private readonly trades: Trades,
    private readonly catalog: Catalog,
    private readonly clock: Clock,
  ) {}

  /**
   * At the first start: the candles before this minute become the history, once and for ever, on the pair's price
   * scale.
   */
  async settleHistory(): Promise<void> {
    if (!(await this.store.historyMissing())) return;
    const now = wholeMinute(this.clock.now());
    const pairs = [];
    for (const [symbol, past] of this.feed.past()) {
      const pair = this.catalog.bySymbol(symbol);
      if (!pair) continue;
      const market = past();
      const done = new Map<Period, readonly Candle[]>();
      const open = new Map<Period, Candle>();
      for (const [period, bars] of pastCandles(market, now)) {
        const shown = bars.map((bar) => onScale(bar, pair.priceScale));
        const last = shown.at(-1);
        const isOpen = last?.time === intervalStart(period, now);
        if (last && isOpen) open.set(period, last);
        done.set(period, isOpen ? shown.slice(0, -1) : shown);
      }
      pairs.push({
        pairId: pair.id,
        simulatedBefore: market.before ? (market.minutes[0]?.time ?? now) : null,
        done,
        open,
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.store.storeHistory(pairs);
  }

  /** Business time, ms. */
  now(): number {
    return this.clock.now();
  }

  /** Intervals that open in [from, to] and not after now, rising and without holes, the newest 1,500. */
  async range(pair: PairRow, period: Period, from: number, to: number): Promise<Candle[]> {
    const last = intervalStart(period, Math.min(to, this.clock.now()));
    const start = Math.max(from, shiftStart(period, last, 1 - BARS_MAX));
    if (start > last) return [];
    const bars = await this.store.candles(pair.id, period, start, last);
    const before = bars[0]?.time === start ? null : await this.store.closeBefore(pair.id, period, start);
    return withoutHoles(bars, period, start, last, before);
  }

  /** Before this moment the candles of a pair are history, whose volume was not traded here, ms; null: none is. */
  recordedBefore(pair: PairRow): Promise<number | null> {
    return this.store.recordedBefore(pair.id);
  }

  /** Before this moment the candles of a pair are simulated, ms; null: none is. */
  simulatedBefore(pair: PairRow): Promise<number | null> {
    return this.store.simulatedBefore(pair.id);
  }

  /**
   * The bar in progress, as committed; a quiet one has the last close as its price. Null before anything was recorded
   * or traded.
   */
  current(pairId: number, period: Period): Candle | null {
    const time = intervalStart(period, this.clock.now());
    const bar = this.trades.bars(pairId)[period];
    if (bar && bar.time >= time) return bar;
    const close = this.trades.close(pairId);
    return close === null ? null : quiet(time, close);
  }
}
