import { describe, expect, test } from '@jest/globals';
import type { Views } from '@bourse/messaging';
import type { Clock } from '@bourse/platform';
import { MarketViews } from './market-views.js';

const NOW = 1_767_225_600_000;

/** The views of an exchange whose feed has published these ages. */
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

describe('the sources of the index [HARD-485]', () => {
  const viewsWith = (feed: object): MarketViews => {
    const subscribe = (channel: string, take: (view: object) => void) => {
      if (channel === 'feed') take({ at: NOW, kind: 'live', prices: {}, ...feed });
      return () => undefined;
    };
    const views = new MarketViews({ subscribe } as unknown as Views, { now: () => NOW } as Clock);
    views.onApplicationBootstrap();
    return views;
  };

  test('a feed that never answered has no time, and its pairs are stale', () => {
    const sources = { 'BTC/USDT': { sources: 4, fresh: 0, at: null }, 'ETH/BTC': { sources: 0, fresh: 0, at: null } };
    const views = viewsWith({ sources });
    expect(views.feeds()).toEqual(sources);
    // ETH/BTC has no source, so its price cannot be stale.
    expect(views.stalePairs()).toEqual(['BTC/USDT']);
    expect(views.feedAgeMs()).toBe(-1);
  });

  test('a price that was fresh in the last message is stale once it is older than 5 s', () => {
    const sources = {
      'BTC/USDT': { sources: 4, fresh: 3, at: NOW - 5_000 },
      'ETH/USDT': { sources: 4, fresh: 3, at: NOW - 5_001 },
    };
    const views = viewsWith({ sources });
    expect(views.feeds()).toEqual({ ...sources, 'ETH/USDT': { ...sources['ETH/USDT'], fresh: 0 } });
    expect(views.stalePairs()).toEqual(['ETH/USDT']);
  });

  test('a market-data of the previous version sends prices only: each has one source', () => {
    expect(viewsOf({ 'BTC/USDT': 40 }).feeds()).toEqual({ 'BTC/USDT': { sources: 1, fresh: 1, at: NOW - 40 } });
  });
});

describe("the day's activity of all markets", () => {
  /** Views of an exchange with these markets; a market without a ticker is silent. */
  const activityOf = (markets: Readonly<Record<string, { turnover: string | null; tradesToday: number } | null>>) => {
    const subscribe = (channel: string, take: (view: object) => void) => {
      for (const [symbol, told] of Object.entries(markets)) {
        if (channel === 'depth/') take({ symbol, mode: 'normal', seq: 1 });
        if (channel === 'ticker/' && told) take({ symbol, volume: '1', nowPrice: '1', ...told });
      }
      return () => undefined;
    };
    const views = new MarketViews({ subscribe } as unknown as Views, { now: () => NOW } as Clock);
    views.onApplicationBootstrap();
    return views.activity();
  };
  const BTC = { turnover: '1200.55', tradesToday: 7 };

  test('turnovers and trades are added up, exactly [EDGE-038]', () => {
    const ETH = { turnover: '90071992547409.91', tradesToday: 0 };
    expect(activityOf({ 'BTC/USDT': BTC, 'ETH/USDT': ETH })).toEqual({
      markets: 2,
      volume24h: '90071992548610.46',
      tradesToday: 7,
    });
  });

  test('while a market is silent, or a price in USDT is missing, there is no sum [EDGE-038]', () => {
    expect(activityOf({ 'BTC/USDT': BTC, 'ETH/USDT': null })).toEqual({
      markets: 2,
      volume24h: null,
      tradesToday: null,
    });
    expect(activityOf({ 'BTC/USDT': { ...BTC, turnover: null } })).toEqual({
      markets: 1,
      volume24h: null,
      tradesToday: 7,
    });
    expect(activityOf({})).toEqual({ markets: 0, volume24h: null, tradesToday: null });
  });
});
