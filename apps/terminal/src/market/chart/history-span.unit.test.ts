import { expect, test } from '@jest/globals';
import { serverOffset } from '../../core/server-offset.js';
import type { Bar } from '@bourse/contract';
import { historySpan, joinBars } from './intervals.js';

const NOW = Date.UTC(2026, 10, 27, 12, 0, 30);
const exchange = { get: () => Promise.resolve({ message: NOW }) } as never;

test.each([0, -300_000, -3 * 3_600_000, 7_200_000])(
  'a chart on a computer whose clock is wrong by %d ms asks up to the running bar of the exchange [CLIENT-204]',
  async (wrong) => {
    const deviceNow = (): number => NOW + wrong;
    const now = deviceNow() + (await serverOffset(exchange, deviceNow));
    expect(now).toBe(NOW);
    const { from, to } = historySpan(now, '1min');
    expect(to).toBe(NOW / 1_000 + 60);
    expect((to - from) / 60).toBe(1_500);
  },
);

const HOUR_MS = 3_600_000;
const hour = (at: number, open: number, high: number, low: number, close: number, volume: number): Bar => ({
  time: at * HOUR_MS,
  open,
  high,
  low,
  close,
  volume,
});

test('hour bars are joined to four-hour bars from 0, 4, 8 … UTC, the running one unfinished [CHART-023]', () => {
  const joined = joinBars(
    [hour(2, 9, 9, 9, 9, 1), hour(3, 9, 12, 8, 10, 2), hour(4, 10, 11, 7, 8, 3), hour(5, 8, 15, 8, 14, 4)],
    4 * HOUR_MS,
  );
  expect(joined).toEqual([hour(0, 9, 12, 8, 10, 3), hour(4, 10, 15, 7, 14, 7)]);
  expect(joinBars([], HOUR_MS)).toEqual([]);
});

test('a full history drops its oldest joined bar if hours of it are missing [CHART-023]', () => {
  const hours = Array.from({ length: 1_500 }, (_, at) => hour(at + 1, 1, 1, 1, 1, 1));
  const joined = joinBars(hours, 4 * HOUR_MS);
  expect([joined[0]?.time, joined[0]?.volume]).toEqual([4 * HOUR_MS, 4]);
  expect(joinBars(hours.slice(3), 4 * HOUR_MS)[0]?.time).toBe(4 * HOUR_MS);
});
