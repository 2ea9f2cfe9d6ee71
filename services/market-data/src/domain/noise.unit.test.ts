import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LadderPair, RestingOrder } from './ladder.js';
import { stirBook } from './noise.js';

const btc: LadderPair = {
  symbol: 'BTC/USDT',
  priceScale: 2,
  numberScale: 6,
  levelValue: 8_000n * 10n ** 8n,
  minTotal: 10n ** 8n,
};
const STEP = 1_000n;

describe('the noise trader', () => {
  test('whatever the feed does, few small orders rest near it, soon none on its wrong side [MARKET-027]', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -800, max: 800 }), { minLength: 100, maxLength: 100 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999999, noNaN: true })),
        (moves, draws) => {
          const draw = (): number => draws.next().value;
          let feed = 5_667_000n;
          let resting: RestingOrder[] = [];
          let next = 1;
          for (const move of moves) {
            feed += BigInt(move);
            // Several beats for each tick of the feed.
            for (let beat = 0; beat < 12; beat++) {
              const stirred = stirBook(btc, feed, STEP, resting, draw);
              if (!stirred) continue;
              if ('cancel' in stirred) resting = resting.filter(({ id }) => id !== stirred.cancel.id);
              else {
                const { side, price, quantity } = stirred.place;
                expect(price * quantity).toBeGreaterThanOrEqual(btc.minTotal);
                expect(price * quantity).toBeLessThan(btc.levelValue);
                resting = [...resting, { id: String(next++), side, price }];
              }
            }
            expect(resting.length).toBeLessThanOrEqual(10);
            expect(resting.filter(({ side, price }) => (side === 'buy' ? price >= feed : price <= feed))).toEqual([]);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('one in two moves cancels an order once some rest [MARKET-027]', () => {
    const resting = [1, 2, 3, 4].map((away): RestingOrder => ({
      id: String(away),
      side: 'buy',
      price: 5_667_000n - BigInt(away),
    }));
    expect(stirBook(btc, 5_667_000n, STEP, resting, () => 0.4)).toEqual({ cancel: resting[0] });
    expect(stirBook(btc, 5_667_000n, STEP, resting, () => 0.6)).toMatchObject({ place: { side: 'sell' } });
  });
});
