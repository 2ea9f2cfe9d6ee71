import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { PasskeyCreation, PasskeyRequest } from '@bourse/contract';
import { authAsks, OwnUploads } from '@bourse/messaging';
import type { Caller } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { Attempts } from '../../src/shared/application/attempts.js';
import { Operators } from '../../src/shared/application/ports/operators.js';
import { Passkeys } from '../../src/shared/application/ports/passkeys.js';
import { People } from '../../src/shared/application/ports/people.js';
import { Passwords } from '../../src/shared/application/ports/passwords.js';
import { Sessions } from '../../src/shared/application/ports/sessions.js';
import { WebAuthn } from '../../src/shared/application/ports/web-authn.js';
import { VerifyCode } from '../../src/shared/application/verify-code.js';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { codeOf, FUND, PASSWORD, peopleOf, type Someone } from './people.js';
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

/** Runs a change once, after the next call of a method of a provider and before its caller continues. */
function changeAfter(
  token: abstract new (...args: never[]) => object,
  method: string,
  change: () => Promise<unknown>,
): void {
  const provider = auth.get$(token) as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const original = provider[method]?.bind(provider);
  if (!original) throw new Error(`no method ${method}`);
  jest.spyOn(provider, method).mockImplementationOnce(async (...args) => {
    const result = await original(...args);
    await change();
    return result;
  });
}
const changeAfterCheck = (change: () => Promise<unknown>): void => changeAfter(Passwords, 'verify', change);
async function resetPassword({ account }: Someone): Promise<void> {
  const code = await people.codeFor(account, 'forget');
  const fields = { account, code, password: 'Anchor-1357', repassword: 'Anchor-1357' };
  expect((await auth.post('/api/user/forget', fields)).key).toBe('forget.success');
}
/** The secret of an authenticator that is set up and not confirmed. */
async function setupAuthenticator({ caller }: Someone): Promise<string> {
  const { message } = await auth.post('/api/safe/totp_setup', {}, { caller });
  return (message as { secret: string }).secret;
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

/** Begins `second` before the next call of a method of a provider, which goes on when `second` waits or has ended. */
function beginBefore(
  method: 'setRole' | 'setFrozen' | 'change',
  second: () => Promise<unknown>,
  token: abstract new (...args: never[]) => object = People,
): () => Promise<unknown> {
  const store = auth.get$(token) as unknown as Record<string, (...args: unknown[]) => Promise<void>>;
  const original = store[method]!.bind(store);
  let begun: Promise<unknown> | undefined;
  jest.spyOn(store, method).mockImplementationOnce(async (...args) => {
    let isOver = false;
    begun = second().finally(() => (isOver = true));
    await eventually(async () => {
      const waiting = await auth.databases.query(`select 1 from pg_locks where not granted`);
      return isOver || waiting.length > 0;
    });
    await original(...args);
  });
  return async () => begun;
}

test('an operator who is switched off while an approval is carried out stays switched off [AUTH-243]', async () => {
  const [requester, approver] = [await operator('operator2'), await operator('operator3')];
  const fields = { username: 'support1', roles: 'support', active: '1' };
  const asked = await act(requester, 'operators', fields);
  const switched = beginBefore('change', () => switchOff('support1'), Operators);
  const approved = await act(approver, 'approvals/approve', { id: String(asked['approval_id']) });
  await switched();
  expect(approved.key).toBe('admin.approvalApproved');
  expect(await auth.databases.query(`select active from auth.operator where username = 'support1'`)).toEqual([
    { active: false },
  ]);
});

test("an operator's end of all sessions sees a sign-in that commits while it waits [AUTH-245]", async () => {
  const who = await people.register();
  const caller = await operator('operator2');
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
  const reset = act(caller, 'users/reset', { user_id: String(who.id), what: 'sessions' });
  await eventually(async () => {
    const waiting = await auth.databases.query(`select 1 from pg_locks where not granted`);
    return waiting.length > 0;
  });
  commit();
  expect((await reset).key).toBe('common.success');
  expect(await auth.asks.ask(authAsks.session, { token: String((await login).message) })).toBeNull();
});

test('roles that are set at once are all set [AUTH-232]', async () => {
  const who = await people.register();
  const [caller, user_id] = [await operator('operator'), String(who.id)];
  const second = beginBefore('setRole', () => act(caller, 'users/role', { user_id, is_seller: '1' }));
  expect((await act(caller, 'users/role', { user_id, region: 'Lisbon' })).key).toBe('common.success');
  expect(await second()).toMatchObject({ key: 'common.success' });
  expect(await auth.databases.query('select is_seller, region from auth.account where id = $1', [who.id])).toEqual([
    { is_seller: true, region: 'Lisbon' },
  ]);
});

test('of two freezes at once the audit row of the second one names the first one as before [AUTH-232]', async () => {
  const who = await people.register();
  const [caller, user_id] = [await operator('operator'), String(who.id)];
  const second = beginBefore('setFrozen', () => act(caller, 'users/freeze', { user_id, scope: 'none' }));
  await act(caller, 'users/freeze', { user_id, scope: 'withdraw' });
  await second();
  const rows = await auth.databases.query<{ payload: string }>(
    `select payload from auth.outbox where topic = 'operator.actions' order by stream, number`,
  );
  const changes = rows
    .flatMap(({ payload }) => JSON.parse(payload) as { body: { target: string; before: string; after: string } }[])
    .filter(({ body }) => body.target === `user:${user_id}`)
    .map(({ body }) => [JSON.parse(body.before), JSON.parse(body.after)] as unknown);
  expect(changes).toEqual([
    [{ frozen: 'none' }, { frozen: 'withdraw' }],
    [{ frozen: 'withdraw' }, { frozen: 'none' }],
  ]);
});

/** Somebody with a fund password; nothing keeps the next codes back. */
async function withFund(): Promise<Someone> {
  const who = await people.register();
  await people.setFund(who);
  await people.forgetPause();
  return who;
}
const newKey = { label: 'bot', permissions: 'read,trade', password: FUND };
const payment = (who: Someone): Record<string, string> => ({
  real_name: 'Ada Byron',
  bank_name: 'First',
  bank_account: '1234567890',
  alipay_account: 'ada',
  alipay_collect: people.upload(who.id, 'pay'),
  wechat_account: 'ada',
  wechat_nickname: 'ada',
  wechat_collect: people.upload(who.id, 'pay'),
});

/** A change of an account that is on its way: its call, and the check after which the password is reset. */
interface OnItsWay {
  readonly who: Someone;
  readonly path: string;
  readonly fields: Record<string, string>;
  readonly after: readonly [abstract new (...args: never[]) => object, string];
}
const PASSWORD_CHECKED = [Passwords, 'verify'] as const;
const CHANGES: Readonly<Record<string, () => Promise<OnItsWay>>> = {
  'an API key': async () => ({ who: await withFund(), path: 'apikey', fields: newKey, after: PASSWORD_CHECKED }),
  'a contact': async () => {
    const who = await people.register();
    const mobile = String(5_550_110_000 + (who.id % 10_000));
    const code = await people.codeFor(mobile, 'bind', who.caller);
    return { who, path: 'safe/mobile', fields: { mobile, code }, after: [VerifyCode, 'execute'] };
  },
  'payment settings': async () => {
    const who = await withFund();
    expect((await auth.post('/api/user/cash_save', payment(who), { caller: who.caller })).key).toBe('cash.saved');
    const fields = { ...payment(who), real_name: 'Eve', password: FUND };
    return { who, path: 'user/cash_save', fields, after: PASSWORD_CHECKED };
  },
  'identity documents': async () => {
    const who = await people.register();
    const [front_pic, reverse_pic] = [people.upload(who.id, 'kyc'), people.upload(who.id, 'kyc')];
    const fields = { name: 'Eve', card_id: 'X-1', front_pic, reverse_pic };
    return { who, path: 'user/real_name', fields, after: [OwnUploads, 'own'] };
  },
  'a passkey': async () => {
    const who = await people.register();
    const creation = (await auth.post('/api/safe/passkey_setup', {}, { caller: who.caller })).message;
    const passkey = new SoftwareAuthenticator(ORIGIN).create(creation as PasskeyCreation);
    return { who, path: 'safe/passkey_enable', fields: { label: 'Eve', passkey }, after: [WebAuthn, 'verifyNew'] };
  },
  'the removal of a passkey': async () => {
    const { who, id } = await askedForPasskey();
    return { who, path: 'safe/passkey_disable', fields: { id, password: PASSWORD }, after: PASSWORD_CHECKED };
  },
  'an authenticator': async () => {
    const who = await people.register();
    const fields = { totp_code: codeOf(await setupAuthenticator(who)) };
    return { who, path: 'safe/totp_enable', fields, after: [Attempts, 'check'] };
  },
  'the removal of an authenticator': async () => {
    const who = await people.register();
    const secret = await setupAuthenticator(who);
    await auth.post('/api/safe/totp_enable', { totp_code: codeOf(secret) }, { caller: who.caller });
    const fields = { totp_code: codeOf(secret, 1), password: PASSWORD };
    return { who, path: 'safe/totp_disable', fields, after: PASSWORD_CHECKED };
  },
  'a fund password': async () => {
    const who = await people.register();
    const code = await people.codeFor(who.account, 'fund', who.caller);
    const fields = { password: FUND, re_password: FUND, code };
    return { who, path: 'safe/update_password', fields, after: [Passwords, 'hash'] };
  },
  'the own freeze': async () => {
    const who = await people.register();
    return { who, path: 'safe/freeze', fields: { password: PASSWORD }, after: PASSWORD_CHECKED };
  },
};
/** Whatever of an account a stolen session could change. */
const stateOf = ({ id }: Someone): Promise<unknown> =>
  auth.databases.query(
    `select a.fund_hash, a.email, a.phone, a.totp_sealed, a.frozen, a.review_status,
            (select count(*) from auth.api_key k where k.user_id = a.id and k.deleted_at is null) as keys,
            (select array_agg(p.id) from auth.passkey p where p.user_id = a.id) as passkeys,
            (select sealed from auth.payment_settings p where p.user_id = a.id) as payment,
            (select count(*) from auth.authorization_code c where c.user_id = a.id) as device_codes
       from auth.account a where a.id = $1`,
    [id],
  );

test.each(Object.keys(CHANGES))(
  '%s whose password is reset while the call runs is refused and changes nothing [AUTH-218]',
  async (what) => {
    const { who, path, fields, after } = await CHANGES[what]!();
    const before = await stateOf(who);
    changeAfter(...after, () => resetPassword(who));
    expect(await auth.post(`/api/${path}`, fields, { caller: who.caller })).toMatchObject({ key: 'auth.expired' });
    expect(await stateOf(who)).toEqual(before);
  },
);

test('of two first payment settings at once the second one needs the fund password [AUTH-223]', async () => {
  const first = await people.register();
  const save = (who: Someone, fields: Record<string, string> = {}): Promise<Answered> =>
    auth.post('/api/user/cash_save', { ...payment(who), ...fields }, { caller: who.caller });
  changeAfter(OwnUploads, 'own', () => save(first));
  expect(await save(first, { real_name: 'Eve' })).toMatchObject({ key: 'fund.notSet' });
  const who = await withFund();
  for (const [fields, key] of [
    [{}, 'fund.required'],
    [{ password: FUND }, 'cash.saved'],
  ] as const) {
    await auth.databases.query('delete from auth.payment_settings where user_id = $1', [who.id]);
    changeAfter(OwnUploads, 'own', () => save(who));
    expect([fields, (await save(who, { real_name: 'Eve', ...fields })).key]).toEqual([fields, key]);
  }
});

test('an API key whose fund password is reset while the call runs is not made [AUTH-218]', async () => {
  const who = await withFund();
  const code = await people.codeFor(who.account, 'fund', who.caller);
  const fields = { password: 'other7', re_password: 'other7', code };
  changeAfterCheck(() => auth.post('/api/safe/update_password', fields, { caller: who.caller }));
  expect(await auth.post('/api/apikey', newKey, { caller: who.caller })).toMatchObject({ key: 'fund.wrong' });
  expect((await auth.get('/api/apikey', { caller: who.caller })).message).toEqual([]);
  expect((await auth.post('/api/apikey', { ...newKey, password: 'other7' }, { caller: who.caller })).type).toBe('ok');
});

test('an API key whose fund password must be set again by now is not made [AUTH-242]', async () => {
  const who = await withFund();
  changeAfterCheck(() =>
    auth.databases.query('update auth.account set fund_must_reset = true where id = $1', [who.id]),
  );
  expect(await auth.post('/api/apikey', newKey, { caller: who.caller })).toMatchObject({ key: 'fund.mustReset' });
  expect((await auth.get('/api/apikey', { caller: who.caller })).message).toEqual([]);
});

test('a forgotten password is not set by a contact that was replaced while the call runs [AUTH-244]', async () => {
  const who = await people.register();
  const before = await auth.databases.query('select password_hash from auth.account where id = $1', [who.id]);
  const code = await people.codeFor(who.account, 'forget');
  changeAfter(Passwords, 'hashLogin', () =>
    auth.databases.query('update auth.account set email_key = $2, email_form = $2 where id = $1', [
      who.id,
      `replaced ${who.id}`,
    ]),
  );
  const fields = { account: who.account, code, password: 'Anchor-1357', repassword: 'Anchor-1357' };
  expect((await auth.post('/api/user/forget', fields)).key).toBe('code.expired');
  expect(await auth.databases.query('select password_hash from auth.account where id = $1', [who.id])).toEqual(before);
});

test('an API key is made while the hash of its fund password is renewed [AUTH-218]', async () => {
  const who = await withFund();
  const hash = await auth.get$(Passwords).hash(FUND, { known: true, key: 'test' });
  changeAfterCheck(() => auth.databases.query('update auth.account set fund_hash = $2 where id = $1', [who.id, hash]));
  expect((await auth.post('/api/apikey', newKey, { caller: who.caller })).type).toBe('ok');
});
