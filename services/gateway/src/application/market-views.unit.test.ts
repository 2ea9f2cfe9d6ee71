import { describe, expect, test } from '@jest/globals';
import type { Views } from '@bourse/messaging';
import type { Clock } from '@bourse/platform';
import { MarketViews } from './market-views.js';

const NOW = 1_767_225_600_000;

/** The views of an exchange whose feed has said this. */
function viewsOf(ages: Readonly<Record<string, number>>): MarketViews {
  const prices = Object.fromEntries(
    Object.entries(ages).map(([symbol, age]) => [symbol, { price: '1', at: NOW - age }]),
  );
  const subscribe = (channel: string, take: (view: object) => void) => {
    if (channel === 'feed') take({ at: NOW, kind: 'recorded', prices });
    return () => undefined;
  };
  const views = new MarketViews({ subscribe } as unknown as Views, { now: () => NOW } as Clock);
  views.onApplicationBootstrap();
  return views;
}

describe('how old the index is', () => {
  test('a pair that has fallen silent among living ones is named, to the millisecond [EDGE-037]', () => {
    const views = viewsOf({ 'BTC/USDT': 40, 'ETH/USDT': 5_001, 'XRP/USDT': 5_000, 'LTC/USDT': 90_000 });
    expect(views.feedAgeMs()).toBe(40);
    expect(views.stalePairs()).toEqual(['ETH/USDT', 'LTC/USDT']);
  });

  test('before the first price there is none to be stale [EDGE-037]', () => {
    expect(viewsOf({}).feedAgeMs()).toBe(-1);
    expect(viewsOf({}).stalePairs()).toEqual([]);
  });
});
