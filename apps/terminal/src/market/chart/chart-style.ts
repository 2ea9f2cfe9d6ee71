import {
  ColorType,
  CrosshairMode,
  LineStyle,
  PriceScaleMode,
  type ChartOptions,
  type DeepPartial,
  type Time,
  type TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Bar } from '@bourse/contract';
import { token } from '../../parts/token.js';
import { fullTime, tickText } from './axis-texts.js';
import type { IntervalId, ScaleId } from './intervals.js';
import type { ChosenIndicator } from './indicators/chosen.js';
import type { BarWords } from './legend.js';

/** A person's choices for a chart, and the scale of its pair. */
export interface ChartStyle {
  readonly kind: 'line' | 'candles';
  readonly interval: IntervalId;
  readonly indicators: readonly ChosenIndicator[];
  readonly scale: ScaleId;
  readonly priceScale: number;
  readonly locale: string;
  readonly words: BarWords;
}

/** Lines differ by stroke as well as by colour (terminal rule 9). */
export const STROKES = [
  { style: LineStyle.Solid, token: '--t1' },
  { style: LineStyle.Dashed, token: '--warn' },
  { style: LineStyle.Dotted, token: '--accent' },
  { style: LineStyle.Solid, token: '--info' },
  { style: LineStyle.Dashed, token: '--t2' },
  { style: LineStyle.Dotted, token: '--warn' },
] as const;

export const SCALE_MODES: Readonly<Record<ScaleId, PriceScaleMode>> = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
};

/** Options that no theme and no language changes. */
export const FIXED_OPTIONS: DeepPartial<ChartOptions> = {
  autoSize: true,
  crosshair: { mode: CrosshairMode.Normal },
  handleScale: { axisPressedMouseMove: true },
  rightPriceScale: { minimumWidth: 72 },
  timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 4, minBarSpacing: 1 },
};

/** Options in the colours of the theme that is shown. */
export function themeOptions(look: () => Pick<ChartStyle, 'locale' | 'interval'>): DeepPartial<ChartOptions> {
  const line = token('--line');
  return {
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
      tickMarkFormatter: (time: Time, type: TickMarkType) => tickText(time, type, look().locale, look().interval),
    },
    localization: { locale: 'en', timeFormatter: (time: Time) => fullTime(time, look().interval) },
  };
}

/** Colours of the line or the candles as a whole. */
export function seriesColours(kind: ChartStyle['kind']): object {
  if (kind === 'line') return { ...areaColours(token('--info')), lineWidth: 2 };
  const up = token('--up');
  const down = token('--down');
  return {
    upColor: up,
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
  };
}

/** A bar as the library takes it. One that shows no market has no colour of a market: grey, hollow where it rose. */
export function pricePoint(bar: Bar, kind: ChartStyle['kind'], simulated: boolean): object {
  const time = barSeconds(bar);
  const grey = simulated ? token('--t3') : '';
  if (kind === 'line') return { time, value: bar.close, ...(simulated && areaColours(grey)) };
  const { open, high, low, close } = bar;
  const body = close >= open ? token('--bg1') : grey;
  return { time, open, high, low, close, ...(simulated && { color: body, borderColor: grey, wickColor: grey }) };
}

export function volumePoint(bar: Bar, simulated: boolean): { time: UTCTimestamp; value: number; color: string } {
  const name = simulated ? '--t3' : bar.close >= bar.open ? '--up' : '--down';
  return { time: barSeconds(bar), value: bar.volume, color: `${token(name)}66` };
}

export const barSeconds = (bar: Bar): UTCTimestamp => (bar.time / 1000) as UTCTimestamp;

const areaColours = (colour: string): object => ({
  lineColor: colour,
  topColor: `${colour}33`,
  bottomColor: `${colour}05`,
});
