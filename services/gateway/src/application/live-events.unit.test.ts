import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LiveEvents } from './live-events.js';

const LANE = { everyMs: 1_000, key: (payload: Readonly<Record<string, unknown>>) => String(payload['legal_id']) };
let sent: [number, unknown, unknown][] = [];
const live = new LiveEvents((userId, _event, payload) => sent.push([userId, payload['legal_id'], payload['n']]));
beforeEach(() => {
  sent = [];
  jest.useFakeTimers();
});
afterEach(() => {
  live.stop();
  jest.useRealTimers();
});

test('a state goes out at once, then its newest value once in the time of its lane [EDGE-033]', () => {
  for (const n of [1, 2, 3]) live.add(7, 'state', { legal_id: 3, n }, LANE);
  expect(sent).toEqual([[7, 3, 1]]);
  jest.advanceTimersByTime(1_000);
  expect(sent).toEqual([
    [7, 3, 1],
    [7, 3, 3],
  ]);
  jest.advanceTimersByTime(5_000);
  expect(sent).toHaveLength(2);
  live.add(7, 'state', { legal_id: 3, n: 4 }, LANE);
  expect(sent.at(-1)).toEqual([7, 3, 4]);
});

test('users and keys do not wait for one another [EDGE-033]', () => {
  live.add(7, 'state', { legal_id: 3, n: 1 }, LANE);
  live.add(7, 'state', { legal_id: 4, n: 2 }, LANE);
  live.add(8, 'state', { legal_id: 3, n: 3 }, LANE);
  expect(sent).toHaveLength(3);
});
