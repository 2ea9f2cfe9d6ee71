import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  compareDecimals,
  decimals,
  DECIMAL_PATTERN,
  divide,
  formatUnits,
  multiply,
  parseAmount,
  partitionOf,
  percentOf,
  pow10,
  rescale,
  toUnits,
  trimZeros,
} from './index.js';

const scale = fc.integer({ min: 0, max: 18 });
const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 24n });

/** Another implementation to compare with, precise beyond every product here. */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -200, toExpPos: 200 });

describe('decimal text', () => {
  test('units survive the trip through text at every scale [MONEY-001]', () => {
    fc.assert(
      fc.property(units, scale, (value, places) => {
        const text = formatUnits(value, places);
        expect(toUnits(text, places)).toBe(value);
        expect(text).not.toMatch(/e|^\+|^-0+(\.0*)?$/i);
        expect(decimals(text)).toBe(places);
      }),
    );
  });

  test('trailing zeros change no value [MONEY-001]', () => {
    fc.assert(
      fc.property(units, scale, (value, places) => {
        const trimmed = trimZeros(formatUnits(value, places));
        expect(toUnits(trimmed, places)).toBe(value);
        expect(trimmed).not.toMatch(/\.\d*0$/);
      }),
    );
  });

  test('client text is checked before it is converted [MONEY-002]', () => {
    for (const bad of [
      '',
      ' 1',
      '1 ',
      '01',
      '1.',
      '.5',
      '0x1F',
      '1_000',
      '1,000',
      'NaN',
      'Infinity',
      '-Infinity',
      '-',
      'e3',
      '1e',
      '١',
      '1'.repeat(19),
      `1.${'1'.repeat(19)}`,
      null,
      undefined,
      1,
      {},
      [],
    ]) {
      expect(parseAmount(bad, 8)).toEqual({ ok: false, fault: 'grammar' });
    }
    for (const bad of ['+1', '-1', '-0', '-0.50', '1e3', '1E3', '1e-8', '1.5e+2', '-2e1', '1e9000000000000000'])
      expect(parseAmount(bad, 8)).toEqual({ ok: false, fault: 'notation' });
    expect(parseAmount('0.000000001', 8)).toEqual({ ok: false, fault: 'scale' });
    expect(parseAmount('999999999999999999.99999999', 8)).toEqual({ ok: true, units: 99999999999999999999999999n });
    expect(parseAmount('0', 8)).toEqual({ ok: true, units: 0n });
  });

  test('an amount with trailing zeros is the amount without them [CLIENT-105]', () => {
    const zeros = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), scale, zeros, (value, places, more) => {
        const text = formatUnits(value, places);
        const written = `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(Math.min(more + 1, 18 - places))}`;
        fc.pre(DECIMAL_PATTERN.test(written));
        expect(parseAmount(written, places)).toEqual({ ok: true, units: value });
      }),
    );
    expect(parseAmount('2.00000000', 6)).toEqual({ ok: true, units: 2_000_000n });
    expect(parseAmount('50000.1000', 2)).toEqual({ ok: true, units: 5_000_010n });
    expect(parseAmount('50000.1010', 2)).toEqual({ ok: false, fault: 'scale' });
  });

  test('whatever the text, it parses exactly when the grammar and the scale allow it [MONEY-002]', () => {
    const texts = fc.oneof(fc.string({ maxLength: 40 }), fc.stringMatching(/^[0-9]{0,20}\.?[0-9]{0,20}$/));
    fc.assert(
      fc.property(texts, scale, (text, places) => {
        const parsed = parseAmount(text, places);
        expect(parsed.ok).toBe(DECIMAL_PATTERN.test(text) && text.length <= 38 && decimals(trimZeros(text)) <= places);
        if (parsed.ok) expect(new Exact(formatUnits(parsed.units, places)).equals(new Exact(text))).toBe(true);
      }),
    );
  });

  test('stored text that is no decimal stops the work [MONEY-003]', () => {
    for (const bad of ['NaN', '', '1e5', '0.001', 'x']) expect(() => toUnits(bad, 2)).toThrow(RangeError);
    expect(toUnits('1.5000', 2)).toBe(150n);
  });

  test('texts compare by value', () => {
    expect(compareDecimals('1.10', '1.1')).toBe(0);
    expect(compareDecimals('0.9', '0.10')).toBe(1);
    expect(compareDecimals('-2', '1')).toBe(-1);
  });
});

describe('rounding', () => {
  test('each named rule agrees with decimal.js and errs by less than one unit [MONEY-004]', () => {
    const modes = {
      down: Exact.ROUND_DOWN,
      up: Exact.ROUND_UP,
      half_up: Exact.ROUND_HALF_UP,
      floor: Exact.ROUND_FLOOR,
      ceiling: Exact.ROUND_CEIL,
    } as const;
    fc.assert(
      fc.property(
        units,
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).filter((divisor) => divisor !== 0n),
        fc.constantFrom('down', 'up', 'half_up', 'floor', 'ceiling'),
        (numerator, divisor, rule) => {
          const expected = new Exact(numerator.toString()).div(divisor.toString()).toDecimalPlaces(0, modes[rule]);
          expect(divide(numerator, divisor, rule)).toBe(BigInt(expected.toFixed(0)));
        },
      ),
    );
  });

  test('a product is exact before its one rounding [MONEY-004]', () => {
    fc.assert(
      fc.property(positive, positive, scale, scale, scale, (a, b, aScale, bScale, to) => {
        const down = multiply(a, aScale, b, bScale, to, 'down');
        const up = multiply(a, aScale, b, bScale, to, 'up');
        expect(up - down === 0n || up - down === 1n).toBe(true);
        const exact = a * b * pow10(Math.max(0, to - aScale - bScale));
        const over = pow10(Math.max(0, aScale + bScale - to));
        expect(down * over).toBeLessThanOrEqual(exact);
        expect(exact).toBeLessThanOrEqual(up * over);
      }),
    );
  });

  test('the fee of rules §2 is rounded up, by at most one unit [MONEY-005]', () => {
    expect(percentOf(50000000n, 1n, 1, 'up')).toBe(50000n); // 0.5 BTC at 0.1 % is 0.0005
    expect(percentOf(1n, 1n, 1, 'up')).toBe(1n);
    fc.assert(
      fc.property(positive, fc.bigInt({ min: 0n, max: 1000n }), (amount, rate) => {
        const fee = percentOf(amount, rate, 1, 'up');
        expect(fee * 1000n).toBeGreaterThanOrEqual(amount * rate);
        expect((fee - 1n) * 1000n).toBeLessThan(amount * rate);
      }),
    );
  });

  test('widening a scale is exact, and narrowing back loses nothing', () => {
    fc.assert(
      fc.property(units, scale, scale, (value, from, more) => {
        expect(rescale(rescale(value, from, from + more, 'down'), from + more, from, 'down')).toBe(value);
      }),
    );
  });

  test('division by zero and unknown scales throw', () => {
    expect(() => divide(1n, 0n, 'down')).toThrow(RangeError);
    expect(() => pow10(61)).toThrow(RangeError);
  });
});

test('a key keeps its partition, and keys spread over all of them', () => {
  const seen = new Set<number>();
  for (let user = 0; user < 1000; user++) seen.add(partitionOf(`user:${user}`, 7));
  expect(seen.size).toBe(7);
  expect(partitionOf('user:100001', 3)).toBe(partitionOf('user:100001', 3));
  expect(partitionOf('anything', 1)).toBe(0);
});
