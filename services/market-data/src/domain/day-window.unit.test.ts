import { expect, test } from '@jest/globals';
import { quiet, type Candle } from './candle.js';
import { changePercent, DayWindow } from './day-window.js';
import { DAY, MINUTE } from './period.js';

const minute = (time: number, low: bigint, high: bigint, close: bigint, volume = 1n): Candle => ({
  ...quiet(time, low),
  high,
  low,
  close,
  volume,
  turnover: volume * close,
});
const START = 1_800_000_000_000;

test('prices go over recorded history and own trades as one line, volume over own fills [MARKET-006]', () => {
  const day = new DayWindow();
  expect(day.figures(START)).toBeNull();
  day.startAfter(50n);
  expect(day.figures(START)).toEqual({ now: 50n, yesterday: 50n, high: 50n, low: 50n, volume: 0n, turnover: 0n });
  day.add(minute(START - 2 * MINUTE, 40n, 90n, 60n, 1_000n), false);
  day.add(minute(START, 55n, 70n, 65n, 3n), true);
  day.add(minute(START, 55n, 72n, 66n, 5n), true);
  expect(day.figures(START + MINUTE)).toEqual({
    now: 66n,
    yesterday: 50n,
    high: 90n,
    low: 40n,
    volume: 5n,
    turnover: 330n,
  });
});

test('a minute older than 24 hours leaves; its close is the price of yesterday [MARKET-006]', () => {
  const day = new DayWindow();
  day.add(minute(START, 10n, 30n, 20n), true);
  day.add(minute(START + 60 * MINUTE, 15n, 25n, 22n), true);
  expect(day.figures(START + 2 * 60 * MINUTE)).toMatchObject({ yesterday: 10n, now: 22n, high: 30n, volume: 2n });
  expect(day.figures(START + DAY + MINUTE)).toMatchObject({
    yesterday: 20n,
    now: 22n,
    high: 25n,
    low: 15n,
    volume: 1n,
  });
  expect(day.figures(START + 3 * DAY)).toEqual({
    now: 22n,
    yesterday: 22n,
    high: 22n,
    low: 22n,
    volume: 0n,
    turnover: 0n,
  });
});

test('the change has two decimals, half away from zero, and no sign at zero [MARKET-006]', () => {
  expect([
    changePercent(20_000n, 20_001n),
    changePercent(20_000n, 19_999n),
    changePercent(30_000n, 30_001n),
    changePercent(100n, 100n),
    changePercent(0n, 5n),
    changePercent(5_588_050n, 5_667_000n),
  ]).toEqual([1n, -1n, 0n, 0n, 0n, 141n]);
});
