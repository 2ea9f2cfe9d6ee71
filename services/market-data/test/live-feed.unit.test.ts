import { afterEach, describe, expect, test } from '@jest/globals';
import { SEED_PAIRS } from '@bourse/contract';
import { FixedSettings } from '@bourse/settings';
import { eventually, SimulatedClock } from '@bourse/testing';
import { LiveFeed } from '../src/adapters/feed/live-feed.js';
import { FakeExchange } from './fake-exchange.js';

const START = 1_000_000;
const BTC = 'BTC/USDT';
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function started(...exchanges: FakeExchange[]): Promise<{ feed: LiveFeed; clock: SimulatedClock }> {
  const clock = new SimulatedClock(START);
  const names = exchanges.map((_, place) => `exchange${place}`);
  const feed = new LiveFeed(names, clock, new FixedSettings(), () => Promise.resolve(exchanges));
  stops.push(() => feed.stop());
  await feed.start(SEED_PAIRS);
  return { feed, clock };
}
const streaming = (): FakeExchange => new FakeExchange([BTC, 'XRP/BTC']);

describe('a live feed [MARKET-041]', () => {
  test('watches listed pairs, rounds once, keeps old prices with their time if none comes [HARD-101]', async () => {
    const exchange = new FakeExchange([BTC, 'XRP/BTC', 'XYZ/ABC']);
    const { feed, clock } = await started(exchange);
    await exchange.say(BTC, { last: 60000.126, baseVolume: 2, quoteVolume: 123_001 });
    await exchange.say('XRP/BTC', { bid: 0.000026, ask: 0.000028 });
    expect(feed.prices(START).get(BTC)).toEqual({ price: 6_000_013n, at: START, kind: 'live', fresh: 1 });
    expect(feed.prices(START).get('XRP/BTC')).toMatchObject({ price: 2_700n });
    // The exchange's own mean where there is one, else the mean of the prices received; none for a pair that it does
    // not list.
    expect([feed.mean(BTC, START), feed.mean('XRP/BTC', START), feed.mean('ETH/USDT', 0)]).toEqual([
      6_150_050n,
      2_700n,
      null,
    ]);
    expect([feed.sourcesOf(BTC).count, feed.sourcesOf('ETH/USDT').count]).toEqual([1, 0]);
    clock.advance(60_000);
    expect(feed.prices(clock.now()).get(BTC)).toEqual({ price: 6_000_013n, at: START, kind: 'live', fresh: 0 });
    await feed.stop();
    expect(exchange.isClosed).toBe(true);
  });

  test('the time of a price is the earlier of the time of the exchange and its receipt [HARD-480]', async () => {
    const exchange = streaming();
    const { feed, clock } = await started(exchange);
    await exchange.say(BTC, { last: 60_000, timestamp: START - 1_700 });
    expect(feed.prices(START).get(BTC)?.at).toBe(START - 1_700);
    clock.advance(1_000);
    await exchange.say(BTC, { last: 60_001, timestamp: START + 9_000 });
    expect(feed.prices(START + 1_000).get(BTC)?.at).toBe(START + 1_000);
    // A moved business clock takes the age of the price, not the exchange's time itself.
    clock.setOffset(3_600_000);
    clock.advance(1_000);
    await exchange.say(BTC, { last: 60_002, timestamp: START + 1_500 });
    expect(feed.prices(clock.now()).get(BTC)?.at).toBe(clock.now() - 500);
    // A price out of order changes nothing.
    await exchange.say(BTC, { last: 1, timestamp: START });
    expect(feed.prices(clock.now()).get(BTC)?.price).toBe(6_000_200n);
  });

  test('without streams it is polled; the same figures without a time of their own grow old [HARD-480]', async () => {
    const exchange = new FakeExchange([BTC], { streams: false });
    exchange.polled = { [BTC]: { last: 60_000, baseVolume: 1, quoteVolume: 60_000 } };
    const { feed, clock } = await started(exchange);
    await eventually(() => feed.prices(START).get(BTC)?.at === START);
    expect(exchange.polls[0]).toEqual([BTC]);
    clock.advance(2_000);
    const polls = exchange.polls.length;
    await eventually(() => exchange.polls.length > polls + 1);
    expect(feed.prices(clock.now()).get(BTC)?.at).toBe(START);
    exchange.polled = { [BTC]: { last: 60_000, baseVolume: 2, quoteVolume: 120_001 } };
    await eventually(() => feed.prices(clock.now()).get(BTC)?.at === START + 2_000);
  });

  test('an exchange that is down is retried, the others continue', async () => {
    const [one, two] = [streaming(), streaming()];
    two.isDown = true;
    const { feed } = await started(one, two);
    await one.say(BTC, { last: 60_000 });
    expect(feed.prices(START).get(BTC)).toMatchObject({ price: 6_000_000n, fresh: 1 });
    // Its list of pairs is unknown: it counts as a source without an answer.
    expect(feed.sourcesOf(BTC).count).toBe(2);
    two.isDown = false;
    await eventually(() => two.symbols !== undefined);
    await two.say(BTC, { last: 60_001 });
    expect(feed.prices(START).get(BTC)).toMatchObject({ price: 6_000_050n, fresh: 2 });
  });

  test('the index is the median; a source that contradicts it is named and left out [HARD-482]', async () => {
    const [one, two, three] = [streaming(), streaming(), streaming()];
    const { feed } = await started(one, two, three);
    await one.say(BTC, { last: 60_000 });
    await two.say(BTC, { last: 60_020 });
    await three.say(BTC, { last: 60_010 });
    expect(feed.prices(START).get(BTC)).toMatchObject({ price: 6_001_000n, fresh: 3 });
    await three.say(BTC, { last: 30_000 });
    expect(feed.prices(START).get(BTC)).toMatchObject({ price: 6_001_000n, fresh: 2 });
    expect(feed.sourcesOf(BTC)).toEqual({ count: 3, outliers: ['exchange2'] });
  });

  test('an unknown exchange is an error at start, in one sentence', async () => {
    const feed = new LiveFeed(['kraken', 'nosuchexchange'], new SimulatedClock(), new FixedSettings());
    stops.push(() => feed.stop());
    await expect(feed.start(SEED_PAIRS)).rejects.toThrow('ccxt does not know: nosuchexchange');
  }, 60_000);
});
