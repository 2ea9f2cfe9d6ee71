import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FIRST_PREVIOUS_HASH, nextTick, tickFault, tickHash, type Tick } from './tick-chain.js';

const SYMBOL = 'BTC/USDT';

/** Seconds as a recorder sees them: forward by one, by jumps, the same again, back. */
const seconds = fc
  .array(fc.oneof(fc.constant(1), fc.integer({ min: -20, max: 20 }), fc.constant(86_400)), { maxLength: 60 })
  .map((steps) => {
    let at = 1_620_777_600;
    return steps.map((step) => (at += step) * 1_000);
  });
const price = fc.integer({ min: 1, max: 9_999_999 }).map((units) => String(units / 100));

function record(times: readonly number[], prices: readonly string[]): Tick[] {
  const ticks: Tick[] = [];
  for (const [index, time] of times.entries()) {
    const price = prices[index % prices.length]!;
    const tick = nextTick(ticks.at(-1), { symbol: SYMBOL, time, price, at: time - 300 });
    if (tick) ticks.push(tick);
  }
  return ticks;
}
const chainFault = (ticks: readonly Tick[]): string | null =>
  ticks.map((tick, index) => tickFault(ticks[index - 1], tick)).find((fault) => fault !== null) ?? null;

describe('the chain of ticks', () => {
  test('a hash is that of the previous one, id, market, time, price and its time [TICK-001, HARD-481]', () => {
    const given = { symbol: SYMBOL, time: 1_620_777_600_000, price: '56637.56', at: 1_620_777_599_400 };
    const first = nextTick(undefined, given);
    const text = `${'0'.repeat(64)}|1|BTC/USDT|1620777600000|56637.56|1620777599400`;
    expect(first).toEqual({
      id: 1,
      symbol: SYMBOL,
      time: 1_620_777_600_000,
      price: '56637.56',
      at: 1_620_777_599_400,
      prevHash: FIRST_PREVIOUS_HASH,
      hash: createHash('sha256').update(text).digest('hex'),
    });
    expect(nextTick(first!, { ...given, time: 1_620_777_601_000, price: '1' })).toMatchObject({
      id: 2,
      prevHash: first!.hash,
    });
  });

  test('version 2 follows version 1, whose hash is without `at`, not the reverse [HARD-481]', () => {
    const text = `${'0'.repeat(64)}|1|BTC/USDT|1620777600000|56637.56`;
    const old: Tick = {
      id: 1,
      symbol: SYMBOL,
      time: 1_620_777_600_000,
      price: '56637.56',
      at: null,
      prevHash: FIRST_PREVIOUS_HASH,
      hash: createHash('sha256').update(text).digest('hex'),
    };
    const second = nextTick(old, { symbol: SYMBOL, time: old.time + 1_000, price: '1', at: old.time + 900 })!;
    expect(chainFault([old, second])).toBeNull();
    const third = { ...old, id: 3, time: old.time + 2_000, prevHash: second.hash };
    expect(chainFault([old, second, { ...third, hash: tickHash(third) }])).toContain('does not say when');
  });

  test('a tick has no later time than its own second [HARD-481]', () => {
    expect(nextTick(undefined, { symbol: SYMBOL, time: 5_000, price: '1', at: 5_003 })?.at).toBe(5_000);
  });

  test('whatever the clock does, ids have no holes, seconds rise, each hash follows the one before [TICK-002]', () => {
    fc.assert(
      fc.property(seconds, fc.array(price, { minLength: 1, maxLength: 5 }), (times, prices) => {
        const ticks = record(times, prices);
        expect(ticks.map(({ id }) => id)).toEqual(ticks.map((_, index) => index + 1));
        expect(new Set(ticks.map(({ time }) => time)).size).toBe(ticks.length);
        expect(chainFault(ticks)).toBeNull();
        // Every new highest second has its tick.
        const highest = times.filter((time, index) => times.slice(0, index).every((before) => before < time));
        expect(ticks.map(({ time }) => time)).toEqual(highest);
      }),
    );
  });

  test('a tick that was changed, removed or put in is seen [TICK-003]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 30 }), fc.nat(), price, (length, place, other) => {
        const ticks = record(
          Array.from({ length }, (_, index) => (1_620_777_600 + index) * 1_000),
          ['56637.56', '56638'],
        );
        const at = 1 + (place % (length - 2));
        const changed = ticks.with(at, { ...ticks[at]!, price: `${other}1` });
        expect(chainFault(changed)).toContain('does not have the hash');
        const moved = ticks.with(at, { ...ticks[at]!, at: ticks[at]!.at! + 1 });
        expect(chainFault(moved)).toContain('does not have the hash');
        const rehashed = ticks.with(at, { ...changed[at]!, hash: tickHash(changed[at]!) });
        expect(chainFault(rehashed)).toContain('does not follow the hash');
        expect(chainFault(ticks.toSpliced(at, 1))).toContain('is followed by');
        expect(chainFault(ticks.toSpliced(at, 0, ticks[at]!))).toContain('is followed by');
        expect(chainFault(ticks.toReversed())).not.toBeNull();
      }),
    );
  });

  test('a tick beside the full second is a mistake of the program [TICK-002]', () => {
    expect(() => nextTick(undefined, { symbol: SYMBOL, time: 1_620_777_600_001, price: '1', at: 0 })).toThrow(
      'full second',
    );
  });
});
