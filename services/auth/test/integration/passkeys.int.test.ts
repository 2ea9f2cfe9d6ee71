import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { PasskeyCreation, PasskeyRequest, PasskeyRow } from '@bourse/contract';
import { authAsks } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';
import { codeOf, heard, PASSWORD, peopleOf, type Someone } from './people.js';
import { SoftwareAuthenticator, type Deviation } from './software-authenticator.js';

jest.setTimeout(testTimeoutMs(24_000));

const ORIGIN = 'https://exchange.example';
let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth({ PUBLIC_ORIGINS: ORIGIN });
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

const call = (who: Someone, path: string, fields: Record<string, string> = {}): Promise<Answered> =>
  auth.post(`/api/safe/${path}`, fields, { caller: who.caller });
const setup = async (who: Someone): Promise<PasskeyCreation> =>
  (await call(who, 'passkey_setup')).message as PasskeyCreation;
const enable = (who: Someone, passkey: string, label = 'Laptop'): Promise<Answered> =>
  call(who, 'passkey_enable', { label, passkey });
const listed = async (who: Someone): Promise<PasskeyRow[]> =>
  (await auth.get('/api/safe/passkeys', { caller: who.caller })).message as PasskeyRow[];
const options = async (device: Device = {}): Promise<PasskeyRequest> =>
  (await auth.post('/api/user/passkey_options', {}, device)).message as PasskeyRequest;
const signIn = (passkey: string, device: Device = {}): Promise<Answered> =>
  auth.post('/api/user/passkey_login', { passkey }, device);
const blockedUntil = async (who: Someone): Promise<unknown> =>
  (await auth.asks.ask(authAsks.withdrawals, { userId: who.id })).blockedUntil;

/** Somebody with a passkey. */
async function keyed(): Promise<{ who: Someone; key: SoftwareAuthenticator }> {
  const who = await people.register();
  const key = new SoftwareAuthenticator(ORIGIN);
  expect((await enable(who, key.create(await setup(who)))).key).toBe('passkey.enabled');
  return { who, key };
}

describe('passkeys of a person [AUTH-111]', () => {
  test('are registered, listed, renamed and removed; a change ends other sessions and blocks money out', async () => {
    const who = await people.register();
    const other = await people.signedIn(who.account);
    const key = new SoftwareAuthenticator(ORIGIN);
    const creation = await setup(who);
    expect(creation).toMatchObject({
      rp: { id: 'exchange.example', name: 'Bourse' },
      user: { name: who.account },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(Buffer.from(creation.user.id, 'base64url').toString()).not.toContain('@');
    expect(await blockedUntil(who)).toBeNull();
    const news = heard(auth, who.id);
    const answer = key.create(creation);
    expect(await enable(who, answer, 'My laptop')).toMatchObject({
      key: 'passkey.enabled',
      passkey: { id: key.id, label: 'My laptop', last_at: '' },
    });
    expect(news.ended[0]).toContain(other.caller.sessionId);
    news.stop();
    expect([await people.callerOf(other.token), (await people.callerOf(who.token))?.userId]).toEqual([null, who.id]);
    const dayMs = 24 * 3_600_000;
    const blockedMs = Number(await blockedUntil(who)) - auth.clock.now();
    expect(blockedMs > dayMs - 60_000 && blockedMs <= dayMs).toBe(true);
    expect((await people.letters(who.account, 'security'))[0]).toContain('passkey named My laptop was added');

    expect((await setup(who)).excludeCredentials).toEqual([
      { id: key.id, type: 'public-key', transports: ['internal'] },
    ]);
    expect((await call(who, 'passkey_rename', { id: key.id, label: 'Old laptop' })).key).toBe('passkey.renamed');
    expect(await listed(who)).toEqual([expect.objectContaining({ id: key.id, label: 'Old laptop' })]);
    expect((await call(who, 'passkey_rename', { id: 'none', label: 'x' })).key).toBe('common.notFound');
    expect((await call(who, 'passkey_rename', { id: key.id, label: ' ' })).key).toBe('common.fieldInvalid');
    expect((await call(who, 'passkey_rename', { id: key.id, label: 'x'.repeat(51) })).key).toBe('common.fieldInvalid');

    expect((await call(who, 'passkey_disable', { id: key.id, password: 'Wrong-1234' })).key).toBe('auth.wrong');
    expect((await call(who, 'passkey_disable', { id: key.id, password: PASSWORD })).key).toBe('passkey.disabled');
    expect(await listed(who)).toEqual([]);
    expect((await people.letters(who.account, 'security'))[0]).toContain('passkey Old laptop was removed');
    expect(await signIn(key.get(await options()))).toMatchObject({ key: 'auth.wrong' });
    expect((await people.login(who.account)).type).toBe('ok');
  });

  test('of others can be neither renamed nor removed nor registered twice', async () => {
    const { who, key } = await keyed();
    const thief = await people.register();
    expect((await call(thief, 'passkey_rename', { id: key.id, label: 'mine' })).key).toBe('common.notFound');
    expect((await call(thief, 'passkey_disable', { id: key.id, password: PASSWORD })).key).toBe('common.notFound');
    expect((await enable(thief, key.create(await setup(thief)))).key).toBe('passkey.used');
    expect([(await listed(who)).length, (await listed(thief)).length]).toEqual([1, 0]);
  });

  test('are ten at most, for many at once too', async () => {
    const who = await people.register();
    const creations = [];
    for (let at = 0; at < 12; at += 1) creations.push(await setup(who));
    const answers = await Promise.all(
      creations.map((creation) => enable(who, new SoftwareAuthenticator(ORIGIN).create(creation))),
    );
    expect(answers.filter(({ key }) => key === 'passkey.enabled')).toHaveLength(10);
    expect(answers.filter(({ key }) => key === 'passkey.limit')).toHaveLength(2);
    expect((await call(who, 'passkey_setup')).key).toBe('passkey.limit');
  });

  test('need a session that was confirmed by the password', async () => {
    const { who, key } = await keyed();
    await auth.databases.query('update auth.session set confirmed_at = null where user_id = $1', [who.id]);
    for (const [path, fields] of [
      ['passkey_setup', {}],
      ['passkey_enable', { label: 'x', passkey: '{}' }],
      ['passkey_disable', { id: key.id, password: PASSWORD }],
    ] as const)
      expect([path, (await call(who, path, fields)).key]).toEqual([path, 'auth.confirm']);
  });

  const refusedCreations: [string, Deviation][] = [
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page under another port', { origin: `${ORIGIN}:8443` }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an unverified user', { unverified: true }],
    ['an answer to a sign-in', { type: 'webauthn.get' }],
    ['an attestation with a certificate', { attestation: ['packed', new Map([['x5c', 'none']])] }],
    ['an attestation of an unknown form', { attestation: ['made-up', new Map()] }],
  ];
  test.each(refusedCreations)('are not registered by %s [AUTH-112]', async (_, wrong) => {
    const who = await people.register();
    const key = new SoftwareAuthenticator(ORIGIN);
    expect((await enable(who, key.create(await setup(who), wrong))).key).toBe('login.passkeyWrong');
    expect(await listed(who)).toEqual([]);
  });

  test('are registered by one answer to a challenge of the same person, within two minutes [AUTH-112]', async () => {
    const who = await people.register();
    const other = await people.register();
    const foreign = new SoftwareAuthenticator(ORIGIN).create(await setup(other));
    expect((await enable(who, foreign)).key).toBe('passkey.expired');
    const key = new SoftwareAuthenticator(ORIGIN);
    const answer = key.create(await setup(who));
    const both = await Promise.all([enable(who, answer), enable(who, answer)]);
    expect(both.map((each) => each.key).sort()).toEqual(['passkey.enabled', 'passkey.expired']);
    const late = new SoftwareAuthenticator(ORIGIN).create(await setup(who));
    await auth.databases.query(
      `update auth.passkey_challenge set expires_at = expires_at - interval '2 minutes' where user_id = $1`,
      [who.id],
    );
    expect((await enable(who, late)).key).toBe('passkey.expired');
    for (const text of ['', '{', '{}', '[]', '"x"', JSON.stringify({ id: 'x', rawId: 'x', type: 'public-key' })])
      expect([text, (await enable(who, text)).key]).toEqual([
        text,
        text === '' ? 'common.fieldRequired' : 'common.fieldInvalid',
      ]);
  });
});

describe('sign-in by a passkey [AUTH-112]', () => {
  test('opens a confirmed session, also with an authenticator; a new device is reported by letter', async () => {
    const { who, key } = await keyed();
    const { secret } = (await call(who, 'totp_setup')).message as { secret: string };
    expect((await call(who, 'totp_enable', { totp_code: codeOf(secret) })).key).toBe('totp.enabled');
    const device = { ip: '192.0.2.77', agent: 'another browser' };
    const request = await options(device);
    expect(request).toMatchObject({ rpId: 'exchange.example', allowCredentials: [], userVerification: 'required' });
    const answer = await signIn(key.get(request), device);
    expect(answer).toMatchObject({ type: 'ok', id: who.id });
    const caller = await people.callerOf(answer.message);
    expect(caller).toMatchObject({ userId: who.id, kind: 'user' });
    expect((await auth.post('/api/safe/passkey_setup', {}, { caller })).type).toBe('ok');
    expect((await people.letters(who.account, 'security'))[0]).toContain('192.0.2.77');
    const [row] = await listed(who);
    expect(row?.last_at).not.toBe('');
  });

  const refused: [string, Deviation][] = [
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page below another name', { origin: 'https://exchange.example.evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an unverified user', { unverified: true }],
    ['a counter that went back', { counter: 1 }],
    ['no name of the account', { userHandle: null }],
    ['the name of another account', { userHandle: Buffer.from('u1').toString('base64url') }],
    ['an answer to a registration', { type: 'webauthn.create' }],
  ];
  test.each(refused)('refuses %s', async (_, wrong) => {
    const { key } = await keyed();
    key.counter = 5;
    expect((await signIn(key.get(await options()))).type).toBe('ok');
    expect(await signIn(key.get(await options(), wrong))).toMatchObject({ key: 'auth.wrong' });
    key.counter = 20;
    expect((await signIn(key.get(await options()))).type).toBe('ok');
  });

  test('refuses an answer the second time, too late, from another device, and to another purpose', async () => {
    const { who, key } = await keyed();
    const answer = key.get(await options());
    const both = await Promise.all([signIn(answer), signIn(answer)]);
    expect(both.map(({ key: text, type }) => text ?? type).sort()).toEqual(['ok', 'passkey.expired']);
    expect((await signIn(answer)).key).toBe('passkey.expired');
    expect((await signIn(key.get(await options({ ip: '192.0.2.5' })))).key).toBe('passkey.expired');
    const step = (await people.login(who.account))['passkey'] as PasskeyRequest;
    expect((await signIn(key.get(step))).key).toBe('passkey.expired');
    const own = { ...(await options()), challenge: Buffer.alloc(32, 7).toString('base64url') };
    expect((await signIn(key.get(own))).key).toBe('passkey.expired');
    expect((await signIn(key.get(await options(), { crossOrigin: true }))).key).toBe('passkey.expired');
    const late = key.get(await options());
    await auth.databases.query(`update auth.passkey_challenge set expires_at = expires_at - interval '2 minutes'`);
    expect((await signIn(late)).key).toBe('passkey.expired');
  });

  test('refuses unknown passkeys as it refuses wrong ones, and stops after ten wrong tries', async () => {
    const stranger = new SoftwareAuthenticator(ORIGIN);
    const { who, key } = await keyed();
    const forged = new SoftwareAuthenticator(ORIGIN);
    const answers = [
      await signIn(stranger.get(await options(), { userHandle: 'dTE' })),
      await signIn(forged.get(await options()).replaceAll(forged.id, key.id)),
    ];
    expect(answers.map(({ key: text, message, params }) => [text, message, params])).toEqual([
      ['auth.wrong', answers[1]?.message, answers[1]?.params],
      ['auth.wrong', answers[0]?.message, answers[0]?.params],
    ]);
    for (let at = 0; at < 9; at += 1)
      expect((await signIn(key.get(await options(), { unverified: true }))).key).toBe('auth.wrong');
    expect((await signIn(key.get(await options()))).key).toBe('common.tooMany');
    expect((await people.login(who.account)).key).toBe('login.passkeyRequired');
  });

  test('refuses an account that may not sign in', async () => {
    const { who, key } = await keyed();
    await auth.databases.query('update auth.account set can_sign_in = false where id = $1', [who.id]);
    expect((await signIn(key.get(await options()))).key).toBe('auth.wrong');
  });
});

describe('a passkey as the second step [AUTH-113]', () => {
  test('is demanded after the right password only, and by a challenge to the own passkeys', async () => {
    const { who, key } = await keyed();
    expect(await people.login(who.account, 'Wrong-1234')).toMatchObject({ key: 'auth.wrong' });
    const asked = await people.login(who.account);
    expect(asked).toMatchObject({
      key: 'login.passkeyRequired',
      field: 'passkey',
      need: 'passkey',
      passkey: { allowCredentials: [{ id: key.id, type: 'public-key', transports: ['internal'] }] },
    });
    const passkey = key.get(asked['passkey'] as PasskeyRequest);
    expect((await people.login(who.account, PASSWORD, { passkey })).type).toBe('ok');
    expect((await people.login(who.account, PASSWORD, { passkey })).key).toBe('login.passkeyWrong');
    const next = (await people.login(who.account))['passkey'] as PasskeyRequest;
    expect((await people.login(who.account, PASSWORD, { passkey: key.get(next, { unverified: true }) })).key).toBe(
      'login.passkeyWrong',
    );
    expect((await people.login(who.account, PASSWORD, { passkey: '{}' })).key).toBe('common.fieldInvalid');
  });

  test('is not answered by a passkey or a challenge of another person', async () => {
    const { who } = await keyed();
    const thief = await keyed();
    const asked = (await people.login(who.account))['passkey'] as PasskeyRequest;
    expect((await people.login(who.account, PASSWORD, { passkey: thief.key.get(asked) })).key).toBe(
      'login.passkeyWrong',
    );
    const own = (await people.login(thief.who.account))['passkey'] as PasskeyRequest;
    expect((await people.login(who.account, PASSWORD, { passkey: thief.key.get(own) })).key).toBe('login.passkeyWrong');
  });

  test('is answered by a code too where both are on, and a session is confirmed by either', async () => {
    const { who, key } = await keyed();
    const { secret } = (await call(who, 'totp_setup')).message as { secret: string };
    expect((await call(who, 'totp_enable', { totp_code: codeOf(secret) })).key).toBe('totp.enabled');
    const asked = await people.login(who.account);
    expect(asked).toMatchObject({ key: 'login.totpRequired', need: 'totp', passkey: { rpId: 'exchange.example' } });
    const passkey = key.get(asked['passkey'] as PasskeyRequest);
    expect((await people.login(who.account, PASSWORD, { passkey })).type).toBe('ok');
    expect((await people.login(who.account, PASSWORD, { totp_code: codeOf(secret, 1) })).type).toBe('ok');

    const confirm = (more: Record<string, string> = {}): Promise<Answered> =>
      auth.post('/api/user/confirm_password', { password: PASSWORD, ...more }, { caller: who.caller });
    const step = await confirm();
    expect(step.key).toBe('login.totpRequired');
    expect((await confirm({ passkey: key.get(step['passkey'] as PasskeyRequest) })).key).toBe('auth.confirmed');
  });

  test('is demanded of another device and of a confirmation where there is no authenticator', async () => {
    const { who, key } = await keyed();
    const confirm = (more: Record<string, string> = {}): Promise<Answered> =>
      auth.post('/api/user/confirm_password', { password: PASSWORD, ...more }, { caller: who.caller });
    const step = await confirm();
    expect(step.key).toBe('login.passkeyRequired');
    expect((await confirm({ passkey: key.get(step['passkey'] as PasskeyRequest) })).key).toBe('auth.confirmed');

    const { message: code } = await auth.get('/api/user/authorization_code', { caller: who.caller });
    const byDevice = (more: Record<string, string> = {}): Promise<Answered> =>
      auth.post('/api/user/device_login', { user_string: who.account, authorization_code: String(code), ...more });
    const asked = await byDevice();
    expect(asked.key).toBe('login.passkeyRequired');
    expect((await byDevice({ passkey: key.get(asked['passkey'] as PasskeyRequest) })).type).toBe('ok');
  });
});
