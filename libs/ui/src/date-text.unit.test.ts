import { expect, test } from '@jest/globals';
import { isDateText } from './date-text.js';

test('a date is a day that exists, with a time a minute of it [UI-050]', () => {
  const days = [
    '2026-01-31',
    '2024-02-29',
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '31.01.2026',
    '2026-01-31T18:30',
    '',
  ];
  expect(days.map((text) => isDateText(text, false))).toEqual([true, true, false, false, false, false, false, false]);
  const minutes = ['2026-01-31T18:30', '2026-01-31T24:00', '2026-02-31T00:00', '2026-01-31 18:30', '2026-01-31'];
  expect(minutes.map((text) => isDateText(text, true))).toEqual([true, false, false, false, false]);
});
