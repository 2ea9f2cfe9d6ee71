import { describe, expect, test } from '@jest/globals';
import { acceptTyping, readTyping, toDecimalText } from './typing.js';

describe('the whole text of a number field [TICKET-021]', () => {
  test.each([
    ['1234.5', '1234.5'],
    [' 1234.5 ', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1,234,567', '1234567'],
    ['12,345.', '12345.'],
    ['.5', '.5'],
    ['', ''],
  ])('%j is read as %j', (given, text) => {
    expect(readTyping(given, 2)).toEqual({ text });
    expect(readTyping(given, 2, true)).toEqual({ text });
  });

  test.each([
    ['1,000', 'ambiguous'],
    ['1,234', 'ambiguous'],
    ['123,456', 'ambiguous'],
    ['-5', 'characters'],
    ['+5', 'characters'],
    ['1e3', 'characters'],
    ['$100', 'characters'],
    ['0.01 BTC', 'characters'],
    ['1 000', 'characters'],
    ["1'000", 'characters'],
    ['1,23.4', 'characters'],
    ['1,234,5', 'characters'],
    ['1.2.3', 'characters'],
    ['1.234', 'decimals'],
    ['1234567890123456789', 'long'],
  ])('%j is refused in every language: %s', (given, fault) => {
    expect(readTyping(given, 2)).toEqual({ fault });
    expect(readTyping(given, 2, true)).toEqual({ fault });
  });

  test.each([
    ['0,5', '0.5'],
    ['56637,5', '56637.5'],
    ['1,', '1.'],
    ['1234,5', '1234.5'],
    ['1.234,5', '1234.5'],
    ['1.234.567', '1234567'],
    ['1.234.567,8', '1234567.8'],
    ['0,00', '0.00'],
  ])('%j is %j where the language has a decimal comma, and refused elsewhere', (given, text) => {
    expect(readTyping(given, 2, true)).toEqual({ text });
    expect(readTyping(given, 2)).toEqual({ fault: 'comma' });
  });

  test.each([
    ['١٢٣٤٫٥', '1234.5'],
    ['١٬٢٣٤٫٥', '1234.5'],
    ['۱۲۳۴٫۵', '1234.5'],
    ['१२.५', '12.5'],
    ['১২.৫', '12.5'],
    ['๑๒.๕', '12.5'],
    ['１２３４．５', '1234.5'],
    ['１，２３４．５', '1234.5'],
  ])('%j, in the digits of another script, is %j', (given, text) => {
    expect(readTyping(given, 2)).toEqual({ text });
  });

  test('grouping in another script is as ambiguous as in ours', () => {
    for (const given of ['１，０００', '١،٠٠٠', '١٬٠٠٠']) expect(readTyping(given, 2)).toEqual({ fault: 'ambiguous' });
  });

  test('a pair without decimals takes no point', () => {
    expect(readTyping('1.', 0)).toEqual({ fault: 'decimals' });
  });

  test('no text of any keys is read as a number that it does not spell', () => {
    // Every text of up to five of these keys: what is taken has the digits of the text, and a point only where the text
    // has its last sign.
    const texts = [''];
    for (let length = 0; length < 5; length += 1)
      texts.push(
        ...texts
          .filter((text) => text.length === length)
          .flatMap((text) => ['0', '1', ',', '.'].map((key) => text + key)),
      );
    for (const text of texts)
      for (const comma of [false, true]) {
        const typed = readTyping(text, 8, comma);
        if (!('text' in typed)) continue;
        expect(typed.text.replace('.', '')).toBe(text.replaceAll(/[.,]/g, ''));
        if (typed.text.includes('.') && !comma) expect(text.lastIndexOf('.')).toBe(text.search(/[.,]\d*$/));
        if (text.includes(',') && !text.includes('.') && !comma) expect(typed.text).not.toContain('.');
      }
  });
});

describe('number fields', () => {
  test('take digits, one point and the decimals of the pair [TICKET-001]', () => {
    expect(acceptTyping('56637.5', 2)).toBe('56637.5');
    expect(acceptTyping(' 0.25\n', 4)).toBe('0.25');
    expect(acceptTyping('.', 2)).toBe('.');
    expect(acceptTyping('0.00002609', 8)).toBe('0.00002609');
    for (const refused of ['1e5', '-1', '+1', '1,234', '56637,5', '1.234', '0x1', '1 000'])
      expect(acceptTyping(refused, 2)).toBeUndefined();
  });

  test('half-typed numbers are completed only when sent [TICKET-001]', () => {
    expect([
      toDecimalText('.5'),
      toDecimalText('5.'),
      toDecimalText('007.10'),
      toDecimalText(''),
      toDecimalText('.'),
    ]).toEqual(['0.5', '5', '7.10', '', '']);
  });
});

test.each([
  ['١٢٫٥', '12.5'],
  ['۱۲', '12'],
  ['１２．３４', '12.34'],
])('the digits of %s are taken as %s [CLIENT-206]', (typed, text) => {
  expect(readTyping(typed, 8)).toEqual({ text });
});
