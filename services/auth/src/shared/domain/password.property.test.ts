import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEmail, readMobile, type AccountName } from './account-name.js';
import { fitsLength, fitsSignIn, fundPasswordsInside, isFundPassword, isGuessable } from './password.js';

const named = (name: AccountName | null): AccountName => {
  if (!name) throw new Error('not an account name');
  return name;
};

describe('passwords', () => {
  test('have 6 to 16 characters; blanks and signs of any language count as one [AUTH-061]', () => {
    expect([undefined, '', '12345', '1234567890123456x'].map(fitsLength)).toEqual([false, false, false, false]);
    expect(['123456', '1234567890123456', '      ', 'päßwörter', '🔑🔑🔑🔑🔑🔑'].map(fitsLength)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  test('are counted in their normalized form; sign-in takes the form that was sent too [CLIENT-200]', () => {
    const [korean, accents] = ['\uc548\ub155\ud558\uc138\uc694\uc138\uacc477', '\u00e9\u00e9\u00e9'].map(
      (text) => [text.normalize('NFC'), text.normalize('NFD')] as const,
    );
    expect(korean?.map(fitsLength)).toEqual([true, true]);
    expect(accents?.map(fitsLength)).toEqual([false, false]);
    // Six characters in the form that was sent: the length of an old password.
    expect(accents?.map(fitsSignIn)).toEqual([false, true]);
  });

  test('common ones and the own name are refused in any case [AUTH-062]', () => {
    const common = new Set(['password', '123456']);
    const mail = named(readEmail('captain@example.org'));
    for (const password of ['password', 'PassWord', '123456', 'captain', 'CAPTAIN', 'captain@example.org'])
      expect(isGuessable(password, mail, common)).toBe(true);
    for (const password of ['captain1', 'password1']) expect(isGuessable(password, mail, common)).toBe(false);
    const mobile = named(readMobile('5550100003', '44'));
    for (const password of ['5550100003', '445550100003', '+445550100003'])
      expect(isGuessable(password, mobile, common)).toBe(true);
  });

  test('a fund password is exactly six letters or digits [AUTH-063]', () => {
    expect(['fund66', '000000', 'ABCDEF'].map(isFundPassword)).toEqual([true, true, true]);
    expect([undefined, '', 'fund6', 'fund666', 'fund 6', 'fünd66', 'fund6\n', '①②③④⑤⑥'].map(isFundPassword)).toEqual(
      Array(8).fill(false),
    );
  });

  test('whatever could be a fund password and is part of a login password is found [AUTH-064]', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 10 });
    fc.assert(
      fc.property(text, fc.stringMatching(/^[A-Za-z0-9]{6}$/), text, (before, fund, after) => {
        const inside = fundPasswordsInside(before + fund + after);
        expect(inside).toContain(fund);
        expect(inside.every((part) => isFundPassword(part) && (before + fund + after).includes(part))).toBe(true);
      }),
    );
    expect(fundPasswordsInside('Harbor-2468')).toEqual(['Harbor']);
    expect(fundPasswordsInside('a-b-c-d-e-f')).toEqual([]);
  });
});
