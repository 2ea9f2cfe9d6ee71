import { expect, test } from '@jest/globals';
import type { Bar } from '@bourse/contract';
import { lineNames } from '../built-in.js';
import { acceptParam, INDICATORS, initialOf, type Indicator } from './catalogue.js';
import { FIRST_INDICATORS, INDICATOR_IDS, readChosen, type IndicatorId } from './chosen.js';

/** Twelve bars, six of one day (UTC) and six of the next. */
const BARS: readonly Bar[] = (
  [
    [10, 12, 9, 11, 100],
    [11, 12, 10, 12, 150],
    [12, 13, 11, 11, 120],
    [11, 13, 10, 13, 200],
    [13, 15, 11, 14, 180],
    [14, 15, 12, 13, 160],
    [13, 15, 12, 15, 210],
    [15, 16, 13, 14, 190],
    [14, 15, 11, 12, 170],
    [12, 13, 10, 11, 220],
    [11, 13, 10, 13, 140],
    [13, 14, 11, 12, 130],
  ] as const
).map(([open, high, low, close, volume], at) => ({ time: at * 14_400_000, open, high, low, close, volume }));
const _ = null;
const indicatorOf = (id: IndicatorId): Indicator => INDICATORS.find((one) => one.id === id)!;
const rounded = (line: readonly (number | undefined)[]): (number | null)[] =>
  line.map((value) => (value === undefined ? null : Math.round(value * 10_000) / 10_000 + 0));
const closesOf = (...closes: readonly number[]): Bar[] =>
  closes.map((close, at) => ({ time: at * 60_000, open: close, high: close, low: close, close, volume: 1 }));

/**
 * Worked with each indicator's definition alone, as sums over the bars: smoothed lines by their weights in closed form,
 * never by the step from the bar before.
 */
test.each<[IndicatorId, number[], (number | null)[][]]>([
  ['MA', [3], [[_, _, 11.3333, 12, 12.6667, 13.3333, 14, 14, 13.6667, 12.3333, 12, 12]]],
  ['EMA', [3], [[_, _, 11.3333, 12.1667, 13.0833, 13.0417, 14.0208, 14.0104, 13.0052, 12.0026, 12.5013, 12.2507]]],
  ['WMA', [3], [[_, _, 11.3333, 12.1667, 13.1667, 13.3333, 14.1667, 14.1667, 13.1667, 11.8333, 12.1667, 12.1667]]],
  ['SMMA', [3], [[_, _, 11.3333, 11.8889, 12.5926, 12.7284, 13.4856, 13.6571, 13.1047, 12.4031, 12.6021, 12.4014]]],
  [
    'BOLL',
    [4, 2],
    [
      [_, _, _, 11.75, 12.5, 12.75, 13.75, 14, 13.5, 13, 12.5, 12],
      [_, _, _, 13.4083, 14.7361, 14.9294, 15.4083, 15.4142, 15.7361, 16.1623, 14.7361, 13.4142],
      [_, _, _, 10.0917, 10.2639, 10.5706, 12.0917, 12.5858, 11.2639, 9.8377, 10.2639, 10.5858],
    ],
  ],
  [
    'VWAP',
    [],
    [[10.6667, 11.0667, 11.2613, 11.5205, 11.9556, 12.1978, 14, 14.1583, 13.7135, 13.0506, 12.8925, 12.8239]],
  ],
  [
    'DC',
    [3],
    [
      [_, _, 11, 11.5, 12.5, 12.5, 13, 14, 13.5, 13, 12.5, 12],
      [_, _, 13, 13, 15, 15, 15, 16, 16, 16, 15, 14],
      [_, _, 9, 10, 10, 10, 11, 12, 11, 10, 10, 10],
    ],
  ],
  ['ATR', [3], [[_, _, 2.3333, 2.5556, 3.037, 3.0247, 3.0165, 3.011, 3.3406, 3.2271, 3.1514, 3.1009]]],
  [
    'KC',
    [3, 2, 3],
    [
      [_, _, 11.3333, 12.1667, 13.0833, 13.0417, 14.0208, 14.0104, 13.0052, 12.0026, 12.5013, 12.2507],
      [_, _, 16, 17.2778, 19.1574, 19.091, 20.0538, 20.0324, 19.6865, 18.4568, 18.8041, 18.4525],
      [_, _, 6.6667, 7.0556, 7.0093, 6.9923, 7.9879, 7.9885, 6.3239, 5.5484, 6.1985, 6.0488],
    ],
  ],
  [
    'ICHIMOKU',
    [2, 3, 4],
    [
      [_, 10.5, 11.5, 11.5, 12.5, 13, 13.5, 14, 13.5, 12.5, 11.5, 12],
      [_, _, 11, 11.5, 12.5, 12.5, 13, 14, 13.5, 13, 12.5, 12],
      [_, _, _, _, _, 11.25, 11.5, 12.5, 12.75, 13.25, 14, 13.5],
      [_, _, _, _, _, _, 11, 12.5, 12.5, 12.5, 13.5, 13.5],
      [13, 14, 13, 15, 14, 12, 11, 13, 12, _, _, _],
    ],
  ],
  [
    'MACD',
    [3, 5, 2],
    [
      [_, _, _, _, 0.8833, 0.575, 0.7097, 0.4697, -0.022, -0.3488, -0.0663, -0.1278],
      [_, _, _, _, _, 0.7292, 0.7162, 0.5519, 0.1693, -0.1761, -0.1029, -0.1195],
      [_, _, _, _, _, -0.1542, -0.0065, -0.0822, -0.1913, -0.1727, 0.0366, -0.0083],
    ],
  ],
  ['RSI', [3], [[_, _, _, 75, 81.8182, 58.0645, 77.5862, 57.508, 32.3741, 24.382, 56.5564, 42.8745]]],
  [
    'KDJ',
    [3, 3, 3],
    [
      [_, _, 50, 66.6667, 71.1111, 67.4074, 78.2716, 68.8477, 52.5652, 40.599, 47.066, 48.044],
      [_, _, 50, 55.5556, 60.7407, 62.963, 68.0658, 68.3265, 63.0727, 55.5815, 52.743, 51.1766],
      [_, _, 50, 88.8889, 91.8519, 76.2963, 98.6831, 69.8903, 31.5501, 10.634, 35.712, 41.7787],
    ],
  ],
  ['WR', [3], [[_, _, -50, 0, -20, -40, 0, -50, -80, -83.3333, -40, -50]]],
  [
    'STOCHRSI',
    [3, 3, 2, 2],
    [
      [_, _, _, _, _, _, 41.092, 41.092, 0, 0, 50, 78.7379],
      [_, _, _, _, _, _, _, 41.092, 20.546, 0, 25, 64.369],
    ],
  ],
  ['CCI', [4], [[_, _, _, 93.3333, 133.3333, 66.6667, 95.2381, 93.3333, -104.7619, -107.6923, -42.4242, 40]]],
  ['OBV', [], [[0, 150, 30, 230, 410, 250, 460, 270, 100, -120, 20, -110]]],
  ['MFI', [3], [[_, _, _, 100, 100, 100, 100, 100, 72.452, 36.9516, 26.5543, 56.8379]]],
  [
    'DMI',
    [3],
    [
      [_, _, _, _, _, 40, 46.6667, 57.8192, 47.9521, 48.8124, 49.3859, 36.7318],
      [_, _, _, 14.2857, 30.7692, 20.2532, 13.3891, 20.111, 12.0133, 8.268, 5.6335, 14.5913],
      [_, _, _, 14.2857, 7.6923, 5.0633, 3.3473, 2.2191, 21.4582, 25.1604, 17.1434, 11.5994],
    ],
  ],
  ['ROC', [3], [[_, _, _, 18.1818, 16.6667, 18.1818, 15.3846, 0, -7.6923, -26.6667, -7.1429, 0]]],
  [
    'TRIX',
    [2, 2],
    [
      [_, _, _, _, 7.4309, 2.8957, 5.3629, 2.2588, -3.6115, -6.5282, -0.8311, -1.0231],
      [_, _, _, _, _, 5.1633, 4.1293, 3.8109, -0.6763, -5.0699, -3.6797, -0.9271],
    ],
  ],
  ['SAR', [0.1, 0.3], [[_, 9, 9, 9.8, 10, 10, 11, 12, 16, 16, 15, 14]]],
  [
    'SUPERTREND',
    [3, 0.5],
    [
      [_, _, 10.8333, 10.8333, 11.4815, 11.9877, 11.9918, 12.9945, _, _, _, _],
      [_, _, _, _, _, _, _, _, 14.6703, 13.1135, 13.0757, 13.0757],
    ],
  ],
])('%s with %j has the values of its definition [CHART-020]', (id, params, expected) => {
  expect(indicatorOf(id).compute(BARS, params).map(rounded)).toEqual(expected);
});

test('RSI 14 has the values of the worked example of StockCharts [CHART-020]', () => {
  const prices =
    '44.3389 44.0902 44.1497 43.6124 44.3278 44.8264 45.0955 45.4245 45.8433 46.0826 45.8931 46.0328 45.6140 46.2820 ' +
    '46.2820 46.0028 46.0328 46.4116 46.2222 45.6439';
  const [line] = indicatorOf('RSI').compute(closesOf(...prices.split(' ').map(Number)), [14]);
  expect(line?.slice(13).map((value) => value?.toFixed(2))).toEqual([
    undefined,
    '70.53',
    '66.32',
    '66.55',
    '69.41',
    '66.36',
    '57.97',
  ]);
});

test('EMA 10 has the values of the worked example of StockCharts [CHART-020]', () => {
  const prices =
    '22.27 22.19 22.08 22.17 22.18 22.13 22.23 22.43 22.24 22.29 22.15 22.39 22.38 22.61 23.36 24.05 23.75 23.83';
  const [line] = indicatorOf('EMA').compute(closesOf(...prices.split(' ').map(Number)), [10]);
  expect(line?.slice(9).map((value) => value?.toFixed(2))).toEqual(
    '22.22 22.21 22.24 22.27 22.33 22.52 22.80 22.97 23.13'.split(' '),
  );
});

test('each indicator gives a value or none for each bar and each of its lines, on any bars [CHART-021]', () => {
  for (const indicator of INDICATORS) {
    const { params } = initialOf(indicator);
    const names = lineNames(indicator, params);
    for (const bars of [[], BARS.slice(0, 1), BARS, closesOf(...Array<number>(200).fill(5))]) {
      const lines = indicator.compute(bars, params);
      expect([indicator.id, lines.length]).toEqual([indicator.id, names.length]);
      for (const line of lines) {
        expect([indicator.id, line.length]).toEqual([indicator.id, bars.length]);
        expect([indicator.id, line.filter((value) => value !== undefined && !Number.isFinite(value))]).toEqual([
          indicator.id,
          [],
        ]);
      }
    }
  }
  expect(INDICATORS.map(({ id }) => id)).toEqual([...INDICATOR_IDS]);
  expect(INDICATORS.length).toBeGreaterThanOrEqual(20);
});

test('a typed parameter keeps to its bounds, and lengths are whole [CHART-022]', () => {
  const [length, width] = indicatorOf('BOLL').params;
  expect(['20', '0', '4000', '2.6', '-1', '1e3', ''].map((typed) => acceptParam(length!, typed))).toEqual([
    20,
    1,
    400,
    3,
    undefined,
    undefined,
    undefined,
  ]);
  expect(['2.5', '0.01'].map((typed) => acceptParam(width!, typed))).toEqual([2.5, 0.1]);
});

test('invalid stored indicators are dropped before the chart is drawn [CHART-022]', () => {
  expect(readChosen(undefined)).toBe(FIRST_INDICATORS);
  expect(
    readChosen([{ id: 'RSI', params: [7] }, { id: 'NONE', params: [] }, { id: 'MA', params: ['x'] }, null]),
  ).toEqual([{ id: 'RSI', params: [7] }]);
});
