import type { Bar, KlinePush, Period } from '@bourse/contract';

/** The effect of one push on the displayed bars: the bar to draw, or that history must be read again. */
export type CandleChange =
  | { readonly kind: 'update'; readonly bar: Bar; readonly added: boolean }
  | { readonly kind: 'reload' }
  | { readonly kind: 'old' };

/** Most bars that are held: drawing cost grows with them. */
export const MAX_BARS = 1500;

/** History and the live bar of one pair and interval, rising in time. */
export class Candles {
  bars: Bar[] = [];

  constructor(
    readonly symbol: string,
    readonly period: Period,
  ) {}

  replace(bars: readonly Bar[]): void {
    this.bars = bars.slice(-MAX_BARS);
  }

  /**
   * A bar that starts later than the next one means bars are missing: history is read again rather than drawn with a
   * hole; also after a final bar that has changed, as a trade may come after the end of its interval.
   */
  apply(push: KlinePush): CandleChange {
    if (push.symbol !== this.symbol || push.period !== this.period) return { kind: 'old' };
    const { time, open, high, low, close, volume } = push;
    const bar: Bar = { time, open, high, low, close, volume };
    const last = this.bars.at(-1);
    if (!last) return { kind: 'reload' };
    if (time < last.time) return push.final === 1 && this.differs(bar) ? { kind: 'reload' } : { kind: 'old' };
    if (time === last.time) {
      this.bars[this.bars.length - 1] = bar;
      return { kind: 'update', bar, added: false };
    }
    if (time > nextBarTime(last.time, this.period)) return { kind: 'reload' };
    this.bars.push(bar);
    if (this.bars.length > MAX_BARS) this.bars.shift();
    return { kind: 'update', bar, added: true };
  }

  /** Whether a bar of the history has other figures. */
  private differs({ time, open, high, low, close, volume }: Bar): boolean {
    const held = this.bars.findLast((one) => one.time <= time);
    if (held?.time !== time) return false;
    return (
      held.open !== open || held.high !== high || held.low !== low || held.close !== close || held.volume !== volume
    );
  }
}

const MINUTE_MS = 60_000;
const LENGTH_MS: Record<Exclude<Period, '1mon'>, number> = {
  '1min': MINUTE_MS,
  '5min': 5 * MINUTE_MS,
  '15min': 15 * MINUTE_MS,
  '30min': 30 * MINUTE_MS,
  '60min': 60 * MINUTE_MS,
  '1day': 1440 * MINUTE_MS,
  '1week': 10_080 * MINUTE_MS,
};

/** Start of the bar after the one that starts at `time` (UTC). */
export function nextBarTime(time: number, period: Period): number {
  if (period !== '1mon') return time + LENGTH_MS[period];
  const start = new Date(time);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
}

/** Simple moving average of closes over `length` bars, undefined until there are enough. */
export function movingAverage(bars: readonly Bar[], length: number): (number | undefined)[] {
  let sum = 0;
  return bars.map((bar, at) => {
    sum += bar.close;
    if (at >= length) sum -= bars[at - length]!.close;
    return at >= length - 1 ? sum / length : undefined;
  });
}
