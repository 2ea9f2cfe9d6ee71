import {
  AreaSeries,
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  CrosshairMode,
  HistogramSeries,
  LineSeries,
  LineStyle,
  TickMarkType,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Bar } from '@bourse/contract';
import { movingAverage } from '@bourse/realtime';
import { markersByBar, type ChartMarks } from './marks.js';

export interface ChartLook {
  readonly kind: 'line' | 'candles';
  readonly averages: readonly number[];
  readonly priceScale: number;
  readonly locale: string;
}
/** Averages differ by stroke as well as by colour (terminal rule 9). */
const AVERAGES = [
  { length: 10, style: LineStyle.Solid, token: '--t1' },
  { length: 15, style: LineStyle.Dashed, token: '--warn' },
  { length: 20, style: LineStyle.Dotted, token: '--accent' },
] as const;
/** Drawing costs up to 5 ms: ten a second are enough for the eye. */
const DRAW_EVERY_MS = 100;

/**
 * Candles or the time-share line, volume in a pane of its own, averages and order lines. The only place that knows the
 * chart library.
 */
export class PriceChart {
  private readonly chart: IChartApi;
  private main: ISeriesApi<SeriesType> | undefined;
  private volume: ISeriesApi<'Histogram'> | undefined;
  private averages: { length: number; series: ISeriesApi<'Line'> }[] = [];
  private lines: IPriceLine[] = [];
  private markers: ISeriesMarkersPluginApi<Time> | undefined;
  private marks: ChartMarks = { lines: [], markers: [] };
  private bars: readonly Bar[] = [];
  private look: ChartLook;
  private waiting: Bar | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawnAt = 0;

  constructor(
    private readonly host: HTMLElement,
    look: ChartLook,
  ) {
    this.look = look;
    this.chart = createChart(host, {
      autoSize: true,
      crosshair: { mode: CrosshairMode.Normal },
      handleScale: { axisPressedMouseMove: true },
      rightPriceScale: { minimumWidth: 72 },
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 4, minBarSpacing: 1 },
    });
    this.build();
  }

  setLook(look: ChartLook): void {
    this.look = look;
    this.build();
    this.setBars(this.bars, false);
  }

  /** New history: everything is drawn anew, and the newest bars come into view. */
  setBars(bars: readonly Bar[], fit = true): void {
    this.bars = bars;
    this.waiting = undefined;
    this.main?.setData(bars.map((bar) => this.point(bar)) as never);
    this.volume?.setData(bars.map((bar) => this.volumePoint(bar)));
    for (const { length, series } of this.averages) {
      series.setData(
        movingAverage(bars, length).flatMap((value, at) =>
          value === undefined ? [] : [{ time: seconds(bars[at]!), value }],
        ),
      );
    }
    this.drawMarkers();
    if (fit) {
      const shown = Math.min(bars.length, Math.max(30, Math.floor(this.host.clientWidth / 8)));
      this.chart.timeScale().setVisibleLogicalRange({ from: bars.length - shown, to: bars.length + 4 });
    }
  }

  /** The newest bar moved, or a new one began. Draws at most ten times a second, never all bars. */
  update(bars: readonly Bar[]): void {
    this.bars = bars;
    this.waiting = bars.at(-1);
    const wait = this.drawnAt + DRAW_EVERY_MS - performance.now();
    if (wait <= 0) this.draw();
    else this.timer ??= setTimeout(() => this.draw(), wait);
  }

  setMarks(marks: ChartMarks): void {
    this.marks = marks;
    this.drawLines();
    this.drawMarkers();
  }

  /** Where a price stands, in pixels from the top of the chart; undefined outside of what is shown. */
  yOf(price: string): number | undefined {
    const y = this.main?.priceToCoordinate(Number(price));
    const height = this.chart.panes()[0]?.getHeight() ?? 0;
    return y === undefined || y === null || y < 0 || y > height ? undefined : y;
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.chart.remove();
  }

  private draw(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const bar = this.waiting;
    if (!bar) return;
    this.waiting = undefined;
    this.drawnAt = performance.now();
    this.main?.update(this.point(bar) as never);
    this.volume?.update(this.volumePoint(bar));
    for (const { length, series } of this.averages) {
      if (this.bars.length < length) continue;
      let sum = 0;
      for (let at = this.bars.length - length; at < this.bars.length; at += 1) sum += this.bars[at]!.close;
      series.update({ time: seconds(bar), value: sum / length });
    }
  }

  private drawLines(): void {
    const main = this.main;
    if (!main) return;
    for (const line of this.lines.splice(0)) main.removePriceLine(line);
    this.lines = this.marks.lines.map(({ price, text, side, stroke }) =>
      main.createPriceLine({
        price: Number(price),
        title: text,
        color: token(side === 'buy' ? '--up' : '--down'),
        lineStyle: stroke === 'dotted' ? LineStyle.Dotted : LineStyle.Dashed,
        lineWidth: 1,
        axisLabelVisible: true,
      }),
    );
  }

  /** Side is shape and place as well as colour (terminal rule 9). */
  private drawMarkers(): void {
    this.markers?.setMarkers(
      markersByBar(
        this.marks.markers,
        this.bars.map((bar) => bar.time),
      ).map(({ time, side, text }) => ({
        time: (time / 1000) as UTCTimestamp,
        position: side === 'buy' ? ('belowBar' as const) : ('aboveBar' as const),
        shape: side === 'buy' ? ('arrowUp' as const) : ('arrowDown' as const),
        color: token(side === 'buy' ? '--up' : '--down'),
        text,
      })),
    );
  }

  private build(): void {
    this.markers?.detach();
    for (const series of [this.main, this.volume, ...this.averages.map((average) => average.series)])
      if (series) this.chart.removeSeries(series);
    this.lines = [];
    const line = token('--line');
    this.chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: token('--bg1') },
        textColor: token('--t2'),
        fontFamily: "'Inter Variable', sans-serif",
        fontSize: 11,
        attributionLogo: false,
        panes: { separatorColor: line },
      },
      grid: {
        vertLines: { color: line, style: LineStyle.SparseDotted },
        horzLines: { color: line, style: LineStyle.SparseDotted },
      },
      rightPriceScale: { borderColor: line },
      timeScale: {
        borderColor: line,
        tickMarkFormatter: (time: Time, type: TickMarkType) => tickText(time, type, this.look.locale),
      },
      localization: { locale: 'en', timeFormatter: (time: Time) => fullTime(time) },
    });
    const priceFormat = {
      type: 'price' as const,
      precision: this.look.priceScale,
      minMove: 1 / 10 ** this.look.priceScale,
    };
    if (this.look.kind === 'line') {
      const colour = token('--info');
      this.main = this.chart.addSeries(AreaSeries, {
        lineColor: colour,
        topColor: `${colour}33`,
        bottomColor: `${colour}05`,
        lineWidth: 2,
        priceFormat,
      });
    } else {
      const up = token('--up');
      const down = token('--down');
      this.main = this.chart.addSeries(CandlestickSeries, {
        upColor: up,
        downColor: down,
        borderUpColor: up,
        borderDownColor: down,
        wickUpColor: up,
        wickDownColor: down,
        priceFormat,
      });
    }
    this.markers = createSeriesMarkers(this.main);
    this.drawLines();
    this.volume = this.chart.addSeries(
      HistogramSeries,
      { priceFormat: { type: 'volume' }, lastValueVisible: false, priceLineVisible: false },
      1,
    );
    this.averages = AVERAGES.filter(({ length }) => this.look.averages.includes(length)).map(
      ({ length, style, token: name }) => ({
        length,
        series: this.chart.addSeries(LineSeries, {
          color: token(name),
          lineStyle: style,
          lineWidth: 1,
          priceLineVisible: false,
          lastValueVisible: false,
          crosshairMarkerVisible: false,
          priceFormat,
        }),
      }),
    );
    const [prices, volumes] = this.chart.panes();
    prices?.setStretchFactor(4);
    volumes?.setStretchFactor(1);
  }

  private point(bar: Bar): object {
    const time = seconds(bar);
    return this.look.kind === 'line'
      ? { time, value: bar.close }
      : { time, open: bar.open, high: bar.high, low: bar.low, close: bar.close };
  }

  private volumePoint(bar: Bar): { time: UTCTimestamp; value: number; color: string } {
    return { time: seconds(bar), value: bar.volume, color: `${token(bar.close >= bar.open ? '--up' : '--down')}66` };
  }
}

/** A token's colour as the library needs it. Tokens are six-digit hex, so that an alpha can be put behind them. */
function token(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const other = /^var\((--[\w-]+)\)$/.exec(value);
  return other ? token(other[1]!) : value;
}

const seconds = (bar: Bar): UTCTimestamp => (bar.time / 1000) as UTCTimestamp;
const two = (value: number): string => String(value).padStart(2, '0');

function fullTime(time: Time): string {
  const date = new Date((time as number) * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Axis texts in the reader's zone; Latin digits in all languages. */
function tickText(time: Time, type: TickMarkType, locale: string): string {
  const date = new Date((time as number) * 1000);
  if (type === TickMarkType.Year) return String(date.getFullYear());
  if (type === TickMarkType.Month) return new Intl.DateTimeFormat(locale, { month: 'short' }).format(date);
  if (type === TickMarkType.DayOfMonth) return String(date.getDate());
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}
