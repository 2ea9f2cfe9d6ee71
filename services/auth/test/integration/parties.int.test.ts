import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { OwnUploads, Parties } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { startAuth, type AuthProcess } from './auth-process.js';
import { heard, peopleOf } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

/* Questions of c2c-escrow to auth: the parties of a deal, and the roles that it sets. */
let auth: AuthProcess;
let parties: Parties;
beforeAll(async () => {
  auth = await startAuth();
  parties = new Parties(auth.asks);
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);
const trail = async (): Promise<Record<string, unknown>[]> =>
  (
    await auth.databases.query<{ payload: string }>(
      `select payload from auth.outbox where topic = 'operator.actions' order by number`,
    )
  ).flatMap(({ payload }) => (JSON.parse(payload) as { body: Record<string, unknown> }[]).map(({ body }) => body));

test('parties are returned with masked names, certified names and payment settings [AUTH-170]', async () => {
  const someone = await people.register();
  const before = await parties.facts([100001, 100003, someone.id, 4_711]);
  expect([...before.keys()].sort()).toEqual([100001, 100003, someone.id].sort());
  expect(before.get(100001)).toMatchObject({ name: 'tra****@demo.bourse', accountNumber: 'B100001', lang: 'en' });
  expect(before.get(100001)?.realName).not.toBe('');
  expect(before.get(100003)?.phone).toBe('5550100003');
  expect(before.get(someone.id)).toMatchObject({ name: 'som****@example.org', realName: '', payment: null });
  const collect = people.upload(someone.id, 'pay');
  const saved = await auth.post(
    '/api/user/cash_save',
    {
      real_name: 'Ines Duarte',
      bank_name: 'Banco do Porto',
      bank_account: 'PT50 0001',
      alipay_account: 'ines',
      alipay_collect: collect,
      wechat_account: 'ines',
      wechat_nickname: 'Ines',
      wechat_collect: collect,
    },
    { caller: someone.caller },
  );
  expect(saved).toMatchObject({ type: 'ok' });
  const name = await new OwnUploads(auth.asks).own(someone.id, 'pay', collect);
  expect((await parties.facts([someone.id])).get(someone.id)?.payment).toEqual({
    realName: 'Ines Duarte',
    bankName: 'Banco do Porto',
    bankAccount: 'PT50 0001',
    alipayAccount: 'ines',
    alipayCollect: name,
    wechatAccount: 'ines',
    wechatNickname: 'Ines',
    wechatCollect: name,
  });
});

test('makes a person a seller, notifies the sessions, and has its own line in the audit log [AUTH-171]', async () => {
  const someone = await people.register();
  const news = heard(auth, someone.id);
  await parties.setRole(someone.id, { isSeller: true }, 'a shop opened');
  expect(await people.fresh(someone)).toMatchObject({ isSeller: true, isAcceptor: false });
  expect(news.ended).toEqual([[]]);
  news.stop();
  await parties.setRole(someone.id, { isAcceptor: true });
  expect(await people.fresh(someone)).toMatchObject({ isSeller: true, isAcceptor: true });
  expect([...(await parties.acceptorsAmong([100001, 100030, someone.id]))].sort()).toEqual([100030, someone.id].sort());
  const lines = (await trail()).filter(({ target }) => target === `user:${someone.id}`);
  expect(lines).toMatchObject([
    { action: 'users.role', operatorId: 0, operator: 'c2c-escrow', reason: 'a shop opened' },
    { action: 'users.role', operatorId: 0, operator: 'c2c-escrow', reason: '' },
  ]);
  expect(lines[0]?.['before']).toContain('"isSeller":false');
  expect(lines[0]?.['after']).toContain('"isSeller":true');
  await expect(parties.setRole(4_711, { isSeller: true })).rejects.toMatchObject({ key: 'common.notFound' });
});

test('a person frozen for deals begins none and is no acceptor; a fully frozen one is silent [AUTH-172]', async () => {
  const someone = await people.register();
  await parties.setRole(someone.id, { isSeller: true, isAcceptor: true });
  const standing = async () => {
    const { mayDeal, mayAnswer, isSeller } = (await parties.facts([someone.id])).get(someone.id)!;
    return [mayDeal, mayAnswer, isSeller, (await parties.acceptorsAmong([someone.id])).has(someone.id)];
  };
  const expected = {
    none: [true, true, true, true],
    trade: [true, true, true, true],
    withdraw: [true, true, true, true],
    c2c: [false, true, true, false],
    all: [false, false, true, false],
  };
  for (const [scope, told] of Object.entries(expected)) {
    await auth.databases.query('update auth.account set frozen = $2 where id = $1', [someone.id, scope]);
    expect([scope, ...(await standing())]).toEqual([scope, ...told]);
  }
});
