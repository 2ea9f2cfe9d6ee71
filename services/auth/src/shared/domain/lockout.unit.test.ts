import { describe, expect, test } from '@jest/globals';
import { mayResend, type Sent } from './code.js';
import { fundBarrier, fundTriesLeft, loginBarrier, loginNeedsCode } from './lockout.js';
import { masked, securityLevel } from './profile.js';

const MINUTE = 60_000;

describe('login [AUTH-003]', () => {
  test('the code comes before the full lock', () => {
    expect(loginBarrier({ recent: 20, day: 20 }, { codeDemanded: true, codeGiven: false })).toBe('code');
    expect(loginBarrier({ recent: 20, day: 20 }, { codeDemanded: true, codeGiven: true })).toBe('reset');
    expect(loginBarrier({ recent: 0, day: 20 }, { codeDemanded: false, codeGiven: false })).toBe('reset');
    expect(loginBarrier({ recent: 9, day: 19 }, { codeDemanded: false, codeGiven: false })).toBe('none');
  });

  test('a code is demanded from the tenth recent failure on, or always', () => {
    expect(loginNeedsCode({ recent: 9, day: 19 }, false)).toBe(false);
    expect(loginNeedsCode({ recent: 10, day: 10 }, false)).toBe(true);
    expect(loginNeedsCode({ recent: 0, day: 0 }, true)).toBe(true);
  });
});

describe('fund password [AUTH-040]', () => {
  test('every fifth failure locks for 15 minutes, the tenth for good', () => {
    expect(fundBarrier({ count: 0, lastAt: 0 }, 0)).toEqual({ kind: 'none' });
    expect(fundBarrier({ count: 4, lastAt: 1_000 }, 1_000)).toEqual({ kind: 'none' });
    expect(fundBarrier({ count: 5, lastAt: 1_000 }, 1_000)).toEqual({ kind: 'locked', seconds: 900 });
    expect(fundBarrier({ count: 5, lastAt: 0 }, 15 * MINUTE - 1)).toEqual({ kind: 'locked', seconds: 1 });
    expect(fundBarrier({ count: 5, lastAt: 0 }, 15 * MINUTE)).toEqual({ kind: 'none' });
    expect(fundBarrier({ count: 9, lastAt: 0 }, 0)).toEqual({ kind: 'none' });
    expect(fundBarrier({ count: 10, lastAt: 0 }, 24 * 60 * MINUTE)).toEqual({ kind: 'reset' });
  });

  test('tries left count down to the next lock', () => {
    expect([1, 2, 3, 4, 5, 6, 10].map(fundTriesLeft)).toEqual([4, 3, 2, 1, 0, 4, 0]);
  });
});

describe('resending codes [AUTH-020]', () => {
  const nothing: Sent = { lastAt: null, accountHour: 0, accountDay: 0, networkHour: 0 };
  test("the pause is the scene's and is never scaled", () => {
    expect(mayResend({ ...nothing, lastAt: 0 }, 'login', 1, 100)).toEqual({
      ok: false,
      key: 'code.tooSoon',
      seconds: 60,
    });
    expect(mayResend({ ...nothing, lastAt: 0 }, 'login', 59_001, 100)).toEqual({
      ok: false,
      key: 'code.tooSoon',
      seconds: 1,
    });
    expect(mayResend({ ...nothing, lastAt: 0 }, 'login', 60_000, 100)).toEqual({ ok: true });
    expect(mayResend({ ...nothing, lastAt: 0 }, 'forget', 31_000, 100)).toEqual({ ok: true });
  });

  test('counts per hour and day are scaled', () => {
    for (const full of [{ accountHour: 5 }, { accountDay: 10 }, { networkHour: 20 }]) {
      expect(mayResend({ ...nothing, ...full }, 'login', 0, 1)).toEqual({ ok: false, key: 'code.tooMany' });
      expect(mayResend({ ...nothing, ...full }, 'login', 0, 100)).toEqual({ ok: true });
    }
  });
});

test('the security bar has a quarter for each of phone, e-mail and identity', () => {
  expect(securityLevel({ phone: false, email: false, certified: false })).toBe(25);
  expect(securityLevel({ phone: false, email: true, certified: false })).toBe(50);
  expect(securityLevel({ phone: true, email: true, certified: true })).toBe(100);
});

test('card numbers are masked', () => {
  expect(['', 'A', 'ABCD', 'ABCDE', '1234567890'].map(masked)).toEqual(['', 'A', '***D', 'AB*DE', '12******90']);
});
