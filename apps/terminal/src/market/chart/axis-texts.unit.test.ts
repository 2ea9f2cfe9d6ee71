import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { TickMarkType, type Time } from 'lightweight-charts';
import { showTimesInUtc } from '@bourse/ui';
import { fullTime, tickText } from './axis-texts.js';
import { barTime } from './bar-time.js';
import type { IntervalId } from './intervals.js';

const { Year, Month, DayOfMonth, Time: Clock } = TickMarkType;
const NEW_YEAR = Date.UTC(2027, 0, 1);
const HOUR = 3_600_000;
const at = (ms: number): Time => (ms / 1_000) as Time;
const tick = (ms: number, type: TickMarkType, interval: IntervalId): string => tickText(at(ms), type, 'en', interval);

beforeEach(() => {
  // New York in winter, five hours behind UTC.
  jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(300);
});
afterEach(() => {
  jest.restoreAllMocks();
  showTimesInUtc(false);
});

test('bars within days have the clock and the date of the zone of the device, or of UTC if chosen [CHART-034]', () => {
  const texts = (): string[] => [
    fullTime(at(NEW_YEAR), '60min'),
    tick(NEW_YEAR - HOUR / 2, Clock, '1min'),
    tick(NEW_YEAR, Year, '60min'),
    tick(NEW_YEAR + 5 * HOUR, Clock, '60min'),
    tick(NEW_YEAR + 24 * HOUR, DayOfMonth, '4hour'),
  ];
  expect(texts()).toEqual(['2026-12-31 19:00', '18:30', '31', '2027', '1']);
  showTimesInUtc(true);
  expect(texts()).toEqual(['2027-01-01 00:00', '23:30', '2027', '05:00', '2']);
});

test('bars of a day or longer have the dates of UTC in every zone, and no clock [CHART-034]', () => {
  for (const utc of [false, true]) {
    showTimesInUtc(utc);
    for (const interval of ['1day', '1week', '1mon'] as const)
      expect([
        fullTime(at(NEW_YEAR), interval),
        barTime(NEW_YEAR, interval),
        tick(NEW_YEAR, Year, interval),
        tick(Date.UTC(2026, 11, 1), Month, interval),
        tick(Date.UTC(2026, 11, 7), DayOfMonth, interval),
      ]).toEqual(['2027-01-01', '2027-01-01', '2027', 'Dec', '7']);
  }
});
