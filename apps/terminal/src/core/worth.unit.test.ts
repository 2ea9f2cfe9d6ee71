import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { formatWorth, times } from './worth.js';

const rate = (code: 'USD' | 'EUR' | 'CNY' | 'JPY' | 'BTC', perUsdt: string) => ({ code, per_usdt: perUsdt });

test('a product is exact and cut, and unknown when a factor is [PREFS-004]', () => {
  expect(times('0.00002609', '56670.02')).toBe('1.478520821800000000');
  expect([times('', '1'), times('1', '–')]).toEqual(['', '']);
});

describe('a value in the reference currency [PREFS-004]', () => {
  test('has the decimals of its currency, cut', () => {
    expect(formatWorth('1234567.899', rate('USD', '1'), 'en')).toBe('$1,234,567.89');
    expect(formatWorth('10', rate('CNY', '6.5'), 'en')).toBe('CN¥65.00');
    expect(formatWorth('10.009', rate('JPY', '150'), 'en')).toBe('¥1,501');
    expect(formatWorth('56670.02', rate('BTC', '0.0000176460146651'), 'en')).toBe('1.00000000 BTC');
  });

  test('keeps its first digits where its decimals would show nothing', () => {
    expect(formatWorth('0.0001', rate('USD', '1'), 'en')).toBe('$0.0001');
    expect(formatWorth('0', rate('USD', '1'), 'en')).toBe('$0.00');
    expect(formatWorth('0.49', rate('JPY', '1'), 'en')).toBe('¥0.49');
  });

  test('has the sign of a loss in front', () => {
    expect(formatWorth('-3.5', rate('USD', '1'), 'en')).toBe('-$3.50');
  });

  test('has the place of the symbol from the language and the digits of the terminal', () => {
    expect(formatWorth('1234.5', rate('EUR', '1'), 'de').replace(/\s/g, ' ')).toBe('1,234.50 €');
    expect(formatWorth('1234.5', rate('CNY', '1'), 'zh-Hans-CN')).toBe('¥1,234.50');
  });

  test.each(LANGUAGES)('%s has distinct symbols for yuan, yen and dollar', (code) => {
    const { intlTag } = LOCALES[code];
    const shown = (['USD', 'CNY', 'JPY'] as const).map((one) => formatWorth('1', rate(one, '1'), intlTag));
    const symbols = shown.map((text) => text.replace(/[\d.,\s]/g, ''));
    expect(new Set(symbols).size).toBe(3);
    for (const text of shown) expect(text).toMatch(/^[^\d-]*1(\.00)?[^\d]*$/);
  });
});

test('a value that is not known is empty', () => {
  expect(formatWorth('', rate('USD', '1'), 'en')).toBe('');
});
