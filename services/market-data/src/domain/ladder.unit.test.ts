import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Budget, gridStep, ladderAround, levelKey, planLadder, type LadderPair, type RestingOrder } from './ladder.js';
import { decideTakerOrder } from './taker-decision.js';

const btc: LadderPair = {
  symbol: 'BTC/USDT',
  priceScale: 2,
  numberScale: 6,
  levelValue: 8_000n * 10n ** 8n,
  minTotal: 10n ** 8n,
};
const restingOf = (quotes: ReturnType<typeof ladderAround>): RestingOrder[] =>
  quotes.map((quote, index) => ({ id: String(index), side: quote.side, price: quote.price }));

const nothing = { crossing: [], free: [], blocked: [], surplus: [] };

describe('the maker’s grid', () => {
  test('the first level is at most 0.02 % from the feed, or one unit where the scale is coarser [MARKET-020]', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 100n, max: 10n ** 10n }),
        fc.option(fc.bigInt({ min: 1n, max: 10n ** 6n }), { nil: null }),
        (price, present) => {
          const step = gridStep(price, present);
          const [bid, ask] = ladderAround(btc, price, step);
          const most = (price * 2n) / 10_000n > 1n ? (price * 2n) / 10_000n : 1n;
          expect(price - bid!.price).toBeLessThanOrEqual(most);
          expect(ask!.price - price).toBeLessThanOrEqual(most);
          expect(bid!.price < ask!.price).toBe(true);
        },
      ),
    );
  });

  test('the step stays while the price wanders about a threshold [MARKET-020]', () => {
    const wide = gridStep(5_010_000n, null);
    expect(wide).toBe(1000n);
    const narrow = gridStep(4_990_000n, wide);
    expect(narrow).toBe(900n);
    expect(gridStep(5_010_000n, narrow)).toBe(900n);
    expect(gridStep(4_990_000n, narrow)).toBe(900n);
    expect(gridStep(20_000_000n, narrow)).toBe(4_000n);
  });

  test('20 levels a side, and a move of the feed changes only the ends of the ladders [MARKET-021]', () => {
    const step = gridStep(5_667_002n, null);
    const before = ladderAround(btc, 5_667_002n, step);
    expect(before.filter(({ side }) => side === 'buy')).toHaveLength(20);
    expect(before.filter(({ side }) => side === 'sell')).toHaveLength(20);
    const after = ladderAround(btc, 5_667_002n + step, step);
    const plan = planLadder(btc, 5_667_002n + step, step, restingOf(before));
    expect(plan.crossing).toEqual([expect.objectContaining({ side: 'sell', price: 5_668_000n })]);
    expect(plan.free.map(({ side }) => side)).toEqual(['sell']);
    expect(plan.blocked.map(({ side }) => side)).toEqual(['buy']);
    const kept = new Map(before.map((quote) => [levelKey(quote), quote.quantity]));
    for (const quote of after) if (kept.has(levelKey(quote))) expect(kept.get(levelKey(quote))).toBe(quote.quantity);
    expect(planLadder(btc, 5_667_002n + step, step, restingOf(after))).toEqual(nothing);
  });

  test('levels left behind go after ten steps: a price that swings costs two commands a step [MARKET-021]', () => {
    let resting = restingOf(ladderAround(btc, 5_660_000n, 1000n));
    let commands = 0;
    let next = 1000;
    const move = (price: bigint): void => {
      const { crossing, free, blocked, surplus } = planLadder(btc, price, 1000n, resting);
      const [cancels, places] = [
        [...crossing, ...surplus],
        [...free, ...blocked],
      ];
      commands += cancels.length + places.length;
      const gone = new Set(cancels.map(({ id }) => id));
      resting = [
        ...resting.filter(({ id }) => !gone.has(id)),
        ...places.map(({ side, price: at }) => ({ id: String(next++), side, price: at })),
      ];
      for (const side of ['buy', 'sell']) {
        const count = resting.filter((order) => order.side === side).length;
        expect(count).toBeGreaterThanOrEqual(20);
        expect(count).toBeLessThanOrEqual(30);
      }
    };
    for (let swing = 0; swing < 10; swing++)
      for (const price of [5_661_000n, 5_662_000n, 5_663_000n, 5_662_000n, 5_661_000n, 5_660_000n]) move(price);
    expect(commands).toBe(2 * 60 + 3);
    move(5_690_000n);
    expect(resting.every(({ side, price }) => (side === 'buy' ? price > 5_660_000n : price <= 5_720_000n))).toBe(true);
  });

  test('orders on the wrong side of the feed are cancelled first, new levels come nearest first [MARKET-021]', () => {
    const step = 1000n;
    const plan = planLadder(btc, 5_670_000n, step, restingOf(ladderAround(btc, 5_660_000n, step)));
    expect(plan.crossing.map(({ price }) => price)).toEqual(
      Array.from({ length: 10 }, (_, index) => 5_661_000n + BigInt(index) * step),
    );
    expect(new Set(plan.crossing.map(({ side }) => side))).toEqual(new Set(['sell']));
    expect(plan.blocked[0]).toMatchObject({ side: 'buy', price: 5_670_000n });
    expect(plan.free[0]).toMatchObject({ side: 'sell', price: 5_681_000n });
  });

  test('a side that the feed leaves behind whole has its new levels before the old ones go [MARKET-021]', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 5_000_000n, max: 6_500_000n }), (price) => {
        let resting = restingOf(ladderAround(btc, 5_660_000n, 1000n));
        const has = (side: string): boolean => resting.some((order) => order.side === side);
        const { crossing, free, blocked, surplus } = planLadder(btc, price, 1000n, resting);
        resting = [...resting, ...restingOf([...free]).map((order) => ({ ...order, id: `new ${order.id}` }))];
        const gone = new Set(crossing.map(({ id }) => id));
        const replaced = crossing[0]?.side ?? 'buy';
        resting = resting.filter(({ id }) => !gone.has(id));
        expect(has(replaced)).toBe(true);
        expect(has(replaced === 'buy' ? 'sell' : 'buy')).toBe(true);
        // No added level meets a resting order.
        const bids = resting.filter(({ side }) => side === 'buy').map(({ price: at }) => at);
        const asks = resting.filter(({ side }) => side === 'sell').map(({ price: at }) => at);
        for (const quote of blocked)
          expect(
            (quote.side === 'buy' ? asks : bids).filter((at) =>
              quote.side === 'buy' ? at <= quote.price : at >= quote.price,
            ),
          ).toEqual([]);
        expect(surplus.filter(({ id }) => gone.has(id))).toEqual([]);
      }),
    );
  });

  test('every level is worth at least the smallest order, and two orders on one level become one [MARKET-021]', () => {
    for (const { price, quantity } of ladderAround({ ...btc, levelValue: 1n }, 5_667_002n, 1000n))
      expect(price * quantity).toBeGreaterThanOrEqual(btc.minTotal);
    const wanted = ladderAround(btc, 5_667_002n, 1000n);
    const twice = [...restingOf(wanted), { ...restingOf(wanted)[0]!, id: 'again' }];
    expect(planLadder(btc, 5_667_002n, 1000n, twice)).toEqual({
      ...nothing,
      surplus: [expect.objectContaining({ id: 'again' })],
    });
  });
});

test('the budget allows a burst, then a steady rate, and never more [MARKET-022]', () => {
  const budget = new Budget(20, 200);
  expect(budget.take(360, 0)).toBe(200);
  expect(budget.take(10, 0)).toBe(0);
  expect(budget.take(100, 1_000)).toBe(20);
  expect(budget.take(100, 1_500)).toBe(10);
  budget.giveBack(3);
  expect(budget.take(100, 1_500)).toBe(3);
  expect(budget.take(999, 3_600_000)).toBe(200);
});

describe('the taker', () => {
  const view = { feed: 5_667_000n, last: 5_667_000n, lastTookAt: 0, boughtMore: true, lively: false, now: 0 };
  test('comes a few times a minute, sooner when the last price has left the feed, on its side [MARKET-023]', () => {
    expect(decideTakerOrder({ ...view, now: 11_000 }, 0.5)).toBeNull();
    expect(decideTakerOrder({ ...view, now: 21_000 }, 0.5)).toMatchObject({ side: 'sell' });
    expect(decideTakerOrder({ ...view, now: 3_000, last: 5_600_000n }, 0.5)).toBeNull();
    expect(decideTakerOrder({ ...view, now: 4_000, last: 5_600_000n }, 0.5)).toMatchObject({ side: 'buy' });
    expect(decideTakerOrder({ ...view, now: 4_000, last: 5_700_000n }, 0.5)).toMatchObject({ side: 'sell' });
    expect(decideTakerOrder({ ...view, lastTookAt: null }, 0.5)).not.toBeNull();
  });
  test('evens out its purchases and sales, most of the time [MARKET-023]', () => {
    const sides = Array.from(
      { length: 100 },
      (_, index) => decideTakerOrder({ ...view, lastTookAt: null }, index / 100)?.side,
    );
    expect(sides.filter((side) => side === 'sell')).toHaveLength(70);
  });
  test.each([0, 0.25, 0.5, 0.75, 0.999])(
    'in a lively market it comes after one to three seconds, with small orders (draw %d) [MARKET-026]',
    (draw) => {
      const lively = { ...view, lively: true };
      expect(decideTakerOrder({ ...lively, now: 999 }, draw)).toBeNull();
      const taking = decideTakerOrder({ ...lively, now: 3_000 }, draw);
      expect(taking?.percent).toBeGreaterThanOrEqual(5n);
      expect(taking?.percent).toBeLessThanOrEqual(45n);
    },
  );
});
