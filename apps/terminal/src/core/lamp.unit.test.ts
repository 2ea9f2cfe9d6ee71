import { describe, expect, test } from '@jest/globals';
import { lampOf } from './lamp.js';

describe('the lamp of the status bar [TERM-008]', () => {
  test.each([
    [{ status: 'live', age: 100, reached: false }, 'live'],
    [{ status: 'live', age: 3_000, reached: true }, 'live'],
    [{ status: 'live', age: 3_001, reached: true }, 'old'],
    [{ status: 'live', age: 3_001, reached: false }, 'offline'],
    [{ status: 'live', reached: true }, 'live'],
    [{ status: 'reconnecting', age: 100, reached: true }, 'reconnecting'],
    [{ status: 'reconnecting', reached: false }, 'offline'],
    [{ status: 'connecting', age: Infinity, reached: true }, 'connecting'],
  ] as const)('%j is %s', (seen, lamp) => {
    expect(lampOf(seen)).toBe(lamp);
  });
});
