import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { INPUTS_MAX, payable, select } from './coin-selection.js';

const SIZES = { input: 68, overhead: 11, outputs: 31, change: 31 };
const DUST = 546n;
const ALL = 1n << 62n;

test('the most that is payable is selected with room for raised fees, however many outputs there are [BTC-021]', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt(1n, 1_000_000n), { maxLength: 2 * INPUTS_MAX, size: 'max' }),
      fc.bigInt(1n, 500n),
      fc.bigInt(1n, 1_000_000_000n),
      (amounts, rate, wanted) => {
        const outputs = amounts
          .sort((a, b) => (a < b ? 1 : -1))
          .map((amount, output) => ({ txId: '', output, address: '', height: 1, amount }));
        const most = payable(outputs, wanted, rate, DUST, SIZES);
        if (most === 0n) return;
        expect(most).toBeLessThanOrEqual(wanted);
        expect(most).toBeGreaterThanOrEqual(DUST);
        const found = select(outputs, most, rate, DUST, SIZES)!;
        expect(found.inputs.length).toBeLessThanOrEqual(INPUTS_MAX);
        expect(found.change).toBeGreaterThanOrEqual(3n * found.fee + DUST);
        expect(most).toBeGreaterThanOrEqual(10n * found.fee);
      },
    ),
    { numRuns: 200 },
  );
});

test('outputs that are worth less than their fee lower nothing that is payable [BTC-021]', () => {
  const output = { txId: '', output: 0, address: '', height: 1 };
  const large = [{ ...output, amount: 1_000_000n }];
  const most = payable(large, ALL, 10n, DUST, SIZES);
  expect(most).toBeGreaterThan(900_000n);
  const small = Array.from({ length: INPUTS_MAX }, () => ({ ...output, amount: 600n }));
  expect(payable([...large, ...small], ALL, 10n, DUST, SIZES)).toBe(most);
});

test('what is not worth ten fees is not payable [BTC-021]', () => {
  const output = { txId: '', output: 0, address: '', height: 1 };
  expect(payable([{ ...output, amount: 15_000n }], ALL, 10n, DUST, SIZES)).toBe(0n);
  // A small part of much is worth no more.
  expect(payable([{ ...output, amount: 1_000_000n }], 10_000n, 10n, DUST, SIZES)).toBe(0n);
  expect(payable([{ ...output, amount: 1_000_000n }], 20_000n, 10n, DUST, SIZES)).toBe(20_000n);
});
