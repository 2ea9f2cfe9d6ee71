import { expect, test } from '@jest/globals';
import { keyOf } from './keyed.js';

test('an act without an answer is repeated only where the call takes an idempotency key [CONSOLE-335]', () => {
  expect(keyOf('POST', '/api/admin/house/fund', 'a')).toEqual({ intent: 'a' });
  expect(keyOf('POST', '/api/admin/adjustments/create', 'a')).toEqual({ intent: 'a' });
  for (const path of ['/api/admin/notices', '/api/admin/complaints/answer', '/api/admin/solvency/snapshot'])
    expect(keyOf('POST', path, 'a')).toEqual({});
  expect(keyOf('DELETE', '/api/admin/news', 'a')).toEqual({});
});
