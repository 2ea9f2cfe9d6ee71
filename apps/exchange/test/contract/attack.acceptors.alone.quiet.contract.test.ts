import { beforeAll, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { formatTrimmed, toUnits } from '@bourse/money';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { balanceOf, get, post, refusal, type Fields } from './client.js';
import { createAcceptor, createMerchants, done, FUND, operator, upload, type AcceptorPerson } from './people.js';

/* Attacks of a person on an acceptor, and of an acceptor on a person (attack M2, S3, S4). Moves the clock. */
jest.setTimeout(testTimeoutMs(90_000));

const USDT = 3;
const REASON = 'a test of acceptors';
type Deal = RowOf<'GET /api/acceptor/my_deal'>;
let [user, other] = ['', ''];
let desk: AcceptorPerson;
let acceptorId: number;
beforeAll(async () => {
  const [people, acceptor] = await Promise.all([
    createMerchants(2, { legal: { [USDT]: '5000' } }),
    createAcceptor({ posted: '1000', cash: '10000', own: '1000' }),
  ]);
  [user, other] = people.map(({ token }) => token) as [string, string];
  desk = acceptor;
  ({ acceptorId } = desk);
});

const FIELDS = { mobile: '+1 5550100', deal_account: '4000 1234', way: 'bank', password: FUND };
const submit = (type: 'buy' | 'sell', fields: Fields = {}, token = user) =>
  post('/api/acceptor/deal', { acceptor_id: acceptorId, type, money: '100', ...FIELDS, ...fields }, { token });
const opened = async (type: 'buy' | 'sell', fields: Fields = {}, token = user): Promise<Deal> =>
  (await done(submit(type, fields, token))).deal;
const object = (id: string, pic?: string, token = user) =>
  post('/api/acceptor/user_object', { id, reason: 'nothing came', pic }, { token });
const cancel = (id: string, token = user) => done(post('/api/acceptor/user_cancel', { id }, { token }));
const decide = async (id: string, outcome: 'confirm' | 'reject') =>
  done(
    post('/api/admin/acceptor_deals/decide', { id, outcome, reason: REASON }, { token: await operator('finance1') }),
  );
const advance = (seconds: number) => done(post('/dev/clock', { advance_seconds: seconds }));

test('one person reserves at most a quarter of an acceptor, and others still deposit [HARD-437]', async () => {
  expect(await refusal(submit('buy', { money: '255.11' }))).toEqual({
    key: 'acceptor.quota',
    params: { max: '255.10' },
  });
  const first = await opened('buy', { money: '200' });
  expect(await refusal(submit('buy'))).toEqual({ key: 'acceptor.quota', params: { max: '55.10' } });
  const answers = await Promise.all([submit('buy', { money: '40' }), submit('buy', { money: '40' })]);
  expect(answers.map(({ body }) => body.key).sort()).toEqual(['acceptor.quota', 'acceptor.submitted']);
  const others = await opened('buy', { money: '200' }, other);
  await cancel(others.id, other);
  for (const { body } of answers) if (body.deal) await cancel(body.deal.id);
  await cancel(first.id);
});

test('an objection to a deposit needs a picture and a wait of five minutes [HARD-436]', async () => {
  const { id } = await opened('buy');
  const pic = await upload(user, 'evidence');
  expect(await refusal(object(id))).toMatchObject({ key: 'upload.required' });
  expect(await refusal(object(id, pic))).toEqual({
    key: 'acceptor.wait',
    params: { until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
  });
  await advance(5 * 60);
  expect(await refusal(object(id))).toMatchObject({ key: 'upload.required' });
  expect((await done(object(id, pic))).deal).toMatchObject({ stage: 2 });
  await decide(id, 'reject');
});

test('three objections decided against a person close deposits for 30 days [HARD-438]', async () => {
  const pic = await upload(other, 'evidence');
  for (let round = 0; round < 3; round += 1) {
    const { id } = await opened('buy', { money: '10' }, other);
    await advance(5 * 60);
    await done(object(id, pic, other));
    await decide(id, 'reject');
  }
  expect(await refusal(submit('buy', { money: '10' }, other))).toEqual({
    key: 'acceptor.blocked',
    params: { until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
  });
  const sell = await opened('sell', { money: '10' }, other);
  await cancel(sell.id, other);
});

test('a deal at other rates than the person was shown is refused [HARD-439]', async () => {
  await done(
    post('/api/acceptor/rates', { recharge_rate: '2', cash_rate: '20', password: FUND }, { token: desk.token }),
  );
  expect(await refusal(submit('sell', { receive_money: '98.00' }))).toEqual({
    key: 'acceptor.rateChanged',
    params: { receive_money: '80.00' },
  });
  expect(await refusal(submit('buy', { receive_money: '99' }))).toEqual({
    key: 'acceptor.rateChanged',
    params: { receive_money: '98.00000000' },
  });
  await cancel((await opened('sell', { receive_money: '80.00' })).id);
  await cancel((await opened('buy', { receive_money: '98.00000000' })).id);
  expect(await findFailingChecks()).toEqual([]);
});

/** A withdrawal that only its deadline has confirmed. */
async function confirmedByTime(): Promise<Deal> {
  const { id } = await opened('sell', {}, user);
  const proof_pic = await upload(desk.token, 'proof');
  await done(post('/api/acceptor/transferred', { id, proof_pic, password: FUND }, { token: desk.token }));
  await advance(20 * 60);
  return eventuallySatisfied(
    () => mine(id),
    (deal) => deal.is_sure === 1,
  );
}
const mine = async (id: string): Promise<Deal> => {
  const { message } = await done(get('/api/acceptor/my_deal', { page_size: 100 }, { token: user }));
  return message.data.find((deal) => deal.id === id)!;
};
const account = async (): Promise<{ recharge_amount: string; cash_amount: string; debt: string }> =>
  (await done(get('/api/acceptor/account', {}, { token: desk.token }))).message as never;
const fund = (direction: 'in' | 'out', number: string) =>
  post('/api/acceptor/fund', { direction, number, password: FUND }, { token: desk.token });
const legalOf = async (): Promise<string | undefined> => (await balanceOf(user, USDT))['legal_balance'];

test('a withdrawal that time has confirmed is objected to for a day, and comes back [HARD-448]', async () => {
  await done(
    post('/api/acceptor/rates', { recharge_rate: '2', cash_rate: '2', password: FUND }, { token: desk.token }),
  );
  const [legal, before] = [await legalOf(), await account()];
  const { id } = await confirmedByTime();
  expect(Date.parse(`${(await mine(id)).object_until.replace(' ', 'T')}Z`)).toBeGreaterThan(0);
  expect((await done(object(id))).deal).toMatchObject({ is_sure: 1, stage: 2, disputed: 1 });
  expect(await refusal(object(id))).toMatchObject({ key: 'acceptor.state' });
  const { message } = await done(
    get('/api/admin/acceptor_deals', { objected: 1, page_size: 100 }, { token: await operator('finance1') }),
  );
  expect(message.data.map((deal) => deal.id)).toContain(id);
  await decide(id, 'reject');
  expect(await mine(id)).toMatchObject({ is_sure: 2, object_until: '', disputed: 0 });
  await eventuallySatisfied(legalOf, (now) => now === legal);
  expect(await account()).toMatchObject(before);
  const late = await confirmedByTime();
  await advance(24 * 3_600);
  expect(await refusal(object(late.id))).toMatchObject({ key: 'acceptor.state' });
  expect(await findFailingChecks()).toEqual([]);
});

test('the house pays a shortfall; the acceptor owes it and is closed until it is paid [HARD-449]', async () => {
  const legal = await legalOf();
  const { id } = await confirmedByTime();
  const { recharge_amount: all } = await account();
  await done(fund('out', formatTrimmed(toUnits(all, 8) - toUnits('30', 8), 8)));
  await done(object(id));
  await decide(id, 'reject');
  await eventuallySatisfied(legalOf, (now) => now === legal);
  expect(await account()).toMatchObject({ recharge_amount: '0.00000000', debt: '70.00000000' });
  expect(await findFailingChecks()).toEqual([]);
  const listed = async (): Promise<number[]> =>
    (await done(get('/api/acceptor/list', {}, { token: user }))).message.map((row) => row.id);
  expect(await listed()).not.toContain(acceptorId);
  expect(await refusal(submit('sell'))).toMatchObject({ key: 'common.notFound' });
  expect(await refusal(fund('out', '1'))).toMatchObject({ key: 'balance.credit' });
  await done(fund('in', '30'));
  expect(await account()).toMatchObject({ recharge_amount: '0.00000000', debt: '40.00000000' });
  await done(fund('in', '50'));
  expect(await account()).toMatchObject({ recharge_amount: '10.00000000', debt: '0.00000000' });
  expect(await listed()).toContain(acceptorId);
  expect(await findFailingChecks()).toEqual([]);
});
