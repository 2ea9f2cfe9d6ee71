import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MessageOf, RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import {
  balanceOf,
  callAtOnce,
  connect,
  get,
  keyOf,
  post,
  signIn,
  type Answered,
  type Fields,
  type Body,
} from './client.js';
import { inboxOf } from './inbox.js';
import { createMerchants, done, FUND, NAME, operator, PAYMENT, upload } from './people.js';
import { advance } from './dev-clock.js';

// Runs alone: deadlines pass by moving the clock of the install.
jest.setTimeout(testTimeoutMs(75_000));

const USDT = 3;
const HOURS_25 = 25 * 3_600;

type Ad = RowOf<'GET /api/c2c/seller_trade'>;
type Deal = MessageOf<'GET /api/c2c_deal'>;

let [owner, taker, third, seller] = ['', '', '', ''];
let [ownerId, takerId]: [number, number] = [0, 0];
beforeAll(async () => {
  const people = await createMerchants(3, { legal: { [USDT]: '20000' } });
  [owner, taker, third] = people.map(({ token }) => token) as [string, string, string];
  [ownerId, takerId] = [people[0].id, people[1].id];
  seller = await signIn('seller@demo.bourse');
});

const send = (fields: Fields = {}, token = owner) =>
  post(
    '/api/c2c_send',
    {
      ...{ total_number: '100', price: '6.50', way: 'bank', coin_code: 'CNY', currency_id: USDT, type: 'sell' },
      ...{ password: FUND, ...fields },
    },
    { token },
  );
const ad = async (fields: Fields = {}, token = owner): Promise<Ad> => (await done(send(fields, token))).ad;
const take = (id: number, fields: Fields = {}, token = taker) =>
  post('/api/c2c/do_legal_deal', { id, password: FUND, ...fields }, { token });
const taken = async (id: number, number?: string, token = taker): Promise<Deal> =>
  (await done(take(id, { number }, token))).deal;
const act = (call: string, id: string | number, token: string, fields: Fields = {}) =>
  post(`/api/c2c/${call}`, { id, password: FUND, ...fields }, { token });
const pay = (id: string, token = taker, fields: Fields = {}) => act('user_legal_pay', id, token, fields);
const cancel = (id: string, token = taker) => act('user_legal_pay_cancel', id, token);
const sure = (id: string, token = owner) => act('legal_deal_sure', id, token);
const takerSure = (id: string, token = taker) => act('legal_deal_user_sure', id, token);
const back = (id: number, token = owner) => act('back_send', id, token);
const acted = async (answer: Promise<Answered>): Promise<Deal> => (await done(answer)).deal as Deal;
const dealOf = async (id: string, token = taker): Promise<Deal> =>
  (await done(get('/api/c2c_deal', { id }, { token }))).message;
const listed = async <Row>(page: Promise<Answered<Body & { message: { data: Row[] } }>>): Promise<Row[]> =>
  (await done(page)).message.data;
/** Free and held in the legal account, in cents of a cent. */
async function legal(token: string): Promise<[free: number, held: number]> {
  const found = await balanceOf(token, USDT);
  const units = (name: 'legal_balance' | 'lock_legal_balance'): number => Math.round(Number(found[name]) * 1e8);
  return [units('legal_balance'), units('lock_legal_balance')];
}
/** Returns the changes of the legal account since then, in coins. */
const changed = async (token: string, [free, held]: [number, number]): Promise<[number, number]> => {
  const [nowFree, nowHeld] = await legal(token);
  return [(nowFree - free) / 1e8, (nowHeld - held) / 1e8];
};
const DAY = 86_400;
const expectSound = async (): Promise<void> => expect(await findFailingChecks()).toEqual([]);

describe('a sell ad [C2C-010]', () => {
  test('the worked example of rules §6, over the public calls and to the last digit', async () => {
    const [before, bought] = [await legal(owner), await legal(taker)];
    const [ofSeller, ofBuyer] = [await inboxOf(owner), await inboxOf(taker)];
    const sell = await ad();
    expect(sell).toMatchObject({
      status: 1,
      surplus_number: '100.00000000',
      price: '6.50',
      fee_rate: '0.1',
      is_mine: 1,
    });
    expect(await changed(owner, before)).toEqual([-100.1, 100.1]);
    const deal = await taken(sell.id, '40');
    expect(deal).toMatchObject({ role: 'buyer', is_sure: 0, deal_money: '260.00', out_fee: '0.04000000' });
    expect(deal.can).toEqual(['pay', 'cancel']);
    expect(deal.next).toContain('260.00 CNY');
    expect(await acted(pay(deal.id))).toMatchObject({ is_sure: 3, can: ['appeal'] });
    expect((await dealOf(deal.id, owner)).can).toEqual(['confirm', 'appeal']);
    expect(await acted(sure(deal.id))).toMatchObject({ is_sure: 1, role: 'seller', can: [] });
    expect(await changed(taker, bought)).toEqual([40, 0]);
    expect(await changed(owner, before)).toEqual([-100.1, 60.06]);
    expect((await done(back(sell.id))).ad).toMatchObject({ status: 2, surplus_number: '0.00000000' });
    expect(await changed(owner, before)).toEqual([-40.04, 0]);
    // The user who takes a step gets no notice of it.
    const deals = (title: string, has: string): string => `${title} · The deal over 40 USDT for 260.00 CNY ${has}.`;
    const heard = [
      deals('Deal marked as paid', 'has been marked as paid'),
      'New deal · A deal over 40 USDT for 260.00 CNY has been opened.',
    ];
    await ofSeller.receives(...heard);
    await ofBuyer.receives(deals('Deal completed', 'is completed'));
    expect([await ofSeller.words(), await ofBuyer.words()]).toEqual([heard, [deals('Deal completed', 'is completed')]]);
    await expectSound();
  });

  test('without a number the whole surplus is taken; then it is sold out', async () => {
    const sell = await ad({ total_number: '10' });
    const deal = await taken(sell.id);
    expect(await keyOf(take(sell.id, {}, third))).toBe('c2c.adGone');
    await acted(pay(deal.id));
    await acted(sure(deal.id));
    const [mine] = await listed(get('/api/admin/c2c_ads', { user_id: ownerId }, { token: await operator('support1') }));
    expect(mine).toMatchObject({ id: sell.id, status: 3 });
    expect(await keyOf(back(sell.id))).toBe('c2c.state');
  });
});

describe('a buy ad [C2C-011]', () => {
  test('the taker sells: number and fee are held at taking, and the owner pays', async () => {
    const [buyer, coins] = [await legal(owner), await legal(taker)];
    const buy = await ad({ type: 'buy' });
    expect(await changed(owner, buyer)).toEqual([0, 0]);
    const deal = await taken(buy.id, '40');
    expect(deal).toMatchObject({ role: 'seller', is_sure: 0, can: [] });
    expect(await changed(taker, coins)).toEqual([-40.04, 40.04]);
    expect(await keyOf(pay(deal.id, taker))).toBe('common.notFound');
    await acted(pay(deal.id, owner));
    expect(await keyOf(sure(deal.id, owner))).toBe('common.notFound');
    expect(await keyOf(sure(deal.id, taker))).toBe('common.notFound');
    expect(await acted(takerSure(deal.id))).toMatchObject({ is_sure: 1, role: 'seller' });
    expect(await changed(taker, coins)).toEqual([-40.04, 0]);
    expect(await changed(owner, buyer)).toEqual([40, 0]);
    await done(back(buy.id));
    await expectSound();
  });

  test('a taker without the coins is refused, and the ad has its number back', async () => {
    const buy = await ad({ type: 'buy', total_number: '90000' });
    expect(await keyOf(take(buy.id, { number: '80000' }))).toBe('balance.insufficient');
    expect(await listed(get('/api/c2c/seller_trade', { type: 'buy' }, { token: owner }))).toMatchObject([
      { id: buy.id, surplus_number: '90000.00000000' },
    ]);
    const deal = await taken(buy.id, '10');
    const coins = await legal(taker);
    await acted(cancel(deal.id, owner));
    expect(await changed(taker, coins)).toEqual([10.01, -10.01]);
    await done(back(buy.id));
  });
});

describe('the ends that are no sale [C2C-012]', () => {
  const reminder = (minutes: number): string =>
    `Deal awaits payment · The deal over 40 USDT for 260.00 CNY is not paid yet. Minutes left: ${minutes}.`;

  test('half an hour before its deadline the buyer is reminded for the first time', async () => {
    const sell = await ad({ limit_minutes: '60' });
    const { id } = await taken(sell.id, '40');
    const inbox = await inboxOf(taker);
    await advance(30 * 60);
    await inbox.receives(reminder(30));
    await acted(pay(id));
    await acted(sure(id));
    await done(back(sell.id));
  });

  test('cancelled: it is offered again; after the payment no one can cancel', async () => {
    const sell = await ad();
    const deal = await taken(sell.id, '40');
    expect(await acted(cancel(deal.id))).toMatchObject({
      is_sure: 2,
      can: [],
      next: expect.stringContaining('40'),
    });
    expect(await listed(get('/api/c2c/seller_trade', {}, { token: owner }))).toMatchObject([
      { surplus_number: '100.00000000' },
    ]);
    const paid = await taken(sell.id, '40');
    await acted(pay(paid.id));
    expect(await keyOf(cancel(paid.id))).toBe('c2c.state');
    expect(await keyOf(back(sell.id))).toBe('c2c.hasDeals');
    await acted(sure(paid.id));
    await done(back(sell.id));
  });

  test('expired by the clock: the system cancels, the buyer may appeal, a paid one stays', async () => {
    const sell = await ad({ limit_minutes: '15' });
    const [lost, paid] = [await taken(sell.id, '40'), await taken(sell.id, '20', third)];
    await acted(pay(paid.id, third));
    const [ofBuyer, ofOther, ofSeller] = [await inboxOf(taker), await inboxOf(third), await inboxOf(owner)];
    await advance(5 * 60);
    await ofBuyer.receives(reminder(10));
    await advance(8 * 60);
    await ofBuyer.receives(reminder(2));
    await advance(2 * 60);
    const expired = 'Deal expired · The deal over 40 USDT for 260.00 CNY has expired: it was not paid in time.';
    await ofBuyer.receives(expired);
    await ofSeller.receives(expired);
    expect(await ofBuyer.words()).toEqual([expired, reminder(2), reminder(10)]);
    expect([await ofOther.words(), await ofSeller.words()]).toEqual([[], [expired]]);
    expect(await dealOf(lost.id)).toMatchObject({ is_sure: 2, can: ['appeal'] });
    expect(await keyOf(pay(lost.id))).toBe('c2c.state');
    expect(await dealOf(paid.id, third)).toMatchObject({ is_sure: 3 });
    await acted(sure(paid.id));
    expect(await listed(get('/api/c2c/seller_trade', {}, { token: owner }))).toMatchObject([
      { surplus_number: '80.00000000' },
    ]);
    await done(back(sell.id));
    await expectSound();
  });

  test('an operator withdraws an ad: its deal continues, a cancel returns the coins [NOTICE-033]', async () => {
    const before = await legal(owner);
    const sell = await ad();
    const deal = await taken(sell.id, '40', third);
    const token = await operator('support1');
    const inbox = await inboxOf(owner);
    await done(post('/api/admin/c2c_ads/off', { id: sell.id, reason: 'looks like a fraud' }, { token }));
    await inbox.receives(
      'Ad taken down · Support has taken your ad off the market. What was left of it (60 USDT) is yours again, ' +
        'running deals go on. Reason: looks like a fraud',
    );
    expect(
      await eventuallySatisfied(
        () => changed(owner, before),
        ([free]) => free === -40.04,
      ),
    ).toEqual([-40.04, 40.04]);
    expect(await keyOf(take(sell.id, {}, taker))).toBe('c2c.adGone');
    await acted(cancel(deal.id, third));
    expect(await changed(owner, before)).toEqual([0, 0]);
    const again = { id: sell.id, reason: 'looks like a fraud' };
    expect(await keyOf(post('/api/admin/c2c_ads/off', again, { token }))).toBe('c2c.state');
  });

  test('three cancels of a buyer close C2C until the next day', async () => {
    await advance(HOURS_25);
    const sell = await ad();
    for (let count = 0; count < 3; count++) {
      const deal = await taken(sell.id, '1', third);
      await acted(cancel(deal.id, third));
    }
    const { body } = await take(sell.id, { number: '1' }, third);
    expect(body).toMatchObject({ key: 'c2c.blocked', params: { until: expect.stringMatching(/ 00:00:00$/) } });
    expect(await keyOf(send({}, third))).toBe('c2c.blocked');
    await advance(HOURS_25);
    const deal = await taken(sell.id, '1', third);
    await acted(pay(deal.id, third));
    await acted(sure(deal.id));
    await done(back(sell.id));
  });
});

describe('refusals come in their order [C2C-013]', () => {
  test('an ad: quantity, price, way, coin, type, coin of the ad, bounds, password, balance', async () => {
    const wrong: [Fields, string][] = [
      [{ total_number: '', price: '' }, 'c2c.numberRequired'],
      [{ total_number: '0' }, 'c2c.numberRequired'],
      [{ price: '', way: '' }, 'c2c.priceRequired'],
      [{ price: '0' }, 'c2c.priceRequired'],
      [{ price: '6.505' }, 'common.fieldInvalid'],
      [{ way: 'cash', coin_code: '' }, 'c2c.wayRequired'],
      [{ coin_code: 'EUR', type: '' }, 'c2c.coinRequired'],
      [{ type: 'swap', currency_id: 99 }, 'common.fieldInvalid'],
      [{ type: '', currency_id: 99 }, 'common.fieldRequired'],
      [{ currency_id: 4, limit_minutes: 1 }, 'common.fieldInvalid'],
      [{ limit_minutes: 14, password: '' }, 'common.fieldInvalid'],
      [{ limit_minutes: 1_441, password: '' }, 'common.fieldInvalid'],
      [{ min_number: '101', password: '' }, 'common.fieldInvalid'],
      [{ min_number: '50', max_number: '49', password: '' }, 'common.fieldInvalid'],
      [{ total_number: '1000000', password: '' }, 'fund.required'],
      [{ total_number: '1000000', password: 'wrong1' }, 'fund.wrong'],
      [{ total_number: '1000000' }, 'balance.insufficient'],
    ];
    for (const [fields, key] of wrong) expect([fields, await keyOf(send(fields))]).toEqual([fields, key]);
    // The right one was given last: the count of wrong ones begins again.
    expect(await listed(get('/api/c2c/seller_trade', {}, { token: owner }))).toEqual([]);
  });

  test('a deal: number, password, ad, own ad, quantity, one open deal', async () => {
    const sell = await ad({ min_number: '10', max_number: '50' });
    const wrong: [Fields, string, string?][] = [
      [{ number: 'x', password: '' }, 'common.fieldInvalid'],
      [{ number: '40', password: '' }, 'fund.required'],
      [{ id: 99_999_999, number: '40' }, 'common.notFound'],
      [{ number: '1' }, 'c2c.ownAd', owner],
      [{ number: '9.99' }, 'quantity.rule'],
      [{ number: '50.01' }, 'quantity.rule'],
      [{}, 'quantity.rule'],
    ];
    for (const [fields, key, who] of wrong)
      expect([fields, await keyOf(take(sell.id, fields, who))]).toEqual([fields, key]);
    expect((await take(sell.id, { number: '9' })).body.params).toEqual({ min: '10', max: '50' });
    const deal = await taken(sell.id, '40');
    expect(await keyOf(take(sell.id, { number: '10' }))).toBe('c2c.openDeal');
    await acted(pay(deal.id));
    expect(await keyOf(take(sell.id, { number: '10' }))).toBe('c2c.openDeal');
    await acted(sure(deal.id));
    await done(back(sell.id));
    expect(await keyOf(take(sell.id, { number: '10' }))).toBe('c2c.adGone');
  });

  test('a person without payment settings, papers or fund password cannot deal', async () => {
    const [nopay, newbie, nofund] = await Promise.all(
      ['nopay', 'newbie', 'nofund'].map((name) => signIn(`${name}@demo.bourse`)),
    );
    expect((await send({}, nopay)).body).toMatchObject({ type: '997', key: 'pay.missing' });
    expect((await send({}, newbie)).body.type).toBe('not');
    expect((await send({}, nofund)).body.type).toBe('not');
    expect((await take(1, {}, nopay)).body.type).toBe('997');
  });

  test("another's deal, ad and picture do not exist", async () => {
    const sell = await ad();
    const deal = await taken(sell.id, '40');
    for (const answer of [
      pay(deal.id, third),
      cancel(deal.id, third),
      sure(deal.id, third),
      takerSure(deal.id, third),
      sure(deal.id, taker),
    ])
      expect(await keyOf(answer)).toBe('common.notFound');
    expect(await keyOf(back(sell.id, third))).toBe('common.notFound');
    expect(await keyOf(get('/api/c2c_deal', { id: deal.id }, { token: third }))).toBe('common.notFound');
    expect(await keyOf(get('/api/c2c/legal_send_deal_list', { id: sell.id }, { token: third }))).toBe(
      'common.notFound',
    );
    expect(await keyOf(get('/api/c2c_deal', { id: '9223372036854775807' }, { token: third }))).toBe('common.notFound');
    expect(await keyOf(pay(deal.id, taker, { proof: await upload(third, 'proof') }))).toBe('upload.required');
    expect(await acted(pay(deal.id, taker, { proof: await upload(taker, 'proof') }))).toMatchObject({
      proof: expect.stringContaining('/api/upload/'),
    });
    await acted(sure(deal.id));
    await done(back(sell.id));
  });
});

describe('public rows of deals [C2C-014]', () => {
  test('the market: public, the best price first, filtered; personal data only for the parties', async () => {
    const [dear, cheap] = [await ad({ price: '6.60', way: 'ali_pay' }), await ad({ price: '6.40' })];
    const market = await listed(get('/api/c2c_deal_platform', { type: 'sell', currency_id: USDT, limit: 100 }));
    const places = [cheap, dear].map(({ id: one }) => market.findIndex(({ id }) => id === one));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places[1]).toBeGreaterThan(places[0]!);
    expect(market.map(({ price }) => Number(price))).toEqual(
      [...market.map(({ price }) => Number(price))].sort((a, b) => a - b),
    );
    expect(market[0]).toMatchObject({ is_mine: 0, seller_name: expect.stringContaining('*') });
    const filtered = { type: 'sell', currency_id: USDT, way: 'ali_pay', coin_code: 'CNY' };
    expect(
      (await listed(get('/api/c2c_deal_platform', filtered, { token: owner }))).map(({ id, is_mine }) => [id, is_mine]),
    ).toEqual([[dear.id, 1]]);
    const deal = await taken(cheap.id, '40');
    expect(deal.hes_realname).toBe(NAME);
    expect(deal.sell_cash_info).toMatchObject({ bank_account: PAYMENT.bank_account });
    const [running] = await listed(get('/api/c2c_user_deal', { is_sure: '0|3' }, { token: taker }));
    expect(running).toMatchObject({ id: deal.id, sell_cash_info: { bank_account: PAYMENT.bank_account } });
    expect(running!.remain_seconds).toBeGreaterThan(80_000);
    await acted(pay(deal.id));
    await acted(sure(deal.id));
    const [over] = await listed(get('/api/c2c_user_deal', { is_sure: 1 }, { token: taker }));
    expect(over).toMatchObject({
      id: deal.id,
      sell_cash_info: null,
      user_cash_info: null,
      hes_realname: '',
      seller_phone: '',
    });
    const [sold] = await listed(get('/api/c2c_seller_deal', {}, { token: owner }));
    expect(sold).toMatchObject({ id: deal.id, role: 'seller', sell_cash_info: null });
    expect(sold!.account_number).toMatch(/^[A-Z0-9]+$/);
    expect(await listed(get('/api/c2c/legal_send_deal_list', { id: cheap.id }, { token: owner }))).toMatchObject([
      { id: deal.id },
    ]);
    const { text } = await get('/api/admin/c2c_orders', {}, { token: await operator('support1') });
    expect(text).toContain(deal.id);
    expect(text).not.toContain(PAYMENT.bank_account);
    await done(back(cheap.id));
    await done(back(dear.id));
  });

  test('statistics of the owner are counted from deals, and the demo ad was published by its owner', async () => {
    const [demo] = await eventuallySatisfied(
      () => listed(get('/api/c2c/seller_trade', {}, { token: seller })),
      (found) => found.length > 0,
    );
    expect(demo).toMatchObject({
      total_number: '500.00000000',
      price: '6.50',
      way: 'bank',
      deals: 0,
      done_rate: '0.00',
    });
    const sell = await ad();
    expect(sell.deals).toBeGreaterThan(3);
    expect(Number(sell.done_rate)).toBeGreaterThan(10);
    expect(Number(sell.done_rate)).toBeLessThan(100);
    await done(back(sell.id));
  });

  test('each step is pushed to both, in their order, with nothing personal in it', async () => {
    const sockets = await Promise.all([connect(owner), connect(taker)]);
    const told = sockets.map((socket) => {
      const deals: Deal[] = [];
      socket.on('c2c_update', ({ deal }: { deal: Deal }) => deals.push(deal));
      return deals;
    });
    await Promise.all(sockets.map((socket, at) => socket.emitWithAck('login', [ownerId, takerId][at])));
    const sell = await ad();
    const deal = await taken(sell.id, '40');
    await acted(pay(deal.id));
    await acted(sure(deal.id));
    for (const deals of told) {
      await eventuallySatisfied(
        () => deals.length,
        (count) => count >= 3,
      );
      expect(deals.map(({ is_sure }) => is_sure)).toEqual([0, 3, 1]);
      expect(JSON.stringify(deals)).not.toContain(PAYMENT.bank_account);
    }
    expect(told.map((deals) => deals[0]!.role)).toEqual(['seller', 'buyer']);
    for (const socket of sockets) socket.close();
    await done(back(sell.id));
  });
});

describe('two at once [C2C-015]', () => {
  /** Returns which of 64 calls, half of each kind, succeeded, and the refusals of the others. */
  async function race(calls: readonly (() => Promise<Answered>)[]): Promise<{ won: number; lost: string[] }> {
    const all = await callAtOnce(64, (at) => calls[at % calls.length]!());
    const won = all.filter(({ body }) => body.type === 'ok').length;
    const lost = all.flatMap(({ body }) => (body.type === 'ok' ? [] : [body.key ?? body.type]));
    return { won, lost: [...new Set(lost)] };
  }

  test('of all pairs of acts on one deal one has an effect, the others are refused with c2c.state', async () => {
    const before = await legal(owner);
    const sell = await ad({ total_number: '64' });
    const open = async (): Promise<string> => (await taken(sell.id, '1')).id;
    const finish = async (id: string): Promise<void> => {
      if ((await dealOf(id)).is_sure === 0) await acted(pay(id));
      if ((await dealOf(id)).is_sure === 3) await acted(sure(id));
    };
    const acts = { pay, cancel: (id: string) => cancel(id), sure: (id: string) => sure(id) };
    const pairs = [
      ['pay', 'pay'],
      ['pay', 'cancel'],
      ['cancel', 'cancel'],
    ] as const;
    await advance(HOURS_25);
    for (const [one, other] of pairs) {
      const id = await open();
      expect([one, other, await race([() => acts[one](id), () => acts[other](id)])]).toEqual([
        one,
        other,
        { won: 1, lost: ['c2c.state'] },
      ]);
      await finish(id);
    }
    const paid = await open();
    await acted(pay(paid));
    expect(await race([() => sure(paid), () => cancel(paid), () => pay(paid)])).toEqual({
      won: 1,
      lost: ['c2c.state'],
    });
    const both = await open();
    const { won } = await race([() => pay(both), () => sure(both)]);
    // Confirmed right after it was paid: both have their turn, each once.
    expect([1, 2]).toContain(won);
    await finish(both);
    await done(back(sell.id));
    const [free, held] = await changed(owner, before);
    expect(held).toBe(0);
    expect(Math.abs(Math.round(free * 1e4)) % 10_010).toBe(0);
    await expectSound();
  });

  test('an ad is not taken twice, nor withdrawn under a deal; one key is one deal', async () => {
    // Which races end in a cancel is not known, and three a day close C2C.
    await advance(DAY);
    const sell = await ad({ total_number: '10' });
    const first = await race([() => take(sell.id, {}, taker), () => take(sell.id, {}, third)]);
    expect(first.won).toBe(1);
    expect(first.lost.filter((key) => !['c2c.adGone', 'c2c.openDeal'].includes(key))).toEqual([]);
    const [mine] = await listed(get('/api/c2c_user_deal', { is_sure: 0 }, { token: taker }));
    const [winner, id] = mine
      ? [taker, mine.id]
      : [third, (await listed(get('/api/c2c_user_deal', { is_sure: 0 }, { token: third })))[0]!.id];
    await acted(cancel(id, winner));
    const second = await race([() => take(sell.id, {}, taker), () => back(sell.id)]);
    expect(second.won).toBe(1);
    const [left] = await listed(get('/api/c2c_user_deal', { is_sure: 0 }, { token: taker }));
    if (left) {
      await acted(cancel(left.id));
      await done(back(sell.id));
    }
    const other = await ad({ total_number: '10' });
    const headers = { 'idempotency-key': randomUUID() };
    const same = () =>
      post('/api/c2c/do_legal_deal', { id: other.id, password: FUND, number: '5' }, { token: taker, headers });
    const answers = await Promise.all([same(), same(), same()]);
    const again = await same();
    const ids = [...answers, again].flatMap(({ body }) => (body.type === 'ok' ? [body.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect(again.body.deal).toMatchObject({ is_sure: 0, sell_cash_info: { bank_account: PAYMENT.bank_account } });
    await acted(pay(String(ids[0])));
    await acted(sure(String(ids[0])));
    await done(back(other.id));
    await expectSound();
  });
});
