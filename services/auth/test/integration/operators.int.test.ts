import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { authAsks } from '@bourse/messaging';
import type { Caller } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';

// Slow hashes, and a machine that does other things at the same time.
jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});

const login = (
  username: string,
  password = 'Harbor-2468',
  more: Record<string, string> = {},
  device: Device = {},
): Promise<Answered> => auth.post('/api/admin/login', { username, password, ...more }, device);
const callerOf = async (token: unknown): Promise<Caller | null> =>
  auth.asks.ask(authAsks.session, { token: String(token) });

test('the demo operators sign in without an authenticator, each with the roles of the seed [AUTH-070]', async () => {
  // One after the other: operators share one place in the queue of password checks.
  const roles: unknown[] = [];
  for (const username of ['operator', 'operator2', 'operator3', 'finance1', 'finance2', 'support1'])
    roles.push([username, (await login(username))['roles']]);
  expect(roles).toEqual([
    ['operator', ['admin']],
    ['operator2', ['admin']],
    ['operator3', ['admin']],
    ['finance1', ['finance']],
    ['finance2', ['finance']],
    ['support1', ['support']],
  ]);
  const { message } = await login('Operator');
  expect(await callerOf(message)).toMatchObject({
    kind: 'operator',
    roles: ['admin'],
    accountNumber: 'operator',
    hasFundPassword: false,
  });
});

test('a user is no operator and an operator no user, with one text for all that is wrong [AUTH-070]', async () => {
  for (const username of ['trader1@demo.bourse', 'nobody', 'operator9'])
    expect(await login(username)).toMatchObject({ type: 'error', key: 'auth.wrong' });
  expect(await login('operator', 'Harbor-2469')).toMatchObject({ type: 'error', key: 'auth.wrong' });
  expect(await auth.post('/api/user/login', { user_string: 'operator', password: 'Harbor-2468' })).toMatchObject({
    type: 'error',
  });
});

test('a session ends with the log out, and those of a switched-off operator end at once [AUTH-071]', async () => {
  const first = (await login('finance2')).message;
  const second = (await login('finance2')).message;
  const caller = await callerOf(first);
  expect((await auth.post('/api/admin/logout', {}, { caller })).key).toBe('logout.success');
  expect([await callerOf(first), (await callerOf(second))?.kind]).toEqual([null, 'operator']);
  await auth.databases.query(`update auth.operator set active = false where username = 'finance2'`);
  expect([await callerOf(second), (await login('finance2')).key]).toEqual([null, 'auth.wrong']);
});

test('ten wrong passwords close the door for 15 minutes, not for the known device [AUTH-072]', async () => {
  const device = { ip: '192.0.2.7', agent: 'desk' };
  expect((await login('support1', 'Harbor-2468', {}, device)).type).toBe('ok');
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect((await login('support1', 'wrong-1234', {}, { ip: '203.0.113.9' })).key).toBe('auth.wrong');
  expect(await login('support1', 'Harbor-2468', {}, { ip: '203.0.113.9' })).toMatchObject({
    type: 'error',
    key: 'common.tooMany',
    params: { seconds: 900 },
  });
  expect((await login('support1', 'Harbor-2468', {}, device)).type).toBe('ok');
  const [row] = await auth.databases.query<{ count: string }>(
    `select count(*) from auth.failure where bucket like 'operator:4%'`,
  );
  expect(Number(row?.count)).toBe(10);
});

test('an operator without a required authenticator cannot sign in [AUTH-073]', async () => {
  await auth.databases.query(`insert into auth.setting_value (key, version, value) values ('admin_totp', 1, '1')`);
  expect(await login('finance1')).toMatchObject({ key: 'login.totpRequired', need: 'totp' });
  expect(await login('finance1', 'Harbor-2468', { totp_code: '123456' })).toMatchObject({ key: 'login.totpWrong' });
  await auth.databases.query(`delete from auth.setting_value where key = 'admin_totp'`);
});
