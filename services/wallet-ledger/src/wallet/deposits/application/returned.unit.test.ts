import { expect, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import { returnOf } from './returned.js';

test('a deposit is returned only if its chain can carry the rest after the fee [DEPOSIT-017]', () => {
  const network = { feeRate: '0.1', chainScale: 8 };
  const back = (amount: string, leastPayment: bigint): bigint | null =>
    returnOf(toUnits(amount, 8), network, 8, { leastPayment })?.onChain ?? null;
  expect([back('0.00000547', 546n), back('0.00000546', 546n)]).toEqual([546n, null]);
  expect([back('0.00000002', 1n), back('0.00000001', 1n)]).toEqual([1n, null]);
});
