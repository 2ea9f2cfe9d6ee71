import { expect, test } from '@jest/globals';
import { blockAgain, eachTrade, LineSums, Settlements } from './audit-sums.js';
import type { AuditedRow } from '../ports.js';

const [BTC, USDT] = [1, 3];
type Sided = {
  readonly row: AuditedRow;
  readonly amounts: readonly { readonly currency: number; readonly amount: bigint }[];
};
const side = (sequence: number, owner: number, btc: bigint, usdt: bigint, number = sequence): Sided => ({
  row: {
    partition: 0,
    number,
    part: 0,
    owner,
    id: `trade:BTC/USDT:${sequence}`,
    causeType: 'trade',
    causeId: `BTC/USDT-${sequence}`,
    entries: '[]',
    previousHash: '',
    hash: '',
    at: 0,
  },
  amounts: [
    { currency: USDT, amount: usdt },
    { currency: BTC, amount: btc },
  ],
});
const trade = (sequence: number): Sided[] => [side(sequence, 100_001, 5n, -700n), side(sequence, 100_002, -5n, 690n)];
const settlements = (sides: readonly Sided[]): Settlements => {
  const sums = new Settlements();
  for (const { row, amounts } of sides) sums.add(row, amounts);
  return sums;
};
const imageOf = (sides: readonly Sided[], to: number): string =>
  JSON.stringify(settlements(sides).of('BTC/USDT', 1, to));

test('the sums of a block notice a unit, a side too many, another owner and another trade [AUDIT-003]', () => {
  const honest = [...trade(1), ...trade(2)];
  expect(imageOf([...trade(2), ...trade(1)], 2)).toBe(imageOf(honest, 2));
  for (const wrong of [
    [...trade(1), side(2, 100_001, 5n, -701n), side(2, 100_002, -5n, 690n)],
    [...honest, side(2, 100_002, 0n, 0n)],
    [...trade(1), ...trade(1), ...trade(2)],
    [...trade(1), side(2, 100_003, 5n, -700n), side(2, 100_002, -5n, 690n)],
    [
      side(1, 100_001, 6n, -700n),
      side(1, 100_002, -6n, 690n),
      side(2, 100_001, 4n, -700n),
      side(2, 100_002, -4n, 690n),
    ],
  ])
    expect(imageOf(wrong, 2)).not.toBe(imageOf(honest, 2));
});

test('a young block can be read in part; an older one names the journals to read again [AUDIT-003]', () => {
  const young = settlements([...trade(1), ...trade(2), ...trade(3)]);
  expect(young.of('BTC/USDT', 1, 2)).toEqual(settlements([...trade(1), ...trade(2)]).of('BTC/USDT', 1, 3));
  const old = settlements([1, 2, 1_001, 2_001, 3_001].flatMap(trade));
  expect(old.of('BTC/USDT', 1, 1)).toEqual([{ from: 1, spans: new Map([[0, { first: 1, last: 2 }]]) }]);
  expect(old.of('BTC/USDT', 1, 1_000)).toHaveLength(1);
  expect(eachTrade([1, 2].flatMap(trade), 'BTC/USDT', 2, 2)).toEqual([
    {
      from: 2,
      sides: 2,
      sums: { [USDT]: ['-10', '1390', expect.any(String), '2780'], [BTC]: ['0', '10', expect.any(String), '20'] },
    },
  ]);
});

test('a block read again is the block that was known, though the market has gone on by thousands [AUDIT-011]', () => {
  const rows = [1, 2, 3, 4].flatMap(trade);
  for (const to of [1, 3, 4])
    expect([blockAgain(rows, 'BTC/USDT', 1, to)]).toEqual(settlements(rows).of('BTC/USDT', 1, to));
});

test('rows of the house and of other causes say nothing about a trade [AUDIT-003]', () => {
  const house = side(1, -1, 0n, 10n);
  const other: Sided = { ...house, row: { ...house.row, owner: 100_001, causeType: 'order' } };
  expect(settlements([house, other]).of('BTC/USDT', 1, 1)).toEqual([]);
});

test('the sums of all lines notice money at the wrong person, in the wrong account or state [AUDIT-003]', () => {
  const image = (...lines: Parameters<LineSums['add']>[]): string => {
    const sums = new LineSums();
    for (const line of lines) sums.add(...line);
    return JSON.stringify([...sums.image()]);
  };
  const honest = image([100_001, 'change', USDT, 'a', 7n], [100_002, 'legal', USDT, 'a', 3n]);
  expect(image([100_002, 'legal', USDT, 'a', 3n], [100_001, 'change', USDT, 'a', 7n])).toBe(honest);
  for (const wrong of [
    image([100_001, 'change', USDT, 'a', 6n], [100_002, 'legal', USDT, 'a', 4n]),
    image([100_001, 'legal', USDT, 'a', 7n], [100_002, 'legal', USDT, 'a', 3n]),
    image([100_001, 'lever', USDT, 'a', 7n], [100_002, 'legal', USDT, 'a', 3n]),
    image([100_001, 'change', USDT, 'h', 7n], [100_002, 'legal', USDT, 'a', 3n]),
    image([100_001, 'change', BTC, 'a', 7n], [100_002, 'legal', USDT, 'a', 3n]),
  ])
    expect(wrong).not.toBe(honest);
});
