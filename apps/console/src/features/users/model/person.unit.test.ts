import { describe, expect, test } from '@jest/globals';
import { heldBalances, resetsOf, roleChange, rolesOf, titleOf, type PersonRow } from './person.js';

describe('a person before operators', () => {
  test('is called by name, else by the sign-in name [CONSOLE-112]', () => {
    const person = { name: '', email: '', phone: '155', account_number: 'B1' } as PersonRow;
    expect(titleOf(person)).toBe('155');
    expect(titleOf({ ...person, email: 'a@b.c' })).toBe('a@b.c');
    expect(titleOf({ ...person, phone: '' })).toBe('B1');
    expect(titleOf({ ...person, email: 'a@b.c', name: 'Ada' })).toBe('Ada');
  });

  test('has the roles of the profile and no other [CONSOLE-112]', () => {
    expect(rolesOf({ is_seller: 0, is_acceptor: 0, is_region: 0, type: 0 })).toEqual([]);
    expect(rolesOf({ is_seller: 1, is_acceptor: 1, is_region: 1, type: 1 })).toEqual([
      'console.users.seller',
      'console.users.acceptor',
      'console.users.agent',
      'console.users.points',
    ]);
  });

  test('has the balances that hold something, free or held, account by account [CONSOLE-112]', () => {
    const row = (account: string, currency: number, balance: string, lock_balance = '0.00000000') => ({
      account,
      currency,
      balance,
      lock_balance,
    });
    expect(
      heldBalances([
        row('legal', 3, '1.00000000'),
        row('change', 3, '0.00000000', '0.00000001'),
        row('change', 1, '2.00000000'),
        row('micro', 3, '0.00000000'),
      ]).map(({ account, currency }) => `${account} ${currency}`),
    ).toEqual(['change 1', 'change 3', 'legal 3']);
  });

  test('offers resets of configured secrets, and always the end of sessions [CONSOLE-112]', () => {
    expect(resetsOf({ totp: 0, has_fund_password: 0 })).toEqual(['sessions']);
    expect(resetsOf({ totp: 1, has_fund_password: 1 })).toEqual(['sessions', 'totp', 'fund']);
  });

  test('sends only changed roles [CONSOLE-112]', () => {
    const before = { is_seller: 1, is_acceptor: 0, region: 'Lisbon', type: 0 } as const;
    const same = { isSeller: true, isAcceptor: false, region: 'Lisbon', inPoints: false };
    expect(roleChange(before, same)).toEqual({});
    expect(roleChange(before, { ...same, isSeller: false })).toEqual({ is_seller: 0 });
    expect(roleChange(before, { ...same, region: ' ' })).toEqual({ region: '' });
    expect(roleChange(before, { ...same, isAcceptor: true, inPoints: true })).toEqual({ is_acceptor: 1, type: 1 });
  });
});
