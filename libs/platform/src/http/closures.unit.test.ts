import { describe, expect, test } from '@jest/globals';
import { NO_OUT_STOPS } from '@bourse/contract';
import { breakersOf, closuresOf, isClosedByMode, refuseOut, waitsForAuditors } from './closures.js';
import type { CallPolicy } from './call.js';
import { Unavailable } from './unavailable.js';

const call = (more: Partial<CallPolicy> = {}): CallPolicy => ({
  method: 'POST',
  path: '/api/a/call',
  auth: 'user',
  money: true,
  ...more,
});

describe('conditions that close a call', () => {
  test.each<[string, Partial<CallPolicy>, boolean]>([
    ['a money call without a gate', {}, true],
    ['an order', { gates: ['trade'], rate: 'order' }, true],
    ['a claim', { rate: 'order' }, true],
    ['what a frozen account may do', { whileFrozen: true }, false],
    ['what moves nothing', { movesNothing: true }, false],
    ['a call without money', { money: false, rate: 'transfer' }, false],
    ['a call of an operator', { auth: 'operator' }, false],
  ])('%s waits for the auditors: %j: %s [HARD-413]', (_name, more, waits) => {
    expect(waitsForAuditors(call(more))).toBe(waits);
  });

  test('a call that moves value to another person is closed by the breaker of withdrawals as well [HARD-412]', () => {
    expect(breakersOf(call({ breaker: 'c2c' }), 'yes')).toEqual(['c2c', 'withdraw']);
    expect(breakersOf(call({ breaker: 'c2c' }), 'no')).toEqual(['c2c']);
    expect(breakersOf(call({ breaker: 'withdraw' }), 'yes')).toEqual(['withdraw']);
    expect(breakersOf(call(), 'object')).toEqual([]);
  });

  test('`cancel_only` closes all calls but cancels, `halted` closes that too [HARD-413]', () => {
    const closed = (more: Partial<CallPolicy>, mode: string): boolean =>
      isClosedByMode(call({ breaker: 'savings', ...more }), 'savings', mode);
    expect([closed({}, 'normal'), closed({}, 'cancel_only'), closed({}, 'halted')]).toEqual([false, true, true]);
    expect([closed({ cancels: true }, 'cancel_only'), closed({ cancels: true }, 'halted')]).toEqual([false, true]);
  });

  test('the document states the policy [HARD-413]', () => {
    expect(closuresOf(call({ gates: ['c2c'], breaker: 'c2c', movesOut: { field: 'type', value: 'sell' } }))).toEqual({
      another_person: 'type=sell',
      freezes: ['all', 'c2c'],
      breakers: ['c2c'],
      halted_only: false,
      audit_alarm: true,
    });
    expect(closuresOf(call({ rate: 'withdraw' }))).toMatchObject({
      another_person: 'always',
      freezes: ['all', 'withdraw'],
      breakers: ['withdraw'],
    });
  });
});

describe('a service that moves coins to another person', () => {
  test('refuses by the stops that the edge has sent, and does nothing without them [HARD-411]', () => {
    expect(() => refuseOut({ outStops: NO_OUT_STOPS }, null, 1)).not.toThrow();
    expect(() => refuseOut({}, null, 1)).toThrow(Unavailable);
    const outStops = { ...NO_OUT_STOPS, blocked: { since: 1_000, until: 86_400_000 } };
    expect(() => refuseOut({ outStops }, null, 2_000)).toThrow(
      expect.objectContaining({
        key: 'wallet.blocked',
        params: { until: '1970-01-02 00:00:00' },
      }) as unknown as Error,
    );
    expect(() => refuseOut({ outStops }, 999, 2_000)).not.toThrow();
  });
});
