import { describe, expect, test } from '@jest/globals';
import { nodeAmount, nodeQuantity } from './node-amount.js';

describe('amounts as nodes write them', () => {
  test.each([
    ['0', 0n],
    ['1', 100_000_000n],
    ['0.00000001', 1n],
    ['1e-8', 1n],
    ['1E-08', 1n],
    ['1.0e-8', 1n],
    ['2.1e+7', 2_100_000_000_000_000n],
    ['20999999.9769', 2_099_999_997_690_000n],
    ['0.10000000000', 10_000_000n],
    ['0e-999', 0n],
  ])('%s is read exactly [CLIENT-255]', (text, units) => {
    expect(nodeAmount(text, 8)).toBe(units);
  });

  test.each(['1e-9', '0.000000001', '', '-1', '1e', '.5', '1.', 'NaN', '0x1', ' 1', '1,5', null, undefined, 1])(
    '%j is none [CLIENT-255]',
    (text) => {
      expect(nodeAmount(text, 8)).toBeNull();
    },
  );

  test.each([
    ['0x0', 0n],
    ['0xde0b6b3a7640000', 1_000_000_000_000_000_000n],
    ['1e18', 1_000_000_000_000_000_000n],
    ['1000000000000000001', 1_000_000_000_000_000_001n],
    ['0.5', null],
    ['0x', null],
    [undefined, null],
  ])('a quantity of %j is %s [CLIENT-255]', (text, units) => {
    expect(nodeQuantity(text)).toBe(units);
  });
});
