import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, post } from './client.js';
import { createTraders, operator, saveRow, saveSetting } from './people.js';

interface Row {
  readonly key: string;
  readonly value: string;
  readonly default: string;
  readonly help: string;
  readonly type: string;
  readonly bounds: Readonly<Record<string, unknown>>;
  readonly owner: string;
}

let admin: string;
let support: string;
let buyer: string;
let seller: string;
beforeAll(async () => {
  [admin, support] = [await operator('operator'), await operator('support1')];
  const people = await createTraders(2, { change: { 2: '5', 3: '10000' } });
  [buyer, seller] = people.map(({ token }) => token) as [string, string];
});

const save = (key: string, value: string, token = admin) =>
  post('/api/admin/settings/save', { key, value, reason: 'a contract test of settings' }, { token });
const list = async (): Promise<readonly Row[]> => (await get('/api/admin/settings', {}, { token: admin })).body.message;
const changed = new Map<string, string>();
/** Changes a setting until the end of this file, and waits at most the five seconds of rules §15. */
const set = async (key: string, value: string): Promise<void> => {
  const before = (await list()).find((row) => row.key === key);
  if (before && !changed.has(key)) changed.set(key, before.value);
  expect((await saveSetting(key, value)).body).toMatchObject({ type: 'ok' });
  await eventuallySatisfied(async () => (await list()).find((row) => row.key === key)?.value === value, Boolean);
};
afterAll(async () => {
  for (const [key, value] of changed) await saveSetting(key, value);
});
const config = async (): Promise<Record<string, unknown>> => (await get('/api/config')).body.message;

describe('settings', () => {
  test('an admin sees each with value, default, type, bounds, help, owner; others do not [SETTING-020]', async () => {
    const rows = await list();
    expect(rows.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        'is_open_CTbi',
        'trade_needs_fund',
        'trade_needs_identity',
        'login_need_code',
        'invite_code_must',
        'admin_totp',
        'support_url',
        'app_ios',
        'app_android',
        'app_mobile_path',
      ]),
    );
    expect(rows.find(({ key }) => key === 'is_open_CTbi')).toEqual({
      key: 'is_open_CTbi',
      owner: 'gateway',
      type: 'flag',
      bounds: { choices: ['0', '1'] },
      value: '1',
      default: '1',
      help: expect.stringMatching(/.{10}/),
      guarded: 1,
      pending: null,
    });
    expect((await get('/api/admin/settings', {}, { token: support })).status).toBe(403);
    expect((await get('/api/admin/settings', {}, { token: buyer })).status).toBe(403);
    expect((await save('is_open_CTbi', '0', support)).status).toBe(403);
  });

  test('an invalid value is refused with the valid ones [SETTING-020]', async () => {
    for (const value of ['2', '', 'true'])
      expect((await save('is_open_CTbi', value)).body).toMatchObject({
        type: 'error',
        key: 'common.fieldInvalid',
        field: 'value',
        bounds: { choices: ['0', '1'] },
      });
    expect((await save('app_ios', 'javascript:alert(1)')).body).toMatchObject({ key: 'common.fieldInvalid' });
    expect((await save('is_open', '1')).body).toMatchObject({ key: 'common.notFound', field: 'key' });
    const { body } = await post('/api/admin/settings/save', { key: 'is_open_CTbi', value: '0' }, { token: admin });
    expect(body).toMatchObject({ key: 'admin.reason', field: 'reason' });
    const unnamed = { value: '0', reason: 'a contract test of settings' };
    expect((await post('/api/admin/settings/save', unnamed, { token: admin })).body).toMatchObject({
      key: 'common.fieldRequired',
      field: 'key',
    });
  });

  test('deposits and withdrawals are closed and opened again while people trade [SETTING-022]', async () => {
    const token = buyer;
    const out = async (): Promise<unknown> => (await post('/api/wallet/out', { currency: 3 }, { token })).body.key;
    const isOpen = async (): Promise<unknown> =>
      (await post('/api/wallet/list', {}, { token })).body.message['is_open_CTbi'];
    expect(await out()).not.toBe('noopen');
    await set('is_open_CTbi', '0');
    await eventuallySatisfied(async () => (await out()) === 'noopen', Boolean);
    await eventuallySatisfied(async () => (await isOpen()) === 0, Boolean);
    expect((await config())['is_open_CTbi']).toBe(0);
    // An order needs no open doors.
    const order = await post(
      '/api/coin/trade',
      { legal_id: 3, currency_id: 1, type: 1, target_price: '20000.00', amount: '0.001' },
      { token },
    );
    expect(order.body.type).toBe('ok');
    await post('/api/coin/cancel', { id: order.body.id }, { token });
    await set('is_open_CTbi', '1');
    await eventuallySatisfied(async () => (await out()) !== 'noopen', Boolean);
    await eventuallySatisfied(async () => (await isOpen()) === 1, Boolean);
  });

  test('a compulsory invite code is required, and the form shows it [SETTING-022]', async () => {
    const register = async (): Promise<unknown> => {
      const name = `invited-${Date.now()}@example.com`;
      await post('/api/sms_mail', { user_string: name, scene: 'register', type: '2' });
      return (
        await post('/api/user/register', {
          type: 'email',
          user_string: name,
          code: '000000',
          password: 'Anchor-9753-own',
          re_password: 'Anchor-9753-own',
          nationality: '840',
          agreement: '1',
        })
      ).body.key;
    };
    expect(await register()).not.toBe('register.inviteRequired');
    await set('invite_code_must', '1');
    await eventuallySatisfied(async () => (await config())['invite_code_must'] === 1, Boolean);
    await eventuallySatisfied(async () => (await register()) === 'register.inviteRequired', Boolean);
    await set('invite_code_must', '0');
    await eventuallySatisfied(async () => (await config())['invite_code_must'] === 0, Boolean);
  });

  test('a fee that is changed while an order rests counts for orders that come after it [SETTING-031]', async () => {
    const place = async (token: string, type: 1 | 2, price: string, amount: string): Promise<string> => {
      const fields = { legal_id: 3, currency_id: 2, type, target_price: price, amount };
      return String((await post('/api/coin/trade', fields, { token })).body.id);
    };
    const saveFee = async (fee: string) => saveRow('catalog/pairs', { id: 2, maker_fee: fee });
    const shownFee = async (): Promise<unknown> => {
      const { body } = await get('/api/admin/catalog/pairs', {}, { token: admin });
      return body.message.find(({ id }) => id === 2)?.maker_fee;
    };
    const feeOf = async (id: string): Promise<unknown> => {
      const { body } = await get('/api/coin/fills', { order_id: id }, { token: buyer });
      return body.message.data[0]?.fee;
    };
    const before = await place(buyer, 1, '4100.00', '0.1');
    try {
      expect((await saveFee('1')).body).toMatchObject({ type: 'ok', key: 'admin.approvalWaiting' });
      expect(await shownFee()).toBe('1');
      // One after the other, until the new fee is in force: at most five seconds (rules §15).
      await eventuallySatisfied(
        async () => {
          const after = await place(buyer, 1, '4101.00', '0.1');
          await place(seller, 2, '4101.00', '0.1');
          return eventuallySatisfied(async () => feeOf(after), Boolean);
        },
        (fee) => fee === '0.00100000',
      );
      await place(seller, 2, '4100.00', '0.1');
      expect(await eventuallySatisfied(async () => feeOf(before), Boolean)).toBe('0.00010000');
    } finally {
      await saveFee('0.1');
    }
    expect((await saveFee('9')).body).toMatchObject({ key: 'common.fieldInvalid', field: 'maker_fee' });
  });

  test('lists of the catalog are changed by admins only, a column at a time, with a reason [SETTING-010]', async () => {
    const list = async (name: string, token = admin) => get(`/api/admin/catalog/${name}`, {}, { token });
    const change = (name: string, fields: Record<string, string | number>, token = admin) =>
      post(`/api/admin/catalog/${name}/save`, { reason: 'a contract test of lists', ...fields }, { token });
    for (const name of ['currencies', 'pairs', 'protocols', 'countries', 'micro_seconds', 'insurance_types']) {
      expect(((await list(name)).body.message as unknown[]).length).toBeGreaterThan(0);
      expect((await list(name, support)).status).toBe(403);
      expect((await change(name, { id: 1 }, support)).status).toBe(403);
      expect((await change(name, { id: 9_999 })).body).toMatchObject({ key: 'common.notFound', field: 'id' });
      expect((await change(name, { id: 1, reason: '' })).body).toMatchObject({ key: 'admin.reason' });
    }
    expect((await list('nothing')).status).toBe(404);
    expect((await change('pairs', { id: 1, min_total: '-1' })).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'min_total',
      value_type: 'decimal',
      bounds: { scale: 8 },
    });
    const website = async (): Promise<unknown> =>
      ((await list('currencies')).body.message as { id: number; website: string }[]).find(({ id }) => id === 1)
        ?.website;
    const before = String(await website());
    // An empty text empties what may be empty.
    expect((await change('currencies', { id: 1, website: '' })).body).toMatchObject({ type: 'ok' });
    expect(await website()).toBe('');
    expect((await change('currencies', { id: 1, website: before })).body).toMatchObject({ type: 'ok' });
    expect(await website()).toBe(before);
  });

  test('a country that an operator takes off is not offered; its names are changed [SETTING-036]', async () => {
    type Country = Readonly<Record<'area_code' | 'name_cn' | 'name_en', string>> & { readonly country_id: number };
    const offered = async (): Promise<readonly Country[]> => (await get('/api/country/list')).body.message;
    const saveCountry = async (fields: Record<string, string | number>) =>
      post(
        '/api/admin/catalog/countries/save',
        { id: 724, reason: 'a test of countries', ...fields },
        { token: admin },
      );
    const spain = async (): Promise<Country | undefined> => (await offered()).find(({ country_id: id }) => id === 724);
    const before = await spain();
    expect([(await offered())[0]?.area_code, before]).toEqual([
      '+1',
      { area_code: '+34', country_id: 724, name_cn: '西班牙', name_en: 'Spain' },
    ]);
    expect((await saveCountry({ area_code: '34' })).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'area_code',
    });
    try {
      expect((await saveCountry({ is_display: 0 })).body).toMatchObject({ key: 'admin.catalogSaved' });
      await eventuallySatisfied(async () => (await spain()) === undefined, Boolean);
      await saveCountry({ is_display: 1, name_en: 'España' });
      await eventuallySatisfied(async () => (await spain())?.name_en === 'España', Boolean);
    } finally {
      await saveCountry({ is_display: 1, name_en: 'Spain' });
    }
  });

  test('addresses of the apps are shown as they are set; the audit log names the operator [SETTING-022]', async () => {
    await set('app_ios', 'https://apps.example/bourse');
    await eventuallySatisfied(async () => {
      const { ios } = (await config())['app'] as { ios: string };
      return ios === 'https://apps.example/bourse';
    }, Boolean);
    await eventuallySatisfied(async () => {
      const { body } = await get('/api/admin/audit', { action: 'settings.save' }, { token: admin });
      const { data } = body.message;
      return data.some(
        ({ target, before, after }) =>
          target === 'app_ios' && before === '{"app_ios":""}' && after === '{"app_ios":"https://apps.example/bourse"}',
      );
    }, Boolean);
  });
});
