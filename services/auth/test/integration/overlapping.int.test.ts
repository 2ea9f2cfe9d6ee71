import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { PasskeyCreation, PasskeyRequest } from '@bourse/contract';
import { authAsks } from '@bourse/messaging';
import type { Caller } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { Passkeys } from '../../src/shared/application/ports/passkeys.js';
import { Passwords } from '../../src/shared/application/ports/passwords.js';
import { Sessions } from '../../src/shared/application/ports/sessions.js';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { codeOf, PASSWORD, peopleOf, type Someone } from './people.js';
import { SoftwareAuthenticator } from './software-authenticator.js';

jest.setTimeout(testTimeoutMs(24_000));

const ORIGIN = 'https://exchange.example';
let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth({ PUBLIC_ORIGINS: ORIGIN });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

/** Runs a change once, after the check of a password has succeeded and before its caller continues. */
function changeAfterCheck(change: () => Promise<unknown>): void {
  const passwords = auth.get$(Passwords);
  const verify = passwords.verify.bind(passwords);
  jest.spyOn(passwords, 'verify').mockImplementationOnce(async (...args) => {
    const isRight = await verify(...args);
    await change();
    return isRight;
  });
}
async function resetPassword({ account }: Someone): Promise<void> {
  const code = await people.codeFor(account, 'forget');
  const fields = { account, code, password: 'Anchor-1357', repassword: 'Anchor-1357' };
  expect((await auth.post('/api/user/forget', fields)).key).toBe('forget.success');
}
async function enableAuthenticator({ caller }: Someone): Promise<void> {
  const { secret } = (await auth.post('/api/safe/totp_setup', {}, { caller })).message as { secret: string };
  expect((await auth.post('/api/safe/totp_enable', { totp_code: codeOf(secret) }, { caller })).key).toBe(
    'totp.enabled',
  );
}
const loseRight = ({ id }: Someone): Promise<unknown> =>
  auth.databases.query('update auth.account set can_sign_in = false where id = $1', [id]);
const openSessions = async ({ id }: Someone): Promise<string[]> =>
  (
    await auth.databases.query<{ public_id: string }>(
      'select public_id from auth.session where user_id = $1 and ended_at is null',
      [id],
    )
  ).map(({ public_id }) => public_id);

test.each([
  ['password is reset', resetPassword, 0],
  ['authenticator is enabled', enableAuthenticator, 1],
  ['right to sign in is lost', loseRight, 1],
] as const)(
  'a sign-in whose %s during the check of its password is refused and opens no session [AUTH-215]',
  async (_what, change, left) => {
    const who = await people.register();
    changeAfterCheck(() => change(who));
    expect(await people.login(who.account)).toMatchObject({ type: 'error', key: 'auth.wrong' });
    expect(await openSessions(who)).toHaveLength(left);
  },
);

/** Somebody with a passkey, who has just been asked for it. */
async function askedForPasskey(): Promise<{ who: Someone; id: string; answer: string }> {
  const who = await people.register();
  const key = new SoftwareAuthenticator(ORIGIN);
  const creation = (await auth.post('/api/safe/passkey_setup', {}, { caller: who.caller })).message as PasskeyCreation;
  const passkey = key.create(creation);
  await auth.post('/api/safe/passkey_enable', { label: 'Laptop', passkey }, { caller: who.caller });
  const request = (await auth.post('/api/user/passkey_options')).message as PasskeyRequest;
  return { who, id: key.id, answer: key.get(request) };
}
const removePasskey = ({ caller }: Someone, id: string): Promise<Answered> =>
  auth.post('/api/safe/passkey_disable', { id, password: PASSWORD }, { caller });

test.each([
  ['password is reset', resetPassword, 0],
  ['passkey is removed', removePasskey, 1],
] as const)(
  'a sign-in by passkey whose %s after its check is refused and opens no session [AUTH-215]',
  async (_what, change, left) => {
    const { who, id, answer } = await askedForPasskey();
    const passkeys = auth.get$(Passkeys);
    const use = passkeys.use.bind(passkeys);
    jest.spyOn(passkeys, 'use').mockImplementationOnce(async (...args) => {
      const isRight = await use(...args);
      await change(who, id);
      return isRight;
    });
    expect(await auth.post('/api/user/passkey_login', { passkey: answer })).toMatchObject({ key: 'auth.wrong' });
    expect(await openSessions(who)).toHaveLength(left);
  },
);

const signIn = (username: string, password = PASSWORD): Promise<Answered> =>
  auth.post('/api/admin/login', { username, password });
async function operator(username: string): Promise<Caller> {
  const caller = await people.callerOf((await signIn(username)).message);
  if (!caller) throw new Error(`${username} has no session`);
  return caller;
}
const act = (caller: Caller, path: string, fields: Record<string, string>): Promise<Answered> =>
  auth.post(`/api/admin/${path}`, { reason: 'a test of overlapping calls', ...fields }, { caller });
const switchOff = async (username: string): Promise<void> => {
  const fields = { username, roles: 'finance', active: '0' };
  expect((await act(await operator('operator'), 'operators', fields)).key).toBe('common.success');
};

test('a sign-in of an operator whose password is changed during its check opens no session [AUTH-215]', async () => {
  const caller = await operator('finance1');
  changeAfterCheck(() => act(caller, 'password', { password: PASSWORD, new_password: 'Anchor-1357-own' }));
  expect(await signIn('finance1')).toMatchObject({ type: 'error', key: 'auth.wrong' });
  expect((await signIn('finance1', 'Anchor-1357-own')).type).toBe('ok');
});

test('an operator who is switched off while changing the password stays switched off [AUTH-216]', async () => {
  const caller = await operator('finance2');
  changeAfterCheck(() => switchOff('finance2'));
  const answer = await act(caller, 'password', { password: PASSWORD, new_password: 'Anchor-1357-own' });
  expect(answer.key).toBe('auth.expired');
  for (const password of [PASSWORD, 'Anchor-1357-own'])
    expect((await signIn('finance2', password)).key).toBe('auth.wrong');
});

test('a role that an operator loses while changing the password stays lost [AUTH-216]', async () => {
  const caller = await operator('support1');
  changeAfterCheck(() =>
    auth.databases.query(`update auth.operator set roles = '{finance}' where username = 'support1'`),
  );
  expect((await act(caller, 'password', { password: PASSWORD, new_password: 'Anchor-1357-own' })).key).toBe(
    'common.success',
  );
  expect((await signIn('support1', 'Anchor-1357-own'))['roles']).toEqual(['finance']);
});

test('a reset of the authenticator ends the session of a sign-in that commits while it waits [AUTH-215]', async () => {
  const who = await people.register();
  const [requester, approver] = [await operator('operator2'), await operator('operator3')];
  const asked = await act(requester, 'users/reset', { user_id: String(who.id), what: 'totp' });
  const sessions = auth.get$(Sessions);
  const open = sessions.open.bind(sessions);
  let commit: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (commit = resolve));
  const stored = new Promise<void>((resolve) => {
    jest.spyOn(sessions, 'open').mockImplementationOnce(async (...args) => {
      const ended = await open(...args);
      resolve();
      await held;
      return ended;
    });
  });
  const login = people.login(who.account);
  await stored;
  const reset = act(approver, 'approvals/approve', { id: String(asked['approval_id']) });
  await eventually(async () => {
    const waiting = await auth.databases.query(`select 1 from pg_locks where not granted`);
    return waiting.length > 0;
  });
  commit();
  expect((await reset).key).toBe('admin.approvalApproved');
  expect(await auth.asks.ask(authAsks.session, { token: String((await login).message) })).toBeNull();
});
