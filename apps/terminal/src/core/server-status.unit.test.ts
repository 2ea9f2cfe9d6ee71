import { expect, test } from '@jest/globals';
import { ageOf, auditWord } from './server-status.js';

test('the auditors are believed only while they speak [HOME-006]', () => {
  expect(auditWord({ audit: 'ok', audit_age_ms: 15_000 })).toBe('ok');
  expect(auditWord({ audit: 'alarm', audit_age_ms: -1 })).toBe('alarm');
  expect(auditWord({ audit: 'ok', audit_age_ms: -1 })).toBe('unknown');
  expect(auditWord({ audit: 'ok', audit_age_ms: 600_001 })).toBe('unknown');
});

test('an age is shown in seconds, then in minutes [HOME-006]', () => {
  expect(ageOf(14_600)).toEqual({ unit: 'seconds', count: 15 });
  expect(ageOf(119_999)).toEqual({ unit: 'seconds', count: 120 });
  expect(ageOf(125_000)).toEqual({ unit: 'minutes', count: 2 });
});
