import { expect, test } from '@jest/globals';
import type { Clock, Traffic, TrafficTotals } from '@bourse/platform';
import { Latency } from '../../shared/application/latency.js';
import { TrafficHistory } from './traffic-history.js';

function history() {
  const state = { now: 1_000_000, totals: { calls: 10, refused: 1, failed: 0 } as TrafficTotals };
  const latency = new Latency();
  const kept = new TrafficHistory({ totals: () => state.totals } as Traffic, latency, {
    real: () => state.now,
  } as Clock);
  return { state, latency, kept };
}

test('a step has calls per second, refused and failed ones, and the latency of orders [CONSOLE-323]', () => {
  const { state, latency, kept } = history();
  latency.acked('1', 12, state.now);
  state.now += 15_000;
  state.totals = { calls: 40, refused: 4, failed: 3 };
  kept.sample();
  state.now += 10_000;
  kept.sample();
  expect(kept.all()).toEqual([
    { time: 1_015_000, calls: 2, refused: 0.2, failed: 0.2, ack_p99_ms: 12 },
    { time: 1_025_000, calls: 0, refused: 0, failed: 0, ack_p99_ms: 12 },
  ]);
});

test('keeps an hour and drops the oldest step first', () => {
  const { state, kept } = history();
  for (let step = 0; step < 250; step++) {
    state.now += 15_000;
    kept.sample();
  }
  expect(kept.all()).toHaveLength(240);
  expect(kept.all()[0]?.time).toBe(1_000_000 + 11 * 15_000);
});
