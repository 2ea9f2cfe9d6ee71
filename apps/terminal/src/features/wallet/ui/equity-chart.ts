import {
  AreaSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { formatFitting } from '@bourse/ui';
import { token } from '../../../parts/token.js';

/** A day as it is drawn: pictures are made of numbers, money is not. */
interface DrawnDay {
  readonly day: string;
  readonly worth: number;
  readonly profit: number;
}
const PROFIT_PANE = 1;
const WORTH_STRETCH = 2;
/** Decimals and characters of a figure at an axis. */
const [DECIMALS, ROOM] = [8, 9];

/** The worth as a line, and the profit of each day as columns under it. */
export class EquityChart {
  private readonly chart: IChartApi;
  private readonly worth: ISeriesApi<'Area'>;
  private readonly profit: ISeriesApi<'Histogram'>;

  constructor(host: HTMLElement) {
    this.chart = createChart(host, {
      autoSize: true,
      // The footer of the terminal names TradingView. A link in here would be focusable, but hidden from readers.
      layout: { attributionLogo: false },
      handleScroll: false,
      handleScale: false,
      rightPriceScale: { minimumWidth: 72 },
      localization: { locale: 'en', priceFormatter: axisText, timeFormatter: dayText },
      timeScale: { tickMarkFormatter: (time: Time) => dayText(time).slice(5) },
    });
    const options = { lastValueVisible: false, priceLineVisible: false } as const;
    this.worth = this.chart.addSeries(AreaSeries, { ...options, lineWidth: 2 });
    this.profit = this.chart.addSeries(HistogramSeries, options, PROFIT_PANE);
    this.chart.panes()[0]?.setStretchFactor(WORTH_STRETCH);
  }

  /** Draws the days in the colours of the theme that is shown. */
  draw(days: readonly DrawnDay[]): void {
    const [line, accent, up, down] = ['--line', '--info', '--up', '--down'].map(token) as [
      string,
      string,
      string,
      string,
    ];
    this.chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: token('--bg1') },
        textColor: token('--t2'),
        fontFamily: "'Inter Variable', sans-serif",
        fontSize: 11,
        panes: { separatorColor: line },
      },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
    });
    this.worth.applyOptions({ lineColor: accent, topColor: `${accent}33`, bottomColor: `${accent}05` });
    this.worth.setData(days.map(({ day, worth }) => ({ time: secondsOf(day), value: worth })));
    this.profit.setData(
      days.map(({ day, profit }) => ({ time: secondsOf(day), value: profit, color: profit < 0 ? down : up })),
    );
    this.chart.timeScale().fitContent();
  }

  remove(): void {
    this.chart.remove();
  }
}

const secondsOf = (day: string): UTCTimestamp => (Date.parse(`${day}T00:00:00Z`) / 1000) as UTCTimestamp;
const dayText = (time: Time): string => new Date((time as number) * 1000).toISOString().slice(0, 10);
const axisText = (value: number): string => {
  // All marks of an axis have the same decimals where they are of one size.
  const text = formatFitting(Math.abs(value).toFixed(DECIMALS), Math.abs(value) < 1_000 ? 2 : 0, ROOM);
  return value < 0 ? `-${text}` : text;
};
