import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { totpCode } from '@bourse/testing/totp';
import { call, get, post, type Fields } from './client.js';
import { createCertified, codeFor, done, FUND, createNewcomer, operator, PASSWORD, type Person } from './people.js';

// Slow hashes, one at a time.
jest.setTimeout(testTimeoutMs(30_000));

let person: Person;
beforeAll(async () => {
  person = await createNewcomer();
});
const as = (path: string, fields: Fields = {}, { token } = person) => post(path, fields, { token });
const desk = async (path: string, fields: Fields, username = 'support1') =>
  post(`/api/admin/${path}`, { reason: 'a contract test', ...fields }, { token: await operator(username) });

test('another device signs in once by the shown code [AUTH-080]', async () => {
  const { body } = await get('/api/user/authorization_code', {}, { token: person.token });
  expect([body.type, body['expires_in']]).toEqual(['ok', expect.any(Number)]);
  const code = body.message;
  expect(code).toHaveLength(8);
  expect((await get('/api/user/authorization_code', {}, { token: person.token })).body.message).toBe(code);
  const enter = (user_string: string, authorization_code: string) =>
    post('/api/user/device_login', { user_string, authorization_code });
  const unknown = (await enter('nobody@example.org', code)).body;
  const wrong = (await enter(person.account, 'AAAAAAAA')).body;
  expect([unknown.key, unknown.message, unknown.type]).toEqual([wrong.key, wrong.message, wrong.type]);
  expect(wrong).toMatchObject({ type: 'error', key: 'auth.wrong' });
  const entered = (await enter(person.account, code)).body;
  expect(entered).toMatchObject({ type: 'ok', id: person.id });
  expect((await get('/api/user/info', {}, { token: entered.message })).body.message).toMatchObject({
    id: person.id,
  });
  expect((await enter(person.account, code)).body).toMatchObject({ type: 'error', key: 'auth.wrong' });
});

test("sessions are listed and revoked; a stranger's do not exist [AUTH-053]", async () => {
  const other = await createNewcomer();
  const { body } = await post('/api/user/login', { user_string: person.account, password: PASSWORD });
  const list = async ({ token }: { token: string }): Promise<{ id: string; current: number }[]> =>
    (await get('/api/user/sessions', {}, { token })).body.message;
  const [foreign] = await list(other);
  expect((await as('/api/user/session_revoke', { id: String(foreign?.id) })).body).toMatchObject({
    type: 'error',
    key: 'common.notFound',
  });
  const fresh = (await list({ token: String(body.message) })).find(({ current }) => current === 1);
  await done(as('/api/user/session_revoke', { id: String(fresh?.id) }));
  expect((await get('/api/user/info', {}, { token: String(body.message) })).body.type).toBe('999');
});

test('the authenticator is set up, required, removed; other sessions end [AUTH-110]', async () => {
  const who = await createNewcomer();
  const { body: second } = await post('/api/user/login', { user_string: who.account, password: PASSWORD });
  const { message } = await done(as('/api/safe/totp_setup', {}, who));
  const { secret, otpauth_url: url } = message as { secret: string; otpauth_url: string };
  expect(url).toMatch(/^otpauth:\/\/totp\/Bourse:.*secret=[A-Z2-7]+/);
  expect((await as('/api/safe/totp_enable', { totp_code: 'abcdef' }, who)).body).toMatchObject({
    type: 'error',
    key: 'login.totpWrong',
  });
  // One code for both: half a minute may end between the two calls, and the next code would be good.
  const used = totpCode(secret);
  await done(as('/api/safe/totp_enable', { totp_code: used }, who));
  expect((await get('/api/user/info', {}, { token: String(second.message) })).body.type).toBe('999');
  expect((await get('/api/user/info', {}, { token: who.token })).body.message).toMatchObject({ totp: 1 });
  expect((await post('/api/user/login', { user_string: who.account, password: PASSWORD })).body).toMatchObject({
    type: 'error',
    key: 'login.totpRequired',
    need: 'totp',
  });
  expect(
    (await post('/api/user/login', { user_string: who.account, password: PASSWORD, totp_code: used })).body,
  ).toMatchObject({ key: 'login.totpWrong' });
  expect(
    (await as('/api/safe/totp_disable', { totp_code: totpCode(secret, 1), password: 'Wrong-1234' }, who)).body,
  ).toMatchObject({ type: 'error', key: 'auth.wrong' });
  await done(as('/api/safe/totp_disable', { totp_code: totpCode(secret, 1), password: PASSWORD }, who));
  expect((await post('/api/user/login', { user_string: who.account, password: PASSWORD })).body.type).toBe('ok');
});

test('the next letter contains the anti-phishing word [AUTH-120]', async () => {
  expect((await as('/api/safe/anti_phishing', { word: 'abc' })).body).toMatchObject({
    type: 'error',
    key: 'common.fieldInvalid',
    field: 'word',
  });
  await done(as('/api/safe/anti_phishing', { word: 'lighthouse' }));
  await done(post('/api/sms_mail', { user_string: person.account, scene: 'forget' }));
  const [letter] = (await get('/dev/inbox', { to: person.account, scene: 'forget', limit: 1 })).body.message as {
    text: string;
  }[];
  expect(letter?.text).toContain('lighthouse');
});

test('the own freeze stops trading at once, until support lifts it [AUTH-122, AUTH-161]', async () => {
  const who = await createCertified();
  const order = () =>
    as('/api/coin/trade', { legal_id: 3, currency_id: 1, type: 1, target_price: '50000.00', amount: '0.001' }, who);
  expect((await order()).body).toMatchObject({ key: 'balance.insufficient' });
  expect((await as('/api/safe/freeze', { password: 'Wrong-1234' }, who)).body).toMatchObject({
    type: 'error',
    key: 'auth.wrong',
  });
  await done(as('/api/safe/freeze', { password: PASSWORD }, who));
  expect((await order()).body).toMatchObject({ type: 'error', key: 'auth.frozen' });
  expect((await get('/api/user/info', {}, { token: who.token })).body.type).toBe('ok');
  await done(desk('users/freeze', { user_id: who.id, scope: 'none' }));
  expect((await order()).body).toMatchObject({ key: 'balance.insufficient' });
});

test('API keys: made with the fund password, secret shown once, deleted by their owner [AUTH-130]', async () => {
  expect((await as('/api/apikey', { label: 'bot', permissions: 'read' })).body).toMatchObject({
    type: 'not',
    key: 'fund.notSet',
  });
  const who = await createCertified();
  const make = (fields: Fields) => as('/api/apikey', { label: 'bot', permissions: 'read', ...fields }, who);
  expect((await make({ permissions: 'withdraw', password: FUND })).body).toMatchObject({
    type: 'error',
    key: 'common.fieldInvalid',
    field: 'permissions',
  });
  expect((await make({})).body).toMatchObject({ type: '996', key: 'fund.required' });
  const { message } = await done(make({ password: FUND, ips: '127.0.0.1' }));
  const { key, secret } = message as { key: string; secret: string };
  expect(secret.length).toBeGreaterThan(30);
  const list = async (): Promise<object[]> => (await get('/api/apikey', {}, { token: who.token })).body.message;
  expect(await list()).toEqual([
    { key, label: 'bot', permissions: 'read', ips: ['127.0.0.1'], created_at: expect.any(String), last_at: '' },
  ]);
  expect((await call('DELETE', '/api/apikey', { key, password: FUND }, { token: person.token })).body).toMatchObject({
    type: 'not',
  });
  expect((await call('DELETE', '/api/apikey', { key, password: 'wrong1' }, { token: who.token })).body).toMatchObject({
    key: 'fund.wrong',
  });
  await done(call('DELETE', '/api/apikey', { key, password: FUND }, { token: who.token }));
  expect(await list()).toEqual([]);
});

describe('operators', () => {
  test('find a person with sessions, balances and holds; foreign ids do not exist [AUTH-161]', async () => {
    const token = await operator('support1');
    const { message } = (await get('/api/admin/users', { keyword: person.account }, { token })).body;
    expect(message).toMatchObject({ total: 1, page_size: 20, data: [{ id: person.id, email: person.account }] });
    expect((await get(`/api/admin/users/${person.id}`, {}, { token })).body.message).toMatchObject({
      id: person.id,
      sessions: expect.any(Array),
      balances: expect.any(Array),
      holds: [],
    });
    const { token: own } = await createCertified();
    const bank = {
      real_name: 'Ana Reyes',
      bank_no: '4000 1234 5678',
      bank_name: 'Harbour Bank',
      region: 'Lisbon',
      phone: '+351 210 000 000',
    };
    await done(post('/api/user/set_bank_account', bank, { token: own }));
    const { id } = (await get('/api/user/info', {}, { token: own })).body.message;
    const file = (await get(`/api/admin/users/${id}`, {}, { token })).body.message;
    expect(file).toMatchObject({ id, bank });
    const { message: found } = (await get('/api/admin/users', { keyword: 'trader1@demo.bourse' }, { token })).body;
    const trader = found.data[0]?.id;
    const { balances } = (await get(`/api/admin/users/${trader}`, {}, { token })).body.message;
    expect(balances.length).toBeGreaterThan(0);
    for (const one of balances)
      expect(Object.keys(one).sort()).toEqual(['account', 'balance', 'currency', 'lock_balance']);
    expect((await get('/api/admin/users/4711', {}, { token })).body).toMatchObject({
      type: 'error',
      key: 'common.notFound',
    });
    expect((await desk('users/role', { user_id: person.id, is_seller: 1 })).status).toBe(403);
    expect((await post('/api/admin/users/freeze', { user_id: person.id, scope: 'all' }, { token })).body).toMatchObject(
      { key: 'admin.reason' },
    );
  });

  test('the audit trail contains every write [AUTH-160]', async () => {
    const who = await createNewcomer();
    const reason = `seen by ${who.account}`;
    await done(desk('users/reset', { user_id: who.id, what: 'sessions', reason }));
    expect((await get('/api/user/info', {}, { token: who.token })).body.type).toBe('999');
    const token = await operator('finance1');
    const lines = async (): Promise<{ reason: string; action: string; operator: string; target: string }[]> =>
      (await get('/api/admin/audit', { limit: 50 }, { token })).body.message.data;
    const found = await eventuallySatisfied(
      async () => (await lines()).find((line) => line.reason === reason),
      (line) => line !== undefined,
      20_000,
    );
    expect(found).toMatchObject({ action: 'users.reset', operator: 'support1', target: `user:${who.id}` });
  });

  test('an admin lists operators and adds them with a second admin; support may not [AUTH-162]', async () => {
    const username = `t${Date.now()}`;
    const password = 'Anchor-1357-first';
    expect((await desk('operators', { username, password, roles: 'support' })).status).toBe(403);
    const { approval_id: id } = await done(desk('operators', { username, password, roles: 'support' }, 'operator'));
    expect((await post('/api/admin/login', { username, password })).body.key).toBe('auth.wrong');
    await done(desk('approvals/approve', { id: String(id) }, 'operator2'));
    const rows = (await get('/api/admin/operators', {}, { token: await operator('operator') })).body.message;
    expect(rows.find((row) => row.username === username)).toMatchObject({ roles: ['support'], active: 1 });
    expect((await post('/api/admin/login', { username, password })).body).toMatchObject({
      type: 'ok',
      roles: ['support'],
    });
    await done(desk('operators', { username, roles: 'support', active: 0 }, 'operator'));
    expect((await post('/api/admin/login', { username, password })).body).toMatchObject({ key: 'auth.wrong' });
  });
});

test('a reset of a forgotten password sends a letter [AUTH-030]', async () => {
  const who = await createNewcomer();
  await done(post('/api/sms_mail', { user_string: who.account, scene: 'forget' }));
  await done(
    post('/api/user/forget', {
      account: who.account,
      password: 'Anchor-1357',
      repassword: 'Anchor-1357',
      code: await codeFor(who.account, 'forget'),
    }),
  );
  const letters = (await get('/dev/inbox', { to: who.account, scene: 'security' })).body.message as { text: string }[];
  expect(letters[0]?.text).toContain('login password of your account was changed');
});
