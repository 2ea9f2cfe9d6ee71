import { describe, expect, test } from '@jest/globals';
import { fold, onScale, SCALE, type Candle } from './candle.js';
import { DAY, intervalStart, MINUTE, nextStart, PERIODS, type Period } from './period.js';
import { simulatedSource } from './price-source.js';
import { pastCandles } from './simulated-history.js';

const now = Date.UTC(2026, 3, 17, 11, 41);
const first = 377_80000000n;
const past = simulatedSource('LTC/USDT', now, first).past();
const candles = pastCandles(past, now);
const of = (period: Period): readonly Candle[] => candles.get(period)!;

describe('the simulated history of a fresh install', () => {
  test.each(PERIODS)('%s candles have no hole and end now [MARKET-017]', (period) => {
    const bars = of(period);
    expect(bars.length).toBeGreaterThan(period === '1mon' ? 12 : period === '1week' ? 50 : 350);
    expect(bars.slice(1).map(({ time }) => time)).toEqual(bars.slice(0, -1).map(({ time }) => nextStart(period, time)));
    expect(bars.at(-1)!.time).toBe(intervalStart(period, now - MINUTE));
  });

  test('the last candle closes at the first price, and each opens where the one before closed [MARKET-017]', () => {
    for (const period of PERIODS) {
      const bars = of(period);
      expect(bars.at(-1)!.close).toBe(first);
      expect(bars.slice(1).map(({ open }) => open)).toEqual(bars.slice(0, -1).map(({ close }) => close));
    }
  });

  test.each([
    ['1min', '5min', 1],
    ['5min', '15min', 5],
    ['60min', '1day', 60],
    ['1day', '1week', 400],
    ['1day', '1mon', 400],
  ] as const)('where %s reaches, %s is its fold [MARKET-017]', (finer, coarser, days) => {
    const from = intervalStart('1day', now - days * DAY);
    const folded = fold(of(finer), coarser);
    const bars = of(coarser).filter(({ time }) => time >= from);
    expect(bars).toEqual(folded.filter(({ time }) => time >= from));
  });

  test('it makes no volume, and its prices are on the scale of the pair [MARKET-017]', () => {
    for (const bar of of('1day')) {
      expect(bar.volume).toBe(0n);
      const shown = onScale(bar, 2);
      for (const price of [shown.open, shown.high, shown.low, shown.close])
        expect(price % 10n ** BigInt(SCALE - 2)).toBe(0n);
    }
  });

  test('before a recording it ends where that begins; without a simulation nothing is there [MARKET-017]', () => {
    const begin = now - 3 * 60 * MINUTE;
    const minutes = pastCandles(past, now).get('1min')!.slice(-180);
    const before = simulatedSource('LTC/USDT', begin, minutes[0]!.open).past().before;
    const joined = pastCandles({ minutes, before }, now).get('1min')!;
    expect(joined.slice(-180)).toEqual(minutes);
    expect(joined.at(-181)!.close).toBe(minutes[0]!.open);
    expect(pastCandles({ minutes, before: null }, now).get('1min')).toEqual(minutes);
  });
});
