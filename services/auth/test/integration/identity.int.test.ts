import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { AuthDatabase } from '../../src/shared/application/ports/database.js';
import { People } from '../../src/shared/application/ports/people.js';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { FUND, heard, peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

const post = (who: Someone, path: string, fields: Record<string, string> = {}): Promise<Answered> =>
  auth.post(`/api/user/${path}`, fields, { caller: who.caller });
const center = async (who: Someone): Promise<Record<string, unknown>> =>
  (await auth.get('/api/user/center', { caller: who.caller })).message as Record<string, unknown>;
let desk: Caller;
async function support(): Promise<Caller> {
  if (!desk) {
    const found = await people.callerOf(
      (await auth.post('/api/admin/login', { username: 'support1', password: 'Harbor-2468' })).message,
    );
    if (!found) throw new Error('support1 has no session');
    desk = found;
  }
  return desk;
}
const decide = async (
  userId: number,
  pass: string,
  reason = 'the papers were looked at',
  submitted_at = '',
): Promise<Answered> => {
  const fields = { user_id: String(userId), pass, submitted_at, reason };
  return auth.post('/api/admin/kyc/decide', fields, { caller: await support() });
};
const actions = async (): Promise<
  { action: string; target: string; reason: string; operator: string; before: string; after: string }[]
> =>
  (
    await auth.databases.query<{ payload: string }>(
      `select payload from auth.outbox where topic = 'operator.actions' order by number`,
    )
  ).flatMap(({ payload }) => (JSON.parse(payload) as { body: never }[]).map(({ body }) => body));

describe('identity', () => {
  test('refuses in the order name, number, pictures, state [AUTH-140]', async () => {
    const [who, other] = [await people.register(), await people.register()];
    const front = people.upload(who.id, 'kyc');
    const back = people.upload(who.id, 'kyc');
    expect(await post(who, 'real_name', { card_id: 'X1' })).toMatchObject({ key: 'kyc.nameRequired', field: 'name' });
    expect(await post(who, 'real_name', { name: '   ', card_id: 'X1' })).toMatchObject({ key: 'kyc.nameRequired' });
    expect(await post(who, 'real_name', { name: 'Ada' })).toMatchObject({ key: 'kyc.cardRequired', field: 'card_id' });
    const papers = { name: 'Ada Byron', card_id: 'AB-1234567-Z' };
    for (const [front_pic, reverse_pic, field] of [
      ['', back, 'front_pic'],
      [front, '', 'reverse_pic'],
      ['/placeholder.png', back, 'front_pic'],
      ['https://elsewhere.example/api/upload/x.png', back, 'front_pic'],
      [people.upload(other.id, 'kyc'), back, 'front_pic'],
      [front, people.upload(who.id, 'pay'), 'reverse_pic'],
      [front, `/api/upload/${'z'.repeat(30)}.png`, 'reverse_pic'],
    ] as const)
      expect([field, await post(who, 'real_name', { ...papers, front_pic, reverse_pic })]).toMatchObject([
        field,
        { key: 'kyc.photoRequired', field },
      ]);
    expect(
      await post(who, 'real_name', { ...papers, front_pic: front, reverse_pic: back, hand_pic: '/placeholder.png' }),
    ).toMatchObject({ key: 'kyc.photoRequired', field: 'hand_pic' });
    expect(await center(who)).toMatchObject({ review_status: 0, card_id: '', name: '' });

    // Sent back as the screen got it: with origin, and with a query that is long over.
    const submit = (): Promise<Answered> =>
      post(who, 'real_name', {
        ...papers,
        front_pic: `https://bourse.example${front}`,
        reverse_pic: back,
        hand_pic: people.upload(who.id, 'kyc'),
      });
    const answers = await Promise.all([submit(), submit()]);
    expect(answers.map(({ key }) => key).sort()).toEqual(['kyc.state', 'kyc.submitted']);
    expect(await center(who)).toMatchObject({ review_status: 1, name: 'Ada Byron', card_id: 'AB********-Z' });
    expect((await submit()).key).toBe('kyc.state');
    const [row] = await auth.databases.query<{ card_id: string; card_sealed: string }>(
      'select card_id, card_sealed from auth.account where id = $1',
      [who.id],
    );
    expect(row?.card_id).toBe('');
    expect(row?.card_sealed.includes('1234567')).toBe(false);
  });

  test('papers that were submitted after the seen ones are not certified with them [AUTH-222]', async () => {
    const who = await people.register();
    const submit = (): Promise<Answered> =>
      post(who, 'real_name', {
        name: 'Mallory',
        card_id: 'M-1',
        front_pic: people.upload(who.id, 'kyc'),
        reverse_pic: people.upload(who.id, 'kyc'),
      });
    const seen = async (): Promise<string> => {
      const { message } = await auth.get(`/api/admin/kyc?user_id=${who.id}`, { caller: await support() });
      return (message as { data: { submitted_at: string }[] }).data[0]?.submitted_at ?? '';
    };
    await submit();
    // Times of answers have whole seconds.
    await auth.databases.query(
      `update auth.identity set submitted_at = submitted_at - interval '1 minute' where user_id = $1`,
      [who.id],
    );
    const first = await seen();
    expect((await decide(who.id, '0', 'the back is blurred', first)).key).toBe('common.success');
    await submit();
    expect(await decide(who.id, '1', 'looked at the first', first)).toMatchObject({
      key: 'kyc.state',
      field: 'submitted_at',
    });
    expect(await center(who)).toMatchObject({ review_status: 1 });
    expect((await decide(who.id, '1', 'looked at the second', await seen())).key).toBe('common.success');
    expect(await center(who)).toMatchObject({ review_status: 2 });
  });

  test('is decided once, with a letter, a trail and the reason; refused papers may come again [AUTH-142]', async () => {
    const who = await people.register();
    const submit = (): Promise<Answered> =>
      post(who, 'real_name', {
        name: 'Grace',
        card_id: 'G-99',
        front_pic: people.upload(who.id, 'kyc'),
        reverse_pic: people.upload(who.id, 'kyc'),
      });
    expect((await decide(who.id, '1')).key).toBe('kyc.state');
    expect((await decide(4_711, '1')).key).toBe('common.notFound');
    await submit();
    const { message } = await auth.get('/api/admin/kyc?review_status=1&limit=100', { caller: await support() });
    const row = (message as { data: Record<string, unknown>[] }).data.find(({ user_id }) => user_id === who.id);
    expect(row).toMatchObject({
      name: 'Grace',
      card_id: 'G-99',
      hand_pic: '',
      review_status: 1,
      submitted_at: expect.stringMatching(/^\d{4}-/),
      decided_at: '',
    });
    expect(row?.['front_pic']).toMatch(/^\/api\/upload\/picture_kyc_\d+\.png\?e=\d+&s=[\w-]+$/);

    const news = heard(auth, who.id);
    const answers = await Promise.all([
      decide(who.id, '0', 'the back is blurred'),
      decide(who.id, '0', 'the back is blurred'),
    ]);
    expect(answers.map(({ key }) => key).sort()).toEqual(['common.success', 'kyc.state']);
    expect(news.ended).toEqual([[]]);
    news.stop();
    expect(await center(who)).toMatchObject({ review_status: 0, review_reason: 'the back is blurred' });
    expect((await people.letters(who.account, 'kyc'))[0]).toContain('the back is blurred');

    expect((await submit()).key).toBe('kyc.submitted');
    expect((await decide(who.id, '1')).key).toBe('common.success');
    expect(await center(who)).toMatchObject({ review_status: 2, review_reason: '', security_level: 75 });
    expect((await people.fresh(who)).reviewStatus).toBe(2);
    expect((await people.letters(who.account, 'kyc'))[0]).toContain('has been verified');
    const lines = (await actions()).filter(({ target }) => target === `user:${who.id}`);
    expect(lines.map(({ action, operator, reason, after }) => [action, operator, reason, after])).toEqual([
      ['kyc.decide', 'support1', 'the back is blurred', '{"review_status":0}'],
      ['kyc.decide', 'support1', 'the papers were looked at', '{"review_status":2}'],
    ]);
  });

  test('id numbers of an earlier release are sealed at the start [AUTH-104]', async () => {
    const [row] = await auth.databases.query<{ open: string; sealed: string }>(
      `select count(*) filter (where card_id <> '') as open, count(*) filter (where card_sealed <> '') as sealed
        from auth.account
        where id < 101000`,
    );
    expect([Number(row?.open), Number(row?.sealed)]).toEqual([0, 10]);
    const trader = await people.signedIn('trader1@demo.bourse');
    expect(await center(trader)).toMatchObject({ card_id: 'DE******01' });
  });
});

describe('bank and payment settings [AUTH-141]', () => {
  test('a bank account needs five texts, in their order', async () => {
    const who = await people.register();
    const all = {
      real_name: 'Ada',
      bank_no: '4000 1234',
      bank_name: 'Harbour',
      region: 'Porto/Foz',
      phone: '912345678',
    };
    for (const field of Object.keys(all))
      expect(await post(who, 'set_bank_account', { ...all, [field]: '' })).toMatchObject({
        key: 'common.fieldRequired',
        field,
      });
    expect(await post(who, 'set_bank_account', {})).toMatchObject({ field: 'real_name' });
    expect(await post(who, 'set_bank_account', { ...all, bank_name: 'x'.repeat(101) })).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'bank_name',
    });
    expect((await center(who))['cashinfo_status']).toBe(0);
    expect((await post(who, 'set_bank_account', all)).key).toBe('bank.saved');
    expect(await center(who)).toMatchObject({ cashinfo_status: 1, bank: all });
  });

  test('payment settings need all eight, in order; from the second save the fund password, last', async () => {
    const who = await people.register();
    expect((await post(who, 'cash_info')).message).toBeNull();
    const texts = {
      real_name: 'Ada',
      bank_name: 'Harbour',
      bank_account: '4000',
      alipay_account: 'ada@pay',
      wechat_account: 'wx-ada',
      wechat_nickname: 'Ada',
    };
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
      expect(await post(who, 'cash_save', given)).toMatchObject({ key, field });
      given[field] = texts[field as keyof typeof texts];
    }
    expect(await post(who, 'cash_save', texts)).toMatchObject({ key: 'cash.images', field: 'alipay_collect' });
    const pictures = { alipay_collect: people.upload(who.id, 'pay'), wechat_collect: people.upload(who.id, 'pay') };
    expect(
      await post(who, 'cash_save', { ...texts, ...pictures, wechat_collect: people.upload(who.id, 'kyc') }),
    ).toMatchObject({ key: 'cash.images', field: 'wechat_collect' });
    expect((await post(who, 'cash_save', { ...texts, ...pictures })).key).toBe('cash.saved');
    expect((await people.fresh(who)).hasPayment).toBe(true);
    const { message } = await post(who, 'cash_info');
    expect(message).toMatchObject({
      ...texts,
      alipay_collect: expect.stringMatching(/^\/api\/upload\/picture_pay_\d+\.png\?e=\d+&s=/),
    });
    // Only the names of the pictures are stored, and they are sealed.
    const kept = await auth.get$(People).paymentOf(auth.get$(AuthDatabase), who.id);
    expect(kept?.alipayCollect).toMatch(/^picture_pay_\d+\.png$/);
    const raw = await auth.databases.query('select * from auth.payment_settings where user_id = $1', [who.id]);
    expect(JSON.stringify(raw)).not.toMatch(/picture_pay|Other/);

    // The second save, before and after a fund password is set; the answered values are sent back with fresh
    // signatures.
    const again = { ...(message as Record<string, string>), bank_name: 'Other' };
    expect(await post(who, 'cash_save', {})).toMatchObject({ type: 'not', key: 'fund.notSet' });
    await people.setFund(who);
    expect(await post(who, 'cash_save', { ...again, real_name: '' })).toMatchObject({ key: 'cash.realName' });
    expect(await post(who, 'cash_save', again)).toMatchObject({ type: '996', key: 'fund.required', field: 'password' });
    expect(await post(who, 'cash_save', { ...again, password: 'wrong1' })).toMatchObject({
      key: 'fund.wrong',
      params: { left: 4 },
    });
    expect(((await post(who, 'cash_info')).message as { bank_name: string }).bank_name).toBe('Harbour');
    expect((await post(who, 'cash_save', { ...again, password: FUND })).key).toBe('cash.saved');
    expect(((await post(who, 'cash_info')).message as { bank_name: string }).bank_name).toBe('Other');
    await auth.databases.query('update auth.account set fund_must_reset = true where id = $1', [who.id]);
    expect(await post(who, 'cash_save', { ...again, password: FUND })).toMatchObject({
      type: '996',
      key: 'fund.mustReset',
    });
  });
});

describe('region agents [AUTH-150]', () => {
  const users = (who: Someone, query = ''): Promise<Answered> =>
    auth.get(`/api/user/region_users${query}`, { caller: who.caller });

  test('see masked people of their own city or district, a page at a time; other people see none', async () => {
    const trader = await people.signedIn('trader1@demo.bourse');
    expect(await users(trader)).toMatchObject({ type: 'error', key: 'region.forbidden' });
    const agent = await people.signedIn('agent@demo.bourse');
    const { message } = await users(agent);
    expect(message).toMatchObject({ page: 1, page_size: 10, total: 2, has_more: 0 });
    const rows = (message as { data: { city_name: string; district_name: string; phone: string; time: string }[] })
      .data;
    expect(rows.map(({ city_name, district_name }) => `${city_name}/${district_name}`).sort()).toEqual([
      'Lisbon/Alfama',
      'Lisbon/Belém',
    ]);
    for (const row of rows)
      expect([row.phone, Object.keys(row).sort()]).toEqual([
        expect.stringMatching(/^\d{3}\*{4}\d{3}$/),
        ['city_name', 'district_name', 'phone', 'time'],
      ]);
    expect((await users(agent, '?page=1&limit=1')).message).toMatchObject({ has_more: 1, total: 2 });
    expect((await users(agent, '?page=3&limit=1')).message).toMatchObject({ data: [], has_more: 0 });

    await auth.databases.query(`update auth.account set region = 'Lisbon/Alfama' where id = $1`, [agent.id]);
    expect((await users(agent)).message).toMatchObject({ total: 1, data: [{ district_name: 'Alfama' }] });
    await auth.databases.query(`update auth.account set region = 'Lis' where id = $1`, [agent.id]);
    expect((await users(agent)).message).toMatchObject({ total: 0, data: [] });
  });
});
