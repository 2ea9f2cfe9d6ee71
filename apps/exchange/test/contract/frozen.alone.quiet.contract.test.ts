import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { AcceptorDeal, Ad, Deal } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { get, keyOf, post, type Fields } from './client.js';
import { advance } from './dev-clock.js';
import {
  appealOf,
  cancel,
  changed,
  COIN,
  confirm,
  dealOf,
  decide,
  legal,
  offShelf,
  paidDeal,
  pay,
  sellAd,
  taken,
  USDT,
} from './deal-room.js';
import { createAcceptor, createMerchants, done, FUND, operator, upload } from './people.js';

// Runs alone: deadlines pass by moving the clock of the install.
jest.setTimeout(testTimeoutMs(75_000));

const DAY = 86_400;
/** Has a shop with an ad of the demo install. */
const SHOPKEEPER = 100020;
let [owner, taker, acceptor] = ['', '', ''];
let [ownerId, takerId, acceptorUserId, acceptor_id]: [number, number, number, number] = [0, 0, 0, 0];
beforeAll(async () => {
  const [[one, two], desk] = await Promise.all([
    createMerchants(2, { legal: { [USDT]: '5000' } }),
    createAcceptor({ posted: '1000', cash: '1000' }),
  ]);
  [owner, taker, acceptor] = [one.token, two.token, desk.token];
  [ownerId, takerId, acceptorUserId, acceptor_id] = [one.id, two.id, desk.id, desk.acceptorId];
});
afterEach(async () => {
  for (const id of [ownerId, takerId, SHOPKEEPER, acceptorUserId]) await freeze(id, 'none');
});
afterAll(async () => {
  expect(await findFailingChecks()).toEqual([]);
});

const freeze = async (user_id: number, scope: 'all' | 'c2c' | 'none'): Promise<unknown> => {
  const token = await operator('support1');
  return done(post('/api/admin/users/freeze', { user_id, scope, reason: 'a contract test' }, { token }));
};

describe('deals of a frozen person continue to their end [C2C-016]', () => {
  test('a frozen seller confirms nothing, and the buyer gets the coins by a decided appeal', async () => {
    const bought = await legal(taker);
    const { ad, id } = await paidDeal(owner, taker);
    await freeze(ownerId, 'all');
    expect(await keyOf(confirm(owner, id))).toBe('auth.frozen');
    expect(await dealOf(owner, id)).toMatchObject({ is_sure: 3, role: 'seller' });
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, can: ['appeal'] });
    await advance(DAY);
    const file = await appealOf(taker, id);
    expect(file).toMatchObject({ opened_by: 'system', state: 1 });
    await done(decide(file.id, 'buyer'));
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 1, appeal: 2 });
    expect(await changed(taker, bought)).toEqual([10n * COIN, 0n]);
    await done(post('/api/c2c/back_send', { id: ad, password: FUND }, { token: owner }));
  });

  test('a frozen buyer cancels, or the deadline does; the seller releases a paid deal', async () => {
    const before = await legal(owner);
    const ad = await sellAd(owner);
    const open = await taken(taker, ad);
    await freeze(takerId, 'all');
    expect(await keyOf(pay(taker, open))).toBe('auth.frozen');
    expect((await done(cancel(taker, open))).deal).toMatchObject({ is_sure: 2 });
    await freeze(takerId, 'none');
    const paid = await taken(taker, ad);
    await done(pay(taker, paid));
    await freeze(takerId, 'all');
    const bought = await legal(taker);
    expect((await done(confirm(owner, paid))).deal).toMatchObject({ is_sure: 1 });
    expect(await changed(taker, bought)).toEqual([10n * COIN, 0n]);
    await offShelf(owner, ad);
    expect(await changed(owner, before)).toEqual([-10n * COIN - COIN / 100n, 0n]);
    await freeze(takerId, 'none');
    const short = await sellAd(owner, { limit_minutes: 15 });
    const late = await taken(taker, short);
    await freeze(takerId, 'all');
    await advance(15 * 60);
    await eventuallySatisfied(
      () => dealOf(taker, late),
      ({ is_sure: state }) => state === 2,
    );
    await offShelf(owner, short);
  });

  test('a person without the right to deal ends open deals, and begins no new one', async () => {
    const ad = await sellAd(owner);
    const id = await taken(taker, ad);
    for (const person of [ownerId, takerId]) await freeze(person, 'c2c');
    await done(pay(taker, id));
    expect((await done(confirm(owner, id))).deal).toMatchObject({ is_sure: 1 });
    const take = post('/api/c2c/do_legal_deal', { id: ad, number: '1', password: FUND }, { token: taker });
    expect(await keyOf(take)).toBe('auth.frozen');
    await expect(sellAd(owner)).rejects.toThrow('auth.frozen');
    await offShelf(owner, ad);
  });
});

describe('no person begins a deal with a frozen one [C2C-018]', () => {
  const take = (id: number, path = 'c2c/do_legal_deal') =>
    post(`/api/${path}`, { id, number: '10', password: FUND }, { token: taker });

  test('an ad of a frozen owner stays on the shelf and gets no taker, until the owner is free again', async () => {
    const [before, sell] = [await legal(owner), await sellAd(owner)];
    const buy = await sellAd(owner, { type: 'buy' });
    for (const scope of ['all', 'c2c'] as const) {
      await freeze(ownerId, scope);
      for (const ad of [sell, buy]) expect([scope, ad, await keyOf(take(ad))]).toEqual([scope, ad, 'c2c.adGone']);
    }
    await freeze(ownerId, 'none');
    const { id } = await done(take(sell));
    await done(cancel(taker, id as string));
    for (const ad of [sell, buy]) await offShelf(owner, ad);
    expect(await changed(owner, before)).toEqual([0n, 0n]);
  });

  test('nor an ad of a shop whose owner is frozen, or no longer a seller', async () => {
    // Expired deals count as cancels of their buyer, which are limited per day.
    await advance(DAY);
    const onMarket = async (): Promise<Ad | undefined> => {
      const fields = { type: 'sell', currency_id: USDT };
      const { message } = await done(get('/api/legal/ads', fields, { token: taker }));
      return message.data.find(({ seller_id: id }) => id === SHOPKEEPER);
    };
    const shopAd = (await onMarket())!;
    const role = async (is_seller: 0 | 1) =>
      done(
        post(
          '/api/admin/users/role',
          { user_id: SHOPKEEPER, is_seller, reason: 'a contract test' },
          { token: await operator('operator') },
        ),
      );
    await freeze(SHOPKEEPER, 'c2c');
    expect(await keyOf(take(shopAd.id, 'legal/do_deal'))).toBe('c2c.adGone');
    await freeze(SHOPKEEPER, 'none');
    await role(0);
    expect(await keyOf(take(shopAd.id, 'legal/do_deal'))).toBe('c2c.adGone');
    // Nor is it shown [C2C-034].
    await eventuallySatisfied(onMarket, (ad) => ad === undefined, 30_000);
    await role(1);
    await eventuallySatisfied(onMarket, (ad) => ad?.id === shopAd.id, 30_000);
    const { id } = await done(take(shopAd.id, 'legal/do_deal'));
    await done(cancel(taker, id as string));
  });

  test('nor a deposit or a withdrawal with an acceptor who is frozen: not in the list, and not there', async () => {
    const pier = async () =>
      (await done(get('/api/acceptor/list', {}, { token: taker }))).message.find(
        ({ user_id: id }) => id === acceptorUserId,
      );
    for (const scope of ['all', 'c2c'] as const) {
      await freeze(acceptorUserId, scope);
      expect(await pier()).toBeUndefined();
      for (const type of ['buy', 'sell'])
        expect(await keyOf(withAcceptor({ acceptor_id, type }))).toBe('common.notFound');
    }
    await freeze(acceptorUserId, 'none');
    expect(await pier()).toMatchObject({ id: acceptor_id });
  });

  test('a buyer who has cancelled too often today gets no takers on own buy ads, either', async () => {
    await advance(DAY);
    const [sell, buy] = [await sellAd(taker), await sellAd(owner, { type: 'buy' })];
    for (let time = 0; time < 3; time += 1) {
      const id = await taken(owner, sell);
      await done(cancel(owner, id));
    }
    expect(await keyOf(take(buy))).toBe('c2c.adGone');
    await advance(DAY);
    const { id } = await done(take(buy));
    await done(cancel(owner, id as string));
    await offShelf(owner, buy);
    await offShelf(taker, sell);
  });
});

const withAcceptor = (fields: Fields) =>
  post(
    '/api/acceptor/deal',
    { mobile: '+1 5550100', deal_account: '4000 1234', money: '100', way: 'bank', password: FUND, ...fields },
    { token: taker },
  );

test('silence of a frozen person is no consent: finance decides a transferred withdrawal [ACC-027]', async () => {
  const before = await legal(taker);
  const id = (await done(withAcceptor({ acceptor_id, type: 'sell' }))).id;
  const proof_pic = await upload(acceptor, 'proof');
  await done(post('/api/acceptor/transferred', { id, proof_pic, password: FUND }, { token: acceptor }));
  await freeze(takerId, 'all');
  const objected = post('/api/acceptor/user_object', { id, reason: 'nothing came' }, { token: taker });
  expect(await keyOf(objected)).toBe('auth.frozen');
  await advance(20 * 60);
  const mine = async (): Promise<AcceptorDeal | undefined> => {
    const { message } = await done(get('/api/acceptor/my_deal', { page_size: 100 }, { token: taker }));
    return message.data.find((deal) => deal.id === id);
  };
  const left = await eventuallySatisfied(mine, (deal) => deal?.stage !== 1);
  expect(left).toMatchObject({ is_sure: 0, stage: 2, remain_seconds: 0 });
  expect(left?.reason).toContain('cannot answer');
  const trail = async () =>
    JSON.stringify(await done(get('/api/admin/audit', {}, { token: await operator('finance1') })));
  expect(await eventuallySatisfied(trail, (text) => text.includes('acceptor_deals.frozen'))).toContain(`deal:${id}`);
  const verdict = { id, outcome: 'reject', reason: 'a contract test' };
  await done(post('/api/admin/acceptor_deals/decide', verdict, { token: await operator('finance1') }));
  const back = () => changed(taker, before);
  expect(await eventuallySatisfied(back, ([free]) => free === 0n)).toEqual([0n, 0n]);
});

test('no export or list of operators has payment details or phones of parties [C2C-017]', async () => {
  const { ad, id } = await paidDeal(owner, taker);
  const deal: Deal = await dealOf(taker, id);
  const { bank_account = '' } = deal.sell_cash_info ?? {};
  expect(bank_account).not.toBe('');
  const pier = { mobile: '+351 210000017', deal_account: 'PT50 0017 4711' };
  const { deal: paidIn } = await done(withAcceptor({ acceptor_id, type: 'buy', ...pier }));
  expect(paidIn).toMatchObject(pier);
  const secrets = [bank_account, deal.seller_phone, ...Object.values(pier)].filter((text) => text !== '');
  const token = await operator('finance1');
  const span = { from: '2000-01-01 00:00:00', to: '2099-12-31 23:59:59' };
  for (const what of ['journals', 'trades', 'withdrawals', 'deposits', 'users', 'audit']) {
    const { status, text } = await get('/api/admin/export', { what, ...span }, { token });
    expect([what, status, text.split('\n').length > 0]).toEqual([what, 200, true]);
    expect([what, secrets.filter((secret) => text.includes(secret))]).toEqual([what, []]);
  }
  const { body } = await get('/api/admin/acceptor_deals', { page_size: 100 }, { token });
  expect(secrets.filter((secret) => JSON.stringify(body).includes(secret))).toEqual([]);
  await done(post('/api/acceptor/user_cancel', { id: paidIn.id }, { token: taker }));
  await done(confirm(owner, id));
  await offShelf(owner, ad);
});
