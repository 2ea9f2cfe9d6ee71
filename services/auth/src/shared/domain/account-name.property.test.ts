import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isMailbox,
  mailboxOf,
  namesOf,
  readAccountName,
  readEmail,
  readMobile,
  readWrittenMobile,
} from './account-name.js';

describe('account names [AUTH-060]', () => {
  test.each(['a@b.org', 'a.b+c@sub.example.org', `${'x'.repeat(50)}@ex.org`])('%s is an e-mail address', (text) => {
    expect(readEmail(text)).toEqual({
      kind: 'email',
      key: `email:${text}`,
      typedKey: `email:${text}`,
      address: text,
    });
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

  test('an accepted e-mail address is one mailbox: one at-sign, no odd signs [HARD-205]', () => {
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
          expect(mailboxOf(name.address)).toMatch(/^[!#-'*+.\-/-9=?^-~]+@[a-z0-9.-]+$/);
          expect(name.address).toMatch(/^[!-~]+@[a-z0-9.\-\u00fc]+$/);
          expect(name.address).not.toMatch(/^\.|\.\.|\.@/);
          // The stored name is read as itself: one mailbox, one account.
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
    ['2025550123', undefined, 'mobile:+12025550123'],
    ['5550100003', '1', 'mobile:+15550100003'],
    ['13800138000', '86', 'mobile:+8613800138000'],
    ['7911123456', '+44', 'mobile:+447911123456'],
  ])('%s with area %s is a number', (text, area, key) => {
    expect(readMobile(text, area)?.key).toBe(key);
  });

  test.each([
    ['1234', '1'],
    ['1234567890123456', '1'],
    ['12 345', '1'],
    ['+12345', '1'],
    ['12345', 'x'],
    ['12345', '1'],
    ['17612345678', '999'],
    ['١٢٣٤٥', '1'],
  ])('%j with area %j is none', (text, area) => {
    expect(readMobile(text, area)).toBeNull();
  });

  test('a number that is not possible names an account of before as it was typed [CLIENT-201]', () => {
    expect(readAccountName('12345', '999')).toMatchObject({ key: 'mobile:+999 12345', typedKey: 'mobile:+999 12345' });
    expect(readAccountName('0176 12345678', '49')).toBeNull();
  });

  test.each([
    ['anna@bücher.example', 'anna@bücher.example'],
    ['Anna@BÜCHER.example', 'anna@bücher.example'],
    ['anna@bücher.example', 'anna@bücher.example'],
    ['anna@xn--bcher-kva.example', 'anna@xn--bcher-kva.example'],
    ['anna@XN--BCHER-KVA.example', 'anna@xn--bcher-kva.example'],
  ])('%s is one mailbox in every form of its domain [CLIENT-205]', (text, address) => {
    expect(readEmail(text)).toMatchObject({ key: 'email:anna@xn--bcher-kva.example', address });
    expect(readAccountName(text)?.key).toBe('email:anna@xn--bcher-kva.example');
  });

  test.each(['anna@b‮ücher.example', 'anna@ex​ample.org', 'anña@b.org', 'anna@ü.x', 'anna@ .org'])(
    '%j is refused: it is not visible in full, or gets no mail [CLIENT-205]',
    (text) => {
      expect(readEmail(text)).toBeNull();
    },
  );

  test('two numbers as they were typed are one only if number and area code agree', () => {
    const number = fc.stringMatching(/^\d{5,15}$/);
    const area = fc.stringMatching(/^[1-9]\d{0,3}$/);
    fc.assert(
      fc.property(number, area, number, area, (a, aArea, b, bArea) => {
        const [one, other] = [readWrittenMobile(a, aArea), readWrittenMobile(b, bArea)];
        expect(one?.typedKey === other?.typedKey).toBe(a === b && aArea === bArea);
      }),
    );
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
