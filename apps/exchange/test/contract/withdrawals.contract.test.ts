import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, call, callAtOnce, get, post, signIn, type Answered, type Fields } from './client.js';
import { createCertified, codeFor, done, FUND, operator, type Person } from './people.js';

jest.setTimeout(testTimeoutMs(30_000));

const USDT = 3,
  XRP = 4,
  HAP = 8;
const ERC20 = 3,
  TRC20 = 4,
  RIPPLE = 5;
const TRON_ADDRESS = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
const TRON_OTHER = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
const EVM_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const XRP_ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const SLOW_MS = 20_000;

type Withdrawal = RowOf<'GET /api/wallet/out_list'>;

/** Makes a certified user with this much USDT on the change account, deposited by the simulated chain. */
async function rich(number: string): Promise<Person> {
  const person = await createCertified();
  const { message: address } = await done(
    post('/api/wallet/get_in_address', { currency: USDT, type: TRC20 }, { token: person.token }),
  );
  await done(post('/dev/chain/deposit', { address: address, number, currency: USDT, type: TRC20 }));
  await done(post('/dev/chain/blocks', { count: 8 }));
  await eventuallySatisfied(
    () => balanceOf(person.token, USDT),
    ({ change_balance }) => Number.parseInt(change_balance ?? '0', 10) > 0,
    SLOW_MS,
  );
  return person;
}
const out = ({ token }: Person, fields: Fields = {}, headers: Record<string, string> = {}) =>
  post(
    '/api/wallet/out',
    { address: TRON_ADDRESS, number: '150', currency: USDT, type: TRC20, pay_password: FUND, ...fields },
    { token, headers },
  );
const opened = async (answer: Promise<Answered>): Promise<Withdrawal> => (await done(answer)).withdrawal as Withdrawal;
const list = async ({ token }: Person, fields: Fields = {}): Promise<Withdrawal[]> =>
  (await done(get('/api/wallet/out_list', fields, { token }))).message.data;
const money = async ({ token }: Person): Promise<[string | undefined, string | undefined]> => {
  const coin = await balanceOf(token, USDT);
  return [coin['change_balance'], coin['lock_change_balance']];
};
const admin = async (who: string, what: string, id: string) =>
  post(`/api/admin/withdrawals/${what}`, { id, reason: 'a contract test' }, { token: await operator(who) });

describe('a withdrawal', () => {
  let person: Person;
  beforeAll(async () => {
    person = await rich('20000');
  });

  test('is refused in the order of the rules, and nothing is held [WITHDRAW-005]', async () => {
    const poor = await createCertified();
    const steps: [Fields, object][] = [
      [
        { address: '', number: '0', type: '', pay_password: '' },
        { key: 'wallet.addressRequired', field: 'address' },
      ],
      [{ address: 'nowhere' }, { key: 'wallet.numberRequired', field: 'number' }],
      [{ number: '9.99' }, { key: 'wallet.lessMin', params: { min: '10.00000000' } }],
      [{ number: '15' }, { key: 'wallet.protocol', field: 'type' }],
      [{ type: ERC20 }, { key: 'wallet.lessMin', params: { min: '20.00000000' } }],
      [{ type: TRC20 }, { key: 'wallet.addressInvalid', field: 'address' }],
      [{ address: EVM_ADDRESS }, { key: 'wallet.addressInvalid' }],
      [{ address: `${TRON_ADDRESS.slice(0, -1)}8` }, { key: 'wallet.addressInvalid' }],
      [{ address: TRON_ADDRESS }, { type: '996', key: 'fund.required', field: 'pay_password' }],
      [{ pay_password: 'wrong6' }, { key: 'fund.wrong', params: { left: 4 } }],
      [{ pay_password: FUND, number: '100001' }, { key: 'wallet.dayLimit' }],
      [{ number: '15' }, { type: 'error', key: 'balance.insufficient' }],
    ];
    let fields: Fields = {};
    for (const [right, refusal] of steps) {
      fields = { ...fields, ...right };
      expect([fields, (await out(poor, fields)).body]).toMatchObject([fields, refusal]);
    }
    expect((await out(poor, { currency: XRP, type: RIPPLE, address: XRP_ADDRESS, number: '100' })).body).toMatchObject({
      key: 'wallet.memoRequired',
      field: 'memo',
    });
    expect((await out(poor, { currency: HAP, type: '' })).body).toMatchObject({ key: 'wallet.protocol' });
    expect((await done(get('/api/wallet/holds', {}, { token: poor.token }))).message).toEqual([]);
  });

  test('checks its gates first [WITHDRAW-008]', async () => {
    expect((await post('/api/wallet/out', {})).body).toMatchObject({ type: '999' });
    for (const [account, type] of [
      ['nofund@demo.bourse', 'not'],
      ['newbie@demo.bourse', 'not'],
    ] as const) {
      expect((await post('/api/wallet/out', {}, { token: await signIn(account) })).body).toMatchObject({
        type,
        key: 'fund.notSet',
      });
    }
  });

  test('of 150 USDT on TRC20 costs 1.50, whatever fee the client names, in six blocks [WITHDRAW-010]', async () => {
    const before = await money(person);
    const withdrawal = await opened(out(person, { rate: '0', user_id: 100001 }));
    expect(withdrawal).toEqual({
      id: expect.stringMatching(/^\d+$/),
      currency_id: USDT,
      currency_name: 'USDT',
      number: '150.00000000',
      fee: '1.50000000',
      received: '148.50000000',
      address: TRON_ADDRESS,
      memo: '',
      type: TRC20,
      status: 1,
      state: 'sending',
      tx_id: '',
      confirmations: 0,
      reason: '',
      create_time: expect.stringMatching(TIME),
      update_time: expect.stringMatching(TIME),
      ts: expect.any(Number),
      updated_ts: expect.any(Number),
    });
    const [sent] = await eventuallySatisfied(
      () => list(person),
      ([first]) => first?.tx_id !== '',
      SLOW_MS,
    );
    expect(sent).toMatchObject({ id: withdrawal.id, status: 1, state: 'sending' });
    await done(post('/dev/chain/blocks', { count: 8 }));
    const [paid] = await eventuallySatisfied(
      () => list(person),
      ([first]) => first?.state === 'done',
      SLOW_MS,
    );
    expect(paid).toMatchObject({ status: 2, received: '148.50000000', tx_id: sent?.tx_id });
    expect(
      await eventuallySatisfied(
        () => money(person),
        ([, held]) => held === '0.00000000',
      ),
    ).toEqual([`${Number.parseInt(before[0] ?? '', 10) - 150}.00000000`, '0.00000000']);
    expect((await done(get('/api/statement/check', {}, { token: person.token }))).message).toMatchObject({
      ok: 1,
    });
    expect(await list(person, { currency: XRP })).toEqual([]);
  });

  test('is answered once per key; another body is refused; the answer is found by its key [WITHDRAW-020]', async () => {
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    const first = await out(person, { number: '20' }, headers);
    expect(first.body).toMatchObject({ type: 'ok', key: 'wallet.outSubmitted' });
    const again = await out(person, { number: '20' }, headers);
    expect([again.body.id, again.body.withdrawal]).toEqual([first.body.id, first.body.withdrawal]);
    expect((await out(person, { number: '21' }, headers)).body).toMatchObject({
      type: 'error',
      key: 'common.keyReused',
    });
    for (const name of [key, String(first.body.command_id)])
      expect((await get('/api/command', { key: name }, { token: person.token })).body).toMatchObject({
        type: 'ok',
        id: first.body.id,
      });
    expect((await list(person)).filter(({ number }) => number === '20.00000000')).toHaveLength(1);
    for (let n = 0; n < 2; n++)
      expect((await out(person, { number: '90000' }, { 'idempotency-key': `${key}-2` })).body).toMatchObject({
        type: 'error',
        key: 'balance.insufficient',
      });
    expect((await get('/api/command', { key: `${key}-2` }, { token: person.token })).body).toMatchObject({
      type: 'error',
      key: 'balance.insufficient',
    });
  });

  test('of more than 1,000 USD waits for an operator; until then its owner takes it back [WITHDRAW-014]', async () => {
    // No withdrawal of another test is confirmed meanwhile.
    const owner = await rich('2000');
    const before = await money(owner);
    const withdrawal = await opened(out(owner, { number: '1500' }));
    expect(withdrawal).toMatchObject({ status: 1, state: 'review' });
    const stranger = await createCertified();
    expect((await post('/api/wallet/out_cancel', { id: withdrawal.id }, { token: stranger.token })).body).toMatchObject(
      { type: 'error', key: 'common.notFound' },
    );
    expect((await post('/api/wallet/out_cancel', { id: withdrawal.id }, { token: owner.token })).body).toMatchObject({
      type: 'ok',
    });
    expect((await post('/api/wallet/out_cancel', { id: withdrawal.id }, { token: owner.token })).body).toMatchObject({
      type: 'error',
      key: 'wallet.state',
    });
    expect(
      await eventuallySatisfied(
        () => money(owner),
        ([now]) => now === before[0],
      ),
    ).toEqual(before);
    expect((await list(owner)).find(({ id }) => id === withdrawal.id)).toMatchObject({
      status: 3,
      state: 'cancelled',
    });
  });

  test('of 10,000 USD needs two operators; support sees none [WITHDRAW-013] [WITHDRAW-030] [CONSOLE-127]', async () => {
    const { id } = await opened(out(person, { number: '10000' }));
    for (const [token, status] of [
      [await operator('support1'), 403],
      [person.token, 403],
    ] as const) {
      expect((await get('/api/admin/withdrawals', {}, { token })).status).toBe(status);
      expect((await post('/api/admin/withdrawals/approve', { id, reason: 'a contract test' }, { token })).status).toBe(
        status,
      );
    }
    const waiting = (
      await done(
        get('/api/admin/withdrawals', { state: 'review', page_size: 100 }, { token: await operator('finance1') }),
      )
    ).message;
    expect(waiting.data.find((one) => one.id === id)).toMatchObject({
      user_id: person.id,
      approvals: 0,
      approvals_needed: 2,
      value: '10000.00000000',
      network_name: 'TRC20',
      risk: {
        hints: expect.arrayContaining(['fresh_deposit', 'young_account']),
        earlier_withdrawals: expect.any(Number),
        address_bound_at: '',
        last_deposit_at: expect.stringMatching(TIME),
        deposited_24h: '20000.00000000',
        registered_at: expect.stringMatching(TIME),
        new_device_at: '',
        identity_shared_with: [],
      },
    });
    const token = await operator('finance1');
    const listOf = async (userId: number): Promise<(Withdrawal & { user_id: number })[]> =>
      (await done(get('/api/admin/withdrawals', { state: 'review', user_id: userId }, { token }))).message.data;
    const own = await listOf(person.id);
    expect(own.map((one) => one.id)).toContain(id);
    expect(own.filter((one) => one.user_id !== person.id)).toEqual([]);
    expect(await listOf(2_000_000_000)).toEqual([]);
    const [one, ...others] = (await done(get('/api/admin/withdrawals', { id }, { token }))).message.data;
    expect([one?.id, others]).toEqual([id, []]);
    expect(
      (await post('/api/admin/withdrawals/approve', { id }, { token: await operator('finance1') })).body,
    ).toMatchObject({ key: 'admin.reason' });
    expect((await admin('finance1', 'approve', id)).body).toMatchObject({ type: 'ok', key: 'admin.secondNeeded' });
    expect((await admin('finance1', 'approve', id)).body).toMatchObject({ type: 'error', key: 'admin.samePerson' });
    expect((await list(person)).find((one) => one.id === id)).toMatchObject({ state: 'review' });
    expect((await admin('finance2', 'approve', id)).body).toMatchObject({
      type: 'ok',
      key: 'admin.withdrawalApproved',
    });
    expect((await admin('finance2', 'reject', id)).body).toMatchObject({ type: 'error', key: 'wallet.state' });
    expect((await post('/api/wallet/out_cancel', { id }, { token: person.token })).body).toMatchObject({
      key: 'wallet.state',
    });
    await eventuallySatisfied(
      async () => (await list(person)).find((one) => one.id === id),
      (one) => one !== undefined && one.tx_id !== '',
      SLOW_MS,
    );
    const trail = await eventuallySatisfied(
      async () =>
        (
          await done(
            get(
              '/api/admin/audit',
              { action: 'withdrawals.approve', page_size: 50 },
              { token: await operator('finance1') },
            ),
          )
        ).message,
      ({ data }) => data.filter(({ target }) => target === id).length === 2,
    );
    expect(new Set(trail.data.filter(({ target }) => target === id).map(({ operator: who }) => who))).toEqual(
      new Set(['finance1', 'finance2']),
    );
  });

  test('cancelled and approved in one moment goes one way [WITHDRAW-015]', async () => {
    // A person without other withdrawals today: one operator is enough.
    const person = await rich('2000');
    const { id } = await opened(out(person, { number: '1200' }));
    const answers = await Promise.all([
      post('/api/wallet/out_cancel', { id }, { token: person.token }),
      admin('finance1', 'approve', id),
      admin('finance2', 'reject', id),
    ]);
    expect(answers.map(({ body }) => body.type).sort()).toEqual(['error', 'error', 'ok']);
    expect(answers.filter(({ body }) => body.type === 'error').map(({ body }) => body.key)).toEqual([
      'wallet.state',
      'wallet.state',
    ]);
  });
});

test('64 at once of a tenth of the balance each: exactly ten pass [WITHDRAW-011]', async () => {
  const person = await rich('1000');
  const final = await callAtOnce(64, () => out(person, { number: '100' }));
  expect(final.filter(({ body }) => body.type === 'ok')).toHaveLength(10);
  expect(new Set(final.filter(({ body }) => body.type !== 'ok').map(({ body }) => body.key))).toEqual(
    new Set(['balance.insufficient']),
  );
  expect(await list(person, { page_size: 100 })).toHaveLength(10);
  expect((await money(person))[0]).toBe('0.00000000');
});

test('a new login password blocks withdrawals for a day [WITHDRAW-009]', async () => {
  const person = await createCertified();
  await done(post('/api/sms_mail', { user_string: person.account, scene: 'forget' }));
  await done(
    post('/api/user/forget', {
      account: person.account,
      password: 'Harbor-1357',
      repassword: 'Harbor-1357',
      code: await codeFor(person.account, 'forget'),
    }),
  );
  const { message: token } = await done(
    post('/api/user/login', { user_string: person.account, password: 'Harbor-1357' }),
  );
  expect((await out({ ...person, token: token })).body).toMatchObject({
    type: 'error',
    key: 'wallet.blocked',
    params: { until: expect.stringMatching(TIME) },
  });
});

describe('bound addresses', () => {
  let person: Person;
  let code: string;
  beforeAll(async () => {
    person = await createCertified();
  });
  const middle = async (
    method: 'GET' | 'POST',
    what: string,
    fields: Fields = {},
    token: string | undefined = person.token,
  ): Promise<{ code: number; msg: string; data: Record<string, unknown> | null }> => {
    const { status, body, text } = await call(method, `/walletMiddle/${what}`, fields, { token });
    expect([what, status, Object.keys(body).sort()]).toEqual([what, 200, ['code', 'data', 'msg']]);
    return JSON.parse(text) as { code: number; msg: string; data: Record<string, unknown> | null };
  };
  const sign = async (fields: Fields): Promise<{ data: string; signature: string }> =>
    (await done(post('/api/wallet/sign_draw_address', fields, { token: person.token }))).message;

  test('the middleware answers in its own shape, without a session or for others too [ADDRESS-003]', async () => {
    for (const [method, what] of [
      ['GET', 'SendVerificationcode'],
      ['GET', 'GetDrawAddress'],
      ['POST', 'BindDrawAddress'],
    ] as const) {
      expect(await middle(method, what, { user_id: person.id }, '')).toMatchObject({ code: 999, data: null });
      expect(await middle(method, what, { user_id: person.id, coin_name: 'USDT' }, 'no-such-token')).toMatchObject({
        code: 999,
      });
      expect(await middle(method, what, { user_id: 100001, coin_name: 'USDT' })).toMatchObject({ code: 1 });
    }
    expect(await middle('GET', 'GetDrawAddress', { user_id: person.id })).toMatchObject({ code: 1 });
  });

  test('a code is sent once in 30 s [ADDRESS-004]', async () => {
    expect(await middle('GET', 'SendVerificationcode', { user_id: person.id })).toMatchObject({
      code: 0,
      data: { seconds: 30 },
    });
    code = await codeFor(person.account, 'draw_address');
    expect(code).toMatch(/^\d{6}$/);
    expect(await middle('GET', 'SendVerificationcode', { user_id: person.id })).toMatchObject({
      code: 6,
      data: { seconds: expect.any(Number) },
    });
  });

  test('is signed by the server, bound with its code once, listed, cools, is removed [ADDRESS-010]', async () => {
    const refused: [Fields, string][] = [
      [{ coin_name: 'USDT', verification_code: code }, 'wallet.addressRequired'],
      [{ address: 'nowhere', coin_name: 'USDT', verification_code: code }, 'wallet.addressInvalid'],
      [{ address: TRON_ADDRESS, coin_name: 'NONE', verification_code: code }, 'common.notFound'],
    ];
    for (const [fields, key] of refused)
      expect((await post('/api/wallet/sign_draw_address', fields, { token: person.token })).body).toMatchObject({
        type: 'error',
        key,
      });
    const wrong = await sign({
      address: TRON_ADDRESS,
      coin_name: 'USDT',
      verification_code: code === '000000' ? '000001' : '000000',
    });
    expect(await middle('POST', 'BindDrawAddress', { ...wrong })).toMatchObject({ code: 4 });
    const good = await sign({
      address: TRON_ADDRESS,
      coin_name: 'USDT',
      contract_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      memo: '',
      verification_code: code,
    });
    expect(JSON.parse(good.data)).toEqual({
      user_id: person.id,
      address: TRON_ADDRESS,
      coin_name: 'USDT',
      contract_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      memo: '',
      verification_code: code,
      timestamp: expect.any(Number),
    });
    expect(good.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(
      await middle('POST', 'BindDrawAddress', { ...good, data: good.data.replace(TRON_ADDRESS, TRON_OTHER) }),
    ).toMatchObject({ code: 2 });
    expect(await middle('POST', 'BindDrawAddress', { data: '{}', signature: good.signature })).toMatchObject({
      code: 1,
    });
    const bound = await middle('POST', 'BindDrawAddress', { ...good });
    expect(bound).toMatchObject({
      code: 0,
      data: { address_id: expect.any(Number), usable_at: expect.stringMatching(TIME) },
    });
    expect(await middle('POST', 'BindDrawAddress', { ...good })).toMatchObject({ code: 2 });
    expect(
      await middle('POST', 'BindDrawAddress', {
        ...(await sign({ address: TRON_OTHER, coin_name: 'USDT', verification_code: code })),
      }),
    ).toMatchObject({ code: 4 });
    const { address_id, usable_at } = bound.data as { address_id: number; usable_at: string };
    const rows = (await done(post('/api/wallet/get_address', { currency: USDT }, { token: person.token }))).message;
    expect(rows).toEqual([
      {
        id: address_id,
        address_id,
        address: TRON_ADDRESS,
        coin_name: 'USDT',
        currency: USDT,
        type: TRC20,
        contract_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        memo: '',
        created_at: expect.stringMatching(TIME),
        usable_at,
      },
    ]);
    expect((await middle('GET', 'GetDrawAddress', { user_id: person.id, coin_name: 'USDT' })).data).toEqual({
      user_id: person.id,
      coin_name: 'USDT',
      contract_address: '',
      address: TRON_ADDRESS,
      memo: '',
      list: rows,
    });
    expect((await out(person)).body).toMatchObject({ key: 'wallet.addressCooling', params: { until: usable_at } });
    expect((await out(person, { address: TRON_OTHER })).body).toMatchObject({
      key: 'wallet.addressNotBound',
      field: 'address',
    });
    const stranger = await createCertified();
    expect((await post('/api/wallet/deladdress', { address_id }, { token: stranger.token })).body).toMatchObject({
      key: 'common.notFound',
    });
    expect((await post('/api/wallet/deladdress', { address_id }, { token: person.token })).body).toMatchObject({
      type: 'ok',
    });
    expect((await post('/api/wallet/deladdress', { address_id }, { token: person.token })).body).toMatchObject({
      key: 'common.notFound',
    });
    expect((await out(person)).body).toMatchObject({ key: 'wallet.addressNotBound' });
  });
});
