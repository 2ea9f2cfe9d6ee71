import { describe, expect, test } from '@jest/globals';
import { SEED_PAIRS } from '@bourse/contract';
import { Alarms } from '@bourse/platform';
import { SimulatedClock } from '@bourse/testing';
import { FeedAlarms } from '../src/application/feed-alarms.js';
import type { FeedHealth } from '../src/application/feed.js';

const [BTC, ETH, SPOT_ONLY] = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC'];
const PAIRS = SEED_PAIRS.filter(({ symbol }) => [BTC, ETH, SPOT_ONLY].includes(symbol));

function watched({ dev = false, isLive = true } = {}) {
  const clock = new SimulatedClock();
  const alarms = new Alarms();
  const health = new Map<string, FeedHealth>();
  let tick: () => void = () => undefined;
  const feed = {
    isLive,
    onTick: (listener: (now: number) => void) => (tick = () => listener(clock.now())),
    health: (symbol: string) => health.get(symbol)!,
  };
  const say = (symbol: string, more: Partial<FeedHealth> = {}): void => {
    health.set(symbol, { sources: 4, fresh: 4, at: clock.now(), outliers: [], ...more });
  };
  const all = (more: Partial<FeedHealth> = {}): void => PAIRS.forEach(({ symbol }) => say(symbol, more));
  all();
  new FeedAlarms(feed, { pairs: PAIRS }, alarms, clock, { dev }).start();
  const after = (seconds: number): Record<string, string> => {
    clock.advance(seconds * 1_000);
    tick();
    return Object.fromEntries(alarms.list().map(({ name, detail }) => [name, detail]));
  };
  return { after, say, all };
}

describe('alarms about live prices [HARD-485]', () => {
  test('a feed that never answered alarms within 16 s and names its pairs, and is quiet once it answers', () => {
    const { after, all } = watched();
    all({ fresh: 0, at: null });
    expect(after(15)).toEqual({});
    expect(after(1)).toEqual({ 'feed.silent': 'no source ever gave a price of BTC/USDT, ETH/USDT, ETH/BTC' });
    all();
    expect(after(1)).toEqual({});
  });

  test('a pair that has fallen silent among others alarms; one that no source lists does not', () => {
    const { after, say, all } = watched();
    all({ fresh: 4, at: Number.MAX_SAFE_INTEGER });
    say(ETH!, { fresh: 0 });
    say(SPOT_ONLY!, { sources: 0, fresh: 0, at: null });
    expect(after(15)).toEqual({});
    expect(after(1)).toEqual({ 'feed.silent': 'no source gives a fresh price of ETH/USDT' });
  });

  test('fewer than three fresh sources alarm in production where leverage or seconds contracts need them', () => {
    const { after, say, all } = watched();
    all({ at: Number.MAX_SAFE_INTEGER });
    say(BTC!, { fresh: 2 });
    say(SPOT_ONLY!, { fresh: 1 });
    expect(after(0)).toEqual({});
    expect(after(16)).toEqual({ 'feed.thin': expect.stringMatching(/need 3 fresh sources, there are: BTC\/USDT 2$/) });
    const demo = watched({ dev: true });
    demo.all({ fresh: 1, at: Number.MAX_SAFE_INTEGER });
    expect([demo.after(0), demo.after(60)]).toEqual([{}, {}]);
  });

  test('a source that contradicts the others alarms at once, under its own name', () => {
    const { after, say, all } = watched();
    say(BTC!, { outliers: ['kraken'] });
    say(ETH!, { outliers: ['kraken', 'okx'] });
    expect(after(1)).toEqual({
      'feed.source:kraken': 'kraken is too far from the median and left out of: BTC/USDT, ETH/USDT',
      'feed.source:okx': 'okx is too far from the median and left out of: ETH/USDT',
    });
    all();
    expect(after(1)).toEqual({});
  });

  test('recorded and scripted prices need no alarm', () => {
    const { after, all } = watched({ isLive: false });
    all({ fresh: 0, at: null });
    expect(after(3_600)).toEqual({});
  });
});
