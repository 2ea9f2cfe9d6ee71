import { describe, expect, test } from '@jest/globals';
import { ageOf, auditWord, leastCovered, median } from './figures.js';

test('latency is the middle of the round trips [HOME-004]', () => {
  expect(median([])).toBeUndefined();
  expect(median([9])).toBe(9);
  expect(median([30, 8, 9, 400, 10])).toBe(10);
  expect(median([8, 10])).toBe(8);
});

describe('solvency', () => {
  test('the coin that is covered least speaks for the house, exactly [HOME-005]', () => {
    expect(
      leastCovered([
        { currency: 'USDT', assets: '33590312.5', liabilities: '20480000' },
        { currency: 'BTC', assets: '10.00000001', liabilities: '10' },
        { currency: 'ADA', assets: '0', liabilities: '0' },
      ]),
    ).toEqual({ currency: 'BTC', percent: '100.00', covered: true });
  });

  test('a hair too little is not covered, although it rounds to a hundred [HOME-005]', () => {
    expect(leastCovered([{ currency: 'BTC', assets: '9.99999999', liabilities: '10' }])).toEqual({
      currency: 'BTC',
      percent: '99.99',
      covered: false,
    });
  });

  test('where nothing is owed nothing is said [HOME-005]', () => {
    expect(leastCovered([{ currency: 'BTC', assets: '1', liabilities: '0' }])).toBeUndefined();
  });
});

test('the auditors are believed only while they speak [HOME-006]', () => {
  expect(auditWord({ audit: 'ok', audit_age_ms: 15_000 })).toBe('ok');
  expect(auditWord({ audit: 'alarm', audit_age_ms: -1 })).toBe('alarm');
  expect(auditWord({ audit: 'ok', audit_age_ms: -1 })).toBe('unknown');
  expect(auditWord({ audit: 'ok', audit_age_ms: 600_001 })).toBe('unknown');
});

test('an age is told in seconds, then in minutes [HOME-006]', () => {
  expect(ageOf(14_600)).toEqual({ unit: 'seconds', count: 15 });
  expect(ageOf(119_999)).toEqual({ unit: 'seconds', count: 120 });
  expect(ageOf(125_000)).toEqual({ unit: 'minutes', count: 2 });
});
