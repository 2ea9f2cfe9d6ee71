import { expect, jest, test } from '@jest/globals';
import {
  Asks,
  InProcessViews,
  Views,
  type ClockOffsets,
  type ProcessClock,
  type ProcessState,
} from '@bourse/messaging';
import { SystemClock, type Config } from '@bourse/platform';
import { ClockOffsetStore, ExchangeClock } from './exchange-clock.js';

class NoStore extends ClockOffsetStore {
  read(): Promise<ClockOffsets> {
    return Promise.resolve({ offsetMs: 0, sessionOffsetMs: 0 });
  }
  write(): Promise<void> {
    return Promise.resolve();
  }
}
const state = (more: Partial<ProcessState> = {}): ProcessState => ({
  fired: 0,
  due: [],
  streams: { heads: {}, positions: {} },
  ...more,
});

/**
 * An exchange of the gateway and one service, which returns these answers one after the other; the last one repeats.
 */
function exchange(...answers: (ProcessState | Error)[]): {
  clock: ExchangeClock;
  asked: () => number;
  /** How far the clock was moved at each question. Ms. */
  offsets: number[];
} {
  let asked = 0;
  const offsets: number[] = [];
  const asks = {
    ask: (_: unknown, { offsetMs }: ClockOffsets) => {
      offsets.push(offsetMs);
      const answer = answers[Math.min(asked, answers.length - 1)]!;
      asked += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  } as unknown as Asks;
  const config = { dev: true, run: 'distributed', service: 'gateway', services: { gateway: 'a', ledger: 'b' } };
  const own = { settle: () => Promise.resolve(state()) } as unknown as ProcessClock;
  const clock = new ExchangeClock(
    new SystemClock(),
    new InProcessViews(),
    new NoStore(),
    config as unknown as Config,
    asks,
    own,
  );
  return { clock, asked: () => asked, offsets };
}
const stream = 'ledger>user.events/0';
const at = (head: number, read: number): ProcessState['streams'] => ({
  heads: { [stream]: head },
  positions: { 'gateway.events': { [stream]: read } },
});

test('where nothing was due the call answers at once, however busy the streams are [TIMER-009]', async () => {
  const { clock, asked } = exchange(state({ streams: at(50, 50) }), state({ streams: at(90, 50) }));
  expect(await clock.advance(1_000, false)).toEqual([]);
  expect(asked()).toBe(2);
});

test('the clock moves once what had been sent before is read, or after 2 s [TIMER-010]', async () => {
  const { clock, offsets } = exchange(
    state({ streams: at(10, 4) }),
    // Written later, so not waited for.
    state({ streams: at(12, 9) }),
    state({ streams: at(12, 10) }),
  );
  expect(await clock.advance(1_000, false)).toEqual([]);
  expect(offsets).toEqual([0, 0, 0, 1_000]);

  const stuck = exchange(state({ streams: at(10, 4) }));
  expect(await stuck.clock.advance(1_000, false)).toEqual([]);
  expect(stuck.offsets.at(-1)).toBe(1_000);
});

test('waits for a due timer, an unavailable service, and the messages of a timer [TIMER-009]', async () => {
  const { clock, asked } = exchange(
    state(),
    new Error('it starts'),
    state({ due: ['ledger'] }),
    state({ fired: 3, streams: at(10, 4) }),
    state({ streams: at(10, 9) }),
    // Written later, so not waited for in this turn.
    state({ streams: at(12, 10) }),
    state({ streams: at(12, 12) }),
  );
  expect(await clock.advance(1_000, false)).toEqual([]);
  expect(asked()).toBeGreaterThanOrEqual(9);
});

test('after 20 s it returns the timers that still run [TIMER-009]', async () => {
  const real = performance.now.bind(performance);
  let ahead = 0;
  const time = jest.spyOn(performance, 'now').mockImplementation(() => real() + (ahead += 4_000));
  try {
    const due = exchange(state({ due: ['ledger'] }));
    expect(await due.clock.advance(1_000, false)).toEqual(['timers of ledger']);
    const behind = exchange(state({ fired: 1, streams: at(10, 4) }));
    expect(await behind.clock.advance(1_000, false)).toEqual([`gateway.events reads ${stream}`]);
    const away = exchange(new Error('gone'));
    expect(await away.clock.advance(1_000, false)).toEqual(['ledger does not answer']);
  } finally {
    time.mockRestore();
  }
});

test('the clock is published again as it is stored when its view may be lost [LOG-076]', async () => {
  const published: unknown[] = [];
  let gap = (): void => undefined;
  const views = {
    publish: (channel: string, offsets: ClockOffsets, keep: boolean) => published.push([channel, offsets, keep]),
    onGap: (listener: () => void) => (gap = listener),
  } as unknown as Views;
  let stored = { offsetMs: 5_000, sessionOffsetMs: 1_000 };
  const store = { read: () => Promise.resolve(stored) } as unknown as ClockOffsetStore;
  const system = new SystemClock();
  const config = { dev: true } as unknown as Config;
  const clock = new ExchangeClock(system, views, store, config, {} as Asks, {} as ProcessClock);
  await clock.onApplicationBootstrap();
  // Another gateway has moved it.
  stored = { offsetMs: 9_000, sessionOffsetMs: 1_000 };
  gap();
  await new Promise((resolve) => setImmediate(resolve));
  expect(published).toEqual([
    ['clock', { offsetMs: 5_000, sessionOffsetMs: 1_000 }, true],
    ['clock', { offsetMs: 9_000, sessionOffsetMs: 1_000 }, true],
  ]);
  expect(system.offset()).toBe(9_000);
});
