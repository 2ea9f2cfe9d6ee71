import {
  AreaSeries,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type AutoscaleInfo,
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
import {
  AVERAGE_STROKES,
  barSeconds,
  FIXED_OPTIONS,
  pricePoint,
  seriesColours,
  themeOptions,
  token,
  volumePoint,
  type ChartLook,
} from './chart-look.js';
import { markersByBar, rangeWith, sensiblePrice, type ChartMarks } from './marks.js';
import { isSimulated, type BarHistory } from './simulated.js';

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
  private simulatedBefore: number | undefined;
  private look: ChartLook;
  private waiting: Bar | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawnAt = 0;

  constructor(
    private readonly host: HTMLElement,
    look: ChartLook,
  ) {
    this.look = look;
    this.chart = createChart(host, FIXED_OPTIONS);
    this.build();
  }

  setLook(look: ChartLook): void {
    this.look = look;
    this.build();
    this.setHistory({ bars: this.bars, simulatedBefore: this.simulatedBefore }, false);
  }

  /** New history: everything is drawn anew, and the newest bars come into view. */
  setHistory({ bars, simulatedBefore }: BarHistory, fit = true): void {
    this.bars = bars;
    this.simulatedBefore = simulatedBefore;
    this.waiting = undefined;
    this.main?.setData(bars.map((bar) => this.point(bar)) as never);
    this.volume?.setData(bars.map((bar) => volumePoint(bar, this.simulated(bar))));
    for (const { length, series } of this.averages) {
      series.setData(
        movingAverage(bars, length).flatMap((value, at) =>
          value === undefined ? [] : [{ time: barSeconds(bars[at]!), value }],
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

  /** The price at so many pixels from the top, in five digits; undefined outside of what is shown. */
  priceAt(y: number): string | undefined {
    const price = this.main?.coordinateToPrice(y);
    if (price === undefined || price === null || price <= 0 || y < 0 || y > this.height()) return undefined;
    return sensiblePrice(Number(price), this.look.priceScale);
  }

  /** Height of the pane of prices. */
  height(): number {
    return this.chart.panes()[0]?.getHeight() ?? 0;
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
    this.volume?.update(volumePoint(bar, this.simulated(bar)));
    for (const { length, series } of this.averages) {
      if (this.bars.length < length) continue;
      let sum = 0;
      for (let at = this.bars.length - length; at < this.bars.length; at += 1) sum += this.bars[at]!.close;
      series.update({ time: barSeconds(bar), value: sum / length });
    }
  }

  private drawLines(): void {
    const main = this.main;
    if (!main) return;
    for (const line of this.lines.splice(0)) main.removePriceLine(line);
    this.lines = this.marks.lines.map(({ price, text, side, stroke, cancel }) =>
      main.createPriceLine({
        price: Number(price),
        // A line that can be taken away has its words where its button is.
        title: cancel ? '' : text,
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
    this.chart.applyOptions(themeOptions(() => this.look.locale));
    const priceFormat = {
      type: 'price' as const,
      precision: this.look.priceScale,
      minMove: 1 / 10 ** this.look.priceScale,
    };
    const options = {
      ...seriesColours(this.look.kind),
      priceFormat,
      autoscaleInfoProvider: (fit: () => AutoscaleInfo | null): AutoscaleInfo | null => {
        const own = fit();
        if (!own?.priceRange) return own;
        const { minValue: low, maxValue: high } = own.priceRange;
        const range = rangeWith(
          { low, high },
          this.marks.lines.map(({ price }) => Number(price)),
        );
        return { ...own, priceRange: { minValue: range.low, maxValue: range.high } };
      },
    };
    this.main =
      this.look.kind === 'line'
        ? this.chart.addSeries(AreaSeries, options)
        : this.chart.addSeries(CandlestickSeries, options);
    this.markers = createSeriesMarkers(this.main);
    this.drawLines();
    this.volume = this.chart.addSeries(
      HistogramSeries,
      { priceFormat: { type: 'volume' }, lastValueVisible: false, priceLineVisible: false },
      1,
    );
    this.averages = AVERAGE_STROKES.filter(({ length }) => this.look.averages.includes(length)).map(
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

  private simulated(bar: Bar): boolean {
    return isSimulated(bar, this.simulatedBefore);
  }

  private point(bar: Bar): object {
    return pricePoint(bar, this.look.kind, this.simulated(bar));
  }
}
