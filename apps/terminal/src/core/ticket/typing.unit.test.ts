import { describe, expect, test } from '@jest/globals';
import { readTyping } from './typing.js';

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
