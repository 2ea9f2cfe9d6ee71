import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { totpCode, waitForRoomInStep } from '@bourse/testing/totp';
import { allCalls, each, raw, send, type KnownCall } from './attack.js';
import { balanceOf, call, get, post, type Fields } from './client.js';
import { createCertified, codeFor, done, FUND, createNewcomer, operator, PASSWORD, type Person } from './people.js';

/*
 * Attacks on the identity of users: a stolen token, another user's codes, common passwords, a frozen account. Each test
 * repeats an attack of the review of 2026-11-22 and checks the refusal.
 */

// Slow hashes, one at a time.
jest.setTimeout(testTimeoutMs(30_000));

const USDT = 3,
  TRC20 = 4;
const TRON_ADDRESS = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
/** A browser of its own: another agent, and the random id that the terminal would send. */
const browser = (name: string): Record<string, string> => ({
  'user-agent': name,
  'x-device-id': randomBytes(24).toString('base64url'),
});
const otherThan = (code: string): string => (code === '000000' ? '111111' : '000000');
const mobile = (): string => `555${randomInt(1e6, 1e7)}`;
const letters = async (to: string, scene: string): Promise<{ text: string; code: string }[]> =>
  (await get('/dev/inbox', { to, scene, limit: 20 })).body.message as { text: string; code: string }[];

/** A stolen session: the attacker does not know the password. */
async function stolen({ account, token }: Person): Promise<string> {
  const { message: code } = await done(get('/api/user/authorization_code', {}, { token }));
  return (await done(post('/api/user/device_login', { user_string: account, authorization_code: code }))).message;
}
/** Requests a code with a token and reads it from the recipient's inbox. */
async function askCode(to: string, scene: string, token?: string, headers = {}): Promise<string> {
  const field = /^\d+$/.test(to) ? '/api/sms_send' : '/api/sms_mail';
  await done(post(field, { user_string: to, scene }, { token, headers }));
  return codeFor(to, scene);
}
/** Certified, e-mail only, with USDT that could be stolen. */
async function wealthy(): Promise<Person> {
  const person = await createCertified();
  const { message: address } = await done(
    post('/api/wallet/get_in_address', { currency: USDT, type: TRC20 }, { token: person.token }),
  );
  await done(post('/dev/chain/deposit', { address: address, number: '900', currency: USDT, type: TRC20 }));
  await done(post('/dev/chain/blocks', { count: 8 }));
  await eventuallySatisfied(
    () => balanceOf(person.token, USDT),
    ({ change_balance }) => Number.parseInt(change_balance ?? '0', 10) > 0,
    20_000,
  );
  return person;
}
const CONFIRM = { type: 'error', key: 'auth.confirm', need: 'password' };

interface Described extends KnownCall {
  readonly whileFrozen: boolean | undefined;
  readonly confirmed: string | undefined;
}
/** Every call with its declared behaviour for frozen accounts and for K. */
async function described(): Promise<Described[]> {
  const { paths } = JSON.parse((await get('/api/openapi.json')).text) as {
    paths: Record<string, Record<string, { 'x-call'?: { while_frozen?: boolean; confirmed?: string } }>>;
  };
  return (await allCalls()).map((known) => {
    const [method, path] = known.name.split(' ') as [string, string];
    const told = paths[path]?.[method.toLowerCase()]?.['x-call'];
    return { ...known, whileFrozen: told?.while_frozen, confirmed: told?.confirmed };
  });
}

describe('a stolen token [HARD-103]', () => {
  let owner: Person;
  let token: string;
  beforeAll(async () => {
    owner = await wealthy();
    token = await stolen(owner);
  });

  test('makes none of the calls that take an account over, whatever their fields', async () => {
    const guarded = (await described()).filter(({ confirmed }) => confirmed === 'always');
    expect(guarded.map(({ name }) => name).sort()).toEqual([
      'DELETE /api/apikey',
      'POST /api/apikey',
      'POST /api/safe/email',
      'POST /api/safe/mobile',
      'POST /api/safe/passkey_disable',
      'POST /api/safe/passkey_enable',
      'POST /api/safe/passkey_setup',
      'POST /api/safe/totp_disable',
      'POST /api/safe/totp_enable',
      'POST /api/safe/totp_setup',
    ]);
    const attempts: Record<string, string>[] = [
      {},
      { password: FUND, label: 'x', permissions: 'read', email: 'thief@example.org' },
    ];
    for (const one of guarded)
      for (const fields of attempts) expect((await send(one, fields, token)).body).toMatchObject(CONFIRM);
  });

  test('a) binds no phone of its own, and sets no first fund password', async () => {
    const phone = mobile();
    const code = await askCode(phone, 'bind', token);
    expect((await post('/api/safe/mobile', { mobile: phone, code }, { token })).body).toMatchObject(CONFIRM);
    const fresh = await createNewcomer();
    const thief = await stolen(fresh);
    const fund = { password: 'ships7', re_password: 'ships7', code: await askCode(fresh.account, 'fund', thief) };
    expect((await post('/api/safe/update_password', fund, { token: thief })).body).toMatchObject(CONFIRM);
    expect((await post('/api/safe/update_password', fund, { token: fresh.token })).body).toMatchObject({
      key: 'fund.saved',
    });
    expect((await letters(fresh.account, 'security')).some(({ text }) => text.includes('fund password was set'))).toBe(
      true,
    );
  });

  test('b) moves no e-mail, so that no password is forgotten by it', async () => {
    const mine = `thief${randomInt(1e9)}@example.org`;
    const code = await askCode(mine, 'bind', token);
    expect((await post('/api/safe/email', { email: mine, code }, { token })).body).toMatchObject(CONFIRM);
    expect((await post('/api/user/login', { user_string: owner.account, password: PASSWORD })).body.type).toBe('ok');
  });

  test('c) sets up no authenticator that would lock the owner out', async () => {
    expect((await post('/api/safe/totp_setup', {}, { token })).body).toMatchObject(CONFIRM);
    expect((await get('/api/user/info', {}, { token: owner.token })).body.message).toMatchObject({ totp: 0 });
  });

  test('does not find the password out: wrong ones are counted, and then the door is closed', async () => {
    const guess = (password: string) => post('/api/user/confirm_password', { password }, { token });
    for (const left of [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      expect((await guess('Wrong-1234')).body).toMatchObject({ type: 'error', key: 'auth.wrong', params: { left } });
    expect((await guess(PASSWORD)).body).toMatchObject({ key: 'common.tooMany' });
    expect((await post('/api/safe/totp_setup', {}, { token })).body).toMatchObject(CONFIRM);
  });

  test('with the password too: withdrawals wait, the owner is notified, the new contact gives no access', async () => {
    const victim = await wealthy();
    const thief = await stolen(victim);
    const confirmed = await done(post('/api/user/confirm_password', { password: PASSWORD }, { token: thief }));
    expect(confirmed).toMatchObject({ key: 'auth.confirmed', until: expect.any(Number) });
    const phone = mobile();
    const bind = await askCode(phone, 'bind', thief);
    await done(post('/api/safe/mobile', { mobile: phone, code: bind }, { token: thief }));
    expect((await letters(victim.account, 'security'))[0]?.text).toContain('was added to your account');
    const withdrawal = { address: TRON_ADDRESS, number: '150', currency: USDT, type: TRC20, pay_password: FUND };
    expect((await post('/api/wallet/out', withdrawal, { token: thief })).body).toMatchObject({ key: 'wallet.blocked' });
    // No code is sent to the new phone, and the answer does not reveal it.
    for (const scene of ['fund', 'forget']) {
      expect((await post('/api/sms_send', { user_string: phone, scene }, { token: thief })).body.key).toBe('code.sent');
      expect(await letters(phone, scene)).toEqual([]);
    }
    const forget = { account: phone, password: 'Anchor-1357', repassword: 'Anchor-1357', code: '123456' };
    expect((await post('/api/user/forget', forget)).body).toMatchObject({ type: 'error' });
    // The owner's e-mail, which was there before, still does.
    const code = await askCode(victim.account, 'forget');
    await done(post('/api/user/forget', { ...forget, account: victim.account, code }));
    expect((await get('/api/user/info', {}, { token: thief })).body.type).toBe('999');
  });

  test('the first contact beside that of the registration blocks nothing where there is nothing to take', async () => {
    const poor = await createNewcomer();
    const phone = mobile();
    const code = await askCode(phone, 'bind', poor.token);
    await done(post('/api/safe/mobile', { mobile: phone, code }, { token: poor.token }));
    const { message } = await done(get(`/api/admin/users/${poor.id}`, {}, { token: await operator('support1') }));
    expect(JSON.stringify(message)).toContain(phone.slice(-4));
    expect((await letters(poor.account, 'security'))[0]?.text).not.toContain('24 hours');
  });
});

describe('a forgotten password', () => {
  test.each(['password', '12345678', 'PASSWORD'])(
    'is not set to %s, which everybody tries [HARD-301]',
    async (easy) => {
      const { account } = await createNewcomer();
      const code = await askCode(account, 'forget');
      expect((await post('/api/user/forget', { account, code, password: easy, repassword: easy })).body).toMatchObject({
        type: 'error',
        key: 'register.pswCommon',
        field: 'password',
      });
      const name = account.split('@')[0] ?? '';
      expect((await post('/api/user/forget', { account, code, password: name, repassword: name })).body.key).toBe(
        'register.pswCommon',
      );
    },
  );

  test('ends every API key [HARD-305]', async () => {
    const person = await createCertified();
    const make = async (): Promise<{ key: string; secret: string }> =>
      (await done(post('/api/apikey', { label: 'bot', permissions: 'read', password: FUND }, { token: person.token })))
        .message;
    const signed = async ({ key, secret }: { key: string; secret: string }): Promise<number> => {
      const path = '/api/coin/list';
      const at = String(Date.now());
      const text = ['GET', path, at, createHash('sha256').update('').digest('hex')].join('\n');
      const { status } = await raw('GET', path, {
        headers: {
          'x-api-key': key,
          'x-api-timestamp': at,
          'x-api-signature': createHmac('sha256', secret).update(text).digest('hex'),
        },
      });
      return status;
    };
    const key = await make();
    expect(await signed(key)).toBe(200);
    const code = await askCode(person.account, 'forget');
    await done(
      post('/api/user/forget', { account: person.account, code, password: 'Anchor-1357', repassword: 'Anchor-1357' }),
    );
    expect(await signed(key)).toBe(401);
  });
});

describe('codes', () => {
  test('a guess gets the same answer whether or not a code was requested [HARD-303]', async () => {
    const [asked, never] = [1, 2].map(() => `oracle${randomInt(1e12)}@example.org`) as [string, string];
    const code = await askCode(asked, 'register');
    const wrong = otherThan(code);
    const check = async (account: string): Promise<unknown> => {
      const { body } = await post('/api/user/check_email', {
        email_code: wrong,
        user_string: account,
        scene: 'register',
      });
      return [body.type, body.key, body.params, body.message];
    };
    // Six: while the code lives, and after its five tries are spent.
    for (let count = 0; count < 6; count += 1) expect(await check(asked)).toEqual(await check(never));
    const register = (account: string): Fields => ({
      type: 'email',
      user_string: account,
      code: wrong,
      password: PASSWORD,
      re_password: PASSWORD,
    });
    const forget = (account: string): Fields => ({ account, code: wrong, password: PASSWORD, repassword: PASSWORD });
    for (const [path, fields] of [
      ['/api/user/register', register],
      ['/api/user/forget', forget],
    ] as const) {
      const [one, other] = [(await post(path, fields(asked))).body, (await post(path, fields(never))).body];
      expect([one.key, one.message]).toEqual([other.key, other.message]);
    }
    // Only a caller with the right digits learns that they have expired.
    expect((await post('/api/user/register', { ...register(asked), code })).body.key).toBe('code.expired');
  });

  test("a stranger's guesses use up no code, and the right digits do not help a stranger [HARD-310]", async () => {
    const { account } = await createNewcomer();
    const [owner, stranger] = [browser('owner/1'), browser('stranger/1')];
    const code = await askCode(account, 'forget', undefined, owner);
    const reset = (digits: string, headers: Record<string, string>) =>
      post(
        '/api/user/forget',
        { account, code: digits, password: 'Anchor-1357', repassword: 'Anchor-1357' },
        { headers },
      );
    for (let count = 0; count < 8; count += 1)
      expect((await reset(otherThan(code), stranger)).body.key).toBe('code.wrong');
    expect((await reset(code, stranger)).body.key).toBe('code.wrong');
    // The same browser after an update: its agent is new, its id is not.
    expect((await reset(code, { ...owner, 'user-agent': 'owner/2' })).body.key).toBe('forget.success');
  });

  test('a code requested with a token works only for this user on the same program', async () => {
    const [one, two] = [await createNewcomer(), await createNewcomer()];
    const phone = mobile();
    const code = await askCode(phone, 'bind', one.token, browser('a'));
    expect(
      (await post('/api/safe/mobile', { mobile: phone, code }, { token: two.token, headers: browser('b') })).body.key,
    ).toBe('code.wrong');
    expect(
      (await post('/api/safe/mobile', { mobile: phone, code }, { token: one.token, headers: browser('c') })).body.key,
    ).toBe('bind.mobile');
  });
});

test('twenty bad sign-ins lock strangers out, never the browser that signed in before [HARD-310]', async () => {
  const { account } = await createNewcomer();
  const home = browser('home/1');
  const login = (password: string, headers: Record<string, string>) =>
    post('/api/user/login', { user_string: account, password }, { headers });
  await done(login(PASSWORD, home));
  // From the same address, with the agent of the owner: everything that a stranger can know.
  const stranger = (): Record<string, string> => ({ ...browser('home/1') });
  for (let count = 0; count < 10; count += 1)
    expect((await login('Wrong-1234', stranger())).body.key).toBe('auth.wrong');
  expect((await login(PASSWORD, stranger())).body).toMatchObject({ key: 'set.enterCode', need: 'sms_code' });
  expect((await login(PASSWORD, { ...home, 'user-agent': 'home/2' })).body.type).toBe('ok');
  // A text that is too short to be random is not accepted as a device id.
  expect((await login(PASSWORD, { ...home, 'x-device-id': 'guess' })).body.key).toBe('set.enterCode');
});

describe('a device login [HARD-306]', () => {
  test('inherits the age of its session, and passes it on', async () => {
    const person = await createNewcomer();
    const second = await stolen(person);
    const third = await stolen({ ...person, token: second });
    const { message } = await done(get('/api/user/sessions', {}, { token: third }));
    const times = message.map(({ created_at }) => created_at);
    expect(times).toHaveLength(3);
    expect(new Set(times).size).toBe(1);
    for (const token of [second, third])
      expect((await post('/api/safe/totp_setup', {}, { token })).body).toMatchObject(CONFIRM);
  });

  test('asks for the authenticator where one is on, and so does the confirmation', async () => {
    const person = await createNewcomer();
    const { token, account } = person;
    const { secret } = (await done(post('/api/safe/totp_setup', {}, { token }))).message;
    // Three codes are valid at once, those of the present step and its neighbours; each is used once, in their order.
    await waitForRoomInStep(testTimeoutMs(2_000));
    await done(post('/api/safe/totp_enable', { totp_code: totpCode(secret, -1) }, { token }));
    const { message: code } = await done(get('/api/user/authorization_code', {}, { token }));
    const enter = (fields: Fields = {}) =>
      post('/api/user/device_login', { user_string: account, authorization_code: code, ...fields });
    expect((await enter()).body).toMatchObject({ type: 'error', key: 'login.totpRequired', need: 'totp' });
    expect((await enter({ totp_code: 'abcdef' })).body).toMatchObject({ type: 'error', key: 'login.totpWrong' });
    const used = totpCode(secret);
    const entered = await done(enter({ totp_code: used }));
    const confirm = (fields: Fields) =>
      post('/api/user/confirm_password', { password: PASSWORD, ...fields }, { token: entered.message });
    expect((await confirm({})).body).toMatchObject({ key: 'login.totpRequired', need: 'totp' });
    expect((await confirm({ totp_code: used })).body).toMatchObject({ key: 'login.totpWrong' });
    expect((await confirm({ totp_code: totpCode(secret, 1) })).body).toMatchObject({ key: 'auth.confirmed' });
  });

  test('a session that is thrown out leaves no code behind by which it comes back', async () => {
    const person = await createNewcomer();
    const thief = await stolen(person);
    const { message: code } = await done(get('/api/user/authorization_code', {}, { token: thief }));
    const { message } = await done(get('/api/user/sessions', {}, { token: thief }));
    const { id } = message.find(({ current }) => current === 1) ?? { id: '' };
    await done(post('/api/user/session_revoke', { id }, { token: person.token }));
    expect(
      (await post('/api/user/device_login', { user_string: person.account, authorization_code: code })).body.key,
    ).toBe('auth.wrong');
  });
});

describe('names that mail programs read as something else [HARD-205]', () => {
  const victim = 'victim@bank.example';
  test.each([
    `a0,${victim}`,
    `<${victim}>`,
    `g:${victim};`,
    `"a0,x"@bank.example`,
    `vic\u200btim@bank.example`,
    `\u202evictim@bank.example`,
    `victim@bank.example\u200f`,
    `victim(home)@bank.example`,
    `.victim@bank.example`,
    `vic..tim@bank.example`,
    `victim@-bank.example`,
    `victim@[127.0.0.1].example`,
  ])('%j is no e-mail address', async (name) => {
    for (const answer of [
      await post('/api/sms_mail', { user_string: name, scene: 'register' }),
      await post('/api/user/register', {
        type: 'email',
        user_string: name,
        code: '123456',
        password: PASSWORD,
        re_password: PASSWORD,
      }),
    ])
      expect(answer.body).toMatchObject({ type: 'error', key: 'register.emailFalse' });
    expect(await letters(victim, 'register')).toEqual([]);
  });
});

describe('an account that is frozen [HARD-305]', () => {
  /** Calls that only read, cancel or sign out (api §6.17). */
  const OPEN = [
    'PUT /api/coin/trade',
    'POST /api/coin/cancel',
    'POST /api/coin/cancel_all',
    // Deals between people and with acceptors: calls that take back.
    'POST /api/acceptor/user_cancel',
    'POST /api/c2c/back_send',
    'POST /api/c2c/user_legal_pay_cancel',
    'POST /api/legal/back_send',
    // Leverage: reads, and calls that close or take back.
    'POST /api/lever/batch_close',
    'POST /api/lever/cancel',
    'POST /api/lever/close',
    'POST /api/lever/deal',
    'POST /api/lever/dealall',
    'POST /api/lever/my_trade',
    'POST /api/lever/preview',
    // Notices can still be read.
    'POST /api/notice/detail',
    'POST /api/notice/list',
    // Push messages can be switched off.
    'POST /api/push/remove',
    // The tree of a team is read.
    'POST /api/transaction_del',
    'POST /api/transaction_in',
    'POST /api/transaction_out',
    'POST /api/transaction_complete',
    'POST /api/wallet/list',
    'POST /api/wallet/detail',
    'POST /api/wallet/legal_log',
    'POST /api/wallet/get_address',
    'POST /api/wallet/get_in_address',
    'POST /api/wallet/get_info',
    'POST /api/wallet/out_cancel',
    'POST /api/account/list',
    'POST /upi/usdt/account',
    'POST /api/user/cash_info',
    'POST /api/user/logout',
    'POST /api/user/session_revoke',
    'POST /api/safe/judge_password',
    'POST /api/set/currency',
    'POST /api/set/preferences',
  ];

  test.each(['its owner', 'an operator'])('by %s: every write is refused but the cancels', async (who) => {
    const person = await createCertified();
    await done(
      who === 'its owner'
        ? post('/api/safe/freeze', { password: PASSWORD }, { token: person.token })
        : post(
            '/api/admin/users/freeze',
            { user_id: person.id, scope: 'all', reason: 'a contract test' },
            { token: await operator('support1') },
          ),
    );
    const writes = (await described()).filter(
      ({ auth, method }) => method !== 'GET' && (auth === 'user' || auth === 'points'),
    );
    expect(
      writes
        .filter(({ whileFrozen }) => whileFrozen)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...OPEN].sort());
    const closed = writes.filter(({ name }) => !OPEN.includes(name));
    expect(closed.length).toBeGreaterThan(20);
    const answers = await each(closed, async (one) => ({
      name: one.name,
      body: (await send(one, { password: FUND, pay_password: FUND }, person.token)).body,
    }));
    expect(
      answers.filter(({ body }) => body.key !== 'auth.frozen' && body.message !== undefined).map(({ name }) => name),
    ).toEqual([]);
    const frozen = answers.find(({ name }) => name === 'POST /api/user/real_name')?.body.message;
    const coded = answers.filter(({ body }) => body.code !== undefined);
    for (const { body } of coded) expect((body as { msg?: string }).msg).toBe(frozen);
    // Two reads begin something: a binding, and the sign-in of another device.
    for (const path of ['/walletMiddle/SendVerificationcode', '/api/user/authorization_code']) {
      const { body } = await call('GET', path, { user_id: person.id }, { token: person.token });
      expect(body.message ?? body['msg']).toBe(frozen);
    }
    for (const path of ['/api/user/info', '/api/wallet/list', '/api/coin/list', '/api/apikey'])
      expect((await get(path, {}, { token: person.token })).body.type).toBe('ok');
    expect((await post('/api/coin/cancel_all', {}, { token: person.token })).body.key).not.toBe('auth.frozen');
    await done(post('/api/user/logout', {}, { token: person.token }));
  });
});
