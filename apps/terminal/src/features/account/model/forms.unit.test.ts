import { describe, expect, test } from '@jest/globals';
import {
  addressList,
  bankProblems,
  bindProblems,
  identityProblems,
  keyProblems,
  paymentProblems,
  paymentTexts,
  PAYMENT_FIELDS,
  totpProblems,
  wordProblems,
} from './forms.js';
import { NO_PHOTO, photoAfter, storedPhoto } from '../../../parts/photo.js';

const there = storedPhoto('/api/upload/a');
const sending = photoAfter(NO_PHOTO, { type: 'chosen', preview: 'blob:1' });

describe('the forms of the account', () => {
  test('identity: name, number, both sides; the photo in the hand is optional, never half [ACCOUNTVIEW-020]', () => {
    const filled = { name: 'Ada Byron', card: 'X1', front: there, back: there, hand: NO_PHOTO };
    expect(identityProblems(filled)).toEqual({});
    expect(
      Object.entries(identityProblems({ name: ' ', card: '', front: NO_PHOTO, back: NO_PHOTO, hand: NO_PHOTO })),
    ).toEqual([
      ['name', 'kyc.nameRequired'],
      ['card', 'kyc.cardRequired'],
      ['front', 'kyc.photoRequired'],
      ['back', 'kyc.photoRequired'],
    ]);
    expect(identityProblems({ ...filled, back: sending, hand: sending })).toEqual({
      back: 'photo.wait',
      hand: 'photo.wait',
    });
    expect(identityProblems({ ...filled, hand: { state: 'none', problem: 'too large' } })).toEqual({});
  });

  test("payment settings: the server's order, images last, a fund password later [ACCOUNTVIEW-021]", () => {
    const nothing = {
      texts: paymentTexts(null),
      alipay: NO_PHOTO,
      wechat: NO_PHOTO,
      password: '',
      needsPassword: true,
    };
    expect(Object.values(paymentProblems(nothing))).toEqual([
      'cash.realName',
      'cash.bankName',
      'cash.bankAccount',
      'cash.alipayAccount',
      'cash.wechatAccount',
      'cash.wechatNickname',
      'cash.images',
      'cash.images',
      'fund.required',
    ]);
    const texts = Object.fromEntries(PAYMENT_FIELDS.map((name) => [name, 'x'])) as typeof nothing.texts;
    expect(paymentProblems({ texts, alipay: there, wechat: there, password: '', needsPassword: false })).toEqual({});
  });

  test('bank: all five faults, each beside its field [ACCOUNTVIEW-022]', () => {
    expect(Object.keys(bankProblems({ real_name: '', bank_no: ' ', bank_name: 'B', region: '', phone: '' }))).toEqual([
      'real_name',
      'bank_no',
      'region',
      'phone',
    ]);
  });

  test('binding: an empty e-mail has words of its own, the pattern decides the rest [ACCOUNTVIEW-023]', () => {
    expect(bindProblems({ account: '', code: '', kind: 'email' })).toEqual({
      account: 'email.required',
      code: 'set.enterCode',
    });
    expect(bindProblems({ account: 'nobody', code: '1', kind: 'email' })).toEqual({ account: 'register.emailFalse' });
    expect(bindProblems({ account: '', code: '1', kind: 'mobile' })).toEqual({ account: 'set.enterAccount' });
    expect(bindProblems({ account: '5550100003', code: '123456', kind: 'mobile' })).toEqual({});
  });

  test('authenticator codes have six digits, words 4 to 20 characters [ACCOUNTVIEW-024]', () => {
    expect([
      totpProblems({ code: '12345' }),
      totpProblems({ code: '123456' }),
      totpProblems({ code: '123456', password: '' }),
    ]).toEqual([{ code: 'login.totpRequired' }, {}, { password: 'security.loginPasswordRequired' }]);
    expect([wordProblems('abc'), wordProblems('  abc  '), wordProblems('sept'), wordProblems('x'.repeat(21))]).toEqual([
      { word: 'security.wordLength' },
      { word: 'security.wordLength' },
      {},
      { word: 'security.wordLength' },
    ]);
  });

  test('API keys: a name, addresses that are addresses, ten at most, the fund password [ACCOUNTVIEW-025]', () => {
    expect(addressList(' 192.0.2.1,\n2001:db8::1 ;198.51.100.7 ')).toEqual([
      '192.0.2.1',
      '2001:db8::1',
      '198.51.100.7',
    ]);
    const good = { label: 'bot', addresses: '192.0.2.1\n2001:db8::1\n::ffff:192.0.2.1', password: 'fund66' };
    expect(keyProblems(good)).toEqual({});
    expect(keyProblems({ label: ' ', addresses: '', password: '' })).toEqual({
      label: 'apiKey.labelRequired',
      password: 'fund.required',
    });
    for (const addresses of ['192.0.2.256', 'bourse.example', '192.0.2', '192.0.2.1/24', '1234'])
      expect(keyProblems({ ...good, addresses })).toEqual({ addresses: 'apiKey.addressWrong' });
    expect(
      keyProblems({ ...good, addresses: Array.from({ length: 11 }, (_, at) => `192.0.2.${at}`).join('\n') }),
    ).toEqual({ addresses: 'apiKey.addressesMax' });
  });
});
