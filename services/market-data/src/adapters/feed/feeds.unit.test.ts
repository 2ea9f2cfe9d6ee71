import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEED_PAIRS } from '@bourse/contract';
import { SimulatedClock, eventually } from '@bourse/testing';
import { LiveFeed, type LiveExchange } from './live-feed.js';
import { ScriptedFeed } from './scripted-feed.js';

const folder = mkdtempSync(join(tmpdir(), 'bourse-feed-'));
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a scripted feed [MARKET-040]', () => {
  test('takes each appended line, repeats it, and survives bad lines, halves and a file written anew', async () => {
    const file = join(folder, 'prices.jsonl');
    const feed = new ScriptedFeed(file);
    stops.push(() => feed.stop());
    let changes = 0;
    await feed.start(SEED_PAIRS, () => {
      changes++;
    });
    const price = (now: number): unknown => feed.prices(now).get('BTC/USDT');
    expect(price(5)).toEqual({ price: 5_667_002n, at: 5, kind: 'simulated' });
    writeFileSync(file, '{"symbol":"BTC/USDT","price":"60000.00"}\n');
    await eventually(() => changes === 1);
    expect(price(6_000)).toMatchObject({ price: 6_000_000n, at: 6_000 });
    for (const bad of [
      'nonsense',
      '{"symbol":"BTC/USDT","price":"0"}',
      '{"symbol":"BTC/USDT","price":"1.001"}',
      '{"symbol":"BTC/USDT","price":60001}',
      '{"symbol":"NO/PAIR","price":"1"}',
      'null',
      '',
    ])
      appendFileSync(file, `${bad}\n`);
    appendFileSync(file, '{"symbol":"BTC/USDT",');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(changes).toBe(1);
    appendFileSync(file, '"price":"60001.00"}\n');
    await eventually(() => changes === 2);
    expect(price(7)).toMatchObject({ price: 6_000_100n });
    writeFileSync(file, '{"symbol":"XRP/USDT","price":"2"}\n');
    await eventually(() => changes === 3);
    expect(feed.prices(7).get('XRP/USDT')).toMatchObject({ price: 200_000n });
    expect(price(7)).toMatchObject({ price: 6_000_100n });
  });

  test('a pair that is silenced keeps the time it was last heard, others go on, its next price ends it', async () => {
    const file = join(folder, 'silence.jsonl');
    const feed = new ScriptedFeed(file);
    stops.push(() => feed.stop());
    let changes = 0;
    writeFileSync(file, '{"symbol":"BTC/USDT","price":"60000.00"}\n');
    await feed.start(SEED_PAIRS, () => {
      changes++;
    });
    const at = (symbol: string, now: number): number | undefined => feed.prices(now).get(symbol)?.at;
    expect(at('BTC/USDT', 1_000)).toBe(1_000);
    appendFileSync(file, '{"symbol":"BTC/USDT","silent":true}\n{"symbol":"XRP/USDT","price":"2"}\n');
    await eventually(() => changes === 1);
    expect([at('BTC/USDT', 9_000), at('XRP/USDT', 9_000)]).toEqual([1_000, 9_000]);
    expect(feed.prices(10_000).get('BTC/USDT')).toMatchObject({ price: 6_000_000n, at: 1_000 });
    appendFileSync(file, '{"symbol":"BTC/USDT","price":"50000.00","silent":true}\n');
    await eventually(() => changes === 2);
    expect(feed.prices(10_500).get('BTC/USDT')).toMatchObject({ price: 5_000_000n, at: 1_000 });
    appendFileSync(file, '{"symbol":"BTC/USDT","price":"59000.00"}\n');
    await eventually(() => changes === 3);
    expect(feed.prices(11_000).get('BTC/USDT')).toMatchObject({ price: 5_900_000n, at: 11_000 });
  });
});

describe('a live feed [MARKET-041]', () => {
  test('polls the listed pairs, rounds once, keeps old prices with their time on failure [HARD-101]', async () => {
    const clock = new SimulatedClock(1_000_000);
    let fail = false;
    const asked: string[][] = [];
    const exchange: LiveExchange = {
      symbols: ['BTC/USDT', 'XRP/BTC', 'XYZ/ABC'],
      loadMarkets: () => Promise.resolve(),
      fetchTickers: (symbols) => {
        asked.push(symbols);
        return fail
          ? Promise.reject(new Error('down'))
          : Promise.resolve({
              'BTC/USDT': { last: 60000.126, baseVolume: 2, quoteVolume: 123_001 },
              'XRP/BTC': { bid: 0.000026, ask: 0.000028 },
            });
      },
    };
    const feed = new LiveFeed('nowhere', clock, () => Promise.resolve(exchange));
    stops.push(() => feed.stop());
    await feed.start(SEED_PAIRS);
    await eventually(() => feed.prices().size === 2);
    expect(asked[0]).toEqual(['BTC/USDT', 'XRP/BTC']);
    expect(feed.prices().get('BTC/USDT')).toEqual({ price: 6_000_013n, at: 1_000_000, kind: 'live' });
    expect(feed.prices().get('XRP/BTC')).toMatchObject({ price: 2_700n });
    // The exchange's own mean where it tells one; where it tells none, the mean of what was polled. Of what it does not
    // list, none.
    expect([feed.mean('BTC/USDT', clock.now()), feed.mean('XRP/BTC', clock.now()), feed.mean('ETH/USDT', 0)]).toEqual([
      6_150_050n,
      2_700n,
      null,
    ]);
    fail = true;
    clock.advance(60_000);
    await eventually(() => asked.length >= 2);
    expect(feed.prices().get('BTC/USDT')).toMatchObject({ at: 1_000_000 });
  });

  test('an exchange that nobody knows is an error at start', async () => {
    const feed = new LiveFeed('nosuchexchange', new SimulatedClock());
    stops.push(() => feed.stop());
    await expect(feed.start(SEED_PAIRS)).rejects.toThrow('ccxt knows nothing of: nosuchexchange');
  }, 60_000);
});
