import type { Bar } from '@bourse/contract';
import { movingAverage } from '@bourse/realtime';
import {
  atr,
  cci,
  directionalMovement,
  kdj,
  macd,
  moneyFlow,
  onBalanceVolume,
  rateOfChange,
  relativeStrength,
  stochasticRsi,
  trix,
  williams,
} from './oscillators.js';
import {
  bollinger,
  donchian,
  exponentialAverages,
  ichimoku,
  keltner,
  parabolicSar,
  smoothedAverages,
  supertrend,
  volumeWeighted,
  weightedAverages,
} from './prices.js';
import type { ChosenIndicator, IndicatorId } from './chosen.js';
import type { Line } from './series.js';

/** How a line of an indicator is drawn. */
export type LineStyle = 'line' | 'dots' | 'histogram';

/** An indicator: its pane, its parameters and its calculation. */
export interface Indicator {
  readonly id: IndicatorId;
  readonly pane: 'prices' | 'own';
  /** Parameters with their bounds. Several lengths of one name draw one line each. */
  readonly params: readonly Param[];
  /** Names of its lines in the legend; without them each parameter has one line. */
  readonly lines?: readonly string[];
  readonly looks?: readonly LineStyle[];
  /** Colours of its lines by token, where they mean something. */
  readonly tones?: readonly string[];
  /** Levels drawn across its pane. */
  readonly levels?: readonly number[];
  readonly compute: (bars: readonly Bar[], params: readonly number[]) => Line[];
}
interface Param {
  readonly name: 'length' | 'short' | 'long' | 'signal' | 'width' | 'step' | 'most' | 'range';
  readonly initial: number;
  readonly least: number;
  readonly most: number;
}

const length = (initial: number, name: Param['name'] = 'length'): Param => ({ name, initial, least: 1, most: 400 });
const decimal = (name: Param['name'], initial: number, least: number, most: number): Param => ({
  name,
  initial,
  least,
  most,
});
const BANDS = { lines: ['MID', 'UP', 'DN'], tones: ['--warn', '--t2', '--t2'] } as const;

/** All indicators of the chart by the names that traders know, those over the prices first. */
export const INDICATORS: readonly Indicator[] = [
  {
    id: 'MA',
    pane: 'prices',
    params: [length(10), length(15), length(20)],
    compute: (bars, lengths) => lengths.map((count) => movingAverage(bars, count)),
  },
  { id: 'EMA', pane: 'prices', params: [length(7), length(25), length(99)], compute: exponentialAverages },
  { id: 'WMA', pane: 'prices', params: [length(10), length(20)], compute: weightedAverages },
  { id: 'SMMA', pane: 'prices', params: [length(7), length(25)], compute: smoothedAverages },
  {
    id: 'BOLL',
    pane: 'prices',
    params: [length(20), decimal('width', 2, 0.1, 10)],
    ...BANDS,
    compute: bollinger,
  },
  { id: 'VWAP', pane: 'prices', params: [], lines: ['VWAP'], compute: volumeWeighted },
  {
    id: 'SAR',
    pane: 'prices',
    params: [decimal('step', 0.02, 0.001, 0.5), decimal('most', 0.2, 0.01, 1)],
    lines: ['SAR'],
    looks: ['dots'],
    compute: parabolicSar,
  },
  { id: 'DC', pane: 'prices', params: [length(20)], ...BANDS, compute: donchian },
  {
    id: 'KC',
    pane: 'prices',
    params: [length(20), decimal('width', 2, 0.1, 10), length(10, 'range')],
    ...BANDS,
    compute: keltner,
  },
  {
    id: 'ICHIMOKU',
    pane: 'prices',
    params: [length(9, 'short'), length(26), length(52, 'long')],
    lines: ['TENKAN', 'KIJUN', 'SPAN A', 'SPAN B', 'CHIKOU'],
    compute: ichimoku,
  },
  {
    id: 'SUPERTREND',
    pane: 'prices',
    params: [length(10), decimal('width', 3, 0.1, 10)],
    lines: ['UP', 'DN'],
    tones: ['--up', '--down'],
    compute: supertrend,
  },
  // Its bars have the colours of the candles: the chart draws them itself.
  { id: 'VOL', pane: 'own', params: [], lines: ['VOL'], looks: ['histogram'], compute: (bars) => [volumes(bars)] },
  {
    id: 'MACD',
    pane: 'own',
    params: [length(12, 'short'), length(26, 'long'), length(9, 'signal')],
    lines: ['DIF', 'DEA', 'MACD'],
    looks: ['line', 'line', 'histogram'],
    compute: macd,
  },
  { id: 'RSI', pane: 'own', params: [length(14)], levels: [30, 70], compute: relativeStrength },
  {
    id: 'KDJ',
    pane: 'own',
    params: [length(9), length(3, 'short'), length(3, 'long')],
    lines: ['K', 'D', 'J'],
    levels: [20, 80],
    compute: kdj,
  },
  { id: 'ATR', pane: 'own', params: [length(14)], lines: ['ATR'], compute: atr },
  {
    id: 'STOCHRSI',
    pane: 'own',
    params: [length(14), length(14, 'range'), length(3, 'short'), length(3, 'long')],
    lines: ['K', 'D'],
    levels: [20, 80],
    compute: stochasticRsi,
  },
  { id: 'CCI', pane: 'own', params: [length(20)], lines: ['CCI'], levels: [-100, 100], compute: cci },
  { id: 'WR', pane: 'own', params: [length(14)], lines: ['WR'], levels: [-80, -20], compute: williams },
  { id: 'OBV', pane: 'own', params: [], lines: ['OBV'], compute: onBalanceVolume },
  { id: 'MFI', pane: 'own', params: [length(14)], lines: ['MFI'], levels: [20, 80], compute: moneyFlow },
  {
    id: 'DMI',
    pane: 'own',
    params: [length(14)],
    lines: ['ADX', '+DI', '−DI'],
    tones: ['--t1', '--up', '--down'],
    compute: directionalMovement,
  },
  { id: 'ROC', pane: 'own', params: [length(12)], lines: ['ROC'], levels: [0], compute: rateOfChange },
  {
    id: 'TRIX',
    pane: 'own',
    params: [length(15), length(9, 'signal')],
    lines: ['TRIX', 'SIGNAL'],
    levels: [0],
    compute: trix,
  },
];

const volumes = (bars: readonly Bar[]): Line => bars.map((bar) => bar.volume);

/** An indicator with the parameters it has at first. */
export const initialOf = ({ id, params }: Indicator): ChosenIndicator => ({
  id,
  params: params.map(({ initial }) => initial),
});

/** A typed parameter within its bounds; lengths are whole. Undefined where it is no number. */
export function acceptParam({ initial, least, most }: Param, typed: string): number | undefined {
  if (!/^\d+(\.\d+)?$/.test(typed)) return undefined;
  const value = Number(typed);
  const whole = Number.isInteger(initial) && Number.isInteger(least) ? Math.round(value) : value;
  return Math.min(most, Math.max(least, whole));
}
