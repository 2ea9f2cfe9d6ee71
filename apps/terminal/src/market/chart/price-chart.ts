import {
  AreaSeries,
  CandlestickSeries,
  createChart,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type AutoscaleInfo,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesPrimitive,
  type Logical,
  type SeriesType,
  type Time,
} from 'lightweight-charts';
import type { Bar } from '@bourse/contract';
import { grouped } from '@bourse/ui';
import { token } from '../../parts/token.js';
import { drawnOf, lineNames, loadIndicators, type DrawnIndicator } from './built-in.js';
import {
  barSeconds,
  FIXED_OPTIONS,
  pricePoint,
  SCALE_MODES,
  seriesColours,
  STROKES,
  themeOptions,
  volumePoint,
  type ChartStyle,
} from './chart-style.js';
import type { Line } from './indicators/series.js';
import { ChartLegend, indicatorText } from './legend.js';
import type { Point } from './drawing-tools.js';
import { DrawnBars } from './drawn-bars.js';
import { markersByBar, rangeWith, sensiblePrice, type ChartMarks } from './marks.js';
import type { MarkersPrimitive } from './markers-primitive.js';
import { isSimulated, type BarHistory } from './simulated.js';

/** Drawing costs up to 5 ms: ten a second are enough for the eye. */
const DRAW_EVERY_MS = 100;

/** An indicator on the chart, with its series and its values for the bars held. */
interface Plot {
  readonly indicator: DrawnIndicator;
  readonly params: readonly number[];
  readonly pane: number;
  readonly series: readonly ISeriesApi<SeriesType>[];
  readonly title: string;
  readonly names: readonly string[];
  readonly colours: readonly string[];
  values: readonly Line[];
}
const LINE_TOKENS = { buy: '--up', sell: '--down', alert: '--info' } as const;
/** Height of the pane of prices in heights of another pane. */
const PRICES_STRETCH = 4;

/**
 * Candles or the time-share line, indicators over them and in panes of their own, and order lines. The only place that
 * knows the chart library.
 */
export class PriceChart {
  private readonly chart: IChartApi;
  private main: ISeriesApi<SeriesType> | undefined;
  private plots: Plot[] = [];
  private legend: ChartLegend;
  private primitive: ISeriesPrimitive<Time> | undefined;
  private pointed: number | undefined;
  private gone = false;
  private lines: IPriceLine[] = [];
  private markers: MarkersPrimitive | undefined;
  private marks: ChartMarks = { lines: [], markers: [] };
  private bars: readonly Bar[] = [];
  private simulatedBefore: number | undefined;
  private look: ChartStyle;
  private readonly drawn = new DrawnBars();
  private isWaiting = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawnAt = 0;

  constructor(
    private readonly host: HTMLElement,
    legend: { readonly prices: HTMLElement; readonly panes: HTMLElement },
    look: ChartStyle,
  ) {
    this.look = look;
    this.legend = new ChartLegend(legend.prices, legend.panes);
    this.chart = createChart(host, FIXED_OPTIONS);
    this.chart.subscribeCrosshairMove(({ logical, point }) => {
      this.pointed = point === undefined || logical === undefined ? undefined : Number(logical);
      this.writeLegend();
    });
    this.build();
  }

  setLook(look: ChartStyle): void {
    this.look = look;
    this.build();
    this.setHistory({ bars: this.bars, simulatedBefore: this.simulatedBefore }, false);
  }

  /** New history: everything is drawn again, and the newest bars come into view. */
  setHistory({ bars, simulatedBefore }: BarHistory, fit = true): void {
    this.bars = bars;
    this.simulatedBefore = simulatedBefore;
    this.isWaiting = false;
    this.drawn.reset(bars);
    this.main?.setData(bars.map((bar) => this.point(bar)) as never);
    this.drawPlots();
    this.drawMarkers();
    this.writeLegend();
    if (fit) this.fit();
  }

  /** The newest bars come into view, and the prices fit the height. */
  fit(): void {
    const count = this.bars.length;
    const shown = Math.min(count, Math.max(30, Math.floor(this.host.clientWidth / 8)));
    this.chart.priceScale('right').setAutoScale(true);
    this.chart.timeScale().setVisibleLogicalRange({ from: count - shown, to: count + 4 });
  }

  /** The newest bar moved, or a new one began. Draws at most ten times a second, never all bars. */
  update(bars: readonly Bar[]): void {
    this.bars = bars;
    this.isWaiting = true;
    const wait = this.drawnAt + DRAW_EVERY_MS - performance.now();
    if (wait <= 0) this.draw();
    else this.timer ??= setTimeout(() => this.draw(), wait);
  }

  setMarks(marks: ChartMarks): void {
    this.marks = marks;
    this.drawLines();
    this.drawMarkers();
  }

  /** The position of a price, in pixels from the top of the chart; undefined outside of the visible range. */
  yOf(price: string): number | undefined {
    const y = this.main?.priceToCoordinate(Number(price));
    return y === undefined || y === null || y < 0 || y > this.height() ? undefined : y;
  }

  /** The price at so many pixels from the top, in five digits; undefined outside of what is shown. */
  priceAt(y: number): string | undefined {
    const price = this.main?.coordinateToPrice(y);
    if (price === undefined || price === null || price <= 0 || y < 0 || y > this.height()) return undefined;
    return sensiblePrice(Number(price), this.look.priceScale);
  }

  /** A price in the decimals of the pair. */
  readonly priceText = (price: number): string => grouped(price.toFixed(this.look.priceScale));

  /** Start times of the bars, in milliseconds. */
  times(): readonly number[] {
    return this.bars.map((bar) => bar.time);
  }

  /** The pixels of a price at an index of the axis of bars, with fractions and beyond both ends. */
  pointAt(index: number, price: number): Point | undefined {
    const y = this.main?.priceToCoordinate(price);
    // The axis converts whole indexes only: the distance of two bars gives the rest.
    const zero = this.chart.timeScale().logicalToCoordinate(0 as Logical);
    const one = this.chart.timeScale().logicalToCoordinate(1 as Logical);
    if (y === undefined || y === null || zero === null || one === null) return undefined;
    return { x: zero + (one - zero) * index, y };
  }

  /**
   * The inverse of `pointAt`; undefined outside of the pane of prices. The price of a pixel is a number for drawing: an
   * order takes it only as text with the decimals of its pair.
   */
  placeAt(x: number, y: number): { readonly index: number; readonly price: number } | undefined {
    const price = this.main?.coordinateToPrice(y);
    const index = this.chart.timeScale().coordinateToLogical(x);
    if (price === undefined || price === null || index === null || y > this.height()) return undefined;
    return { index: Number(index), price: Number(price) };
  }

  /** Draws something with the prices, until it is detached. */
  attach(primitive: ISeriesPrimitive<Time>): void {
    this.primitive = primitive;
    this.main?.attachPrimitive(primitive);
  }

  detach(primitive: ISeriesPrimitive<Time>): void {
    if (this.primitive !== primitive) return;
    this.primitive = undefined;
    if (!this.gone) this.main?.detachPrimitive(primitive);
  }

  /** Height of the pane of prices. */
  height(): number {
    return this.chart.panes()[0]?.getHeight() ?? 0;
  }

  /** The chart as a picture, without the crosshair. Its lines have their texts, which are elements on the page. */
  picture(): HTMLCanvasElement {
    this.drawLines(true);
    const picture = this.chart.takeScreenshot(true);
    this.drawLines();
    return picture;
  }

  destroy(): void {
    this.gone = true;
    clearTimeout(this.timer);
    this.chart.remove();
  }

  private draw(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isWaiting || this.bars.length === 0) return;
    this.isWaiting = false;
    this.drawnAt = performance.now();
    const from = this.drawn.advance(this.bars);
    if (from === undefined) return this.drawShifted();
    for (const bar of this.bars.slice(from)) this.main?.update(this.point(bar) as never);
    // A new bar may move points of earlier bars: all lines are then drawn whole.
    if (this.plots.some(({ values }) => values[0]?.length !== this.bars.length)) this.drawPlots();
    else for (const plot of this.plots) this.drawNewest(plot);
    this.writeLegend();
  }

  /** Draws all bars after one has left at the old end. Bars in view that are not the newest keep their place. */
  private drawShifted(): void {
    const scale = this.chart.timeScale();
    const range = scale.getVisibleRange();
    const isAtEnd = scale.scrollPosition() >= 0;
    this.setHistory({ bars: this.bars, simulatedBefore: this.simulatedBefore }, false);
    if (range && !isAtEnd) scale.setVisibleRange(range);
  }

  private drawPlots(): void {
    for (const plot of this.plots) {
      this.compute(plot);
      for (const at of plot.series.keys()) this.drawLine(plot, at);
    }
  }

  /** Draws the newest point of each line, or a line whole whose earlier points have moved, as a lagging one's. */
  private drawNewest(plot: Plot): void {
    const before = plot.values;
    const last = this.bars.length - 1;
    this.compute(plot);
    for (const [at, series] of plot.series.entries()) {
      if (before[at]?.some((value, bar) => bar < last && value !== plot.values[at]?.[bar])) this.drawLine(plot, at);
      else series.update(this.plotPoint(plot, at, last) as never);
    }
  }

  private drawLine(plot: Plot, at: number): void {
    plot.series[at]?.setData(this.bars.map((_, bar) => this.plotPoint(plot, at, bar)) as never);
  }

  private compute(plot: Plot): void {
    plot.values = plot.indicator.compute(this.bars, plot.params);
  }

  private plotPoint(plot: Plot, line: number, at: number): object {
    const bar = this.bars[at]!;
    const time = barSeconds(bar);
    if (plot.indicator.id === 'VOL') return volumePoint(bar, this.simulated(bar));
    const value = plot.values[line]?.[at];
    if (value === undefined) return { time };
    if (plot.indicator.looks?.[line] !== 'histogram') return { time, value };
    return { time, value, color: `${token(value < 0 ? '--down' : '--up')}99` };
  }

  private writeLegend(): void {
    const last = this.bars.length - 1;
    const at = this.pointed === undefined ? last : Math.min(last, Math.max(0, Math.round(this.pointed)));
    const { words, priceScale } = this.look;
    this.legend.write(
      this.bars[at],
      this.plots.map(({ values }) => values.map((line) => line[at])),
      words,
      priceScale,
    );
    const base = this.host.getBoundingClientRect().top;
    this.legend.place(
      this.chart.panes().map((pane) => {
        const top = pane.getHTMLElement()?.getBoundingClientRect().top;
        return top === undefined ? undefined : top - base;
      }),
    );
  }

  private drawLines(titled = false): void {
    const main = this.main;
    if (!main) return;
    for (const line of this.lines.splice(0)) main.removePriceLine(line);
    this.lines = this.marks.lines.map((line) =>
      main.createPriceLine({
        price: Number(line.price),
        title: titled ? line.text : '',
        color: token(LINE_TOKENS[line.side]),
        lineStyle: line.stroke === 'dotted' ? LineStyle.Dotted : LineStyle.Dashed,
        lineWidth: 1,
        // Lines at one price share its label on the axis.
        axisLabelVisible: titled || this.marks.lines.find(({ price }) => price === line.price) === line,
      }),
    );
  }

  private drawMarkers(): void {
    if (this.markers) this.markers.show(markersByBar(this.marks.markers, this.times()), this.bars);
    else if (this.marks.markers.length > 0) this.loadMarkers();
  }

  private loadMarkers(): void {
    import('./markers-primitive.js').then(
      ({ MarkersPrimitive: Markers }) => {
        if (this.gone || this.markers) return;
        this.markers = new Markers(this);
        this.main?.attachPrimitive(this.markers);
        this.drawMarkers();
      },
      (error: unknown) => console.debug('markers not loaded', error),
    );
  }

  private build(): void {
    for (const series of [this.main, ...this.plots.flatMap((plot) => plot.series)])
      if (series) this.chart.removeSeries(series);
    this.lines = [];
    this.chart.applyOptions(themeOptions(() => this.look));
    const { priceScale } = this.look;
    const priceFormat = {
      type: 'custom' as const,
      formatter: this.priceText,
      minMove: 1 / 10 ** priceScale,
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
    this.chart.priceScale('right').applyOptions({ mode: SCALE_MODES[this.look.scale] });
    if (this.markers) this.main.attachPrimitive(this.markers);
    if (this.primitive) this.main.attachPrimitive(this.primitive);
    this.drawLines();
    this.buildPlots(priceFormat);
    for (const [at, pane] of this.chart.panes().entries()) pane.setStretchFactor(at === 0 ? PRICES_STRETCH : 1);
    this.legend.setRows(this.plots);
  }

  private buildPlots(priceFormat: object): void {
    let stroke = 0;
    let panes = 0;
    const missing = this.look.indicators.filter((chosen) => !drawnOf(chosen));
    if (missing.length > 0)
      loadIndicators().then(
        () => {
          if (!this.gone) this.setLook(this.look);
        },
        (error: unknown) => console.debug('indicators not loaded', error),
      );
    this.plots = this.look.indicators.flatMap((chosen): Plot[] => {
      const indicator = drawnOf(chosen);
      if (!indicator) return [];
      const over = indicator.pane === 'prices';
      const pane = over ? 0 : (panes += 1);
      const names = lineNames(indicator, chosen.params);
      if (!over) stroke = 0;
      const strokes = names.map((_, at) => {
        const own = STROKES[stroke++ % STROKES.length]!;
        return { ...own, token: indicator.tones?.[at] ?? own.token };
      });
      const series = strokes.map((own, at) =>
        this.plotSeries(indicator, at, own, pane, over ? priceFormat : undefined),
      );
      for (const price of indicator.levels ?? [])
        series[0]?.createPriceLine({
          price,
          color: token('--line-strong'),
          lineStyle: LineStyle.SparseDotted,
          lineWidth: 1,
          axisLabelVisible: false,
        });
      const colours = strokes.map((own) => `var(${indicator.id === 'VOL' ? '--t2' : own.token})`);
      const title = (indicator.lines?.length ?? 0) > 1 ? [indicator.id, ...chosen.params].join(' ') : '';
      return [{ indicator, params: chosen.params, pane, series, title, names, colours, values: [] }];
    });
  }

  private plotSeries(
    { id, looks }: DrawnIndicator,
    at: number,
    stroke: { readonly token: string; readonly style: LineStyle },
    pane: number,
    priceFormat: object | undefined,
  ): ISeriesApi<SeriesType> {
    const { priceScale } = this.look;
    const common = {
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: priceFormat ?? {
        type: 'custom' as const,
        formatter: (value: number) => indicatorText(value, priceScale),
        minMove: 1 / 10 ** Math.max(2, priceScale),
      },
    };
    if (id === 'VOL')
      return this.chart.addSeries(HistogramSeries, { ...common, priceFormat: { type: 'volume' } }, pane);
    const look = looks?.[at];
    if (look === 'histogram') return this.chart.addSeries(HistogramSeries, common, pane);
    const options = {
      ...common,
      color: token(stroke.token),
      lineStyle: stroke.style,
      lineWidth: 1 as const,
      crosshairMarkerVisible: false,
      ...(look === 'dots' && { lineVisible: false, pointMarkersVisible: true, pointMarkersRadius: 1.5 }),
    };
    return this.chart.addSeries(LineSeries, options, pane);
  }

  private simulated(bar: Bar): boolean {
    return isSimulated(bar, this.simulatedBefore);
  }

  private point(bar: Bar): object {
    return pricePoint(bar, this.look.kind, this.simulated(bar));
  }
}
