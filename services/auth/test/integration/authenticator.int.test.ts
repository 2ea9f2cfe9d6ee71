import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { authAsks } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { codeOf, heard, otherThan, PASSWORD, peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

const call = (who: Someone, path: string, fields: Record<string, string> = {}): Promise<Answered> =>
  auth.post(`/api/safe/${path}`, fields, { caller: who.caller });
const setup = async (who: Someone): Promise<{ secret: string; otpauth_url: string }> =>
  (await call(who, 'totp_setup')).message as { secret: string; otpauth_url: string };
const ask = (who: Someone, code: string | null): Promise<unknown> =>
  auth.asks.ask(authAsks.totp, { userId: who.id, code });
/** Somebody with an authenticator whose first step is used up: the next code is of the step after. */
async function armed(): Promise<Someone & { secret: string }> {
  const who = await people.register();
  const { secret } = await setup(who);
  expect((await call(who, 'totp_enable', { totp_code: codeOf(secret) })).key).toBe('totp.enabled');
  return { ...who, secret };
}

describe('authenticator [AUTH-110]', () => {
  test('counts from its first right code on, and ends other sessions; the secret is shown once', async () => {
    const who = await people.register();
    const other = await people.signedIn(who.account);
    expect((await call(who, 'totp_enable', { totp_code: '123456' })).key).toBe('login.totpWrong');
    const first = await setup(who);
    const { secret, otpauth_url: url } = await setup(who);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(secret).not.toBe(first.secret);
    expect(url).toBe(`otpauth://totp/Bourse:${encodeURIComponent(who.account)}?secret=${secret}&issuer=Bourse`);
    expect((await people.login(who.account)).type).toBe('ok');
    expect((await auth.get('/api/user/info', { caller: who.caller })).message).toMatchObject({ totp: 0 });
    expect((await call(who, 'totp_enable', {})).key).toBe('common.fieldRequired');
    expect((await call(who, 'totp_enable', { totp_code: otherThan(codeOf(secret)) })).key).toBe('login.totpWrong');

    const news = heard(auth, who.id);
    expect((await call(who, 'totp_enable', { totp_code: codeOf(secret) })).key).toBe('totp.enabled');
    expect(news.ended).toHaveLength(1);
    expect(news.ended[0]).toContain(other.caller.sessionId);
    news.stop();
    expect([await people.callerOf(other.token), (await people.callerOf(who.token))?.userId]).toEqual([null, who.id]);
    expect((await auth.get('/api/user/info', { caller: who.caller })).message).toMatchObject({ totp: 1 });
    expect((await people.letters(who.account, 'security'))[0]).toContain('authenticator was set up');
    expect((await people.login(who.account)).key).toBe('login.totpRequired');
    expect((await call(who, 'totp_setup')).key).toBe('totp.active');
    const [row] = await auth.databases.query<{ totp_sealed: string; totp_pending: string | null }>(
      'select totp_sealed, totp_pending from auth.account where id = $1',
      [who.id],
    );
    expect(row?.totp_sealed.includes(secret)).toBe(false);
    expect(row?.totp_pending).toBeNull();
  });

  test('is checked for other services: passes people without one, and each step once, also by sign-in', async () => {
    const none = await people.register();
    expect([await ask(none, null), await ask(none, '123456')]).toEqual([{ ok: true }, { ok: true }]);
    const who = await armed();
    expect(await ask(who, null)).toEqual({ ok: false, key: 'login.totpRequired' });
    expect(await ask(who, codeOf(who.secret))).toEqual({ ok: false, key: 'login.totpWrong' });
    const next = codeOf(who.secret, 1);
    const verdicts = await Promise.all([ask(who, next), ask(who, next)]);
    expect(verdicts.filter((verdict) => (verdict as { ok: boolean }).ok)).toHaveLength(1);
    expect((await people.login(who.account, PASSWORD, { totp_code: next })).key).toBe('login.totpWrong');
    expect(await auth.asks.ask(authAsks.totp, { userId: 1, code: null })).toEqual({
      ok: false,
      key: 'login.totpWrong',
    });
  });

  test('ten wrong codes close the door, for many at once and for a right one too [AUTH-101]', async () => {
    const who = await armed();
    await Promise.all(Array.from({ length: 14 }, () => ask(who, otherThan(codeOf(who.secret)))));
    const [row] = await auth.databases.query<{ count: string }>('select count(*) from auth.failure where bucket = $1', [
      `totp:${who.id}`,
    ]);
    expect(Number(row?.count)).toBe(10);
    expect(await ask(who, codeOf(who.secret, 1))).toEqual({ ok: false, key: 'login.totpWrong' });
    await auth.databases.query(`update auth.failure set at = at - interval '16 minutes' where bucket = $1`, [
      `totp:${who.id}`,
    ]);
    expect(await ask(who, codeOf(who.secret, 1))).toEqual({ ok: true });
  });

  test('is taken off by password and code, in this order, and ends the other sessions', async () => {
    const who = await armed();
    await auth.databases.query('update auth.account set totp_step = 0 where id = $1', [who.id]);
    const { message: second } = await people.login(who.account, PASSWORD, { totp_code: codeOf(who.secret) });
    const code = codeOf(who.secret, 1);
    expect((await call(who, 'totp_disable', { password: PASSWORD })).key).toBe('common.fieldRequired');
    expect(await call(who, 'totp_disable', { totp_code: code })).toMatchObject({
      key: 'common.fieldRequired',
      field: 'password',
    });
    expect((await call(who, 'totp_disable', { totp_code: code, password: 'Wrong-1234' })).key).toBe('auth.wrong');
    expect((await call(who, 'totp_disable', { totp_code: otherThan(code), password: PASSWORD })).key).toBe(
      'login.totpWrong',
    );
    expect((await call(who, 'totp_disable', { totp_code: code, password: PASSWORD })).key).toBe('totp.disabled');
    expect([await people.callerOf(second), (await people.callerOf(who.token))?.userId]).toEqual([null, who.id]);
    expect((await people.login(who.account)).type).toBe('ok');
    expect((await people.letters(who.account, 'security'))[0]).toContain('authenticator of your account was removed');
    expect((await call(who, 'totp_disable', { totp_code: code, password: PASSWORD })).key).toBe('login.totpWrong');
  });
});

describe('letters and the brake', () => {
  test('the anti-phishing word is in every letter to this person and is stored sealed [AUTH-120]', async () => {
    const who = await people.register();
    for (const word of ['abc', 'x'.repeat(21), ' lead', 'trail '])
      expect(await call(who, 'anti_phishing', { word })).toMatchObject({ key: 'common.fieldInvalid', field: 'word' });
    expect(await call(who, 'anti_phishing')).toMatchObject({ key: 'common.fieldRequired', field: 'word' });
    expect((await call(who, 'anti_phishing', { word: 'Möwe 42 <b>' })).key).toBe('phishing.saved');
    await people.codeFor(who.account, 'forget');
    await people.codeFor('another@example.org', 'bind', who.caller);
    await people.codeFor('stranger@example.org', 'register');
    expect((await people.letters(who.account, 'forget'))[0]).toMatch(/\n\nYour anti-phishing word: Möwe 42 ‹b›$/);
    expect((await people.letters('another@example.org', 'bind'))[0]).toContain('Möwe 42 ‹b›');
    expect((await people.letters('stranger@example.org', 'register'))[0]).not.toContain('anti-phishing');
    const [row] = await auth.databases.query<{ phishing_sealed: string }>(
      'select phishing_sealed from auth.account where id = $1',
      [who.id],
    );
    expect(row?.phishing_sealed).not.toContain('Möwe');
  });

  test('the own freeze takes the login password, closes everything, and only support opens it [AUTH-122]', async () => {
    const who = await people.register();
    expect(await call(who, 'freeze')).toMatchObject({ key: 'common.fieldRequired', field: 'password' });
    expect((await call(who, 'freeze', { password: 'Wrong-1234' })).key).toBe('auth.wrong');
    expect((await people.fresh(who)).frozen).toBe('none');
    const news = heard(auth, who.id);
    expect((await call(who, 'freeze', { password: PASSWORD })).key).toBe('freeze.done');
    expect(news.ended).toEqual([[]]);
    news.stop();
    expect((await people.fresh(who)).frozen).toBe('all');
    expect((await people.callerOf(who.token))?.frozen).toBe('all');
    expect((await people.letters(who.account, 'security'))[0]).toContain('frozen');
  });
});
