import { expect, test } from '@jest/globals';
import { FeesPaidV1 } from '@bourse/events';
import { feesOf } from './fees.js';
import { houseOwner, type Entry } from '../../domain/journal.js';

const HOUSE = houseOwner(0);
/** The two lines that a leg leaves. */
const leg = (from: readonly [number, string], to: readonly [number, string], amount: bigint, currency = 3): Entry[] =>
  ([-amount, amount] as const).map((signed, side) => {
    const [owner, account] = side === 0 ? from : to;
    return { owner, account, currency, hold: null, amount: signed, after: 0n, sequence: 1, fee: true };
  });
const told = (causeType: string, ...legs: Entry[][]) =>
  feesOf({ id: 'trade:BTC/USDT:1', causeType, causeId: '1' }, legs.flat(), () => 8, 5).map(
    ({ payer, currency, amount }) => [payer, currency, amount],
  );

test('each payer of a journal has one fee per currency, negative if it is returned [TEAM-003]', () => {
  expect(
    told(
      'trade',
      leg([7, 'change'], [8, 'change'], 500n),
      leg([8, 'change'], [HOUSE, 'h.fees'], 3n),
      leg([7, 'change'], [HOUSE, 'h.fees'], 2n, 1),
      leg([8, 'change'], [HOUSE, 'h.fees'], 4n),
    ),
  ).toEqual([
    [8, 3, '0.00000007'],
    [7, 1, '0.00000002'],
  ]);
  const [fee] = feesOf(
    { id: 'trade:BTC/USDT:1', causeType: 'trade', causeId: '1' },
    leg([8, 'change'], [HOUSE, 'h.fees'], 3n),
    () => 8,
    5,
  );
  expect(FeesPaidV1.schema.parse({ fees: [fee] })).toEqual({ fees: [fee] });
  expect(told('micro', leg([HOUSE, 'h.fees'], [9, 'micro'], 5n))).toEqual([[9, 3, '-0.00000005']]);
  expect(told('micro', leg([9, 'micro'], [HOUSE, 'h.fees'], 5n), leg([HOUSE, 'h.fees'], [9, 'micro'], 5n))).toEqual([]);
});

test('fee movements of the house, and rebates, are no fees of people [TEAM-003]', () => {
  expect(told('house_purse', leg([HOUSE, 'h.fees'], [HOUSE, 'h.clearing'], 5n))).toEqual([]);
  expect(told('deposit', leg([HOUSE, 'h.suspense'], [HOUSE, 'h.fees'], 5n))).toEqual([]);
  expect(told('rebate', leg([HOUSE, 'h.fees'], [9, 'change'], 5n))).toEqual([]);
});
