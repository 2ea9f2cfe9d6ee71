import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { formatTrimmed, parseAmount } from '@bourse/money';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { get, post, type Fields } from './client.js';
import { approve, done, operator, saveRow, saveSetting } from './people.js';
import { advance } from './dev-clock.js';

jest.setTimeout(testTimeoutMs(60_000));

/*
 * A single admin cannot change anything that affects money or rights (attack H4).
 */

interface Pending<V> {
  readonly value: V;
  readonly approval_id: number;
  readonly in_force_at: string;
}
interface Setting {
  readonly key: string;
  readonly type: string;
  readonly bounds: { readonly min?: string | number; readonly max?: string | number; readonly scale?: number };
  readonly value: string;
  readonly default: string;
  readonly guarded: 0 | 1;
  readonly pending: Pending<string> | null;
}
interface Row extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly guarded: 0 | 1;
  readonly guarded_fields: readonly string[];
  readonly pending: Pending<Record<string, string>> | null;
}
const CATALOGS = [
  'currencies',
  'protocols',
  'pairs',
  'micro_seconds',
  'insurance_types',
  'deposit_configs',
  'countries',
] as const;
const HOUR = 3_600;
const reason = 'a test of guarded rows';

let admin: string;
beforeAll(async () => {
  admin = await operator('operator');
});
const settings = async (): Promise<readonly Setting[]> =>
  (await done(get('/api/admin/settings', {}, { token: admin }))).message;
const setting = async (key: string): Promise<Setting> => (await settings()).find((row) => row.key === key)!;
const rows = async (name: string): Promise<readonly Row[]> =>
  (await done(get(`/api/admin/catalog/${name}`, {}, { token: admin }))).message as readonly Row[];
const ask = (list: string, fields: Fields, token = admin) =>
  post(`/api/admin/${list}/save`, { reason, ...fields }, { token });
const asked = async (list: string, fields: Fields): Promise<number> => {
  const { body } = await ask(list, fields);
  expect(body).toMatchObject({ type: 'ok', key: 'admin.approvalWaiting', approval_id: expect.any(Number) });
  return body.approval_id as number;
};
const reject = (id: number, username = 'operator') =>
  operator(username).then((token) => post('/api/admin/approvals/reject', { id, reason }, { token }));
const listed = async (id: number): Promise<Readonly<Record<string, unknown>> | undefined> =>
  (await done(get('/api/admin/approvals', {}, { token: admin }))).message.data.find((row) => row.id === id);

/** Another value that fits the type and bounds of a setting, and the rules between settings. */
function otherValue({ key, type, bounds, value }: Setting): string {
  if (type === 'flag') return value === '1' ? '0' : '1';
  if (type === 'text') return 'levels' in bounds ? '50000:90:95' : 'BTC';
  if (type === 'list') return value.split(' ').slice(1).join(' ');
  const scale = bounds.scale ?? 0;
  const units = (text: string | number): bigint => (parseAmount(String(text), scale) as { units: bigint }).units;
  const [now, min] = [units(value), units(bounds.min ?? 0)];
  const step = type === 'integer' ? 1n : units(value) / 100n || 1n;
  // Limits of the smaller kind go down, those of the larger kind up: rules between settings hold.
  const isGrowing = /two_person|day|advanced|max|open_rate|transfer_rate/.test(key);
  return formatTrimmed(isGrowing || now - step < min ? ((now + step) as never) : ((now - step) as never), scale);
}
/** A text beyond each end of the bounds of a number. */
function beyond({ bounds, type }: Pick<Setting, 'bounds' | 'type'>): string[] {
  const { min, max, scale = 0 } = bounds;
  if ((type !== 'integer' && type !== 'decimal') || max === undefined) return [];
  const units = (text: string | number): bigint => (parseAmount(String(text), scale) as { units: bigint }).units;
  const low = units(min ?? 0);
  return [
    formatTrimmed((units(max) + 1n) as never, scale),
    ...(low > 0n ? [formatTrimmed((low - 1n) as never, scale)] : []),
  ];
}

describe('one admin alone', () => {
  test('changes no guarded setting: each waits, shown beside the value in force [HARD-461]', async () => {
    const before = await settings();
    const guarded = before.filter((row) => row.guarded === 1 && row.key !== 'admin_totp');
    expect(guarded.length).toBeGreaterThanOrEqual(45);
    for (const row of guarded) {
      const value = otherValue(row);
      const id = await asked('settings', { key: row.key, value });
      const { body } = await approve(id, 'operator');
      expect([row.key, body.key]).toEqual([row.key, 'admin.samePerson']);
      expect(await setting(row.key)).toMatchObject({
        value: row.value,
        pending: { value, approval_id: id, in_force_at: '' },
      });
      await done(reject(id));
    }
    expect(await settings()).toEqual(before);
  });

  test('a row that does not affect money is saved at once [HARD-461]', async () => {
    const free = (await settings()).filter((row) => row.guarded === 0);
    expect(free.map(({ key }) => key).sort()).toEqual([
      'app_android',
      'app_ios',
      'app_mobile_path',
      'c2c.chat_open_days',
      'c2c.chat_per_minute',
      'complaints.messages',
      'complaints.open',
      'complaints.reopen_days',
      'lever.share_presets',
      'micro_numbers.HAP',
      'micro_numbers.USDT',
      'micro_tick_days',
      'notice.days',
      'notice.max',
      'source_url',
      'support_url',
    ]);
    const { value } = await setting('notice.days');
    expect((await ask('settings', { key: 'notice.days', value: '181' })).body).toMatchObject({
      key: 'admin.settingSaved',
    });
    await eventuallySatisfied(
      async () => (await setting('notice.days')).value,
      (now) => now === '181',
    );
    await done(ask('settings', { key: 'notice.days', value }));
  });

  test('changes no guarded column of any row; a mixed save waits as a whole [HARD-461]', async () => {
    for (const name of CATALOGS) {
      const before = await rows(name);
      expect(before.every((row) => row.guarded === (row.guarded_fields.length > 0 ? 1 : 0))).toBe(true);
      const [row] = before;
      for (const field of row!.guarded_fields) {
        const now = String(row![field]);
        const isFlag = /^(open_|is_)/.test(field);
        // A little less of each figure: within the bounds of every one of them.
        const value = isFlag
          ? now === '1'
            ? '0'
            : '1'
          : /^\d+$/.test(now) && BigInt(now) > 1n
            ? String(BigInt(now) - 1n)
            : '0.5';
        const id = await asked(`catalog/${name}`, { id: row!.id, [field]: value });
        expect((await approve(id, 'operator')).body).toMatchObject({ key: 'admin.samePerson' });
        const { pending, ...rest } = (await rows(name)).find((one) => one.id === row!.id)!;
        const { pending: _none, ...restBefore } = row!;
        expect(rest).toEqual(restBefore);
        expect(pending).toMatchObject({ approval_id: id, in_force_at: '' });
        expect(Object.keys(pending!.value)).toEqual([field]);
        await done(reject(id));
      }
    }
    const type = (await rows('insurance_types'))[0]!;
    const id = await asked('catalog/insurance_types', { id: 1, name: 'Other', quota: '999999' });
    expect((await rows('insurance_types'))[0]).toMatchObject({ name: type['name'], quota: type['quota'] });
    await done(reject(id));
    expect((await ask('catalog/insurance_types', { id: 1, name: 'Other' })).body.key).toBe('admin.catalogSaved');
    expect((await ask('catalog/insurance_types', { id: 1, name: String(type['name']) })).body.type).toBe('ok');
    expect((await ask('catalog/countries', { id: 724, name_en: 'Spain' })).body.key).toBe('admin.catalogSaved');
  });

  test('a second operator who is not an admin cannot approve [HARD-461]', async () => {
    const id = await asked('settings', { key: 'two_person', value: '20000' });
    for (const username of ['finance1', 'support1']) expect((await approve(id, username)).status).toBe(403);
    expect((await reject(id, 'finance1')).status).toBe(403);
    await done(reject(id));
    expect((await setting('two_person')).pending).toBeNull();
  });
});

describe('a guarded change', () => {
  afterAll(async () => {
    for (const [key, value] of [
      ['two_person', '10000'],
      ['day', '100000'],
    ] as const)
      await saveSetting(key, value);
  });

  test('comes into force one hour after the second admin, and the audit log lists all steps [HARD-463]', async () => {
    const id = await asked('settings', { key: 'two_person', value: '20000' });
    const approved = await done(approve(id, 'operator2'));
    expect(approved['in_force_at']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await setting('two_person')).toMatchObject({
      value: '10000',
      pending: { value: '20000', approval_id: id, in_force_at: approved['in_force_at'] },
    });
    expect(await listed(id)).toMatchObject({ state: 'approved', in_force_at: approved['in_force_at'] });
    for (const username of ['operator', 'operator2'])
      expect((await approve(id, username)).body).toMatchObject({ key: 'admin.samePerson' });
    await advance(HOUR - 60);
    expect((await setting('two_person')).value).toBe('10000');
    await advance(61);
    expect(
      await eventuallySatisfied(
        () => setting('two_person'),
        ({ value }) => value === '20000',
      ),
    ).toMatchObject({
      pending: null,
    });
    expect((await approve(id, 'operator3')).body).toMatchObject({ key: 'admin.decided' });
    expect((await reject(id)).body).toMatchObject({ key: 'admin.decided' });
    await eventuallySatisfied(
      async () => {
        const { message } = await done(get('/api/admin/audit', { action: 'settings.save*' }, { token: admin }));
        return message.data
          .filter(({ target, after }) => target === 'two_person' && after.includes(`"approval_id":${id}`))
          .map(({ action, operator: who }) => `${action} ${who}`);
      },
      (lines) =>
        JSON.stringify(lines.sort()) ===
        JSON.stringify(['settings.save operator', 'settings.save.approve operator2', 'settings.save.request operator']),
    );
  });

  test('comes into force at once when a third admin approves as well [HARD-463]', async () => {
    const { maker_fee: before } = (await rows('pairs'))[0]!;
    const id = await asked('catalog/pairs', { id: 1, maker_fee: '0.2' });
    await done(approve(id, 'operator3'));
    expect((await rows('pairs'))[0]).toMatchObject({ maker_fee: before, pending: { value: { maker_fee: '0.2' } } });
    await done(approve(id, 'operator2'));
    expect((await rows('pairs'))[0]).toMatchObject({ maker_fee: '0.2', pending: null });
    await done(saveRow('catalog/pairs', { id: 1, maker_fee: String(before) }));
  });

  test('is withdrawn by the requester, or refused by any of the role, also within the hour [HARD-463]', async () => {
    const id = await asked('settings', { key: 'day', value: '200000' });
    await done(approve(id, 'operator2'));
    await done(reject(id, 'operator3'));
    await advance(HOUR + 1);
    expect(await setting('day')).toMatchObject({ value: '100000', pending: null });
    expect(await listed(id)).toMatchObject({ state: 'rejected', decided_by: 'operator3', in_force_at: '' });
    const own = await asked('settings', { key: 'day', value: '200000' });
    await done(approve(own, 'operator2'));
    await done(reject(own));
    expect(await setting('day')).toMatchObject({ value: '100000', pending: null });
  });

  test('of two requested against one value, the second is dropped [HARD-464]', async () => {
    const [one, two, three] = [
      await asked('settings', { key: 'day', value: '200000' }),
      await asked('settings', { key: 'day', value: '300000' }),
      await asked('settings', { key: 'day', value: '400000' }),
    ];
    await done(approve(two, 'operator2'));
    await done(approve(one, 'operator2'));
    // The one that comes into force first is shown.
    expect((await setting('day')).pending).toMatchObject({ approval_id: two });
    const both = await Promise.all([approve(one, 'operator3'), approve(two, 'operator3')]);
    expect(both.map(({ body }) => body.type).sort()).toEqual(['error', 'ok']);
    // The gateway answers from its copy of the settings, which follows the owner's events.
    const { value } = await eventuallySatisfied(
      () => setting('day'),
      (row) => row.value !== '100000',
    );
    expect(['200000', '300000']).toContain(value);
    expect((await approve(three, 'operator2')).body).toMatchObject({ key: 'admin.outdated' });
    await advance(HOUR + 1);
    await eventuallySatisfied(
      async () =>
        (await Promise.all([listed(one), listed(two)]))
          .map((row) => row?.['state'])
          .sort()
          .join(),
      (states) => states === 'approved,rejected',
    );
    expect((await setting('day')).value).toBe(value);
    await done(reject(three));
    await saveSetting('day', '100000');
  });
});

describe('bounds of a row', () => {
  test('are part of each setting, refuse values beyond them, and match the rules [HARD-462]', async () => {
    const all = await settings();
    for (const row of all)
      for (const value of beyond(row))
        expect([row.key, value, (await ask('settings', { key: row.key, value })).body.key]).toEqual([
          row.key,
          value,
          'common.fieldInvalid',
        ]);
    const bounds = Object.fromEntries(all.map(({ key, bounds: { min, max } }) => [key, [min, max].map(String)]));
    expect(bounds).toMatchObject({
      auto: ['0', '10000'],
      two_person: ['0', '100000'],
      day: ['0', '1000000'],
      deposit_cancel: ['0', '20'],
      deposit_person_share: ['1', '100'],
      usd_per_usdt: ['0.5', '2'],
      cny_per_usdt: ['3.25', '13'],
      eur_per_usdt: ['0', '2'],
      try_per_usdt: ['0', '200'],
      jc_price: ['0.05', '0.2'],
      'lever.spread': ['0', '5'],
      'lever.trade_fee': ['0', '5'],
      micro_trade_fee: ['0', '5'],
      c2c_sell_fee: ['0', '5'],
      jc_exchange_fee: ['0', '5'],
    });
    for (const [key, value] of [
      ['team_rebate_1', '46'],
      ['team_rebate_3', '31'],
    ] as const)
      expect((await ask('settings', { key, value })).body).toMatchObject({ key: 'common.fieldInvalid' });
  });

  test('refuse figures of the attack in the catalog [HARD-462]', async () => {
    for (const [list, fields, field] of [
      ['micro_seconds', { id: 1, profit_ratio: '1000' }, 'profit_ratio'],
      ['micro_seconds', { id: 1, profit_ratio: '0.9' }, 'profit_ratio'],
      ['micro_seconds', { id: 1, max_money: '1000000000' }, 'max_money'],
      ['micro_seconds', { id: 1, max_money: '0.5' }, 'max_money'],
      ['micro_seconds', { id: 1, min_money: '1000', max_money: '999' }, 'max_money'],
      ['insurance_types', { id: 1, max_amount: '99' }, 'max_amount'],
      ['insurance_types', { id: 1, min_amount: '1000', max_amount: '999' }, 'max_amount'],
      ['insurance_types', { id: 1, premium_rate: '9.99' }, 'premium_rate'],
      ['insurance_types', { id: 1, premium_rate: '100.01' }, 'premium_rate'],
      ['insurance_types', { id: 1, stake_rate: '20.01' }, 'stake_rate'],
      ['insurance_types', { id: 1, claim_rate: '100' }, 'claim_rate'],
      ['pairs', { id: 1, taker_fee: '5.01' }, 'taker_fee'],
      ['protocols', { id: 1, rate: '5.01' }, 'rate'],
      ['deposit_configs', { id: 1, interest_rate: '100' }, 'interest_rate'],
    ] as const)
      expect((await ask(`catalog/${list}`, fields)).body).toMatchObject({ key: 'common.fieldInvalid', field });
  });
});
