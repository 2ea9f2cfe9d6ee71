import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { authAsks } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { OwnPassword } from '../../src/security/application/own-password.js';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { FUND, heard, otherThan, PASSWORD, peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

const bindEmail = (who: Someone, fields: Record<string, string>): Promise<Answered> =>
  auth.post('/api/safe/email', fields, { caller: who.caller });
const bindMobile = (who: Someone, fields: Record<string, string>): Promise<Answered> =>
  auth.post('/api/safe/mobile', fields, { caller: who.caller });
const blockedUntil = async (who: Someone): Promise<number | null> =>
  (await auth.asks.ask(authAsks.withdrawals, { userId: who.id })).blockedUntil;

describe('binding of an address [AUTH-100]', () => {
  test('refuses in the order address, pattern, code, right code, free', async () => {
    const who = await people.register();
    expect(await bindEmail(who, { code: '123456' })).toMatchObject({ key: 'email.required', field: 'email' });
    expect(await bindEmail(who, { email: 'not mail' })).toMatchObject({ key: 'register.emailFalse', field: 'email' });
    expect(await bindEmail(who, { email: 'seller@demo.bourse' })).toMatchObject({ key: 'set.enterCode' });
    const code = await people.codeFor('seller@demo.bourse', 'bind', who.caller);
    expect(await bindEmail(who, { email: 'seller@demo.bourse', code: otherThan(code) })).toMatchObject({
      key: 'code.wrong',
      params: { left: 4 },
    });
    expect(await bindEmail(who, { email: 'seller@demo.bourse', code })).toMatchObject({
      key: 'register.used',
      field: 'email',
    });
    expect(await bindMobile(who, {})).toMatchObject({ key: 'common.fieldRequired', field: 'mobile' });
    expect(await bindMobile(who, { mobile: '12ab' })).toMatchObject({ key: 'register.mobileFalse', field: 'mobile' });
  });

  test('blocks withdrawals and notifies every contact; a change ends sessions [HARD-103]', async () => {
    const who = await people.register();
    const other = await people.signedIn(who.account);
    const mobile = '5550100771';
    expect((await bindMobile(who, { mobile, code: await people.codeFor(mobile, 'bind', who.caller) })).key).toBe(
      'bind.mobile',
    );
    expect(((await blockedUntil(who)) ?? 0) - auth.clock.now()).toBeGreaterThan(86_000_000);
    expect((await people.callerOf(other.token))?.userId).toBe(who.id);
    expect((await people.letters(who.account, 'security'))[0]).toContain('was added to your account. Withdrawals are');

    const news = heard(auth, who.id);
    const fresh = `fresh-${who.account}`;
    expect(
      (await bindEmail(who, { email: fresh.toUpperCase(), code: await people.codeFor(fresh, 'bind', who.caller) })).key,
    ).toBe('bind.email');
    expect(news.ended).toEqual([[other.caller.sessionId]]);
    news.stop();
    expect([await people.callerOf(other.token), (await people.callerOf(who.token))?.userId]).toEqual([null, who.id]);
    expect(((await blockedUntil(who)) ?? 0) - auth.clock.now()).toBeGreaterThan(86_000_000);
    for (const contact of [who.account, '5550100771'])
      expect((await people.letters(contact, 'security'))[0]).toContain('e-mail address of your account was changed');
    expect(await people.letters(fresh, 'security')).toEqual([]);
    expect((await people.login(who.account)).key).toBe('auth.wrong');
    expect((await people.login(fresh)).type).toBe('ok');
    expect((await auth.get('/api/user/center', { caller: who.caller })).message).toMatchObject({ security_level: 75 });
  });

  test('the block is business time and passes by itself', async () => {
    const who = await people.register();
    await auth.databases.query(
      `update auth.account set withdrawals_blocked_until = now() - interval '1 second' where id = $1`,
      [who.id],
    );
    expect(await blockedUntil(who)).toBeNull();
    expect(await auth.asks.ask(authAsks.withdrawals, { userId: 1 })).toEqual({ blockedUntil: null });
  });

  test('one code binds once, and one address is bound by only one of two concurrent requests', async () => {
    const [one, two] = [await people.register(), await people.register()];
    const code = await people.codeFor('shared@example.org', 'bind', one.caller);
    // Both hold the same right code: a second row of it, as if it had been sent twice.
    const answers = await Promise.all([
      bindEmail(one, { email: 'shared@example.org', code }),
      bindEmail(two, { email: 'shared@example.org', code }),
    ]);
    expect(answers.filter(({ type }) => type === 'ok')).toHaveLength(1);
    expect(await auth.databases.query(`select 1 from auth.account where email = 'shared@example.org'`)).toHaveLength(1);
  });

  test('a code of another scene binds nothing', async () => {
    const who = await people.register();
    const code = await people.codeFor('elsewhere@example.org', 'register');
    expect((await bindEmail(who, { email: 'elsewhere@example.org', code })).key).toBe('code.wrong');
  });
});

describe('calls of other services', () => {
  const send = (userId: number): Promise<unknown> =>
    auth.asks.ask(authAsks.sendCode, { userId, scene: 'draw_address', lang: 'de' });
  const use = (userId: number, code: string): Promise<unknown> =>
    auth.asks.ask(authAsks.useCode, { userId, scene: 'draw_address', code });

  test('a code for an address: 30 s apart, five tries, used once, for this person only [AUTH-102]', async () => {
    const [who, other] = [await people.register(), await people.register()];
    expect(await use(who.id, '123456')).toMatchObject({ ok: false, key: 'code.wrong' });
    expect(await send(who.id)).toEqual({ seconds: 30 });
    const again = (await send(who.id)) as { refused: string; params: { seconds: number } };
    expect(again.refused).toBe('code.tooSoon');
    expect(again.params.seconds).toBeGreaterThan(20);
    const code = await auth.code(who.account, 'draw_address');
    expect((await people.letters(who.account, 'draw_address'))[0]).toContain('Ihr Code');
    await send(other.id);
    expect(await use(other.id, code)).toMatchObject({ ok: false, key: 'code.wrong' });
    expect(await use(who.id, otherThan(code))).toEqual({ ok: false, key: 'code.wrong', params: { left: 4 } });
    const [first, second] = await Promise.all([use(who.id, code), use(who.id, code)]);
    expect([first, second].filter((verdict) => (verdict as { ok: boolean }).ok)).toHaveLength(1);
    expect(await use(who.id, code)).toMatchObject({ ok: false, key: 'code.expired' });
  });

  test('the public call sends no such code [AUTH-102]', async () => {
    const who = await people.register();
    expect(
      await auth.post('/api/sms_mail', { user_string: who.account, scene: 'draw_address' }, { caller: who.caller }),
    ).toMatchObject({ key: 'common.fieldInvalid', field: 'scene' });
  });

  test('a brute force on such a code ends after five tries, many at once too [AUTH-102]', async () => {
    const who = await people.register();
    await send(who.id);
    const code = await auth.code(who.account, 'draw_address');
    const verdicts = (await Promise.all(Array.from({ length: 12 }, () => use(who.id, otherThan(code))))) as {
      key: string;
    }[];
    expect(verdicts.map(({ key }) => key)).toEqual(Array.from({ length: 12 }, () => 'code.wrong'));
    expect(
      await auth.databases.query('select tries from auth.code where name_key = $1', [`email:${who.account}`]),
    ).toContainEqual({ tries: 5 });
    expect(await use(who.id, code)).toMatchObject({ ok: false, key: 'code.expired' });
  });

  test('the password of a signed-in person: ten wrong ones lock it, also for the right one [AUTH-101]', async () => {
    const who = await people.register();
    const verify = async (password: string): Promise<string> =>
      (await auth.get$(OwnPassword).verify(who.id, password)).kind;
    expect([await verify(PASSWORD), await verify('Wrong-1234'), await verify(FUND)]).toEqual([
      'right',
      'wrong',
      'wrong',
    ]);
    for (let count = 0; count < 12; count += 1) await verify('Wrong-1234');
    const [row] = await auth.databases.query<{ count: string }>('select count(*) from auth.failure where bucket = $1', [
      `own:${who.id}`,
    ]);
    expect(Number(row?.count)).toBe(10);
    expect(await verify(PASSWORD)).not.toBe('right');
    expect(await auth.post('/api/safe/freeze', { password: PASSWORD }, { caller: who.caller })).toMatchObject({
      key: 'common.tooMany',
      params: { seconds: 900 },
    });
    // Neither a lock of the sign-in, nor one that time does not end.
    expect((await people.login(who.account)).type).toBe('ok');
    await auth.databases.query(`update auth.failure set at = at - interval '16 minutes' where bucket = $1`, [
      `own:${who.id}`,
    ]);
    expect(await verify(PASSWORD)).toBe('right');
  });
});
