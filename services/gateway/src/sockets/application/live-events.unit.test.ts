import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { PRIVATE_EVENTS } from '@bourse/contract';
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

test('a state is sent at once, then its newest value once per interval of its lane [EDGE-033]', () => {
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

test('states that are not whole are merged while they wait, and not after they were sent [EDGE-033]', () => {
  const states: unknown[] = [];
  const merging = new LiveEvents((_userId, _event, { trades_all: open, trades_entrust: pending }) =>
    states.push({ open, pending }),
  );
  const { lane } = PRIVATE_EVENTS.lever_trade;
  const add = (open: readonly string[], pending: readonly string[]): void =>
    merging.add(
      7,
      'lever_trade',
      { legal_id: 3, trades_all: open.map((id) => ({ id })), trades_entrust: pending.map((id) => ({ id })) },
      lane,
    );
  add([], ['1']);
  // The second and the third are new; the second opens before the state is sent.
  for (const [open, pending] of [
    [[], ['2']],
    [[], ['3']],
    [['2'], []],
  ] as const)
    add(open, pending);
  jest.advanceTimersByTime(1_000);
  add(['2'], []);
  jest.advanceTimersByTime(1_000);
  merging.stop();
  const rows = (...ids: string[]): object[] => ids.map((id) => ({ id }));
  expect(states).toEqual([
    { open: [], pending: rows('1') },
    { open: rows('2'), pending: rows('3') },
    { open: rows('2'), pending: [] },
  ]);
});

test('users and keys do not wait for one another [EDGE-033]', () => {
  live.add(7, 'state', { legal_id: 3, n: 1 }, LANE);
  live.add(7, 'state', { legal_id: 4, n: 2 }, LANE);
  live.add(8, 'state', { legal_id: 3, n: 3 }, LANE);
  expect(sent).toHaveLength(3);
});
