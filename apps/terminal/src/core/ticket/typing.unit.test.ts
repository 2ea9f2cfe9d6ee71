import { describe, expect, test } from '@jest/globals';
import { acceptTyping, readTyping, toDecimalText } from './typing.js';

describe('what a number field takes [TICKET-021]', () => {
  test.each([
    ['1234.5', '1234.5'],
    [' 1234,5 ', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1,234,567', '1234567'],
    ['.5', '.5'],
    ['', ''],
  ])('%j is read as %j', (given, text) => {
    expect(readTyping(given, 2)).toEqual({ text });
  });

  test.each([
    ['1,234', 'ambiguous'],
    ['-5', 'characters'],
    ['1e5', 'characters'],
    ['$100', 'characters'],
    ['0.01 BTC', 'characters'],
    ['1,23.4', 'characters'],
    ['1.234', 'decimals'],
    ['1234567890123456789', 'long'],
  ])('%j is refused: %s', (given, fault) => {
    expect(readTyping(given, 2)).toEqual({ fault });
  });

  test('a pair without decimals takes no point', () => {
    expect(readTyping('1.', 0)).toEqual({ fault: 'decimals' });
  });
});

describe('number fields', () => {
  test('take digits, one point and the decimals of the pair; a comma is a point [TICKET-001]', () => {
    expect(acceptTyping('56637,5', 2)).toBe('56637.5');
    expect(acceptTyping(' 0.25\n', 4)).toBe('0.25');
    expect(acceptTyping('.', 2)).toBe('.');
    expect(acceptTyping('0.00002609', 8)).toBe('0.00002609');
    for (const refused of ['1e5', '-1', '+1', '1,234', '1.234', '0x1', '1 000'])
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
