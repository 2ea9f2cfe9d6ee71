import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { runChecks, findFailingChecks } from './audit.js';
import { balanceOf, get, post, signIn, trader, type Fields } from './client.js';
import { inboxOf } from './inbox.js';
import { done, FUND, createUsdtMerchant, operator, type Person } from './people.js';
import { openWork } from './work.js';

// Shops of this test's own users, so that other tests are not affected.
jest.setTimeout(testTimeoutMs(45_000));

const [BTC, USDT] = [1, 3];

type Shop = RowOf<'GET /api/legal/my_shops'>;

const as =
  ({ token }: Pick<Person, 'token'>) =>
  async (path: string, fields: Fields = {}) =>
    (await post(`/api/legal/${path}`, { password: FUND, ...fields }, { token })).body;
const legalOf = async ({ token }: Person): Promise<string | undefined> =>
  (await balanceOf(token, USDT))['legal_balance'];
const mine = async ({ token }: Person) => (await get('/api/legal/my_shops', {}, { token })).body;
const decide = async (fields: Fields) =>
  (
    await post(
      '/api/admin/shops/decide',
      { reason: 'looked at the papers', ...fields },
      { token: await operator('support1') },
    )
  ).body;

let owner: Person;
let other: Person;
beforeAll(async () => {
  [owner, other] = await Promise.all([createUsdtMerchant('4000'), createUsdtMerchant('600')]);
});

describe('an application', () => {
  test('has public terms: deposit and limit of each level, as in the settings [SHOP-030]', async () => {
    expect((await get('/api/legal/terms')).body.message).toEqual({
      coin: 'USDT',
      levels: [
        { level: 'verified', deposit: '500', limit: '5000' },
        { level: 'advanced', deposit: '2000', limit: '50000' },
      ],
    });
  });

  test('holds the deposit, waits for support, and is one per coin [SHOP-001] [SHOP-006]', async () => {
    expect(await mine(owner)).toMatchObject({ type: 'error', key: 'common.noPermission' });
    const apply = { name: 'Ribeira Desk', currency_id: USDT, level: 'advanced' };
    expect(await as(owner)('shop_apply', { ...apply, name: 'x' })).toMatchObject({ field: 'name' });
    expect(await as(owner)('shop_apply', { ...apply, level: 'royal' })).toMatchObject({ field: 'level' });
    expect(await as(owner)('shop_apply', { ...apply, password: 'wrong6' })).toMatchObject({ key: 'fund.wrong' });
    expect(await as(owner)('shop_apply', apply)).toMatchObject({
      type: 'ok',
      key: 'shop.applied',
      shop: { status: 0, level: 'advanced', deposit: '2000.00000000', lock_merchant_balance: '2000.00000000' },
    });
    expect(await legalOf(owner)).toBe('2000.00000000');
    expect(await as(owner)('shop_apply', apply)).toMatchObject({ key: 'legal.exists', field: 'currency_id' });
    expect(await as(other)('shop_apply', apply)).toMatchObject({ key: 'balance.insufficient' });
    expect((await mine(owner)).message).toMatchObject([{ name: 'Ribeira Desk', status: 0 }]);
    const { message } = await done(get('/api/user/info', {}, { token: owner.token }));
    expect(message).toMatchObject({ is_seller: 0 });
  });

  test('opens at the level that support gives it; the rest of the deposit goes back [SHOP-002]', async () => {
    const token = await operator('support1');
    const { message } = await done(get('/api/admin/shops', { status: 0 }, { token }));
    const row = message.data.find(({ user_id }) => user_id === owner.id);
    // Others may apply in between.
    await eventuallySatisfied(
      async () => [
        (await openWork(token))['shops'],
        (await done(get('/api/admin/shops', { status: 0 }, { token }))).message.total,
      ],
      ([counted, listed]) => counted === listed,
    );
    expect(row).toMatchObject({ name: 'Ribeira Desk', deposit: '2000.00000000', account_number: expect.any(String) });
    const inbox = await inboxOf(owner.token);
    expect(await decide({ id: row!.id, pass: 1, level: 'verified' })).toMatchObject({ type: 'ok', key: 'shop.opened' });
    await inbox.receives('Shop opened · Your shop Ribeira Desk is open.');
    expect(await decide({ id: row!.id, pass: 0 })).toMatchObject({ type: 'error', key: 'admin.decided' });
    expect(await legalOf(owner)).toBe('3500.00000000');
    expect((await mine(owner)).message).toMatchObject([
      { status: 1, level: 'verified', deposit: '500.00000000', lock_merchant_balance: '500.00000000' },
    ]);
    const info = await done(get('/api/user/info', {}, { token: owner.token }));
    expect(info.message).toMatchObject({ is_seller: 1 });
  });

  test('is refused, the deposit goes back, and it can be made again [SHOP-003]', async () => {
    const apply = { name: 'Small Desk', currency_id: BTC, level: 'verified' };
    const { shop } = (await as(other)('shop_apply', apply)) as unknown as { shop: Shop };
    expect(await legalOf(other)).toBe('100.00000000');
    const inbox = await inboxOf(other.token);
    expect(await decide({ id: shop.id, pass: 0 })).toMatchObject({ type: 'ok', key: 'shop.refused' });
    await inbox.receives('Shop refused · Your shop Small Desk was refused: looked at the papers');
    expect(await legalOf(other)).toBe('600.00000000');
    expect(await as(other)('shop_apply', apply)).toMatchObject({ type: 'ok' });
    expect((await mine(other)).message).toMatchObject([{ status: 0 }, { status: 2 }]);
  });
});

test('coins go to the merchant account and back, for the owner alone [SHOP-007]', async () => {
  const [{ id: shop_id } = { id: 0 }] = (await mine(owner)).message;
  const moved = await as(owner)('merchant_transfer', { shop_id, number: '1500', direction: 'in' });
  expect(moved).toMatchObject({ key: 'shop.transferred', shop: { merchant_balance: '1500.00000000' } });
  expect(await as(owner)('merchant_transfer', { shop_id, number: '0.5', direction: 'out' })).toMatchObject({
    shop: { merchant_balance: '1499.50000000' },
  });
  expect((await mine(owner)).message).toMatchObject([{ merchant_balance: '1499.50000000' }]);
  expect(await legalOf(owner)).toBe('2000.50000000');
  expect(await as(owner)('merchant_transfer', { shop_id, number: '9999', direction: 'in' })).toMatchObject({
    key: 'balance.insufficient',
  });
  const stranger = { token: await trader(3) };
  expect(await as(stranger)('merchant_transfer', { shop_id, number: '1', direction: 'out' })).toMatchObject({
    key: 'common.noPermission',
  });
});

describe('ads and deals', () => {
  interface Ad {
    readonly id: number;
    readonly surplus_number: string;
  }
  const sell = {
    type: 'sell',
    coin_code: 'CNY',
    way: 'bank',
    price: '6.50',
    total_number: '1000',
    min_number: '10',
    max_number: '600',
  };
  let shopId: number;
  let ad: Ad;
  beforeAll(async () => {
    [shopId] = (await mine(owner)).message.map(({ id }) => id) as [number];
  });
  const send = (fields: Fields) => as(owner)('send', { ...sell, shop_id: shopId, ...fields });
  const merchantOf = async (): Promise<string | undefined> => (await mine(owner)).message[0]?.merchant_balance;
  const market = async (fields: Fields): Promise<number[]> => {
    const { message } = await done(get('/api/legal/ads', { currency_id: USDT, type: 'sell', limit: 100, ...fields }));
    return message.data.map(({ id }) => id);
  };
  const act = async ({ token }: Person, path: string, fields: Fields) =>
    (await post(`/api/c2c/${path}`, { password: FUND, ...fields }, { token })).body;

  test('an ad is refused in its order, each refusal with its limit [SHOP-004]', async () => {
    const later = { price: '', way: 'cash', coin_code: 'EUR', password: 'wrong6' };
    for (const [fields, expected] of [
      [{ total_number: '' }, { key: 'legal.numberRequired' }],
      [{ min_number: '' }, { key: 'legal.minRequired' }],
      [{ max_number: '' }, { key: 'legal.maxRequired' }],
      [{ max_number: '9' }, { key: 'legal.maxBelowMin', params: { min: '10' }, field: 'max_number' }],
      [{ max_number: '5000.1' }, { key: 'legal.aboveMax', params: { max: '5000' }, field: 'max_number' }],
      [{ total_number: '9' }, { key: 'legal.aboveSurplus', params: { surplus: '9' }, field: 'min_number' }],
      [{}, { key: 'c2c.priceRequired' }],
      [{ price: '6.5' }, { key: 'c2c.wayRequired' }],
      [{ price: '6.5', way: 'bank' }, { key: 'c2c.coinRequired' }],
      [{ price: '6.5', way: 'bank', coin_code: 'USD' }, { key: 'fund.wrong' }],
    ] as const)
      expect(await send({ ...later, ...fields })).toMatchObject({ type: 'error', ...expected });
    expect(await send({ total_number: '9000' })).toMatchObject({ key: 'balance.insufficient' });
    const stranger = { token: await trader(3) };
    expect(await as(stranger)('send', { ...sell, shop_id: shopId })).toMatchObject({ key: 'common.noPermission' });
  });

  test('an ad holds its coins and their fee in the merchant account, and is public [SHOP-010]', async () => {
    const before = await merchantOf();
    const { type, ad: published } = await send({});
    expect(type).toBe('ok');
    ad = published as unknown as Ad;
    expect(published).toMatchObject({ kind: 'shop', shop_id: shopId, level: 'verified', min_number: '10.00000000' });
    expect(Number(before) - Number(await merchantOf())).toBe(1001);
    expect(await market({ money: '3900' })).toContain(ad.id);
    expect(await market({ money: '65' })).toContain(ad.id);
    for (const filter of [
      { money: '3900.01' },
      { money: '64.99' },
      { way: 'ali_pay' },
      { coin_code: 'USD' },
      { type: 'buy' },
      { currency_id: BTC },
    ])
      expect(await market(filter)).not.toContain(ad.id);
    const page = (await done(get('/api/legal/shop', { id: shopId }))).message;
    expect(page).toMatchObject({ name: 'Ribeira Desk', status: 1, ads: [{ id: ad.id }] });
    expect(Object.keys(page)).not.toContain('deposit');
    expect((await get('/api/legal/shop', { id: 99_999 })).body).toMatchObject({ key: 'common.notFound' });
    const own = await done(get('/api/legal/my_ads', { shop_id: shopId }, { token: owner.token }));
    expect(own.message).toMatchObject({ total: 1, data: [{ id: ad.id, is_mine: 1, status: 1 }] });
  });

  test('a deal is within the bounds; by number or by money, and it is paid to the buyer [SHOP-005]', async () => {
    const take = (fields: Fields, who = other) => as(who)('do_deal', { id: ad.id, ...fields });
    expect(await take({})).toMatchObject({ key: 'legal.numberRequired' });
    // Fields, then the password, then the ad [SHOP-033].
    for (const fields of [{ number: '-1' }, { money: '0' }])
      expect(await take({ id: 99_999, password: '', ...fields })).toMatchObject({ key: 'common.fieldInvalid' });
    expect(await take({ id: 99_999, password: '', number: '20' })).toMatchObject({ key: 'fund.required' });
    expect(await take({ id: 99_999, number: '20' })).toMatchObject({ key: 'common.notFound' });
    expect(await take({ number: '9.99' })).toMatchObject({ key: 'legal.belowMin', params: { min: '10' } });
    expect(await take({ money: '64.9' })).toMatchObject({ key: 'legal.belowMin', field: 'money' });
    expect(await take({ number: '600.01' })).toMatchObject({ key: 'legal.aboveMax', params: { max: '600' } });
    expect(await take({ number: '20' }, owner)).toMatchObject({ key: 'c2c.ownAd' });
    const before = await legalOf(other);
    const taken = await take({ money: '3250' });
    expect(taken).toMatchObject({ type: 'ok', deal: { kind: 'shop', number: '500.00000000', deal_money: '3250.00' } });
    const id = taken.id as string;
    expect(await act(other, 'user_legal_pay', { id })).toMatchObject({ type: 'ok' });
    expect(await act(owner, 'legal_deal_sure', { id })).toMatchObject({ type: 'ok', deal: { is_sure: 1 } });
    expect(Number(await legalOf(other)) - Number(before)).toBe(500);
    const { message } = await done(get('/api/legal/my_deals', { shop_id: shopId, is_sure: 1 }, { token: owner.token }));
    expect(message).toMatchObject({ total: 1, data: [{ id, role: 'seller', out_fee: '0.50000000' }] });
    expect((await mine(owner)).message).toMatchObject([{ deals: 1, done_rate: '100.00', ads: 1 }]);
    expect(await take({ number: '500.01' })).toMatchObject({ key: 'legal.aboveSurplus', params: { surplus: '500' } });
  });

  test('a buy ad takes the coins of its taker; a withdrawn ad returns its rest [SHOP-010]', async () => {
    const { ad: buying } = (await send({ type: 'buy', total_number: '200' })) as unknown as { ad: Ad };
    const before = await legalOf(other);
    const taken = await as(other)('do_deal', { id: buying.id, number: '100' });
    expect(taken).toMatchObject({ type: 'ok', deal: { role: 'seller' } });
    expect(Number(before) - Number(await legalOf(other))).toBeCloseTo(100.1, 8);
    expect(await as(owner)('back_send', { id: buying.id })).toMatchObject({ key: 'c2c.hasDeals' });
    expect(await act(owner, 'user_legal_pay_cancel', { id: taken.id as string })).toMatchObject({ type: 'ok' });
    expect(await legalOf(other)).toBe(before);
    const held = await merchantOf();
    expect(await as(owner)('back_send', { id: ad.id })).toMatchObject({ key: 'legal.withdrawn', ad: { status: 2 } });
    expect(Number(await merchantOf()) - Number(held)).toBe(500.5);
    expect(await market({})).not.toContain(ad.id);
  });
});

describe('closing [HARD-441]', () => {
  test('a shop without ads and deals gives all back, and its owner may apply again', async () => {
    const person = await createUsdtMerchant('3000');
    const apply = { name: 'Foz Desk', currency_id: USDT, level: 'verified' };
    const before = await legalOf(person);
    const { id } = (await as(person)('shop_apply', apply)).shop as Shop;
    const close = (fields: Fields = {}, who = person) => as(who)('shop_close', { shop_id: id, ...fields });
    expect(await close()).toMatchObject({ key: 'common.noPermission' });
    await decide({ id, pass: 1 });
    expect(await close({ password: 'wrong6' })).toMatchObject({ key: 'fund.wrong' });
    expect(await close({}, other)).toMatchObject({ key: 'common.noPermission' });
    expect(await close({}, owner)).toMatchObject({ key: 'common.notFound' });
    const moved = { shop_id: id, number: '500', direction: 'in' };
    expect(await as(person)('merchant_transfer', moved)).toMatchObject({ type: 'ok' });
    const ad = { type: 'sell', coin_code: 'CNY', way: 'bank', price: '6.50', total_number: '100' };
    const sent = await as(person)('send', { ...ad, shop_id: id, min_number: '10', max_number: '100' });
    expect(await close()).toMatchObject({ key: 'legal.busy' });
    expect(await as(person)('back_send', { id: (sent.ad as { id: number }).id })).toMatchObject({ type: 'ok' });
    expect(await close()).toMatchObject({
      ...{ type: 'ok', key: 'legal.closed' },
      shop: { id, status: 3, deposit: '0.00000000', merchant_balance: '0.00000000' },
    });
    expect(await legalOf(person)).toBe(before);
    const info = async () => (await get('/api/user/info', {}, { token: person.token })).body.message;
    expect(await eventuallySatisfied(info, (found) => found.is_seller === 0)).toMatchObject({
      is_seller: 0,
    });
    expect((await mine(person)).message).toMatchObject([{ id, status: 3 }]);
    expect((await get('/api/legal/shop', { id })).body).toMatchObject({ key: 'common.notFound' });
    expect(await close()).toMatchObject({ key: 'common.noPermission' });
    expect(await as(person)('shop_apply', apply)).toMatchObject({ type: 'ok', shop: { status: 0 } });
    expect(await findFailingChecks()).toEqual([]);
  });
});

test('the demo install has its shop: open, with one sell and one buy ad [SHOP-011]', async () => {
  const token = await signIn('seller@demo.bourse');
  const [shop] = (await done(get('/api/legal/my_shops', {}, { token }))).message;
  expect(shop).toMatchObject({ name: 'Harbour Desk', level: 'verified', status: 1, deposit: '500.00000000' });
  const page = (await done(get('/api/legal/shop', { id: shop!.id }))).message;
  expect(page.ads.map(({ type }) => type).sort()).toEqual(['buy', 'sell']);
});

test('the auditor finds the deposits of shops and the coins of their ads in the ledger [SHOP-009]', async () => {
  expect(await findFailingChecks()).toEqual([]);
  const checks = await runChecks();
  expect(checks.map(({ name }) => name)).toContain('c2c-escrow.shopAds');
});
