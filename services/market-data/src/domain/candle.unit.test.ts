import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { addFills, EMPTY_SERIES, extend, fold, quiet, withoutHoles, type Candle } from './candle.js';
import { intervalStart, nextStart, periodOf, PERIODS, shiftStart } from './period.js';
import { minutesOf, parseRecording } from './recording.js';

const at = (text: string): number => Date.parse(`${text}Z`);
const fill = (sequence: number, time: string, price: bigint, quantity = 1n) => ({
  sequence,
  at: at(time),
  price,
  quantity,
  counted: true,
});

describe('periods', () => {
  test('all names a client may use mean one of eight periods [MARKET-001]', () => {
    expect(
      [
        '1min',
        '5min',
        '15min',
        '30min',
        '60min',
        '1day',
        '1week',
        '1mon',
        '1',
        '5',
        '15',
        '30',
        '60',
        '1D',
        'D',
        '1W',
        'W',
        '1M',
        'M',
      ].map(periodOf),
    ).toEqual([
      ...PERIODS,
      '1min',
      '5min',
      '15min',
      '30min',
      '60min',
      '1day',
      '1day',
      '1week',
      '1week',
      '1mon',
      '1mon',
    ]);
    for (const wrong of ['', '2min', '1d', '1H', 'constructor', '60 ']) expect(periodOf(wrong)).toBeNull();
  });

  test('weeks begin on Monday and months on the first, UTC [MARKET-001]', () => {
    expect(intervalStart('1week', at('2026-11-22T23:59:59'))).toBe(at('2026-11-16T00:00:00'));
    expect(intervalStart('1week', at('2026-11-23T00:00:00'))).toBe(at('2026-11-23T00:00:00'));
    expect(intervalStart('1mon', at('2024-02-29T12:00:00'))).toBe(at('2024-02-01T00:00:00'));
    expect(nextStart('1mon', at('2024-12-01T00:00:00'))).toBe(at('2025-01-01T00:00:00'));
    expect(shiftStart('1mon', at('2024-03-01T00:00:00'), -14)).toBe(at('2023-01-01T00:00:00'));
    expect(intervalStart('60min', at('2026-11-22T23:59:59'))).toBe(at('2026-11-22T23:00:00'));
  });
});

describe('bars of fills', () => {
  test('open is the first fill, close the last, volume their sum [MARKET-002]', () => {
    const { series, changed } = addFills(EMPTY_SERIES, [
      fill(1, '2026-01-01T00:00:01', 10n, 2n),
      fill(2, '2026-01-01T00:00:30', 14n, 3n),
      fill(3, '2026-01-01T00:00:59', 9n),
    ]);
    expect(series.bars['1min']).toMatchObject({
      time: at('2026-01-01T00:00:00'),
      open: 10n,
      high: 14n,
      low: 9n,
      close: 9n,
      volume: 6n,
    });
    expect(changed['1min']).toHaveLength(1);
    expect(series).toMatchObject({ close: 9n, sequence: 3 });
  });

  test('a fill that does not count moves no price and no volume, but its number is known [HARD-210]', () => {
    const before = addFills(EMPTY_SERIES, [fill(1, '2026-01-01T00:00:01', 10n, 2n)]).series;
    const { series, changed } = addFills(before, [
      { ...fill(2, '2026-01-01T00:00:30', 99n, 7n), counted: false },
      { ...fill(3, '2026-01-01T00:02:00', 1n, 7n), counted: false },
    ]);
    expect(series).toEqual({ ...before, sequence: 3 });
    expect(PERIODS.flatMap((period) => changed[period])).toEqual([]);
  });

  test('bars built fill by fill equal the fold of the minutes as they are served, in every period [MARKET-002]', () => {
    const fills = Array.from({ length: 400 }, (_, index) => ({
      sequence: index + 1,
      at: at('2026-01-30T22:58:10') + index * 97_000 + (index % 7) * 31_000,
      price: BigInt(1000 + ((index * 37) % 101)),
      quantity: BigInt(1 + (index % 5)),
      counted: true,
    }));
    const kept = Object.fromEntries(PERIODS.map((period) => [period, new Map<number, Candle>()]));
    const latest = Math.max(...fills.map((one) => one.at));
    let series = EMPTY_SERIES;
    for (let index = 0; index < fills.length; index += 3) {
      const result = addFills(series, fills.slice(index, index + 3));
      series = result.series;
      for (const period of PERIODS) for (const bar of result.changed[period]) kept[period]!.set(bar.time, bar);
    }
    const minutes = withoutHoles([...kept['1min']!.values()], '1min', fills[0]!.at - 60_000, latest, null);
    expect(minutes.some(({ volume }) => volume === 0n)).toBe(true);
    for (const period of PERIODS) {
      const stored = [...kept[period]!.values()];
      const served = withoutHoles(stored, period, stored[0]!.time, latest, null);
      expect(served).toEqual(fold(minutes, period));
    }
  });

  test('a fill that is older than the bar in progress never opens an older bar [MARKET-002]', () => {
    const first = addFills(EMPTY_SERIES, [fill(1, '2026-01-01T00:01:00', 10n)]);
    const { changed } = addFills(first.series, [fill(2, '2026-01-01T00:00:59', 12n)]);
    expect(changed['1min']).toEqual([
      expect.objectContaining({ time: at('2026-01-01T00:01:00'), open: 10n, high: 12n, close: 12n, volume: 2n }),
    ]);
  });

  test('an interval whose first minute was quiet opens at the previous close [MARKET-003]', () => {
    expect(extend(null, '5min', { ...quiet(at('2026-01-01T00:02:00'), 12n), volume: 1n }, 10n)).toMatchObject({
      time: at('2026-01-01T00:00:00'),
      open: 10n,
      high: 12n,
      low: 10n,
      close: 12n,
    });
    expect(extend(null, '5min', quiet(at('2026-01-01T00:02:00'), 12n), null)).toMatchObject({ open: 12n, low: 12n });
  });

  test('quiet intervals have the close before and volume 0; nothing comes before the first [MARKET-003]', () => {
    const bars = [quiet(60_000, 5n), { ...quiet(240_000, 7n), volume: 3n }];
    expect(
      withoutHoles(bars, '1min', 0, 360_000, null).map(({ time, close, volume }) => [time, close, volume]),
    ).toEqual([
      [60_000, 5n, 0n],
      [120_000, 5n, 0n],
      [180_000, 5n, 0n],
      [240_000, 7n, 3n],
      [300_000, 7n, 0n],
      [360_000, 7n, 0n],
    ]);
    expect(withoutHoles([], '1min', 61_000, 180_000, 5n)).toEqual([quiet(120_000, 5n), quiet(180_000, 5n)]);
    expect(withoutHoles([], '1min', 0, 180_000, null)).toEqual([]);
    expect(withoutHoles(bars, '1min', 120_000, 180_000, null)).toEqual([quiet(120_000, 5n), quiet(180_000, 5n)]);
  });
});

/** Tests on recorded markets take MARKET_DATA_DIR, else the folder beside the clone, else the bundled recordings. */
const folder = [process.env['MARKET_DATA_DIR'], new URL('../../../../../shared/data', import.meta.url).pathname].find(
  (candidate) => candidate !== undefined && existsSync(`${candidate}/candles/BTC-USDT_5m.csv.gz`),
);
const read = (path: string, minutes: number) =>
  parseRecording(gunzipSync(readFileSync(path)).toString(), minutes * 60_000);

test('five-minute candles folded from minutes equal the recorded, but where the source differs [MARKET-004]', () => {
  if (!folder) {
    const recorded = read(new URL('../../recordings/ETH-USD_5m_2023-03.csv.gz', import.meta.url).pathname, 5);
    const folded = fold(minutesOf(recorded, 0, Number.MAX_SAFE_INTEGER), '5min');
    expect(folded).toHaveLength(recorded.times.length);
    expect(folded.map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume])).toEqual(
      Array.from(recorded.times, (time, index) => [
        time,
        BigInt(recorded.opens[index]!),
        BigInt(recorded.highs[index]!),
        BigInt(recorded.lows[index]!),
        BigInt(recorded.closes[index]!),
        recorded.volumes[index]!,
      ]),
    );
    return;
  }
  const minutes = read(`${folder}/candles/BTC-USDT_1m.csv.gz`, 1);
  const five = read(`${folder}/candles/BTC-USDT_5m.csv.gz`, 5);
  const folded = new Map(fold(minutesOf(minutes, 0, Number.MAX_SAFE_INTEGER), '5min').map((bar) => [bar.time, bar]));
  expect(folded.size).toBe(five.times.length);
  const tolerance = 100n; // 1e-6 of the base, as the description of the recordings says
  const differing = Array.from(five.times).filter((time, index) => {
    const bar = folded.get(time);
    if (!bar) throw new Error(`no candle at ${new Date(time).toISOString()}`);
    if (bar.open !== BigInt(five.opens[index]!) || bar.close !== BigInt(five.closes[index]!))
      throw new Error(`open or close of ${new Date(time).toISOString()} differ`);
    const volume = bar.volume - five.volumes[index]!;
    return (
      bar.high !== BigInt(five.highs[index]!) ||
      bar.low !== BigInt(five.lows[index]!) ||
      volume > tolerance ||
      volume < -tolerance
    );
  });
  expect(differing.map((time) => new Date(time).toISOString().slice(5, 16))).toEqual([
    ...['10', '15', '20'].map((minute) => `04-22T02:${minute}`),
    ...['40', '45', '50', '55'].map((minute) => `04-23T01:${minute}`),
    ...['00', '05', '10', '15', '20', '25', '35', '40', '45'].map((minute) => `04-23T02:${minute}`),
  ]);
});
