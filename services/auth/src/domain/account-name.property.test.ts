import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMailbox, namesOf, readAccountName, readEmail, readMobile } from './account-name.js';

describe('account names [AUTH-060]', () => {
  test.each(['a@b.org', 'a.b+c@sub.example.org', `${'x'.repeat(50)}@ex.org`])('%s is an e-mail address', (text) => {
    expect(readEmail(text)).toEqual({ kind: 'email', key: `email:${text}`, address: text });
  });

  test.each([
    '',
    'a',
    '@b.org',
    'a@b',
    'a@b.o',
    'a b@c.org',
    'a@b@c.org',
    'a@b.org ',
    `${'x'.repeat(65)}@b.org`,
    `${'x'.repeat(60)}@bb.org`,
  ])('%j is none', (text) => {
    expect(readEmail(text)).toBeNull();
  });

  test('what is read as an e-mail address is one mailbox: one at-sign, visible ASCII, no odd signs [HARD-205]', () => {
    const tricky = fc.string({
      unit: fc.constantFrom(...'ab1.-+@,;:<>"()[]\\ \t\u0000\u00fc\u200b\u200f\u202e\u212a\u00a0'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          tricky,
          tricky.map((text) => `${text}@bank.example`),
          fc.emailAddress(),
        ),
        (text) => {
          const name = readEmail(text);
          if (!name) return;
          expect(name.address).toMatch(/^[!#-'*+.\-/-9=?^-~]+@[a-z0-9.-]+$/);
          expect(name.address).not.toMatch(/^\.|\.\.|\.@/);
          // What is stored is read as itself: one mailbox, one account.
          expect(readEmail(name.address)).toEqual(name);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('an account older than this rule signs in by its name, and is not written to as another [HARD-205]', () => {
    const old = 'a0,victim@bank.example';
    expect(readEmail(old)).toBeNull();
    expect(readAccountName(old)?.address).toBe(old);
    expect(isMailbox(old)).toBe(false);
    expect(namesOf({ email: old, phone: '5550100003', areaCode: '1' })).toHaveLength(2);
  });

  test.each<[string, string | undefined, string]>([
    ['12345', undefined, 'mobile:+1 12345'],
    ['5550100003', '1', 'mobile:+1 5550100003'],
    ['13800138000', '86', 'mobile:+86 13800138000'],
    ['5550100003', '+44', 'mobile:+44 5550100003'],
  ])('%s with area %s is a number', (text, area, key) => {
    expect(readMobile(text, area)?.key).toBe(key);
  });

  test.each([
    ['1234', '1'],
    ['1234567890123456', '1'],
    ['12 345', '1'],
    ['+12345', '1'],
    ['12345', 'x'],
    ['١٢٣٤٥', '1'],
  ])('%j with area %j is none', (text, area) => {
    expect(readMobile(text, area)).toBeNull();
  });

  test('two numbers are one account only if number and area code agree', () => {
    const number = fc.stringMatching(/^\d{5,15}$/);
    const area = fc.stringMatching(/^[1-9]\d{0,3}$/);
    fc.assert(
      fc.property(number, area, number, area, (a, aArea, b, bArea) => {
        expect(readMobile(a, aArea)?.key === readMobile(b, bArea)?.key).toBe(a === b && aArea === bArea);
      }),
    );
    expect(readMobile('2345678', '1')?.key).not.toBe(readMobile('345678', '12')?.key);
  });

  test('case of an address does not matter', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        fc.pre(readEmail(address) !== null);
        expect(readAccountName(address.toUpperCase())).toEqual(readAccountName(address.toLowerCase()));
      }),
    );
  });
});
