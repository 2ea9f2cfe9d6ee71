import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Deal } from '@bourse/contract';
import { eventually, get, post, trader } from './client.js';
import {
  advance,
  appealOf,
  cancel,
  changed,
  COIN,
  confirm,
  dealOf,
  decide,
  keyOf,
  legal,
  offShelf,
  paidDeal,
  pay,
  sellAd,
  taken,
  unsound,
} from './deal-room.js';
import { done, FUND, operator } from './people.js';

// Runs where nobody else deals: deadlines pass by the clock of the install.
jest.setTimeout(300_000);

const DAY = 86_400;
const [OWNER, TAKER] = [100001, 100002];
let [owner, taker] = ['', ''];
beforeAll(async () => {
  [owner, taker] = await Promise.all([trader(1), trader(2)]);
});
afterEach(async () => {
  for (const id of [OWNER, TAKER]) await freeze(id, 'none');
});
afterAll(async () => {
  // Three cancels of a day close C2C for a buyer: whoever tests next begins with none.
  await advance(DAY);
  expect(await unsound()).toEqual([]);
});

const freeze = async (user_id: number, scope: 'all' | 'c2c' | 'none'): Promise<unknown> => {
  const token = await operator('support1');
  return done(() => post('/api/admin/users/freeze', { user_id, scope, reason: 'a contract test' }, { token }));
};

describe('deals of a frozen person go on to their end [C2C-016]', () => {
  test('a frozen seller confirms nothing, and the buyer gets the coins by a decided appeal', async () => {
    const bought = await legal(taker);
    const { ad, id } = await paidDeal(owner, taker);
    await freeze(OWNER, 'all');
    expect(await keyOf(confirm(owner, id))).toBe('auth.frozen');
    expect(await dealOf(owner, id)).toMatchObject({ is_sure: 3, role: 'seller' });
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 3, can: ['appeal'] });
    await advance(DAY);
    const file = await appealOf(taker, id);
    expect(file).toMatchObject({ opened_by: 'system', state: 1 });
    await done(() => decide(file.id, 'buyer'));
    expect(await dealOf(taker, id)).toMatchObject({ is_sure: 1, appeal: 2 });
    expect(await changed(taker, bought)).toEqual([10n * COIN, 0n]);
    await done(() => post('/api/c2c/back_send', { id: ad, password: FUND }, { token: owner }));
  });

  test('a frozen buyer cancels, or the deadline does; what is paid is released by the seller', async () => {
    const before = await legal(owner);
    const ad = await sellAd(owner);
    const open = await taken(taker, ad);
    await freeze(TAKER, 'all');
    expect(await keyOf(pay(taker, open))).toBe('auth.frozen');
    expect((await done(() => cancel(taker, open)))['deal']).toMatchObject({ is_sure: 2 });
    await freeze(TAKER, 'none');
    const paid = await taken(taker, ad);
    await done(() => pay(taker, paid));
    await freeze(TAKER, 'all');
    const bought = await legal(taker);
    expect((await done(() => confirm(owner, paid)))['deal']).toMatchObject({ is_sure: 1 });
    expect(await changed(taker, bought)).toEqual([10n * COIN, 0n]);
    await offShelf(owner, ad);
    expect(await changed(owner, before)).toEqual([-10n * COIN - COIN / 100n, 0n]);
    await freeze(TAKER, 'none');
    const short = await sellAd(owner, { limit_minutes: 15 });
    const late = await taken(taker, short);
    await freeze(TAKER, 'all');
    await advance(15 * 60);
    await eventually(
      () => dealOf(taker, late),
      ({ is_sure: state }) => state === 2,
    );
    await offShelf(owner, short);
  });

  test('who may deal no more with others brings a deal to its end, and begins nothing new', async () => {
    const ad = await sellAd(owner);
    const id = await taken(taker, ad);
    for (const person of [OWNER, TAKER]) await freeze(person, 'c2c');
    await done(() => pay(taker, id));
    expect((await done(() => confirm(owner, id)))['deal']).toMatchObject({ is_sure: 1 });
    const take = post('/api/c2c/do_legal_deal', { id: ad, number: '1', password: FUND }, { token: taker });
    expect(await keyOf(take)).toBe('auth.frozen');
    await expect(sellAd(owner)).rejects.toThrow('auth.frozen');
    await offShelf(owner, ad);
  });
});

test('no export has the payment details or the phone of somebody who deals [C2C-017]', async () => {
  const { ad, id } = await paidDeal(owner, taker);
  const deal: Deal = await dealOf(taker, id);
  const { bank_account = '' } = deal.sell_cash_info ?? {};
  expect(bank_account).not.toBe('');
  const secrets = [bank_account, deal.seller_phone].filter((text) => text !== '');
  const token = await operator('finance1');
  const span = { from: '2000-01-01 00:00:00', to: '2099-12-31 23:59:59' };
  for (const what of ['journals', 'trades', 'withdrawals', 'deposits', 'users', 'audit']) {
    const { status, text } = await get('/api/admin/export', { what, ...span }, { token });
    expect([what, status, text.split('\n').length > 0]).toEqual([what, 200, true]);
    expect([what, secrets.filter((secret) => text.includes(secret))]).toEqual([what, []]);
  }
  await done(() => confirm(owner, id));
  await offShelf(owner, ad);
});
