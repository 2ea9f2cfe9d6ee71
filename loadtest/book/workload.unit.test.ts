import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { LadderBook } from '@bourse/matching';
import { coreOf } from './core.mjs';
import { generate } from './gen.mjs';

/** Replays a workload against the product's book, and returns the thirteen totals of the reference matcher. */
function replay(records: Buffer): Record<string, number> {
  const Core = coreOf(() => new LadderBook());
  const core = new Core();
  let hash = 0x811c9dc5;
  const mix = (value: number): void => {
    hash = Math.imul(hash ^ (value >>> 0), 0x01000193) >>> 0;
  };
  let seen = 0;
  for (let at = 0; at < records.length; at += 16) {
    const type = records[at];
    const id = records.readUInt32LE(at + 4);
    if (type === 0) core.limit(id, records[at + 1], records.readUInt32LE(at + 8), records.readUInt32LE(at + 12));
    else if (type === 1) core.cancel(id);
    else core.market(id, records[at + 1], records.readUInt32LE(at + 12));
    seen = core.drain(seen, (maker: number, taker: number, price: number, quantity: number) => {
      mix(maker);
      mix(taker);
      mix(price);
      mix(quantity);
    });
  }
  return {
    trades: core.trades,
    tradedQty: core.tradedQty,
    notional: core.notional,
    tradeHash: hash,
    killedQty: core.killed,
    rejects: core.rejects,
    ...core.depth(),
  };
}

describe('the workload of the benchmark [BOOK-014]', () => {
  test('is the one everybody is measured on', () => {
    const { records, meta } = generate();
    expect(createHash('sha256').update(records).digest('hex')).toBe(
      '08f3ff3defc7123d39ba4cd90fe72a750a648a33f1954841dcde3fba98ebe2e6',
    );
    expect(meta.expected.trades).toBe(297_290);
    expect(replay(records)).toEqual(meta.expected);
  });

  test.each(Array.from({ length: 19 }, (_, index) => index + 1))(
    'seed %i reaches all thirteen totals of the reference',
    (seed) => {
      const { records, meta } = generate({ seed, prefill: 50_000, commands: 100_000 });
      expect(Object.keys(meta.expected)).toHaveLength(13);
      expect(meta.expected.trades).toBeGreaterThan(20_000);
      expect(replay(records)).toEqual(meta.expected);
    },
  );
});
