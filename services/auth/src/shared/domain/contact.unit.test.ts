import { describe, expect, test } from '@jest/globals';
import { bindingBlocks, CONTACT_WAIT_MS, opensPasswords, type Contacts } from './contact.js';

const NOW = 1_800_000_000_000;
const registered: Contacts = { email: 'a@b.org', phone: '', emailBoundAt: null, phoneBoundAt: null };
const withPhone = (ago: number): Contacts => ({ ...registered, phone: '912000001', phoneBoundAt: NOW - ago });

describe('a new contact [HARD-103]', () => {
  test('opens no password for a day while there is an older one, which does', () => {
    for (const [ago, opens] of [
      [0, false],
      [CONTACT_WAIT_MS - 1, false],
      [CONTACT_WAIT_MS, true],
    ] as const) {
      expect(opensPasswords(withPhone(ago), 'mobile', NOW)).toBe(opens);
      expect(opensPasswords(withPhone(ago), 'email', NOW)).toBe(true);
    }
    expect(opensPasswords(registered, 'mobile', NOW)).toBe(false);
  });

  test('opens them where it is the only one', () => {
    expect(opensPasswords({ ...registered, emailBoundAt: NOW }, 'email', NOW)).toBe(true);
  });

  test('two that were both bound today open nothing until tomorrow', () => {
    const both = { ...withPhone(1_000), emailBoundAt: NOW - 2_000 };
    expect([opensPasswords(both, 'email', NOW), opensPasswords(both, 'mobile', NOW)]).toEqual([false, false]);
  });

  test('blocks withdrawals, but for the first addition to an empty account', () => {
    expect(bindingBlocks(registered, 'mobile', true)).toBe(false);
    expect(bindingBlocks(registered, 'mobile', false)).toBe(true);
    expect(bindingBlocks(registered, 'email', true)).toBe(true);
    expect(bindingBlocks({ ...registered, emailBoundAt: NOW }, 'mobile', true)).toBe(true);
    expect(bindingBlocks(withPhone(0), 'mobile', true)).toBe(true);
  });
});
