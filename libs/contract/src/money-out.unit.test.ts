import { describe, expect, test } from '@jest/globals';
import { isWithdrawal, mayMoveOut, NO_OUT_STOPS, outRefusal, outVerdict, type OutCall } from './money-out.js';

const SELL: OutCall = { gates: ['c2c'], rate: 'c2c', breaker: 'c2c', movesOut: { field: 'type', value: 'sell' } };

describe('whether a call moves value to another person', () => {
  test.each<[string, OutCall, Record<string, unknown>, string]>([
    ['a withdrawal by its gate', { gates: ['out'] }, {}, 'yes'],
    ['a return of a deposit by its rate', { rate: 'withdraw' }, {}, 'yes'],
    ['what stands behind the breaker of withdrawals', { breaker: 'withdraw' }, {}, 'yes'],
    ['a sell ad', SELL, { type: 'sell' }, 'yes'],
    ['a buy ad', SELL, { type: 'buy' }, 'no'],
    ['an ad without a type', SELL, {}, 'no'],
    ['a taking, by its ad', { gates: ['c2c'], movesOut: 'object' }, { type: 'buy' }, 'object'],
    ['an order', { gates: ['trade'], rate: 'order' }, { type: 'sell' }, 'no'],
    ['a transfer between own accounts', { rate: 'transfer' }, {}, 'no'],
  ])('%s [HARD-410]', (_name, call, fields, verdict) => {
    expect(outVerdict(call, fields)).toBe(verdict);
    expect(mayMoveOut(call)).toBe(isWithdrawal(call) || call.movesOut !== undefined);
  });
});

describe('stops that keep money in', () => {
  const [SINCE, UNTIL] = [1_000, 5_000];
  const blocked = { ...NO_OUT_STOPS, blocked: { since: SINCE, until: UNTIL } };

  test('nothing that holds refuses nothing [HARD-410]', () => {
    expect(outRefusal(NO_OUT_STOPS, null, 2_000)).toBeNull();
    expect(outRefusal(NO_OUT_STOPS, 1, 2_000)).toBeNull();
  });

  test('a block refuses new deals of the call, with the time of its end [HARD-410]', () => {
    expect(outRefusal(blocked, null, 2_000)).toEqual({ key: 'wallet.blocked', until: UNTIL });
    expect(outRefusal(blocked, null, UNTIL)).toBeNull();
  });

  test.each([
    [SINCE - 1, null],
    [SINCE, 'wallet.blocked'],
    [SINCE + 1, 'wallet.blocked'],
  ])('a deal taken at %d is judged by whether the block is older [HARD-411]', (begunAt, key) => {
    expect(outRefusal(blocked, begunAt, 2_000)?.key ?? null).toBe(key);
  });

  test.each([
    ['auth.frozen', { ...NO_OUT_STOPS, frozenSince: SINCE }],
    ['market.paused', { ...NO_OUT_STOPS, pausedSince: SINCE }],
  ])('%s closes deals younger than its beginning, and all deals when that is unknown [HARD-411]', (key, stops) => {
    expect(outRefusal(stops, null, 9_000)?.key).toBe(key);
    expect(outRefusal(stops, SINCE, 9_000)?.key).toBe(key);
    expect(outRefusal(stops, SINCE - 1, 9_000)).toBeNull();
    expect(outRefusal({ ...NO_OUT_STOPS, frozenSince: 0 }, 1, 9_000)?.key).toBe('auth.frozen');
  });

  test('a freeze is reported before the breaker, the breaker before the block [HARD-410]', () => {
    const all = { frozenSince: SINCE, pausedSince: SINCE, blocked: blocked.blocked };
    expect(outRefusal(all, null, 2_000)?.key).toBe('auth.frozen');
    expect(outRefusal({ ...all, frozenSince: null }, null, 2_000)?.key).toBe('market.paused');
  });
});
