import { beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { unsound } from './audit.js';
import { get, post, type Answered, type Body, type Fields } from './client.js';
import { createAcceptor, createMerchants, done, FUND, operator, upload, type AcceptorPerson } from './people.js';

/* What one person can do to an acceptor, and an acceptor to a person (attack M2, S3, S4). Moves the clock. */
jest.setTimeout(testTimeoutMs(90_000));

const USDT = 3;
const REASON = 'a test of acceptors';
interface Deal {
  readonly id: string;
  readonly is_sure: number;
  readonly stage: number;
}
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
  acceptorId = ((await done(() => get('/api/acceptor/account', {}, { token: desk.token }))).message as { id: number })
    .id;
});

const FIELDS = { mobile: '+1 5550100', deal_account: '4000 1234', way: 'bank', password: FUND };
const submit = (type: 'buy' | 'sell', fields: Fields = {}, token = user): Promise<Answered> =>
  post('/api/acceptor/deal', { acceptor_id: acceptorId, type, money: '100', ...FIELDS, ...fields }, { token });
const opened = async (type: 'buy' | 'sell', fields: Fields = {}, token = user): Promise<Deal> =>
  (await done(() => submit(type, fields, token)))['deal'] as Deal;
const refusal = async (answer: Promise<Answered>): Promise<object> => {
  const { key, params } = (await answer).body;
  return { key, params };
};
const object = (id: string, pic?: string, token = user): Promise<Answered> =>
  post('/api/acceptor/user_object', { id, reason: 'nothing came', pic }, { token });
const cancel = (id: string, token = user): Promise<Body> =>
  done(() => post('/api/acceptor/user_cancel', { id }, { token }));
const decide = async (id: string, outcome: 'confirm' | 'reject'): Promise<Body> =>
  done(async () =>
    post('/api/admin/acceptor_deals/decide', { id, outcome, reason: REASON }, { token: await operator('finance1') }),
  );
const advance = (seconds: number): Promise<Body> => done(() => post('/dev/clock', { advance_seconds: seconds }));

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
  for (const { body } of answers) if (body['deal']) await cancel((body['deal'] as Deal).id);
  await cancel(first.id);
});

test('a deposit is objected to with a picture, five minutes after it was asked for [HARD-436]', async () => {
  const { id } = await opened('buy');
  const pic = await upload(user, 'evidence');
  expect(await refusal(object(id))).toMatchObject({ key: 'upload.required' });
  expect(await refusal(object(id, pic))).toEqual({
    ...{ key: 'acceptor.wait', params: { until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) } },
  });
  await advance(5 * 60);
  expect(await refusal(object(id))).toMatchObject({ key: 'upload.required' });
  expect((await done(() => object(id, pic)))['deal']).toMatchObject({ stage: 2 });
  await decide(id, 'reject');
});

test('three objections decided against a person close deposits for 30 days [HARD-438]', async () => {
  const pic = await upload(other, 'evidence');
  for (let round = 0; round < 3; round += 1) {
    const { id } = await opened('buy', { money: '10' }, other);
    await advance(5 * 60);
    await done(() => object(id, pic, other));
    await decide(id, 'reject');
  }
  expect(await refusal(submit('buy', { money: '10' }, other))).toEqual({
    ...{ key: 'acceptor.blocked', params: { until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) } },
  });
  const sell = await opened('sell', { money: '10' }, other);
  await cancel(sell.id, other);
});

test('a deal at other rates than the person was shown is refused, whoever changed them [HARD-439]', async () => {
  await done(() =>
    post('/api/acceptor/rates', { recharge_rate: '2', cash_rate: '20', password: FUND }, { token: desk.token }),
  );
  expect(await refusal(submit('sell', { receive_money: '98.00' }))).toEqual({
    ...{ key: 'acceptor.rateChanged', params: { receive_money: '80.00' } },
  });
  expect(await refusal(submit('buy', { receive_money: '99' }))).toEqual({
    ...{ key: 'acceptor.rateChanged', params: { receive_money: '98.00000000' } },
  });
  await cancel((await opened('sell', { receive_money: '80.00' })).id);
  await cancel((await opened('buy', { receive_money: '98.00000000' })).id);
  expect(await unsound()).toEqual([]);
});
