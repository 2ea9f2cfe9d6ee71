import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { authAsks } from '@bourse/messaging';
import type { Caller } from '@bourse/platform';
import { entityDifferences, testTimeoutMs } from '@bourse/testing';
import { generateSync } from 'otplib';
import { AuthDatabase } from '../../src/shared/application/ports/database.js';
import { PEPPER, startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';
import { factsOf } from './people.js';

// Slow hashes, and a machine that does other things at the same time.
jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});

const PASSWORD = 'Harbor-2468';
const login = (
  account: string,
  password = PASSWORD,
  more: Record<string, string> = {},
  device: Device = {},
): Promise<Answered> => auth.post('/api/user/login', { user_string: account, password, ...more }, device);
const callerOf = async (token: unknown): Promise<Caller | null> =>
  auth.asks.ask(authAsks.session, { token: String(token) });
async function signedIn(account: string, device: Device = {}): Promise<{ token: string; caller: Caller }> {
  const { message } = await login(account, PASSWORD, {}, device);
  const caller = await callerOf(message);
  if (!caller) throw new Error(`${account} has no session: ${JSON.stringify(message)}`);
  return { token: message as string, caller };
}
/** A code of a pause ago: the next one may be sent at once. */
const forgetPause = (): Promise<unknown> =>
  auth.databases.query(`update auth.code set created_at = created_at - interval '2 minutes'`);

/** A secret as stored in the table: nonce, tag, text under a key of the pepper. */
function sealed(secret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', PEPPER, '', 'bourse totp', 32)), nonce);
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

let registered = 0;
async function register(more: Record<string, string> = {}): Promise<{ account: string; id: number }> {
  const account = `person${(registered += 1)}@example.org`;
  await auth.post('/api/sms_mail', { user_string: account, scene: 'register' });
  const code = await auth.code(account, 'register');
  const answer = await auth.post('/api/user/register', {
    type: 'email',
    user_string: account,
    code,
    password: PASSWORD,
    re_password: PASSWORD,
    ...more,
  });
  expect(answer).toMatchObject({ type: 'ok', key: 'register.success' });
  return { account, id: answer['id'] as number };
}

test('the entities are the tables that the migrations have made [DB-013]', async () => {
  expect(await entityDifferences(auth.get$(AuthDatabase))).toEqual([]);
});

describe('sessions', () => {
  test('a token names a living session; the stored form of it opens nothing [AUTH-050]', async () => {
    const { token, caller } = await signedIn('trader1@demo.bourse');
    expect(caller).toMatchObject({
      userId: 100001,
      kind: 'user',
      reviewStatus: 2,
      hasFundPassword: true,
      hasPayment: true,
      frozen: 'none',
      fundMustReset: false,
    });
    const [row] = await auth.databases.query<{ token_hash: string }>(
      'select token_hash from auth.session where public_id = $1',
      [caller.sessionId],
    );
    expect(token).not.toContain(row?.token_hash);
    for (const bad of [
      '',
      'x',
      row?.token_hash ?? '',
      `${token.slice(0, -2)}xx`,
      token.split('.').slice(0, 2).join('.') + '.',
    ])
      expect(await callerOf(bad)).toBeNull();
  });

  test('an idle session dies after 60 minutes and any after 24 hours; use keeps it alive [AUTH-051]', async () => {
    const { token, caller } = await signedIn('nofund@demo.bourse');
    const age = (column: string, minutes: number): Promise<unknown> =>
      auth.databases.query(
        `update auth.session set ${column} = now() - $2 * interval '1 minute' where public_id = $1`,
        [caller.sessionId, minutes],
      );
    await age('last_at', 59);
    expect(await callerOf(token)).not.toBeNull();
    const [row] = await auth.databases.query<{ fresh: boolean }>(
      `select last_at > now() - interval '1 minute' as fresh from auth.session where public_id = $1`,
      [caller.sessionId],
    );
    expect(row?.fresh).toBe(true);
    await age('last_at', 61);
    expect(await callerOf(token)).toBeNull();
    await age('last_at', 0);
    await age('created_at', 24 * 60 + 1);
    expect(await callerOf(token)).toBeNull();
  });

  test('sessions and API keys are named while they are active, and do not count as used [AUTH-217]', async () => {
    const { account, id } = await register();
    const [idle, ended, live] = [await signedIn(account), await signedIn(account), await signedIn(account)].map(
      ({ caller }) => caller,
    ) as [Caller, Caller, Caller];
    await auth.post('/api/user/logout', {}, { caller: ended });
    for (const [{ sessionId }, minutes] of [[idle, 61] as const, [live, 59] as const])
      await auth.databases.query(
        `update auth.session set last_at = now() - $2 * interval '1 minute' where public_id = $1`,
        [sessionId, minutes],
      );
    await auth.databases.query(
      `insert into auth.api_key (key, user_id, label, secret_sealed, permissions, ips, created_at, deleted_at)
        values ('active-key', $1, 'a', '', '{read}', '{}', now(), null),
               ('deleted-key', $1, 'b', '', '{read}', '{}', now(), now())`,
      [id],
    );
    const sessionIds = [idle, ended, live].map(({ sessionId }) => sessionId);
    const question = { sessionIds: [...sessionIds, 'active-key', 'deleted-key', 'unknown'] };
    expect(await auth.asks.ask(authAsks.activeSessions, question)).toEqual([live.sessionId, 'active-key']);
    const [row] = await auth.databases.query<{ used: boolean }>(
      `select last_at > now() - interval '58 minutes' as used from auth.session where public_id = $1`,
      [live.sessionId],
    );
    expect(row?.used).toBe(false);
  });

  test('the eleventh session ends the oldest, and gateways are notified before the answer [AUTH-052]', async () => {
    const { account, id } = await register();
    const heard: string[] = [];
    const stop = auth.views.subscribe(`session/${id}`, ({ ended }: { ended: string[] }) => {
      heard.push(...ended);
    });
    const first = await signedIn(account);
    for (let count = 1; count < 10; count += 1) await signedIn(account);
    expect(await callerOf(first.token)).not.toBeNull();
    expect(heard).toEqual([]);
    await signedIn(account);
    expect(heard).toEqual([first.caller.sessionId]);
    expect(await callerOf(first.token)).toBeNull();
    stop();
  });

  test("logout ends the session at once; revoking ends one of the own, never somebody else's [AUTH-053]", async () => {
    const one = await signedIn('nopay@demo.bourse');
    const two = await signedIn('nopay@demo.bourse');
    const stranger = await signedIn('seller@demo.bourse');
    expect(
      (await auth.post('/api/user/session_revoke', { id: stranger.caller.sessionId }, { caller: one.caller })).key,
    ).toBe('common.notFound');
    const { message } = await auth.get('/api/user/sessions', { caller: one.caller });
    expect(message).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: one.caller.sessionId, current: 1, agent: 'test' }),
        expect.objectContaining({ id: two.caller.sessionId, current: 0 }),
      ]),
    );
    expect(
      (await auth.post('/api/user/session_revoke', { id: two.caller.sessionId }, { caller: one.caller })).type,
    ).toBe('ok');
    expect(await callerOf(two.token)).toBeNull();
    expect((await auth.get('/api/user/logout', { caller: one.caller })).key).toBe('logout.success');
    expect(await callerOf(one.token)).toBeNull();
    expect(await callerOf(stranger.token)).not.toBeNull();
  });
});

describe('login', () => {
  test('house accounts and unknown ones get the same answer [AUTH-002]', async () => {
    for (const account of ['maker@house.bourse', 'taker@house.bourse', 'nobody@example.org', 'neither mail nor number'])
      expect(await login(account)).toMatchObject({ type: 'error', key: 'auth.wrong' });
  });

  test('ten failures demand a code, twenty in a day leave only the reset [AUTH-003]', async () => {
    const { account, id } = await register();
    for (let count = 0; count < 10; count += 1) expect((await login(account, 'Wrong-1234')).key).toBe('auth.wrong');
    expect(await login(account)).toMatchObject({ key: 'set.enterCode', need: 'sms_code' });
    expect((await login(account, 'short')).key).toBe('login.psw6');
    expect(await login(account, PASSWORD, { sms_code: '000000' })).toMatchObject({ key: 'code.wrong' });
    await auth.post('/api/sms_mail', { user_string: account, scene: 'login' });
    const code = await auth.code(account, 'login');
    for (let count = 0; count < 10; count += 1)
      expect((await login(account, 'Wrong-1234', { sms_code: code })).key).toBe('auth.wrong');
    expect((await login(account, PASSWORD, { sms_code: code })).key).toBe('login.resetOnly');
    await auth.databases.query(`update auth.failure set at = at - interval '16 minutes' where bucket like $1`, [
      `login:${id}%`,
    ]);
    expect((await login(account)).key).toBe('login.resetOnly');
    await auth.post('/api/sms_mail', { user_string: account, scene: 'forget' });
    expect(
      (
        await auth.post('/api/user/forget', {
          account,
          code: await auth.code(account, 'forget'),
          password: 'Anchor-1357',
          repassword: 'Anchor-1357',
        })
      ).key,
    ).toBe('forget.success');
    expect((await login(account, 'Anchor-1357')).type).toBe('ok');
  });

  test('the demanded code lets in once, and success forgives the failures [AUTH-003]', async () => {
    const { account } = await register();
    for (let count = 0; count < 10; count += 1) await login(account, 'Wrong-1234');
    await auth.post('/api/sms_mail', { user_string: account, scene: 'login' });
    const code = await auth.code(account, 'login');
    expect((await login(account, PASSWORD, { sms_code: code })).type).toBe('ok');
    expect((await login(account)).type).toBe('ok');
  });

  test('accounts that are not there are counted the same way [AUTH-002]', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await login('ghost@example.org', 'Wrong-1234')).key).toBe('auth.wrong');
    expect(await login('ghost@example.org')).toMatchObject({ key: 'set.enterCode', need: 'sms_code' });
  });

  test("strangers cannot lock the owner's own device out [AUTH-004]", async () => {
    const { account } = await register();
    const home = { ip: '198.51.100.7', agent: 'home' };
    await signedIn(account, home);
    for (let count = 0; count < 12; count += 1)
      await login(account, 'Wrong-1234', {}, { ip: '203.0.113.9', agent: 'stranger' });
    expect((await login(account, PASSWORD, {}, { ip: '203.0.113.9', agent: 'stranger' })).key).toBe('set.enterCode');
    expect((await login(account, PASSWORD, {}, home)).type).toBe('ok');
  });

  test('is refused with 503 when too many passwords wait, and not counted as wrong [AUTH-007]', async () => {
    // Hashes at full cost, because a cheap hash leaves nobody waiting.
    auth.hashesDearly(true);
    const { account } = await register();
    const [kept] = await auth.databases.query<{ hash: string }>(
      'select password_hash as hash from auth.account where email = $1',
      [account],
    );
    expect(kept?.hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    // More accounts than places in the queue, so that no account's own limit interferes.
    const answers = await Promise.all([
      ...Array.from({ length: 60 }, (_, at) => login(`crowd${at}@example.org`, 'Wrong-1234')),
      ...Array.from({ length: 9 }, () => login(account, 'Wrong-1234')),
    ]);
    const busy = answers.filter(({ key }) => key === 'common.unavailable').length;
    expect(busy).toBeGreaterThan(0);
    expect(answers.filter(({ key }) => key === 'auth.wrong')).toHaveLength(answers.length - busy);
    const wrong = answers.slice(60).filter(({ key }) => key === 'auth.wrong').length;
    const [row] = await auth.databases.query<{ count: string }>(
      `select count(*) as count
        from auth.failure
        where bucket = (select 'login:' || id from auth.account where email = $1)`,
      [account],
    );
    expect(Number(row?.count)).toBe(wrong);
    auth.hashesDearly(false);
  });

  test('demands an authenticator code after the password, and accepts each step once [AUTH-006]', async () => {
    const { account, id } = await register();
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    await auth.databases.query('update auth.account set totp_sealed = $2 where id = $1', [id, sealed(secret)]);
    expect((await login(account, 'Wrong-1234')).key).toBe('auth.wrong');
    expect(await login(account)).toMatchObject({ key: 'login.totpRequired', need: 'totp' });
    const right = generateSync({ secret });
    const wrong = right === '000000' ? '111111' : '000000';
    expect((await login(account, PASSWORD, { totp_code: wrong })).key).toBe('login.totpWrong');
    expect((await login(account, PASSWORD, { totp_code: right })).type).toBe('ok');
    expect((await login(account, PASSWORD, { totp_code: right })).key).toBe('login.totpWrong');
  });

  test('many guesses at once get no more tries than one after the other [AUTH-005]', async () => {
    const { account } = await register();
    const answers = await Promise.all(Array.from({ length: 15 }, () => login(account, 'Wrong-1234')));
    expect(answers.filter(({ key }) => key === 'auth.wrong')).toHaveLength(10);
    expect(answers.filter(({ key }) => key === 'set.enterCode')).toHaveLength(5);
  });
});

describe('codes', () => {
  test('pause, five tries, one use [AUTH-020]', async () => {
    const account = 'codes@example.org';
    expect(await auth.post('/api/sms_mail', { user_string: account, scene: 'register' })).toMatchObject({
      type: 'ok',
      key: 'code.sent',
      seconds: 60,
    });
    const again = await auth.post('/api/sms_mail', { user_string: account, scene: 'register' });
    expect(again).toMatchObject({ type: 'error', key: 'code.tooSoon' });
    expect(again.params?.['seconds']).toBeGreaterThan(55);
    const code = await auth.code(account, 'register');
    const wrong = code === '000000' ? '111111' : '000000';
    const check = (
      given: string,
      more: Record<string, string> = { user_string: account, scene: 'register' },
    ): Promise<Answered> => auth.post('/api/user/check_email', { code: given, ...more });
    expect(await check(wrong)).toMatchObject({ key: 'code.wrong', params: { left: 4 } });
    expect((await check(code)).key).toBe('code.ok');
    expect(await check(wrong, {})).toMatchObject({ key: 'code.wrong', params: { left: 2 } });
    expect(await check(wrong)).toMatchObject({ key: 'code.wrong', params: { left: 1 } });
    expect(await check(wrong)).toMatchObject({ key: 'code.wrong', params: { left: 0 } });
    expect((await check(code)).key).toBe('code.expired');
  });

  test('a code opens no other scene, and none after five minutes [AUTH-021]', async () => {
    const account = 'trader2@demo.bourse';
    await auth.post('/api/sms_mail', { user_string: account, scene: 'login' });
    const code = await auth.code(account, 'login');
    const forget = (): Promise<Answered> =>
      auth.post('/api/user/forget', { account, code, password: 'Anchor-1357', repassword: 'Anchor-1357' });
    expect((await forget()).key).toBe('code.wrong');
    expect((await auth.post('/api/sms_mail', { user_string: account, scene: 'forget' }))['seconds']).toBe(31);
    await auth.databases.query(`update auth.code set expires_at = now() - interval '1 second'`);
    const late = await auth.code(account, 'forget');
    expect(
      await auth.post('/api/user/forget', { account, code: late, password: 'Anchor-1357', repassword: 'Anchor-1357' }),
    ).toMatchObject({ key: 'code.expired' });
    expect((await forget()).key).toBe('code.wrong');
  });

  test('codes lie hashed, and the limits per hour and day hold when unscaled [AUTH-022]', async () => {
    const strict = await startAuth({ RATE_SCALE: '1' });
    try {
      const send = (): Promise<Answered> =>
        strict.post('/api/sms_mail', { user_string: 'many@example.org', scene: 'register' });
      const later = (minutes: number): Promise<unknown> =>
        strict.databases.query(`update auth.code set created_at = created_at - $1 * interval '1 minute'`, [minutes]);
      for (let hour = 0; hour < 2; hour += 1) {
        for (let count = 0; count < 5; count += 1) {
          expect((await send()).key).toBe('code.sent');
          await later(2);
        }
        if (hour === 0) expect((await send()).key).toBe('code.tooMany');
        await later(60);
      }
      expect((await send()).key).toBe('code.tooMany');
      const rows = await strict.databases.query<{ code_hash: string }>('select code_hash from auth.code');
      expect(rows.every(({ code_hash }) => code_hash.length > 30)).toBe(true);
    } finally {
      await strict.end();
    }
  });

  test('unknown accounts get the same answer and no letter; a used address gets a note [AUTH-023]', async () => {
    expect(await auth.post('/api/sms_mail', { user_string: 'nobody-here@example.org', scene: 'forget' })).toMatchObject(
      { type: 'ok', key: 'code.sent', seconds: 31 },
    );
    expect(await auth.asks.ask(authAsks.outbox, { to: 'nobody-here@example.org' })).toEqual([]);
    expect(
      (
        await auth.post('/api/user/forget', {
          account: 'nobody-here@example.org',
          code: '123456',
          password: PASSWORD,
          repassword: PASSWORD,
        })
      ).key,
    ).toBe('code.wrong');
    expect(await auth.post('/api/sms_mail', { user_string: 'seller@demo.bourse', scene: 'register' })).toMatchObject({
      type: 'ok',
      key: 'code.sent',
      seconds: 60,
    });
    const [note] = await auth.asks.ask(authAsks.outbox, {
      to: 'seller@demo.bourse',
      scene: 'register',
    });
    expect(note?.code).toBe('');
    expect(note?.text).toMatch(/already has an account/);
  });

  test('a number is found in the inbox with or without its area code', async () => {
    expect(
      (await auth.post('/api/sms_send', { user_string: '5550123456', scene: 'register', area_code: '44' })).key,
    ).toBe('code.sent');
    for (const to of ['5550123456', '+445550123456'])
      expect(await auth.asks.ask(authAsks.outbox, { to })).toEqual([
        expect.objectContaining({ scene: 'register', to: '5550123456' }),
      ]);
  });
});

describe('registration', () => {
  test('a new person has random ids, a line of inviters and no rights yet [AUTH-011]', async () => {
    const trader = await signedIn('trader2@demo.bourse');
    const info = (await auth.get('/api/user/info', { caller: trader.caller })).message as { extension_code: string };
    const { account, id } = await register({
      extension_code: info.extension_code.toLowerCase(),
      nationality: 'Portugal',
    });
    expect(id).toBeGreaterThan(1_000_000_000);
    expect(Number.isSafeInteger(id)).toBe(true);
    const told = await factsOf(auth, id);
    expect(told).toEqual([expect.objectContaining({ fact: 'registered', userId: id, inviterId: 100002 })]);
    const { caller } = await signedIn(account);
    expect(caller).toMatchObject({ userId: id, reviewStatus: 0, hasFundPassword: false, hasPayment: false });
    expect((await auth.get('/api/user/info', { caller })).message).toMatchObject({
      id,
      email: account,
      phone: '',
      nationality: 'Portugal',
      review_status: 0,
      has_fund_password: 0,
      totp: 0,
      area_code_id: 0,
    });
  });

  test('an address is taken once, also by two at the same time [AUTH-012]', async () => {
    const account = 'twice@example.org';
    await auth.post('/api/sms_mail', { user_string: account, scene: 'register' });
    const code = await auth.code(account, 'register');
    const submit = (given: string): Promise<Answered> =>
      auth.post('/api/user/register', {
        type: 'email',
        user_string: account,
        code: given,
        password: PASSWORD,
        re_password: PASSWORD,
      });
    const answers = await Promise.all([submit(code), submit(code)]);
    expect(answers.filter(({ type }) => type === 'ok')).toHaveLength(1);
    await forgetPause();
    // The public call sends no code for it, so the row is written directly.
    await auth.post('/api/sms_mail', { user_string: account, scene: 'register' });
    await auth.databases.query(
      `update auth.code
        set code_hash = (select code_hash from auth.code where name_key = $1 and used_at is not null limit 1)
        where name_key = $1 and used_at is null`,
      [`email:${account}`],
    );
    expect((await submit(code)).key).toBe('register.used');
  });
});

describe('fund password', () => {
  const fund = (userId: number, password: string): Promise<unknown> =>
    auth.asks.ask(authAsks.fund, { userId, password });

  test('five wrong ones lock for 15 minutes, ten demand a new one; a right one forgets them [AUTH-040]', async () => {
    const id = 100020;
    for (const left of [4, 3])
      expect(await fund(id, 'wrong1')).toEqual({ ok: false, key: 'fund.wrong', params: { left } });
    expect(await fund(id, 'fund66')).toEqual({ ok: true });
    for (const left of [4, 3, 2, 1, 0])
      expect(await fund(id, 'wrong1')).toEqual({ ok: false, key: 'fund.wrong', params: { left } });
    expect(await fund(id, 'fund66')).toMatchObject({ ok: false, key: 'fund.locked' });
    await auth.databases.query(`update auth.failure set at = at - interval '16 minutes' where bucket = $1`, [
      `fund:${id}`,
    ]);
    for (const left of [4, 3, 2, 1, 0])
      expect(await fund(id, 'wrong1')).toEqual({ ok: false, key: 'fund.wrong', params: { left } });
    expect(await fund(id, 'fund66')).toMatchObject({ ok: false, key: 'fund.mustReset' });
    expect(await auth.asks.ask(authAsks.caller, { userId: id })).toMatchObject({ fundMustReset: true });
    const { caller } = await signedIn('seller@demo.bourse');
    await forgetPause();
    await auth.post('/api/sms_mail', { user_string: 'seller@demo.bourse', scene: 'fund' }, { caller });
    const code = await auth.code('seller@demo.bourse', 'fund');
    expect(
      (await auth.post('/api/safe/update_password', { password: 'ships7', re_password: 'ships7', code }, { caller }))
        .key,
    ).toBe('fund.saved');
    expect(await fund(id, 'ships7')).toEqual({ ok: true });
    expect(await auth.asks.ask(authAsks.caller, { userId: id })).toMatchObject({ fundMustReset: false });
    const [row] = await auth.databases.query<{ blocked: boolean }>(
      `select withdrawals_blocked_until > now() + interval '23 hours' as blocked from auth.account where id = $1`,
      [id],
    );
    expect(row?.blocked).toBe(true);
  });

  test('is refused as part of the login password before any other check [AUTH-041]', async () => {
    const { caller } = await signedIn('newbie@demo.bourse');
    expect(await auth.post('/api/safe/judge_password', {}, { caller })).toMatchObject({
      type: 'not',
      key: 'fund.notSet',
      is_set: 0,
    });
    const set = (password: string, more: Record<string, string> = {}): Promise<Answered> =>
      auth.post('/api/safe/update_password', { password, re_password: password, ...more }, { caller });
    for (const password of ['', '12345', '1234567', 'abc 12', 'Harbor'])
      expect((await set(password)).key).toBe('fund.format');
    expect(
      (await auth.post('/api/safe/update_password', { password: 'ships7', re_password: 'ships8' }, { caller })).key,
    ).toBe('pswFalse');
    expect((await set('ships7')).key).toBe('set.enterCode');
    expect((await set('ships7', { code: '000000' })).key).toBe('code.wrong');
    await auth.post('/api/sms_mail', { user_string: 'newbie@demo.bourse', scene: 'fund' }, { caller });
    expect((await set('ships7', { code: await auth.code('newbie@demo.bourse', 'fund') })).key).toBe('fund.saved');
    expect(await auth.post('/api/safe/judge_password', {}, { caller })).toMatchObject({
      type: 'ok',
      key: 'fund.set',
      is_set: 1,
    });
    const [row] = await auth.databases.query<{ blocked: Date | null }>(
      'select withdrawals_blocked_until as blocked from auth.account where id = $1',
      [caller.userId],
    );
    expect(row?.blocked).toBeNull();
  });
});

describe('forgotten password', () => {
  test('ends all sessions, notifies the gateways, blocks withdrawals [AUTH-030]', async () => {
    const { account, id } = await register();
    const before = await signedIn(account);
    const heard: unknown[] = [];
    const stop = auth.views.subscribe(`session/${id}`, (news: { ended: unknown }) => {
      heard.push(news.ended);
    });
    await auth.post('/api/sms_mail', { user_string: account, scene: 'forget' });
    const code = await auth.code(account, 'forget');
    const forget = (password: string, repassword = password): Promise<Answered> =>
      auth.post('/api/user/forget', { account, code, password, repassword });
    expect((await forget('short')).key).toBe('register.psw16');
    expect((await forget('Anchor-1357', 'Anchor-1358')).key).toBe('pswFalse');
    expect((await forget('Anchor-1357')).key).toBe('forget.success');
    expect(heard).toEqual(['all']);
    expect(await callerOf(before.token)).toBeNull();
    expect((await login(account)).key).toBe('auth.wrong');
    expect((await login(account, 'Anchor-1357')).type).toBe('ok');
    expect((await forget('Anchor-9999')).key).toBe('code.expired');
    stop();
  });
});

test('moving all clocks of a demo ends sessions, codes, locks; business time alone does not [AUTH-054]', async () => {
  const moved = await startAuth();
  try {
    const { message: token } = await moved.post('/api/user/login', {
      user_string: 'trader1@demo.bourse',
      password: PASSWORD,
    });
    const session = (): Promise<unknown> => moved.asks.ask(authAsks.session, { token: String(token) });
    const fund = (password: string): Promise<unknown> => moved.asks.ask(authAsks.fund, { userId: 100001, password });
    await moved.post('/api/sms_mail', { user_string: 'trader1@demo.bourse', scene: 'login' });
    const code = await moved.code('trader1@demo.bourse', 'login');
    for (let count = 0; count < 5; count += 1) await fund('wrong1');
    expect(await fund('fund66')).toMatchObject({ key: 'fund.locked' });
    expect(await session()).not.toBeNull();
    moved.clock.setOffset(2 * 3_600_000);
    expect(await session()).not.toBeNull();
    moved.clock.setSessionOffset(61 * 60_000);
    expect(await session()).toBeNull();
    expect(await fund('fund66')).toEqual({ ok: true });
    expect(
      (await moved.post('/api/user/check_email', { code, user_string: 'trader1@demo.bourse', scene: 'login' })).key,
    ).toBe('code.expired');
  } finally {
    await moved.end();
  }
});

test('profile and user centre of a demo person', async () => {
  const { caller } = await signedIn('trader1@demo.bourse');
  expect((await auth.get('/api/user/info', { caller })).message).toMatchObject({
    id: 100001,
    email: 'trader1@demo.bourse',
    review_status: 2,
    is_seller: 0,
    has_fund_password: 1,
  });
  expect((await auth.get('/api/user/center', { caller })).message).toMatchObject({
    review_status: 2,
    cashinfo_status: 1,
    security_level: 75,
    bank: { region: 'Lisbon/Alfama' },
  });
  const { message: countries } = await auth.get('/api/country/list');
  expect((countries as { area_code: string }[])[0]?.area_code).toBe('+1');
  expect((countries as unknown[]).length).toBeGreaterThan(220);
});
