import { afterEach, expect, test } from '@jest/globals';
import { TickMarkType, type Time } from 'lightweight-charts';
import { showTimesInUtc } from '@bourse/ui';
import { fullTime, tickText } from './axis-texts.js';

const AT = Date.UTC(2026, 11, 31, 23, 30);
const time = (AT / 1_000) as Time;
const { Year, Month, DayOfMonth, Time: Clock } = TickMarkType;
const texts = (): string[] => [
  fullTime(time),
  ...[Year, Month, DayOfMonth, Clock].map((type) => tickText(time, type, 'en')),
];

afterEach(() => showTimesInUtc(false));

test('the axis and the crosshair of the chart show the chosen zone, at first that of the device [CHART-034]', () => {
  const device = new Date(AT);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${two(device.getHours())}:${two(device.getMinutes())}`;
  const date = `${device.getFullYear()}-${two(device.getMonth() + 1)}-${two(device.getDate())}`;
  expect(texts()).toEqual([
    `${date} ${clock}`,
    String(device.getFullYear()),
    new Intl.DateTimeFormat('en', { month: 'short' }).format(device),
    String(device.getDate()),
    clock,
  ]);
  showTimesInUtc(true);
  expect(texts()).toEqual(['2026-12-31 23:30', '2026', 'Dec', '31', '23:30']);
});
