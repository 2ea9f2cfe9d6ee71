import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';
import { PASSWORD, peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

const show = async (who: Someone): Promise<{ code: string; left: number }> => {
  const answer = await auth.get('/api/user/authorization_code', { caller: who.caller });
  return { code: answer.message as string, left: answer['expires_in'] as number };
};
const enter = (account: string, code: string, device: Device = {}): Promise<Answered> =>
  auth.post('/api/user/device_login', { user_string: account, authorization_code: code }, device);

describe('sign-in of another device [AUTH-080]', () => {
  test('one code of eight characters until it is used; it opens one session, in any case of its letters', async () => {
    const who = await people.register();
    const { code, left } = await show(who);
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
    expect(left).toBe(600);
    expect((await show(who)).code).toBe(code);
    const answers = await Promise.all([enter(who.account, code.toLowerCase()), enter(who.account, code)]);
    const opened = answers.filter(({ type }) => type === 'ok');
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatchObject({ id: who.id });
    expect(await people.callerOf(opened[0]?.message)).toMatchObject({ userId: who.id, kind: 'user' });
    expect(answers.find(({ type }) => type !== 'ok')?.key).toBe('auth.wrong');
    expect((await enter(who.account, code)).key).toBe('auth.wrong');
    expect((await show(who)).code).not.toBe(code);
  });

  test('it ends after ten minutes, with the password, and with a change of address', async () => {
    const who = await people.register();
    const first = (await show(who)).code;
    await auth.databases.query(
      `update auth.authorization_code set expires_at = now() - interval '1 second' where user_id = $1`,
      [who.id],
    );
    expect((await enter(who.account, first)).key).toBe('auth.wrong');
    const second = (await show(who)).code;
    expect(second).not.toBe(first);
    const code = await people.codeFor(who.account, 'forget');
    expect(
      (
        await auth.post('/api/user/forget', {
          account: who.account,
          code,
          password: 'Anchor-1357',
          repassword: 'Anchor-1357',
        })
      ).key,
    ).toBe('forget.success');
    expect((await enter(who.account, second)).key).toBe('auth.wrong');
  });

  test('it ends with a sign-out, so that the session does not come back by it [AUTH-220]', async () => {
    const who = await people.register();
    const { code } = await show(who);
    await auth.post('/api/user/logout', {}, { caller: who.caller });
    expect((await enter(who.account, code)).key).toBe('auth.wrong');
  });

  test('none is shown to a session that has signed out [AUTH-220]', async () => {
    const who = await people.register();
    await auth.post('/api/user/logout', {}, { caller: who.caller });
    expect((await auth.get('/api/user/authorization_code', { caller: who.caller })).key).toBe('auth.expired');
  });

  test('answers one text for a wrong account, a wrong code, a foreign code, or no right to sign in', async () => {
    const [who, other] = [await people.register(), await people.register()];
    const { code } = await show(who);
    for (const [account, given] of [
      ['nobody@example.org', code],
      ['neither', code],
      [other.account, code],
      [who.account, 'ABCDEFGH'],
      ['maker@house.bourse', code],
      [who.account, 'x'.repeat(300)],
    ] as const) {
      expect(await enter(account, given)).toMatchObject({ type: 'error', key: 'auth.wrong' });
    }
    expect(await enter(who.account, '')).toMatchObject({ key: 'set.enterCode', field: 'authorization_code' });
    expect(await enter('', code)).toMatchObject({ key: 'set.enterAccount', field: 'user_string' });
    expect((await enter(who.account, code)).type).toBe('ok');
  });

  test("ten wrong codes close the door, account or none, but not the owner's known device [AUTH-101]", async () => {
    const who = await people.register();
    const home = { ip: '198.51.100.20', agent: 'home' };
    await people.signedIn(who.account, home);
    const { code } = await show(who);
    for (const account of [who.account, 'ghost@example.org']) {
      const answers = await Promise.all(
        Array.from({ length: 13 }, () => enter(account, 'WRONG234', { ip: '203.0.113.20', agent: 'stranger' })),
      );
      expect(answers.map(({ key }) => key).sort()).toEqual([
        ...Array.from({ length: 10 }, () => 'auth.wrong'),
        ...Array.from({ length: 3 }, () => 'common.tooMany'),
      ]);
    }
    expect(await enter(who.account, code, { ip: '203.0.113.20', agent: 'stranger' })).toMatchObject({
      key: 'common.tooMany',
      params: { seconds: 900 },
    });
    // The sign-in by password is another door.
    expect((await people.login(who.account, PASSWORD, {}, { ip: '203.0.113.20', agent: 'stranger' })).type).toBe('ok');
    expect((await enter(who.account, code, home)).type).toBe('ok');
  });

  test('stores the code sealed: the stored value is refused as a code [AUTH-104]', async () => {
    const who = await people.register();
    const { code } = await show(who);
    const [row] = await auth.databases.query<{ sealed: string }>(
      'select sealed from auth.authorization_code where user_id = $1',
      [who.id],
    );
    expect(row?.sealed).not.toContain(code);
    expect((await enter(who.account, row?.sealed ?? '')).key).toBe('auth.wrong');
  });
});

test('a sign-in from a new device sends a letter; the first ever and known ones do not [AUTH-121]', async () => {
  const who = await people.register();
  expect(await people.letters(who.account, 'security')).toEqual([]);
  await people.signedIn(who.account);
  expect(await people.letters(who.account, 'security')).toEqual([]);
  await people.signedIn(who.account, { ip: '203.0.113.77', agent: 'elsewhere' });
  expect(await people.letters(who.account, 'security')).toEqual([
    expect.stringMatching(/new device signed in.* UTC from the address 203\.0\.113\.77\./),
  ]);
  await people.signedIn(who.account, { ip: '203.0.113.77', agent: 'elsewhere' });
  expect(await people.letters(who.account, 'security')).toHaveLength(1);
  const { code } = await show(who);
  await enter(who.account, code, { ip: '203.0.113.78', agent: 'phone' });
  expect(await people.letters(who.account, 'security')).toHaveLength(2);
});
