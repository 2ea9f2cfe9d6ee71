import { Injectable } from '@nestjs/common';
import type { Bar, PairRow } from '@bourse/contract';
import { formatTrimmed } from '@bourse/money';
import { Clock } from '@bourse/platform';
import { fold, quiet, SCALE, wholeMinute, withoutHoles, type Candle } from '../domain/candle.js';
import { intervalStart, PERIODS, shiftStart, type Period } from '../domain/period.js';
import { Catalog } from './catalog.js';
import { MarketStore, PriceFeed } from './ports.js';
import { Trades } from './trades.js';

export const BARS_MAX = 1_500;

/** A candle as charts get it: numbers, because nobody counts money by them (api §1.6). */
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

  /** At the first start: what was recorded before this minute becomes the history, once and for ever. */
  async settleHistory(): Promise<void> {
    if (!(await this.store.historyMissing())) return;
    const now = wholeMinute(this.clock.now());
    const pairs = [];
    for (const [symbol, history] of this.feed.history()) {
      const pair = this.catalog.bySymbol(symbol);
      if (!pair) continue;
      const minutes = history().filter(({ time }) => time < now);
      const done = new Map<Period, Candle[]>();
      const open = new Map<Period, Candle>();
      let finer = minutes;
      for (const period of PERIODS) {
        // Weeks and months are folds of days, not of one another.
        const bars: Candle[] =
          period === '1min'
            ? minutes
            : fold(period === '1mon' ? done.get('1day')!.concat(open.get('1day') ?? []) : finer, period);
        const last = bars.at(-1);
        if (last && last.time === intervalStart(period, now)) open.set(period, bars.at(-1)!);
        done.set(period, open.has(period) ? bars.slice(0, -1) : bars);
        finer = bars;
      }
      pairs.push({ pairId: pair.id, done, open });
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

  /**
   * The bar in progress, as committed; a quiet one stands at the last close. Null before anything was recorded or
   * traded.
   */
  current(pairId: number, period: Period): Candle | null {
    const time = intervalStart(period, this.clock.now());
    const bar = this.trades.bars(pairId)[period];
    if (bar && bar.time >= time) return bar;
    const close = this.trades.close(pairId);
    return close === null ? null : quiet(time, close);
  }
}
