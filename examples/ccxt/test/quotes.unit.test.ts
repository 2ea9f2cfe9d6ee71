import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { isStale, middleOf, quotesOf } from '../quotes.mjs';

const limits = { spread: '0.001', levels: 2, size: '0.5', target: '10', most: '2' };

test('quotes surround the middle, level by level [CLIENT-041]', () => {
  expect(quotesOf({ mid: '1000', held: '10' }, limits)).toEqual([
    { side: 'buy', price: '999', amount: '0.5' },
    { side: 'buy', price: '998', amount: '0.5' },
    { side: 'sell', price: '1001', amount: '0.5' },
    { side: 'sell', price: '1002', amount: '0.5' },
  ]);
});

test('the side that would pass an inventory limit has fewer orders, or none [CLIENT-041]', () => {
  const sides = (held: string): string[] => quotesOf({ mid: '1000', held }, limits).map(({ side }) => side);
  expect(sides('11.5')).toEqual(['buy', 'sell', 'sell']);
  expect(sides('11.6')).toEqual(['sell', 'sell']);
  expect(sides('8')).toEqual(['buy', 'buy']);
  expect(sides('0')).toEqual(['buy', 'buy']);
});

test('any fills keep the balance of the maker between its limits or bring it nearer to them [CLIENT-041]', () => {
  const amount = fc.integer({ min: 0, max: 400 }).map((tenths) => String(tenths / 10));
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 1, max: 5 }), (held, most, levels) => {
      const quotes = quotesOf({ mid: '7', held }, { ...limits, levels, most });
      for (const [side, sign] of [
        ['buy', 1],
        ['sell', -1],
      ] as const) {
        const filled = quotes.filter((quote) => quote.side === side).length * 0.5;
        const away = Number(held) + sign * filled - 10;
        if (filled > 0) expect(sign * away).toBeLessThanOrEqual(Number(most) + 1e-9);
      }
    }),
  );
});

test('quotes are replaced when the middle has moved, or an order was filled [CLIENT-041]', () => {
  const before = { mid: '1000', held: '10' };
  expect(isStale(undefined, before, limits)).toBe(true);
  expect(isStale(before, { mid: '1000.2', held: '10.0' }, limits)).toBe(false);
  expect(isStale(before, { mid: '1000.3', held: '10' }, limits)).toBe(true);
  expect(isStale(before, { mid: '1000', held: '9.5' }, limits)).toBe(true);
});

test('the middle is that of the best prices, or of the one side; an empty book has none [CLIENT-151]', () => {
  const bids: [string, string][] = [
    ['99', '1'],
    ['98', '2'],
  ];
  const asks: [string, string][] = [['102', '1']];
  expect(middleOf({ bids, asks })).toBe('100.5');
  expect([middleOf({ bids, asks: [] }), middleOf({ bids: [], asks })]).toEqual(['99', '102']);
  expect(middleOf({ bids: [], asks: [] })).toBeUndefined();
});
