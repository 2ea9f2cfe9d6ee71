import { DAY } from './period.js';
import type { Candle } from './candle.js';

/** The figures of a pair over the last 24 hours; all in units of `SCALE`. */
export interface DayFigures {
  readonly now: bigint;
  readonly yesterday: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly volume: bigint;
  readonly turnover: bigint;
}

interface Minute {
  readonly candle: Candle;
  readonly own: boolean;
}

/**
 * The minutes of the last day of one pair. Prices (high, low, the price of yesterday) go over the recorded history and
 * the own trades as one line, as the chart shows it; volume and turnover count own fills only: no volume is shown
 * without a fill.
 */
export class DayWindow {
  private minutes: Minute[] = [];
  /** Close of the newest minute that has left the window: the price of 24 hours ago. */
  private before: bigint | null = null;

  /** Adds minutes in rising order; the newest one may be given again as it grows. */
  add(candle: Candle, own: boolean): void {
    const last = this.minutes.at(-1);
    if (last && candle.time < last.candle.time)
      throw new Error(`invariant: minute ${candle.time} after ${last.candle.time}`);
    if (last && last.candle.time === candle.time) this.minutes[this.minutes.length - 1] = { candle, own };
    else this.minutes.push({ candle, own });
  }

  /** Close of what came before the first minute of the window, when the window begins inside a longer story. */
  startAfter(close: bigint | null): void {
    this.before = close;
  }

  /** Null before anything is known of the pair. */
  figures(now: number): DayFigures | null {
    let first = 0;
    while (first < this.minutes.length && this.minutes[first]!.candle.time < now - DAY)
      this.before = this.minutes[first++]!.candle.close;
    if (first > 0) this.minutes = this.minutes.slice(first);
    const last = this.minutes.at(-1)?.candle.close ?? this.before;
    if (last === null) return null;
    const oldest = this.minutes[0]?.candle;
    let high = oldest?.high ?? last;
    let low = oldest?.low ?? last;
    let volume = 0n;
    let turnover = 0n;
    for (const { candle, own } of this.minutes) {
      if (candle.high > high) high = candle.high;
      if (candle.low < low) low = candle.low;
      if (own) {
        volume += candle.volume;
        turnover += candle.turnover;
      }
    }
    return { now: last, yesterday: this.before ?? oldest?.open ?? last, high, low, volume, turnover };
  }
}

/** Percent by which `now` differs from `then`, in units of two decimals, half away from zero. */
export function changePercent(then: bigint, now: bigint): bigint {
  if (then === 0n) return 0n;
  const scaled = (now - then) * 10_000n;
  const half = then / 2n;
  return scaled < 0n ? -((-scaled + half) / then) : (scaled + half) / then;
}
