import { describe, expect, test } from '@jest/globals';
import { accountKind, accountProblem, areaCodeId, areaDigits } from '../../../forms/account-name.js';
import { hasProblems } from '../../../forms/problems.js';
import { deviceProblems, forgetProblems, fundProblems, loginProblems, registerProblems } from './account.js';

describe('accounts', () => {
  test('a text that matches the pattern is an e-mail; anything else is a mobile number', () => {
    expect(accountKind('trader1@demo.bourse')).toBe('email');
    for (const text of ['5550100003', 'a@b', 'a b@c.de', '@c.de', `${'x'.repeat(70)}@demo.bourse`])
      expect(accountKind(text)).toBe('mobile');
    expect(accountProblem('', 'email')).toBe('set.enterAccount');
    expect(accountProblem('nobody', 'email')).toBe('register.emailFalse');
    expect(accountProblem('1234', 'mobile')).toBe('register.mobileFalse');
    expect(accountProblem('5550100003', 'mobile')).toBeUndefined();
  });

  test('area codes travel as digits, with the odd flag for 86', () => {
    expect(areaDigits('+1 684')).toBe('1684');
    expect([areaCodeId('86'), areaCodeId('1')]).toEqual([1, 0]);
  });
});

describe('forms name the first problem of each field', () => {
  test('login', () => {
    expect(loginProblems({ account: ' ', password: '12345', code: '', needCode: true })).toEqual({
      account: 'set.enterAccount',
      password: 'login.psw6',
      code: 'set.enterCode',
    });
    expect(hasProblems(loginProblems({ account: 'x', password: '123456', code: '', needCode: false }))).toBe(false);
    expect(loginProblems({ account: 'x', password: '1'.repeat(17), code: '', needCode: false })).toEqual({
      password: 'login.psw6',
    });
  });

  test('registration', () => {
    const good = {
      account: 'a@demo.bourse',
      code: '123456',
      password: 'Harbor-2468',
      repeat: 'Harbor-2468',
      invite: '',
      inviteRequired: false,
      terms: true,
      mode: 'email',
    } as const;
    expect(registerProblems(good)).toEqual({});
    expect(
      registerProblems({ ...good, account: '', code: '', password: '1', repeat: '2', invite: 'abc', terms: false }),
    ).toEqual({
      account: 'set.enterAccount',
      code: 'set.enterCode',
      password: 'register.psw16',
      repeat: 'pswFalse',
      invite: 'register.inviteMin',
      terms: 'register.terms',
    });
    expect(registerProblems({ ...good, inviteRequired: true })).toEqual({ invite: 'register.inviteRequired' });
  });

  test('forgotten password and fund password', () => {
    expect(forgetProblems({ account: '', code: '', password: '12345', repeat: '' })).toEqual({
      account: 'set.enterAccount',
      code: 'set.enterCode',
      password: 'register.psw16',
      repeat: 'pswFalse',
    });
    expect(fundProblems({ password: 'fund6', repeat: 'fund6', code: '1' })).toEqual({ password: 'fund.format' });
    expect(fundProblems({ password: 'fund66', repeat: 'fund67', code: '' })).toEqual({
      repeat: 'pswFalse',
      code: 'set.enterCode',
    });
  });
});

test('a requested authenticator code is required; a new device needs account and code [ACCOUNTVIEW-030]', () => {
  const form = { account: 'a@b.co', password: 'secret', code: '', needCode: false };
  expect([
    loginProblems(form),
    loginProblems({ ...form, totp: '' }),
    loginProblems({ ...form, totp: '123456' }),
  ]).toEqual([{}, { totp: 'login.totpRequired' }, {}]);
  expect(deviceProblems({ account: ' ', code: '' })).toEqual({ account: 'set.enterAccount', code: 'set.enterCode' });
  expect(deviceProblems({ account: 'a@b.co', code: 'ABCD1234' })).toEqual({});
  expect(deviceProblems({ account: 'a@b.co', code: 'ABCD1234', totp: '' })).toEqual({ totp: 'login.totpRequired' });
});
