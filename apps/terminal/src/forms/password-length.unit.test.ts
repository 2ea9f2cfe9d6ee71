import { expect, test } from '@jest/globals';
import { atMostCharacters, hasPasswordLength, isSamePassword, isTooShort } from './password-length.js';

const COMPOSED = '\uc548\ub155\ud558\uc138\uc694\uc138\uacc477'.normalize('NFC');
const DECOMPOSED = COMPOSED.normalize('NFD');

test('a password has one length and is one password in both forms that keyboards write [CLIENT-200]', () => {
  expect([COMPOSED, DECOMPOSED].map(hasPasswordLength)).toEqual([true, true]);
  expect(isSamePassword(COMPOSED, DECOMPOSED)).toBe(true);
  expect(isSamePassword(COMPOSED, `${DECOMPOSED}x`)).toBe(false);
  expect(['12345', 'e\u0301'.repeat(5), '123456'].map(isTooShort)).toEqual([true, true, false]);
  expect(hasPasswordLength('12345678901234567')).toBe(false);
});

test('a field keeps a fitting text as typed, and cuts a longer one in normalized form [CLIENT-200]', () => {
  expect(atMostCharacters(DECOMPOSED, 16)).toBe(DECOMPOSED);
  expect(atMostCharacters('e\u0301'.repeat(20), 16)).toBe('\u00e9'.repeat(16));
});
