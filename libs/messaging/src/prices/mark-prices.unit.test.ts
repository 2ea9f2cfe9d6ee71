import { describe, expect, test } from '@jest/globals';
import { MarketTickV1, TOPICS, type MarketTick, type Message } from '@bourse/events';
import type { WatchSpec } from '../ports.js';
import { MarkPrices } from './mark-prices.js';

const tickAt = (time: number, price: string, more: Partial<MarketTick> = {}): Message =>
  MarketTickV1.encode({
    id: String(time / 1_000),
    symbol: 'BTC/USDT',
    time,
    at: time,
    price,
    prev_hash: '0'.repeat(64),
    hash: 'a'.repeat(64),
    signature: 'c2ln',
    public_key: 'a2V5',
    kind: 'simulated',
    ...more,
  });

function setUp(): { marks: MarkPrices; tell: WatchSpec['take']; spec: WatchSpec; moveTo(ms: number): void } {
  let now = 10_000;
  let spec: WatchSpec | undefined;
  const log = {
    watch: (given: WatchSpec) => {
      spec = given;
      return { stop: () => Promise.resolve() };
    },
  };
  const marks = new MarkPrices(log, { now: () => now }, 'lever-risk');
  return { marks, spec: spec!, tell: spec!.take, moveTo: (ms) => (now = ms) };
}

describe('marks', () => {
  test('each service watches the ticks under its own name [TICK-010]', () => {
    expect(setUp().spec).toMatchObject({ consumer: 'lever-risk.marks', topic: TOPICS.marketTicks });
  });

  test('a price is fresh until it is older than the given age [TICK-010]', () => {
    const { marks, tell, moveTo } = setUp();
    expect(marks.fresh('BTC/USDT', 5_000)).toBeUndefined();
    expect(marks.ageMs('BTC/USDT')).toBe(Infinity);
    tell([tickAt(10_000, '60000', { at: 8_000 })]);
    expect(marks.fresh('BTC/USDT', 5_000)?.price).toBe('60000');
    moveTo(13_000);
    expect(marks.fresh('BTC/USDT', 5_000)?.price).toBe('60000');
    moveTo(13_001);
    expect(marks.fresh('BTC/USDT', 5_000)).toBeUndefined();
    expect(marks.fresh('BTC/USDT', 10_000)?.price).toBe('60000');
    expect(marks.ageMs('BTC/USDT')).toBe(5_001);
    expect(marks.latest('BTC/USDT')?.price).toBe('60000');
    expect(marks.fresh('ETH/USDT', 5_000)).toBeUndefined();
  });

  test('a tick that comes twice or late changes nothing, and listeners are not called again [TICK-011]', () => {
    const { marks, tell } = setUp();
    const told: string[] = [];
    marks.onTicks(() => {
      throw new Error('of one listener alone');
    });
    const end = marks.onTicks((ticks) => told.push(...ticks.map(({ price }) => price)));
    tell([tickAt(9_000, '1'), tickAt(10_000, '2')]);
    tell([tickAt(9_000, '1'), tickAt(10_000, '3'), { type: 'market.tick.v1', key: 'x', body: { price: 7 } }]);
    expect(marks.latest('BTC/USDT')?.price).toBe('2');
    end();
    tell([tickAt(11_000, '4')]);
    expect(told).toEqual(['1', '2']);
    expect(marks.latest('BTC/USDT')?.price).toBe('4');
  });
});
