import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, get, post, signIn, type Fields } from './client.js';
import { codeFor, done, FUND, createNewcomer, operator, upload, type Person } from './people.js';

// Slow hashes, one at a time.
jest.setTimeout(testTimeoutMs(30_000));

let person: Person;
beforeAll(async () => {
  person = await createNewcomer();
});
const as = (path: string, fields: Fields = {}, { token } = person) => post(path, fields, { token });
const setFund = async (): Promise<void> => {
  await done(as('/api/sms_mail', { user_string: person.account, scene: 'fund' }));
  await done(
    as('/api/safe/update_password', { password: FUND, re_password: FUND, code: await codeFor(person.account, 'fund') }),
  );
};

describe('binding of addresses [AUTH-100]', () => {
  test('e-mail: present, pattern, code, right code, free', async () => {
    expect((await as('/api/safe/email')).body).toMatchObject({ type: 'error', key: 'email.required', field: 'email' });
    expect((await as('/api/safe/email', { email: 'no mail', code: '1' })).body).toMatchObject({
      type: 'error',
      key: 'register.emailFalse',
    });
    expect((await as('/api/safe/email', { email: 'trader1@demo.bourse' })).body).toMatchObject({
      type: 'error',
      key: 'set.enterCode',
    });
    expect((await as('/api/safe/email', { email: 'never@example.org', code: '000000' })).body).toMatchObject({
      type: 'error',
      key: 'code.wrong',
    });
    const { account: taken } = await createNewcomer();
    await done(as('/api/sms_mail', { user_string: taken, scene: 'bind' }));
    expect(
      (
        await as('/api/safe/email', {
          email: taken,
          code: await codeFor(taken, 'bind'),
        })
      ).body,
    ).toMatchObject({ type: 'error', key: 'register.used' });
  });

  test('a phone by its code; the level of security rises', async () => {
    const mobile = `91${randomInt(1e6, 1e7)}`;
    const before = (await get('/api/user/center', {}, { token: person.token })).body.message;
    await done(as('/api/sms_send', { user_string: mobile, scene: 'bind', area_code: '351' }));
    const code = await codeFor(mobile, 'bind');
    expect(
      (
        await post('/api/user/check_mobile', {
          mobile_code: code,
          user_string: mobile,
          area_code: '351',
          scene: 'bind',
        })
      ).body,
    ).toMatchObject({ type: 'ok', key: 'code.ok' });
    expect((await as('/api/safe/mobile', { mobile, area_code: '351', code })).body).toMatchObject({
      type: 'ok',
      key: 'bind.mobile',
    });
    const after = (await get('/api/user/center', {}, { token: person.token })).body.message;
    expect([before.security_level, after.security_level]).toEqual([50, 75]);
    expect((await get('/api/user/info', {}, { token: person.token })).body.message).toMatchObject({
      phone: mobile,
      area_code: '351',
      area_code_id: 0,
    });
  });
});

describe('identity [AUTH-140, AUTH-142]', () => {
  test('papers are refused in order, reviewed, sent back with a reason, accepted [CONSOLE-127]', async () => {
    const { token } = person;
    const [front, back] = [await upload(token, 'kyc'), await upload(token, 'kyc')];
    expect((await as('/api/user/real_name')).body).toMatchObject({
      type: 'error',
      key: 'kyc.nameRequired',
      field: 'name',
    });
    expect((await as('/api/user/real_name', { name: 'Ada' })).body).toMatchObject({
      type: 'error',
      key: 'kyc.cardRequired',
      field: 'card_id',
    });
    expect((await as('/api/user/real_name', { name: 'Ada', card_id: 'AB1234567' })).body).toMatchObject({
      type: 'error',
      key: 'kyc.photoRequired',
      field: 'front_pic',
    });
    expect(
      (
        await as('/api/user/real_name', {
          name: 'Ada',
          card_id: 'AB1234567',
          front_pic: front,
          reverse_pic: '/assets/placeholder.png',
        })
      ).body,
    ).toMatchObject({ key: 'kyc.photoRequired', field: 'reverse_pic' });
    const stranger = await createNewcomer();
    expect(
      (await as('/api/user/real_name', { name: 'Eve', card_id: 'X1', front_pic: front, reverse_pic: back }, stranger))
        .body,
    ).toMatchObject({ key: 'kyc.photoRequired' });
    const papers = { name: 'Ada Byron', card_id: 'AB1234567', front_pic: front, reverse_pic: back };
    expect((await as('/api/user/real_name', papers)).body).toMatchObject({ type: 'ok', key: 'kyc.submitted' });
    expect((await as('/api/user/real_name', papers)).body).toMatchObject({ type: 'error', key: 'kyc.state' });
    expect((await get('/api/user/center', {}, { token })).body.message).toMatchObject({
      review_status: 1,
      name: 'Ada Byron',
      card_id: 'AB*****67',
    });

    const support = await operator('support1');
    const waiting = async (): Promise<Record<string, unknown> | undefined> =>
      (await get('/api/admin/kyc', { review_status: 1, limit: 100 }, { token: support })).body.message.data.find(
        ({ user_id }) => user_id === person.id,
      );
    const row = await waiting();
    // Documents of this user only; none for a user without documents.
    const papersOf = async (id: number): Promise<unknown[]> =>
      (await get('/api/admin/kyc', { user_id: id }, { token: support })).body.message.data;
    expect(await papersOf(person.id)).toMatchObject([{ user_id: person.id, review_status: 1 }]);
    expect(await papersOf(2_000_000_000)).toEqual([]);
    expect(row).toMatchObject({ card_id: 'AB1234567', review_status: 1 });
    expect((await call('GET', String(row?.['front_pic']))).headers.get('content-type')).toMatch(/^image\//);
    const decide = (fields: Fields) =>
      post('/api/admin/kyc/decide', { user_id: person.id, ...fields }, { token: support });
    expect((await decide({ pass: 0 })).body).toMatchObject({ type: 'error', key: 'admin.reason' });
    expect((await decide({ pass: 0, reason: 'the front is cut off' })).body).toMatchObject({ type: 'ok' });
    expect((await decide({ pass: 1, reason: 'a second look' })).body).toMatchObject({
      type: 'error',
      key: 'kyc.state',
    });
    expect((await get('/api/user/center', {}, { token })).body.message).toMatchObject({
      review_status: 0,
      review_reason: 'the front is cut off',
    });
    const [letter] = (await get('/dev/inbox', { to: person.account, scene: 'kyc' })).body.message as { text: string }[];
    expect(letter?.text).toContain('the front is cut off');
    await done(as('/api/user/real_name', papers));
    await done(decide({ pass: 1, reason: 'the papers are good' }));
    expect((await get('/api/user/center', {}, { token })).body.message).toMatchObject({
      review_status: 2,
      review_reason: '',
      security_level: 100,
    });
    expect(await waiting()).toBeUndefined();
  });
});

describe('bank and payment settings [AUTH-141]', () => {
  test('a bank account: five texts in order', async () => {
    const bank = {
      real_name: 'Ada Byron',
      bank_no: '4000 1234 5678',
      bank_name: 'Harbour Bank',
      region: 'Coimbra/Baixa',
      phone: '912345678',
    };
    const given: Record<string, string> = {};
    for (const [field, value] of Object.entries(bank)) {
      expect((await as('/api/user/set_bank_account', given)).body).toMatchObject({
        type: 'error',
        key: 'common.fieldRequired',
        field,
      });
      given[field] = value;
    }
    await done(as('/api/user/set_bank_account', bank));
    expect((await get('/api/user/center', {}, { token: person.token })).body.message).toMatchObject({
      cashinfo_status: 1,
      bank,
    });
  });

  test('payment settings: eight fields in order, a fund password later, signed images for owners', async () => {
    expect((await as('/api/user/cash_info')).body).toMatchObject({ type: 'ok', message: null });
    const keys = {
      real_name: 'cash.realName',
      bank_name: 'cash.bankName',
      bank_account: 'cash.bankAccount',
      alipay_account: 'cash.alipayAccount',
      wechat_account: 'cash.wechatAccount',
      wechat_nickname: 'cash.wechatNickname',
    };
    const given: Record<string, string> = {};
    for (const [field, key] of Object.entries(keys)) {
      expect((await as('/api/user/cash_save', given)).body).toMatchObject({ type: 'error', key, field });
      given[field] = `my ${field}`;
    }
    expect((await as('/api/user/cash_save', given)).body).toMatchObject({ type: 'error', key: 'cash.images' });
    const all = {
      ...given,
      alipay_collect: await upload(person.token, 'pay'),
      wechat_collect: await upload(person.token, 'pay'),
    };
    await done(as('/api/user/cash_save', all));
    const info = (await as('/api/user/cash_info')).body.message as Record<string, string>;
    expect(info).toMatchObject(given);
    expect((await call('GET', String(info['alipay_collect']))).status).toBe(200);
    expect((await as('/api/user/cash_save', info)).body).toMatchObject({ type: 'not', key: 'fund.notSet' });
    await setFund();
    expect((await as('/api/user/cash_save', { ...info, wechat_account: '' })).body).toMatchObject({
      type: 'error',
      key: 'cash.wechatAccount',
    });
    expect((await as('/api/user/cash_save', info)).body).toMatchObject({ type: '996', key: 'fund.required' });
    expect((await as('/api/user/cash_save', { ...info, password: 'wrong1' })).body).toMatchObject({
      type: 'error',
      key: 'fund.wrong',
      params: { left: 4 },
    });
    await done(as('/api/user/cash_save', { ...info, bank_name: 'Quay Bank', password: FUND }));
    expect((await as('/api/user/cash_info')).body.message).toMatchObject({ bank_name: 'Quay Bank' });
  });
});

test('the demo people have pictures of their own in their payment settings [AUTH-143]', async () => {
  const stranger = await createNewcomer();
  for (const account of ['trader1@demo.bourse', 'seller@demo.bourse']) {
    const token = await signIn(account);
    // The gateway takes them beside the running exchange, a moment after its start.
    const info = await eventuallySatisfied(
      async () => (await post('/api/user/cash_info', {}, { token })).body.message as Record<string, string>,
      ({ alipay_collect, wechat_collect }) => alipay_collect !== '' && wechat_collect !== '',
      15_000,
    );
    const addresses = [String(info['alipay_collect']), String(info['wechat_collect'])];
    const pictures = await Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(`${BASE}${address}`);
        return {
          status: response.status,
          type: response.headers.get('content-type'),
          bytes: Buffer.from(await response.arrayBuffer()),
        };
      }),
    );
    for (const { status, type, bytes } of pictures) {
      expect([status, type]).toEqual([200, 'image/png']);
      expect(bytes.length).toBeGreaterThan(200);
    }
    expect(pictures[0]?.bytes.equals(pictures[1]!.bytes)).toBe(false);
    for (const address of addresses) {
      const [bare = '', query = ''] = address.split('?');
      const forged = `${bare}?${query.slice(0, -4)}AAAA`;
      for (const tried of [bare, forged]) expect((await call('GET', tried)).status).toBe(404);
      expect((await call('GET', bare, {}, { token: stranger.token })).status).toBe(404);
    }
    expect((await as('/api/user/cash_save', info, stranger)).body).toMatchObject({
      type: 'error',
      key: 'cash.images',
      field: 'alipay_collect',
    });
  }
});

test('region agents see masked people of their region, other users see none [AUTH-150]', async () => {
  const refused = await get('/api/user/region_users', { page: 1 }, { token: person.token });
  expect([refused.status, refused.body.type, refused.body.key]).toEqual([200, 'error', 'region.forbidden']);
  const { message } = (await get('/api/user/region_users', { page: 1 }, { token: await signIn('agent@demo.bourse') }))
    .body;
  const { data, page_size } = message;
  expect(page_size).toBe(10);
  expect(data.length).toBeGreaterThanOrEqual(2);
  for (const row of data)
    expect([row.city_name, row.phone, row.time]).toEqual([
      'Lisbon',
      expect.stringMatching(/^\d*\*{4}\d*$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    ]);
});
