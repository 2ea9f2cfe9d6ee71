import { AreaSeries, ColorType, createChart, LineStyle, type IChartApi, type UTCTimestamp } from 'lightweight-charts';
import { clockTime } from '@bourse/ui';

/** Highest value of the axis while the line is at zero. */
const MOST_AT_LEAST = 0.05;

/** A line over time with an axis of values, an axis of times and a crosshair that reads both. */
export class LineChart {
  private readonly chart: IChartApi;
  private readonly series: ReturnType<IChartApi['addSeries']>;

  constructor(host: HTMLElement, text: (value: number) => string) {
    this.chart = createChart(host, {
      autoSize: true,
      handleScroll: false,
      handleScale: false,
      layout: { fontFamily: "'Inter Variable', sans-serif", fontSize: 10, attributionLogo: false },
      localization: { locale: 'en', timeFormatter: clockOf, priceFormatter: text },
      rightPriceScale: { scaleMargins: { top: 0.1, bottom: 0 } },
      timeScale: { timeVisible: true, tickMarkFormatter: (time: UTCTimestamp) => clockOf(time).slice(0, 5) },
    });
    this.series = this.chart.addSeries(AreaSeries, {
      lineWidth: 2,
      priceLineVisible: false,
      lastValueVisible: false,
      autoscaleInfoProvider: (original: () => { priceRange: { minValue: number; maxValue: number } | null } | null) => {
        const found = original();
        if (!found?.priceRange) return found;
        // The axis begins at zero, so that a small variation does not fill the chart.
        const { maxValue } = found.priceRange;
        return { ...found, priceRange: { minValue: 0, maxValue: Math.max(maxValue, MOST_AT_LEAST) } };
      },
    });
  }

  /** Colours of the theme that is shown; `token` is that of the line. */
  paint(token: string): void {
    const [line, grid] = [colour(token), colour('--line')];
    this.chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: colour('--bg1') }, textColor: colour('--t2') },
      grid: {
        vertLines: { visible: false },
        horzLines: { color: grid, style: LineStyle.SparseDotted },
      },
      rightPriceScale: { borderColor: grid },
      timeScale: { borderColor: grid },
    });
    this.series.applyOptions({ lineColor: line, topColor: `${line}33`, bottomColor: `${line}00` });
  }

  show(points: readonly { readonly time: number; readonly value: number }[]): void {
    this.series.setData(points.map(({ time, value }) => ({ time: time as UTCTimestamp, value })));
    this.chart.timeScale().fitContent();
  }

  remove(): void {
    this.chart.remove();
  }
}

const clockOf = (seconds: unknown): string => clockTime(Number(seconds) * 1_000);
const colour = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token).trim();
