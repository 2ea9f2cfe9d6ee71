import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEED_PAIRS } from '@bourse/contract';
import { eventually } from '@bourse/testing';
import { ScriptedFeed } from './scripted-feed.js';

const folder = mkdtempSync(join(tmpdir(), 'bourse-feed-'));
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a scripted feed [MARKET-040]', () => {
  test('takes each appended line, repeats it, and survives bad lines, halves and a file written again', async () => {
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

  test('a silenced pair keeps the time of its last price, others continue, its next price ends it', async () => {
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
