import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SEED_PAIRS, type PairRow } from '@bourse/contract';
import type { Lease } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Metrics } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { eventually, SimulatedClock } from '@bourse/testing';
import { LiveFeed } from '../src/adapters/feed/live-feed.js';
import { TickRecorder } from '../src/application/tick-recorder.js';
import { TickStore, type SignedTick } from '../src/application/tick-store.js';
import { FakeExchange } from './fake-exchange.js';

const START = Date.UTC(2026, 10, 27, 12);
const SECONDS = 60;
/** The seconds in which a source is wrong, or silent. */
const [FAULT_FROM, FAULT_TO] = [20, 40];
const BTC = SEED_PAIRS.find(({ symbol }) => symbol === 'BTC/USDT') as PairRow;

/** The true price of each second: swings of about one percent. */
const MARKET = Array.from({ length: SECONDS + 1 }, (_, second) =>
  Number((60_000 + 450 * Math.sin(second / 7) + 120 * Math.sin(second / 2.3)).toFixed(2)),
);
/** The ticker of a source in a second: a price and its time; null: none. */
type Source = (second: number) => { readonly last: number; readonly timestamp: number } | null;
const timeOf = (second: number): number => START + second * 1_000;
const isFaulty = (second: number): boolean => second >= FAULT_FROM && second < FAULT_TO;
const honest =
  (off = 0): Source =>
  (second) => ({ last: MARKET[second]! + off, timestamp: timeOf(second) - 150 });
const wrong =
  (factor: number): Source =>
  (second) => {
    const told = honest()(second)!;
    return isFaulty(second) ? { ...told, last: told.last * factor } : told;
  };
const stalling: Source = (second) => (isFaulty(second) ? null : honest()(second));
const late: Source = (second) => (second < 3 ? null : honest()(second - 3));

class CollectedTicks extends TickStore {
  readonly ticks: SignedTick[] = [];
  lead(work: (lease: Lease) => Promise<void>): { stop(): Promise<void> } {
    const ending = new AbortController();
    const done = work({ signal: ending.signal, fence: () => Promise.resolve() } as unknown as Lease);
    return {
      stop: async () => {
        ending.abort();
        await done;
      },
    };
  }
  heads = (): Promise<Map<number, never>> => Promise.resolve(new Map<number, never>());
  currentKey = (): Promise<null> => Promise.resolve(null);
  keys = (): Promise<never[]> => Promise.resolve([]);
  makeRoom = (): Promise<void> => Promise.resolve();
  transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    work({ afterCommit: () => undefined } as unknown as Tx);
  takeKeyRequest = (): Promise<boolean> => Promise.resolve(false);
  changeKey = (): Promise<number> => Promise.resolve(1);
  append(_tx: Tx, _key: object, ticks: readonly SignedTick[]): Promise<void> {
    this.ticks.push(...ticks);
    return Promise.resolve();
  }
  range = (): Promise<never[]> => Promise.resolve([]);
  newest = (): Promise<never[]> => Promise.resolve([]);
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The ticks that a production install records in a minute from these sources. */
async function replay(...sources: readonly Source[]): Promise<readonly SignedTick[]> {
  const clock = new SimulatedClock(START);
  const exchanges = sources.map(() => new FakeExchange([BTC.symbol]));
  const names = sources.map((_, place) => `exchange${place}`);
  const feed = new LiveFeed(names, clock, new FixedSettings(), () => Promise.resolve(exchanges));
  await feed.start([BTC]);
  const store = new CollectedTicks();
  let tick: (time: number) => void = () => undefined;
  const recorder = new TickRecorder(
    { onTick: (listener) => (tick = listener), price: (symbol) => feed.prices(clock.now()).get(symbol) },
    { pairs: [BTC] },
    store,
    { tickKeySecret: 'a'.repeat(64), retentionDays: { ticks: 30 } as never, dev: false },
    clock,
    new Metrics(),
  );
  recorder.start();
  stops.push(
    () => recorder.stop(),
    () => feed.stop(),
  );
  await eventually(() => exchanges.every(({ symbols }) => symbols !== undefined));
  for (let second = 0; second <= SECONDS; second += 1) {
    for (const [place, exchange] of exchanges.entries()) {
      const said = sources[place]!(second);
      if (said) await exchange.say(BTC.symbol, said);
    }
    tick(clock.now());
    // A turn of the event loop: the recorder takes the second.
    await setImmediate();
    clock.advance(1_000);
  }
  return store.ticks;
}

/** The least and the greatest true price of the last five seconds. */
function range(time: number): readonly [number, number] {
  const second = (time - START) / 1_000;
  const seen = MARKET.slice(Math.max(0, second - 5), second + 1);
  return [Math.min(...seen), Math.max(...seen)];
}
const secondsOf = (ticks: readonly SignedTick[]): number[] => ticks.map(({ time }) => (time - START) / 1_000);
/** Each tick has a price that the market had, and none is older than five seconds. */
function expectHonest(ticks: readonly SignedTick[], off = 0): void {
  for (const { time, price, at } of ticks) {
    const [low, high] = range(time);
    expect(Number(price)).toBeGreaterThanOrEqual(low);
    expect(Number(price)).toBeLessThanOrEqual(high + off);
    expect(time - at).toBeLessThanOrEqual(5_000);
    expect(at).toBeLessThanOrEqual(time);
  }
}

describe('recorded markets with a source that fails [HARD-483]', () => {
  test('three that agree: a price each second, given 150 ms before it', async () => {
    const ticks = await replay(honest(), honest(1), honest(2));
    expect(secondsOf(ticks)).toEqual(Array.from({ length: SECONDS + 1 }, (_, second) => second));
    expectHonest(ticks, 2);
    expect(new Set(ticks.map(({ time, at }) => time - at))).toEqual(new Set([150]));
  });

  test.each([0.5, 0.96, 1.04, 3])(
    'of three one prints %f of the price: nothing is recorded until it agrees again',
    async (factor) => {
      const ticks = await replay(honest(), honest(1), wrong(factor));
      expectHonest(ticks, 1);
      expect(secondsOf(ticks).filter(isFaulty)).toEqual([]);
      expect(ticks).toHaveLength(SECONDS + 1 - (FAULT_TO - FAULT_FROM));
    },
  );

  test('of three one stalls: nothing is recorded once it is older than 5 s', async () => {
    const ticks = await replay(honest(), honest(1), stalling);
    expectHonest(ticks, 1);
    const silent = secondsOf(ticks).filter((second) => second >= FAULT_FROM + 5 && second < FAULT_TO);
    expect(silent).toEqual([]);
  });

  test('of three one is 3 s late: it never decides against the two that agree', async () => {
    const ticks = await replay(honest(), honest(1), late);
    expect(ticks.length).toBeGreaterThan(SECONDS - 5);
    for (const { time, price } of ticks) {
      const now = MARKET[(time - START) / 1_000]!;
      expect(Number(price)).toBeGreaterThanOrEqual(now);
      expect(Number(price)).toBeLessThanOrEqual(now + 1);
    }
  });

  test('of three one prints a wrong price, one stalls and one is 3 s late: nothing is recorded meanwhile', async () => {
    const ticks = await replay(wrong(0.5), stalling, late);
    expectHonest(ticks);
    expect(secondsOf(ticks).filter(isFaulty)).toEqual([]);
  });

  test('with two more that agree the exchange continues, by the market alone', async () => {
    const ticks = await replay(wrong(1.6), stalling, late, honest(), honest(1));
    expect(ticks).toHaveLength(SECONDS + 1);
    expectHonest(ticks, 1);
  });
});
