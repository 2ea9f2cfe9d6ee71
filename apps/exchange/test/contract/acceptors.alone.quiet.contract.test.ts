import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MessageOf, RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { balanceOf, get, post, signIn, type Answered, type Body, type Fields } from './client.js';
import { inboxOf } from './inbox.js';
import {
  createCertified,
  createAcceptor,
  createMerchant,
  createTrader,
  done,
  FUND,
  operator,
  paymentOf,
  PIXEL,
  send,
  upload,
  type Person,
} from './people.js';
import { openWork } from './work.js';

jest.setTimeout(testTimeoutMs(60_000));

const USDT = 3;
const PASSWORD = { password: FUND };
const DEAL = { mobile: '+1 5550100', deal_account: '4000 1234', way: 'bank' };
const REASON = 'a test of acceptors';

type Deal = RowOf<'GET /api/acceptor/my_deal'>;
type Info = MessageOf<'GET /api/acceptor/info'>;

let user: string;
let stranger: string;
let acceptor: string;
let acceptorUserId: number;
let pier: Info;
beforeAll(async () => {
  const [one, two, desk] = await Promise.all([
    createMerchant({ legal: { [USDT]: '20000' } }),
    createTrader(),
    createAcceptor({ posted: '20000', cash: '50000', own: '20000' }),
  ]);
  [user, stranger, acceptor, acceptorUserId] = [one.token, two.token, desk.token, desk.id];
  pier = await account();
});

async function account(): Promise<Info> {
  return (await done(get('/api/acceptor/account', {}, { token: acceptor }))).message;
}
const as =
  (token: () => string) =>
  (path: string, fields: Fields = {}) =>
    post(`/api/acceptor/${path}`, fields, { token: token() });
const byUser = as(() => user);
const byStranger = as(() => stranger);
const byAcceptor = as(() => acceptor);
const submit = (type: 'buy' | 'sell', fields: Fields = {}) =>
  byUser('deal', { acceptor_id: pier.id, type, money: '100', ...DEAL, ...PASSWORD, ...fields });
const dealIn = (body: Body): Deal => body.deal as Deal;
const opened = async (type: 'buy' | 'sell', fields: Fields = {}): Promise<Deal> =>
  dealIn(await done(submit(type, fields)));
const refused = async (answer: Promise<Answered>): Promise<unknown> => {
  const { body } = await answer;
  return body.type === 'ok' ? body : body.key;
};
const mine = async (id: string, token = user): Promise<Deal | undefined> => {
  const { message } = await done(get('/api/acceptor/my_deal', { page_size: 100 }, { token }));
  return message.data.find((deal) => deal.id === id);
};
const proof = (): Promise<string> => upload(acceptor, 'proof');
const transfer = async (id: string): Promise<Deal> =>
  dealIn(await done(byAcceptor('transferred', { id, proof_pic: await proof(), ...PASSWORD })));
const advance = async (seconds: number): Promise<void> => {
  await done(post('/dev/clock', { advance_seconds: seconds }));
};

/** Balances of the person in cents of USDT and CSH. */
async function money(): Promise<{ legal: number; held: number; posted: number; cash: number }> {
  const balance = await balanceOf(user, USDT);
  const { recharge_amount, cash_amount } = await account();
  const cents = (text: string | undefined): number => Math.round(Number(text) * 100);
  return {
    legal: cents(balance['legal_balance']),
    held: cents(balance['lock_legal_balance']),
    posted: cents(recharge_amount),
    cash: cents(cash_amount),
  };
}
/** Waits until the movements since then are the expected ones, and returns them. */
async function moved(
  since: Awaited<ReturnType<typeof money>>,
  expected: Partial<Awaited<ReturnType<typeof money>>>,
): Promise<void> {
  const wanted = { legal: 0, held: 0, posted: 0, cash: 0, ...expected };
  const change = async () => {
    const now = await money();
    return {
      legal: now.legal - since.legal,
      held: now.held - since.held,
      posted: now.posted - since.posted,
      cash: now.cash - since.cash,
    };
  };
  const last = await eventuallySatisfied(
    change,
    (found) => JSON.stringify(found) === JSON.stringify(wanted),
    10_000,
  ).catch(change);
  expect(last).toEqual(wanted);
}
const expectSound = async (): Promise<void> => expect(await findFailingChecks()).toEqual([]);

/* Notices about a deal over a number of coins. */
const PLACED = (coins: string): string => `New acceptor deal · A deal over ${coins} USDT waits for you.`;
const DONE = (coins: string): string => `Acceptor deal completed · The deal over ${coins} USDT is completed.`;
const ENDED = (coins: string): string =>
  `Acceptor deal ended · The deal over ${coins} USDT has ended without being carried out.`;
const TRANSFERRED = (coins: string): string =>
  `Acceptor deal marked as paid · The deal over ${coins} USDT has been marked as paid.`;
const OBJECTED = (coins: string): string =>
  `Objection to an acceptor deal · An objection was raised to the deal over ${coins} USDT. ` +
  'Our team is looking into it.';

describe('acceptors and quotas', () => {
  test('the acceptor of the demo install, in the list and with where to pay [ACC-011]', async () => {
    const { message } = await done(get('/api/acceptor/list', {}, { token: user }));
    for (const [id, name] of [
      [100030, 'Pier One'],
      [acceptorUserId, 'Pier Test'],
    ])
      expect(message).toContainEqual(
        expect.objectContaining({ user_id: id, name, recharge_rate: '2', cash_rate: '2' }),
      );
    const info = (await done(get('/api/acceptor/info', { id: pier.id }, { token: user }))).message;
    expect(info).toMatchObject({ name: 'Pier Test', bank_account: `0000 1234 ${acceptorUserId}` });
    expect(info.user_balance).toBe((await balanceOf(user, USDT))['legal_balance']);
    expect(await refused(get('/api/acceptor/info', { id: 999999 }, { token: user }))).toBe('common.notFound');
  });

  test('orders and quotas of an acceptor are for acceptors alone [ACC-012]', async () => {
    for (const path of ['account', 'orders'])
      expect(await refused(get(`/api/acceptor/${path}`, {}, { token: user }))).toBe('common.noPermission');
    for (const [path, fields] of Object.entries({
      confirm: { id: '1' },
      reject: { id: '1', reason: 'no' },
      transferred: { id: '1', proof_pic: 'x' },
      rates: { recharge_rate: '1', cash_rate: '1' },
      payment: {},
      fund: { direction: 'in', number: '1' },
    }))
      expect(await refused(byUser(path, { ...fields, ...PASSWORD }))).toBe('common.noPermission');
  });
});

describe('deposits', () => {
  test('the worked example: 100 paid in, 98.00 coins, reserved at submit [ACC-013]', async () => {
    const before = await money();
    const [ofUser, ofAcceptor] = [await inboxOf(user), await inboxOf(acceptor)];
    const deal = await opened('buy');
    expect(deal).toMatchObject({
      type: 'buy',
      money: '100.00',
      receive_money: '98.00000000',
      is_sure: 0,
      stage: 0,
      acceptor_name: 'Pier Test',
      hes_account: `0000 1234 ${acceptorUserId}`,
    });
    expect(deal.remain_seconds).toBeGreaterThan(86_000);
    await moved(before, { posted: -9_800 });
    const orders = (await done(get('/api/acceptor/orders', { is_sure: 0, type: 'buy' }, { token: acceptor }))).message;
    expect(orders.data.find(({ id }) => id === deal.id)).toMatchObject({
      hes_account: '4000 1234',
      mobile: '+1 5550100',
    });
    const confirmed = dealIn(await done(byAcceptor('confirm', { id: deal.id, ...PASSWORD })));
    expect(confirmed).toMatchObject({ is_sure: 1, remain_seconds: 0, auto_time: '' });
    await moved(before, { legal: 9_800, posted: -9_800, cash: 10_000 });
    await ofAcceptor.receives(PLACED('98'));
    await ofUser.receives(DONE('98'));
    expect([await ofUser.words(), await ofAcceptor.words()]).toEqual([[DONE('98')], [PLACED('98')]]);
    await expectSound();
  });

  test('rejected with a reason, or cancelled: the reserve goes back [ACC-014]', async () => {
    const before = await money();
    const [ofUser, ofAcceptor] = [await inboxOf(user), await inboxOf(acceptor)];
    const [one, two] = [await opened('buy'), await opened('buy', { money: '33.33' })];
    expect(two.receive_money).toBe('32.66340000');
    const rejected = dealIn(await done(byAcceptor('reject', { id: one.id, reason: 'nothing came', ...PASSWORD })));
    expect(rejected).toMatchObject({ is_sure: 2, reason: 'nothing came' });
    expect(dealIn(await done(byUser('user_cancel', { id: two.id }))).is_sure).toBe(2);
    await moved(before, {});
    await ofUser.receives(ENDED('98'));
    await ofAcceptor.receives(PLACED('98'), PLACED('32.6634'), ENDED('32.6634'));
    expect([await ofUser.words(), (await ofAcceptor.words()).length]).toEqual([[ENDED('98')], 3]);
    for (const path of ['user_cancel', 'user_confirm'])
      expect(await refused(byUser(path, { id: one.id }))).toBe('acceptor.state');
    expect(await refused(byAcceptor('confirm', { id: one.id, ...PASSWORD }))).toBe('acceptor.state');
  });

  test('a silent acceptor, or an objection: never refused by time, finance decides [ACC-015]', async () => {
    const before = await money();
    const [ofUser, ofAcceptor] = [await inboxOf(user), await inboxOf(acceptor)];
    const [silent, objected] = [await opened('buy'), await opened('buy')];
    await advance(5 * 60);
    const pic = await upload(user, 'evidence');
    const said = await done(byUser('user_object', { id: objected.id, reason: 'I have paid', pic }));
    expect(dealIn(said)).toMatchObject({ is_sure: 0, stage: 2, reason: 'I have paid', auto_time: '' });
    await advance(24 * 3_600 - 6 * 60);
    expect((await mine(silent.id))?.stage).toBe(0);
    await advance(61);
    expect(await mine(silent.id)).toMatchObject({ is_sure: 0, stage: 2, remain_seconds: 0 });
    expect(await refused(byAcceptor('confirm', { id: silent.id, ...PASSWORD }))).toBe('acceptor.state');
    expect(await refused(byUser('user_cancel', { id: objected.id }))).toBe('acceptor.state');
    const finance = { token: await operator('finance1') };
    const open = (await done(get('/api/admin/acceptor_deals', { objected: 1, page_size: 100 }, finance))).message;
    expect(open.data.map(({ id }) => id)).toEqual(expect.arrayContaining([silent.id, objected.id]));
    // Others may object in between.
    await eventuallySatisfied(
      async () => [
        (await openWork(finance.token))['acceptor_deals'],
        (await done(get('/api/admin/acceptor_deals', { objected: 1, page_size: 1 }, finance))).message.total,
      ],
      ([counted, listed]) => counted === listed,
    );
    // Everything about one person: their deals, whichever side they are on.
    for (const side of [silent.id, objected.id].map((id) => open.data.find((one) => one.id === id)!))
      for (const user_id of [side.user_id, side.acceptor_user_id]) {
        const { data } = (await done(get('/api/admin/acceptor_deals', { user_id }, finance))).message;
        expect(data.map(({ id }) => id)).toContain(side.id);
        expect(data.every((one) => [one.user_id, one.acceptor_user_id].includes(user_id))).toBe(true);
      }
    const decide = (id: string, outcome: string) =>
      post('/api/admin/acceptor_deals/decide', { id, outcome, reason: REASON }, finance);
    expect(dealIn(await done(decide(objected.id, 'confirm')))).toMatchObject({ is_sure: 1, stage: 2 });
    expect(dealIn(await done(decide(silent.id, 'reject')))).toMatchObject({ is_sure: 2, reason: REASON });
    expect(await refused(decide(silent.id, 'confirm'))).toBe('acceptor.state');
    // The user has objected to one deal; the deadline opened the other, and both sides are notified. Finance is not a
    // side.
    await ofUser.receives(OBJECTED('98'), DONE('98'), ENDED('98'));
    await ofAcceptor.receives(OBJECTED('98'), OBJECTED('98'), DONE('98'), ENDED('98'));
    await moved(before, { legal: 9_800, posted: -9_800, cash: 10_000 });
    await expectSound();
  });
});

describe('withdrawals', () => {
  test('the worked example: 100 coins held, 98.00 paid out, the acceptor gets the coins [ACC-016]', async () => {
    const before = await money();
    const [ofUser, ofAcceptor] = [await inboxOf(user), await inboxOf(acceptor)];
    const deal = await opened('sell');
    expect(deal).toMatchObject({ type: 'sell', money: '100.00', receive_money: '98.00', is_sure: 0, stage: 0 });
    expect(deal.remain_seconds).toBeGreaterThan(1_700);
    expect(deal.remain_seconds).toBeLessThanOrEqual(1_800);
    await moved(before, { legal: -10_000, held: 10_000, cash: -9_800 });
    const { message } = await done(get('/api/wallet/holds', {}, { token: user }));
    expect(message).toContainEqual(
      expect.objectContaining({ account: 'legal', cause_id: deal.id, info: 'Held for a deal with an acceptor' }),
    );
    expect(await refused(byUser('user_confirm', { id: deal.id }))).toBe('acceptor.state');
    const marked = await transfer(deal.id);
    expect(marked.stage).toBe(1);
    expect(marked.proof_pic).toMatch(/^\/api\/upload\//);
    expect(marked.remain_seconds).toBeGreaterThan(1_100);
    for (const path of ['user_cancel']) expect(await refused(byUser(path, { id: deal.id }))).toBe('acceptor.state');
    expect(await refused(byAcceptor('reject', { id: deal.id, reason: 'late', ...PASSWORD }))).toBe('acceptor.state');
    expect(dealIn(await done(byUser('user_confirm', { id: deal.id }))).is_sure).toBe(1);
    await ofUser.receives(TRANSFERRED('100'));
    await ofAcceptor.receives(PLACED('100'), DONE('100'));
    expect([await ofUser.words(), (await ofAcceptor.words()).length]).toEqual([[TRANSFERRED('100')], 2]);
    await moved(before, { legal: -10_000, posted: 10_000, cash: -9_800 });
    await expectSound();
  });

  test('a silent acceptor after 30 minutes: both come back; a transfer counts after 20 [ACC-017]', async () => {
    const before = await money();
    const [silent, paid, disputed] = [await opened('sell'), await opened('sell'), await opened('sell')];
    await transfer(paid.id);
    await transfer(disputed.id);
    const foreign = { id: disputed.id, reason: 'nothing came', pic: await upload(acceptor, 'evidence') };
    expect(await refused(byUser('user_object', foreign))).toBe('upload.required');
    const pic = await upload(user, 'evidence');
    expect(dealIn(await done(byUser('user_object', { ...foreign, pic }))).stage).toBe(2);
    await advance(20 * 60 - 30);
    expect((await mine(paid.id))?.is_sure).toBe(0);
    await advance(31);
    expect((await mine(paid.id))?.is_sure).toBe(1);
    expect((await mine(silent.id))?.is_sure).toBe(0);
    await advance(10 * 60);
    expect(await mine(silent.id)).toMatchObject({ is_sure: 2, reason: 'The acceptor did not answer in time' });
    expect(await mine(disputed.id)).toMatchObject({ is_sure: 0, stage: 2 });
    const finance = { token: await operator('finance1') };
    const { message } = await done(get('/api/admin/acceptor_deals', { objected: 1, page_size: 100 }, finance));
    const seen = message.data.find(({ id }) => id === disputed.id);
    for (const picture of [seen!.proof_pic, seen!.objection_pic])
      expect((await get(picture)).headers.get('content-type')).toMatch(/^image/);
    expect(seen!.proof_pic.split('?')[0]).not.toBe(seen!.objection_pic.split('?')[0]);
    await done(
      post('/api/admin/acceptor_deals/decide', { id: disputed.id, outcome: 'reject', reason: REASON }, finance),
    );
    await moved(before, { legal: -10_000, posted: 10_000, cash: -9_800 });
    await expectSound();
  });

  test('the second hold is refused: the first has gone back when the answer comes [ACC-018]', async () => {
    const before = await money();
    const tooMuch = await submit('sell', { money: '51100' });
    expect(tooMuch.body).toMatchObject({ type: 'error', key: 'acceptor.quota', field: 'money' });
    expect(Number(tooMuch.body.params?.['max'])).toBeGreaterThan(40_000);
    expect(await refused(submit('sell', { money: '45000' }))).toBe('balance.insufficient');
    expect(await refused(submit('buy', { money: '99999999' }))).toBe('acceptor.quota');
    await moved(before, {});
  });
});

describe('refusals', () => {
  test('in the order of the rules [ACC-019]', async () => {
    const wrong = {
      mobile: undefined,
      deal_account: undefined,
      money: '1.234',
      way: 'cash',
      type: 'swap',
      acceptor_id: 'x',
      password: 'bad666',
    };
    const steps: [Fields, string][] = [
      [{}, 'acceptor.mobileRequired'],
      [{ mobile: '+1 5550100' }, 'acceptor.accountRequired'],
      [{ deal_account: '4000' }, 'acceptor.money'],
      [{ money: '0' }, 'acceptor.money'],
      [{ money: '100' }, 'acceptor.wayRequired'],
      [{ way: 'bank' }, 'common.fieldInvalid'],
      [{ type: 'sell' }, 'common.fieldInvalid'],
      [{ acceptor_id: 999999 }, 'fund.wrong'],
      [{ password: undefined }, 'fund.required'],
      [{ password: FUND }, 'common.notFound'],
    ];
    let fields: Fields = wrong;
    for (const [right, key] of steps) {
      fields = { ...fields, ...right };
      expect([fields, await refused(byUser('deal', fields))]).toEqual([fields, key]);
    }
    expect(await refused(byAcceptor('deal', { ...fields, acceptor_id: pier.id }))).toBe('acceptor.self');
  });

  test('a deposit needs no password; a person without payment settings gets 555 [ACC-019]', async () => {
    const deal = await opened('buy', { password: undefined });
    await done(byUser('user_cancel', { id: deal.id }));
    const { body } = await post(
      '/api/acceptor/deal',
      { acceptor_id: pier.id, type: 'buy', money: '100', ...DEAL },
      { token: await signIn('nopay@demo.bourse') },
    );
    expect([body.type, body.key]).toEqual(['555', 'pay.missing']);
  });

  test('deals of others are not there, for the person and for the acceptor [ACC-020]', async () => {
    const deal = await opened('sell');
    for (const path of ['user_confirm', 'user_cancel'])
      expect(await refused(byStranger(path, { id: deal.id }))).toBe('common.notFound');
    expect(await refused(byStranger('user_object', { id: deal.id, reason: 'mine?' }))).toBe('common.notFound');
    expect(await mine(deal.id, stranger)).toBeUndefined();
    expect(await refused(byUser('user_cancel', { id: '12345' }))).toBe('common.notFound');
    const foreign = await upload(user, 'proof');
    for (const proof_pic of [undefined, 'nowhere', foreign])
      expect(await refused(byAcceptor('transferred', { id: deal.id, proof_pic, ...PASSWORD }))).toBe('upload.required');
    expect(await refused(byAcceptor('transferred', { id: deal.id, proof_pic: await proof() }))).toBe('fund.required');
    await done(byUser('user_cancel', { id: deal.id }));
  });

  test('at once: of confirmation and cancel one wins, money moves once [ACC-021]', async () => {
    const before = await money();
    const deals = await Promise.all([opened('buy'), opened('buy'), opened('buy')]);
    const outcomes = await Promise.all(
      deals.map(async ({ id }) => {
        const answers = await Promise.all([
          refused(byAcceptor('confirm', { id, ...PASSWORD })),
          refused(byUser('user_cancel', { id })),
          refused(byUser('user_cancel', { id })),
        ]);
        expect(answers.filter((answer) => answer === 'acceptor.state')).toHaveLength(2);
        return (await mine(id))!.is_sure;
      }),
    );
    const won = outcomes.filter((is_sure) => is_sure === 1).length;
    await moved(before, { legal: won * 9_800, posted: 0 - won * 9_800, cash: won * 10_000 });
    await expectSound();
  });

  test('the same key is one deal [ACC-022]', async () => {
    const before = await money();
    const headers = { 'Idempotency-Key': `acceptor-${Date.now()}` };
    const fields = { acceptor_id: pier.id, type: 'sell', money: '50', ...DEAL, ...PASSWORD };
    const answers = await Promise.all(
      [1, 2, 3].map(() => post('/api/acceptor/deal', fields, { token: user, headers })),
    );
    const again = await post('/api/acceptor/deal', fields, { token: user, headers });
    const ids = new Set([...answers, again].flatMap(({ body }) => (body.type === 'ok' ? [dealIn(body).id] : [])));
    expect(ids.size).toBe(1);
    await moved(before, { legal: -5_000, held: 5_000, cash: -4_900 });
    await done(byUser('user_cancel', { id: [...ids][0] }));
    await moved(before, {});
  });
});

describe('an acceptor', () => {
  test('posts coins and takes free ones back; short of credit is balance.credit [ACC-023]', async () => {
    const before = await account();
    expect(await refused(byAcceptor('fund', { direction: 'out', number: '9999999', ...PASSWORD }))).toBe(
      'balance.credit',
    );
    expect(await refused(byAcceptor('fund', { direction: 'in', number: '9999999', ...PASSWORD }))).toBe(
      'balance.insufficient',
    );
    await done(byAcceptor('fund', { direction: 'out', number: '1000', ...PASSWORD }));
    await eventuallySatisfied(
      account,
      ({ user_balance }) => Number(user_balance) === Number(before.user_balance) + 1_000,
    );
    await done(byAcceptor('fund', { direction: 'in', number: '1000', ...PASSWORD }));
    await eventuallySatisfied(account, ({ recharge_amount }) => recharge_amount === before.recharge_amount);
  });

  test('changes rates for deals to come, from 0 to 20 percent, and where to be paid [ACC-024]', async () => {
    const old = await opened('buy');
    for (const rate of ['20.1', '-1', 'x'])
      expect(await refused(byAcceptor('rates', { recharge_rate: rate, cash_rate: '2', ...PASSWORD }))).toBe(
        'common.fieldInvalid',
      );
    expect(await refused(byAcceptor('rates', { recharge_rate: '1', cash_rate: '2' }))).toBe('fund.required');
    await done(byAcceptor('rates', { recharge_rate: '0.5', cash_rate: '20', ...PASSWORD }));
    const [buy, sell] = [await opened('buy'), await opened('sell')];
    expect([buy.receive_money, sell.receive_money]).toEqual(['99.50000000', '80.00']);
    expect((await mine(old.id))?.receive_money).toBe('98.00000000');
    for (const { id } of [old, buy, sell]) await done(byUser('user_cancel', { id }));
    await done(byAcceptor('rates', { recharge_rate: '2', cash_rate: '2', ...PASSWORD }));
    await done(byAcceptor('payment', { bank_account: '9', ...PASSWORD }));
    expect(await refused(submit('buy', { way: 'we_chat' }))).toBe('acceptor.wayRequired');
    await done(
      byAcceptor('payment', {
        ...paymentOf(acceptorUserId),
        ...PASSWORD,
      }),
    );
    expect((await account()).bank_account).toBe(`0000 1234 ${acceptorUserId}`);
  });

  test('is made by finance; granted cash waits for another one [ACC-018] [ACC-025] [ACC-026]', async () => {
    const person: Person = await createCertified('New Acceptor');
    const [one, two, support] = [await operator('finance1'), await operator('finance2'), await operator('support1')];
    const save = (fields: Fields, token = one) =>
      post(
        '/api/admin/acceptors/save',
        { user_id: person.id, name: 'Pier Two', recharge_rate: '1', cash_rate: '3', reason: REASON, ...fields },
        { token },
      );
    expect((await save({}, support)).status).toBe(403);
    expect(await refused(save({ user_id: 42 }))).toBe('common.notFound');
    expect(await refused(save({ recharge_rate: '21' }))).toBe('common.fieldInvalid');
    expect((await done(save({}))).key).toBe('admin.acceptorSaved');
    const own = async (): Promise<Info> =>
      (await done(get('/api/acceptor/account', {}, { token: person.token }))).message;
    await eventuallySatisfied(
      async () => (await get('/api/acceptor/account', {}, { token: person.token })).body.type,
      (type) => type === 'ok',
      10_000,
    );
    expect(await own()).toMatchObject({ name: 'Pier Two', recharge_rate: '1', cash_rate: '3', cash_amount: '0.00' });
    const waiting = await done(save({ cash_quota: '2500' }));
    expect(waiting.key).toBe('admin.approvalWaiting');
    const id = waiting.approval_id as number;
    expect((await own()).cash_amount).toBe('0.00');
    const listed = (await done(get('/api/admin/approvals', { state: 'waiting' }, { token: two }))).message;
    expect(listed.data).toContainEqual(
      expect.objectContaining({
        id,
        call: 'acceptors/save',
        before: { cash_quota: '0' },
        after: { cash_quota: '2500' },
      }),
    );
    const approve = (approval: number, token: string) =>
      post('/api/admin/approvals/approve', { id: approval, reason: REASON }, { token });
    expect(await refused(approve(id, one))).toBe('admin.samePerson');
    await done(approve(id, two));
    expect(await refused(approve(id, two))).toBe('admin.decided');
    expect((await own()).cash_amount).toBe('2500.00');
    const less = (await done(save({ cash_quota: '500' }))).approval_id as number;
    await done(approve(less, two));
    expect((await own()).cash_amount).toBe('500.00');
    expect(await refused(approve((await done(save({ cash_quota: '0.5' }))).approval_id as number, two))).toEqual(
      expect.objectContaining({ type: 'ok' }),
    );
    await done(approve((await done(save({ cash_quota: '500' }))).approval_id as number, two));
    await expectSound();

    // Cash for one of them: the others have held their coins in vain, and have them back with the answer [ACC-018].
    const before = await money();
    const { id: acceptor_id } = await own();
    const answers = await Promise.all([1, 2, 3, 4].map(() => submit('sell', { acceptor_id, money: '400' })));
    const short = answers.filter(({ body }) => body.key === 'acceptor.quota');
    expect([short.length, answers.filter(({ body }) => body.type === 'ok').length]).toEqual([3, 1]);
    for (const { body } of short) expect(Number(body.params?.['max'])).toBeLessThan(400);
    const balance = await balanceOf(user, USDT);
    expect(Math.round(Number(balance['legal_balance']) * 100)).toBe(before.legal - 40_000);
    expect((await own()).cash_amount).toBe('112.00');
    const taken = await done(save({ cash_quota: '300' }));
    expect(await refused(approve(taken.approval_id as number, two))).toBe('balance.credit');
    await done(byUser('user_cancel', { id: dealIn(answers.find(({ body }) => body.type === 'ok')!.body).id }));
    await moved(before, {});
    expect((await own()).cash_amount).toBe('500.00');
    await expectSound();

    // Without the role an acceptor has no rights; finance restores it [ACC-026].
    const role = { user_id: person.id, is_acceptor: 0, reason: REASON };
    await done(post('/api/admin/users/role', role, { token: await operator('operator') }));
    expect(await refused(submit('sell', { acceptor_id }))).toBe('common.notFound');
    const inList = async (): Promise<number[]> =>
      ((await done(get('/api/acceptor/list', {}, { token: user }))).message as Info[]).map(({ id: one }) => one);
    expect(await inList()).not.toContain(acceptor_id);
    // They can still read their own data.
    expect(await own()).toMatchObject({ id: acceptor_id, cash_amount: '500.00' });
    await done(save({}));
    expect(await inList()).toContain(acceptor_id);
  });
});

test('a picture of another scene is no proof [ACC-020]', async () => {
  const deal = await opened('sell');
  const { body } = await send(acceptor, PIXEL, { scene: 'chat' });
  const answer = byAcceptor('transferred', { id: deal.id, proof_pic: body.message as string, ...PASSWORD });
  expect(await refused(answer)).toBe('upload.required');
  await done(byUser('user_cancel', { id: deal.id }));
});
