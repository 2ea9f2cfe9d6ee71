import { expect, test } from '@jest/globals';
import { fieldsFor, fileName, lastWeek, problemOf } from './span.js';

test('an export spans whole days in UTC, and begins with the last seven', () => {
  const span = lastWeek(Date.UTC(2026, 2, 3, 23, 59));
  expect(span).toEqual({ from: '2026-02-25', to: '2026-03-03' });
  expect(fieldsFor('trades', span)).toEqual({
    what: 'trades',
    from: '2026-02-25 00:00:00',
    to: '2026-03-03 23:59:59',
  });
  expect(fileName('trades', span)).toBe('trades-2026-02-25-2026-03-03.csv');
});

test('an incomplete or reversed period sends no request', () => {
  expect(problemOf({ from: '', to: '2026-03-03' })).toBe('act.required');
  expect(problemOf({ from: '2026-03-04', to: '2026-03-03' })).toBe('console.exports.backwards');
  expect(problemOf({ from: '2026-03-03', to: '2026-03-03' })).toBeUndefined();
});
