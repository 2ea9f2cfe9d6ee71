import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { ContactForms } from '../../src/shared/persistence/contact-forms.js';
import { Passwords } from '../../src/shared/application/ports/passwords.js';
import type { Caller } from '@bourse/platform';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { codeOf, PASSWORD, peopleOf } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);
const operator = async (): Promise<Caller> => {
  const { message } = await auth.post('/api/admin/login', {
    username: 'support1',
    password: PASSWORD,
  });
  const caller = await people.callerOf(message);
  if (!caller) throw new Error(`no operator signed in: ${JSON.stringify(message)}`);
  return caller;
};
const rowsOf = (answer: Answered): Record<string, unknown>[] =>
  (answer.message as { data: Record<string, unknown>[] }).data;

describe('a password that keyboards write in two forms', () => {
  const COMPOSED = 'Bl\u00fcmchen-77'.normalize('NFC');
  const DECOMPOSED = COMPOSED.normalize('NFD');

  async function register(account: string, password: string, repeated: string): Promise<Answered> {
    return auth.post('/api/user/register', {
      ...{ type: 'email', user_string: account, code: await people.codeFor(account, 'register') },
      ...{ password, re_password: repeated },
    });
  }

  test.each([
    ['composed', COMPOSED, DECOMPOSED],
    ['decomposed', DECOMPOSED, COMPOSED],
  ])('signs in in both when it was chosen %s, and is confirmed in both [CLIENT-200]', async (form, chosen, other) => {
    const account = `${form}@example.org`;
    expect((await register(account, chosen, other)).key).toBe('register.success');
    for (const written of [chosen, other]) {
      const { message, type } = await people.login(account, written);
      expect(type).toBe('ok');
      const caller = await people.callerOf(message);
      expect((await auth.post('/api/user/confirm_password', { password: written }, { caller })).key).toBe(
        'auth.confirmed',
      );
    }
  });

  test('has as many characters in both forms, and is refused by the normalized one [CLIENT-200]', async () => {
    const korean = '\uc548\ub155\ud558\uc138\uc694\uc138\uacc477'.normalize('NFD');
    expect([...korean].length).toBeGreaterThan(16);
    expect((await register('korean@example.org', korean, korean)).key).toBe('register.success');
    expect((await people.login('korean@example.org', korean)).type).toBe('ok');
    expect((await people.login('korean@example.org', korean.normalize('NFC'))).type).toBe('ok');
    // Six characters that are three in the normalized form.
    expect((await register('short@example.org', 'e\u0301e\u0301e\u0301', 'e\u0301e\u0301e\u0301')).key).toBe(
      'register.psw16',
    );
  });

  test('with a hash of before signs in as it was sent, and in both forms afterwards [CLIENT-200]', async () => {
    const { account, id } = await people.register();
    const passwords = auth.get$(Passwords);
    // As an earlier release hashed it: without normalizing.
    const old = await (passwords as unknown as { hashed(password: string): Promise<string> }).hashed(DECOMPOSED);
    await auth.databases.query('update auth.account set password_hash = $2 where id = $1', [id, old]);
    expect((await people.login(account, COMPOSED)).key).toBe('auth.wrong');
    expect((await people.login(account, DECOMPOSED)).type).toBe('ok');
    expect((await people.login(account, COMPOSED)).type).toBe('ok');
    expect((await people.login(account, DECOMPOSED)).type).toBe('ok');
  });

  test('is set in one form after it was forgotten, and opens in the other [CLIENT-200]', async () => {
    const { account } = await people.register();
    const fields = { account, code: await people.codeFor(account, 'forget') };
    expect((await auth.post('/api/user/forget', { ...fields, password: DECOMPOSED, repassword: COMPOSED })).key).toBe(
      'forget.success',
    );
    expect((await people.login(account, COMPOSED)).type).toBe('ok');
  });
});

describe('a telephone', () => {
  const register = async (phone: string, area: string): Promise<Answered> => {
    const who = { user_string: phone, area_code: area };
    const sent = await auth.post('/api/sms_send', { ...who, scene: 'register' });
    if (sent.key !== 'code.sent') return sent;
    // The account that has the telephone already gets a note without a code.
    const code = (await auth.code(phone, 'register')) || '123456';
    await people.forgetPause();
    const password = { password: PASSWORD, re_password: PASSWORD };
    return auth.post('/api/user/register', { type: 'mobile', ...who, code, ...password });
  };
  const login = (phone: string, area: string): Promise<Answered> => people.login(phone, PASSWORD, { area_code: area });

  test('is one account in all its spellings, for registration, sign-in and reset [CLIENT-201]', async () => {
    expect((await register('17612345678', '49')).key).toBe('register.success');
    const { id } = await login('17612345678', '49');
    for (const [phone, area] of [
      ['017612345678', '49'],
      ['004917612345678', '49'],
      ['4917612345678', '49'],
      ['17612345678', '0049'],
      ['17612345678', '+49'],
    ] as const) {
      expect([phone, (await register(phone, area)).key]).toEqual([phone, expect.stringMatching(/^code\.|used$/)]);
      expect([phone, (await login(phone, area)).id]).toEqual([phone, id]);
    }
    expect(
      (await auth.post('/api/sms_send', { user_string: '017612345678', area_code: '49', scene: 'forget' })).key,
    ).toBe('code.sent');
    const code = await auth.code('017612345678', 'forget');
    const reset = { account: '4917612345678', area_code: '49', code, password: 'Ocean-1357', repassword: 'Ocean-1357' };
    expect((await auth.post('/api/user/forget', reset)).key).toBe('forget.success');
    const { message } = await people.login('17612345678', 'Ocean-1357', { area_code: '49' });
    const caller = await people.callerOf(message);
    expect((await auth.get('/api/user/info', { caller })).message).toMatchObject({
      phone: '17612345678',
      area_code: '49',
    });
  });

  test('of one account is refused to another in every spelling [CLIENT-201]', async () => {
    expect((await register('15112345678', '49')).key).toBe('register.success');
    const who = await people.register();
    const mobile = { mobile: '015112345678', area_code: '49' };
    const sent = { user_string: mobile.mobile, area_code: '49', scene: 'bind' };
    expect((await auth.post('/api/sms_send', sent, { caller: who.caller })).key).toBe('code.sent');
    const code = await auth.code(mobile.mobile, 'bind');
    expect(await auth.post('/api/safe/mobile', { ...mobile, code }, { caller: who.caller })).toMatchObject({
      key: 'register.used',
      field: 'mobile',
    });
  });

  test.each([
    ['17612345678', '999'],
    ['12345', '1'],
    ['12345', '86'],
    ['00447911123456', '49'],
  ])('%s of area code %s, which is not possible, is register.mobileFalse [CLIENT-201]', async (phone, area) => {
    expect(await register(phone, area)).toMatchObject({ key: 'register.mobileFalse', field: 'user_string' });
    expect(
      (
        await auth.post('/api/user/register', {
          ...{ type: 'mobile', user_string: phone, area_code: area, code: '123456' },
          ...{ password: PASSWORD, re_password: PASSWORD },
        })
      ).key,
    ).toBe('register.mobileFalse');
  });

  test('of two accounts of before signs each in as it registered; operators see both [CLIENT-201]', async () => {
    const [one, two] = [await people.register(), await people.register()];
    const asBefore = async (id: number, phone: string, area: string): Promise<void> => {
      await auth.databases.query(
        `update auth.account set phone = $2, area_code = $3, phone_key = $4, phone_form = null where id = $1`,
        [id, phone, area, `mobile:+${area} ${phone}`],
      );
    };
    await asBefore(one.id, '1701234567', '49');
    await asBefore(two.id, '01701234567', '49');
    const third = await people.register();
    await asBefore(third.id, '12345', '999');
    await auth.get$(ContactForms).fill();
    expect((await login('1701234567', '49')).id).toBe(one.id);
    expect((await login('01701234567', '49')).id).toBe(two.id);
    expect((await login('491701234567', '49')).key).toBe('auth.wrong');
    expect((await login('12345', '999')).id).toBe(third.id);
    expect((await register('00491701234567', '49')).key).toBe('register.used');

    const caller = await operator();
    const listed = rowsOf(await auth.get('/api/admin/users?role=same_contact', { caller }));
    expect(listed.map(({ id, same_contact }) => [id, same_contact]).sort()).toEqual(
      [
        [one.id, [two.id]],
        [two.id, [one.id]],
      ].sort(),
    );
    expect((await auth.get(`/api/admin/users/${one.id}`, { caller })).message).toMatchObject({
      same_contact: [two.id],
    });
  });
});

test('an e-mail is one account in every form of its domain [CLIENT-205]', async () => {
  const written = 'anna@b\u00fccher.example';
  const code = await people.codeFor(written, 'register');
  const fields = { type: 'email', code, password: PASSWORD, re_password: PASSWORD };
  expect((await auth.post('/api/user/register', { ...fields, user_string: written })).key).toBe('register.success');
  const ascii = 'anna@xn--bcher-kva.example';
  const [one, other] = [await people.login(written), await people.login(ascii)];
  expect([one.type, other.id]).toEqual(['ok', one.id]);
  const again = await people.codeFor(ascii, 'register').catch(() => '000000');
  expect((await auth.post('/api/user/register', { ...fields, code: again, user_string: ascii })).key).not.toBe(
    'register.success',
  );
});

describe('a code', () => {
  test.each([(code: string) => `${code.slice(0, 3)} ${code.slice(3)}`, (code: string) => ` ${code}-`])(
    'that was sent is right with blanks and hyphens %# [CLIENT-202]',
    async (copied) => {
      const account = `copied${copied('123456').length}@example.org`;
      const code = copied(await people.codeFor(account, 'register'));
      expect(
        (await auth.post('/api/user/check_email', { user_string: account, email_code: code, scene: 'register' })).key,
      ).toBe('code.ok');
      expect(
        (
          await auth.post('/api/user/register', {
            ...{ type: 'email', user_string: account, code },
            ...{ password: PASSWORD, re_password: PASSWORD },
          })
        ).key,
      ).toBe('register.success');
    },
  );

  test('of an authenticator is right with a blank, and none at all is missing [CLIENT-202]', async () => {
    const who = await people.register();
    const { caller } = who;
    const { message } = await auth.post('/api/safe/totp_setup', {}, { caller });
    const { secret } = message as { secret: string };
    const code = codeOf(secret);
    expect(
      (await auth.post('/api/safe/totp_enable', { totp_code: `${code.slice(0, 3)} ${code.slice(3)}` }, { caller })).key,
    ).toBe('totp.enabled');
    expect((await people.login(who.account, PASSWORD, { totp_code: ' - ' })).key).toBe('login.totpRequired');
    expect((await auth.post('/api/safe/totp_enable', { totp_code: ' - ' }, { caller })).key).toBe(
      'common.fieldRequired',
    );
  });
});

describe('the number of an id card', () => {
  test('that several accounts hand in shows each the others, in any case and with any blanks [HARD-501]', async () => {
    const submit = async (cardId: string): Promise<number> => {
      const who = await people.register();
      const pictures = { front_pic: people.upload(who.id, 'kyc'), reverse_pic: people.upload(who.id, 'kyc') };
      const papers = { name: 'Anna Harbour', card_id: cardId, ...pictures };
      expect((await auth.post('/api/user/real_name', papers, { caller: who.caller })).type).toBe('ok');
      return who.id;
    };
    const same = [await submit('ab 123 456'), await submit('AB123456'), await submit('\uff41b12 3456')];
    const other = await submit('AB123457');
    const caller = await operator();
    const rowOf = async (id: number): Promise<unknown> =>
      rowsOf(await auth.get(`/api/admin/kyc?user_id=${id}`, { caller }))[0]?.['same_card'];
    for (const id of same) expect(await rowOf(id)).toEqual(same.filter((each) => each !== id).sort((a, b) => a - b));
    expect(await rowOf(other)).toEqual([]);
  });
});

test('a freeze by an operator and its end are among the personal notices and letters [HARD-502]', async () => {
  const who = await people.register();
  const caller = await operator();
  const freeze = (scope: string): Promise<Answered> =>
    auth.post('/api/admin/users/freeze', { user_id: String(who.id), scope, reason: 'asked by the police' }, { caller });
  for (const scope of ['withdraw', 'withdraw', 'all', 'none']) expect((await freeze(scope)).type).toBe('ok');
  expect(await people.letters(who.account, 'security')).toEqual([
    expect.stringContaining('lifted the freeze'),
    expect.stringContaining('is frozen'),
    expect.stringContaining('frozen a part'),
  ]);
});

describe('wrong tries do not tell whether a name has an account', () => {
  type Typed = readonly [account: string, areaCode?: string];
  const stranger = { ip: '203.0.113.91', agent: 'stranger' };
  const tryPassword = async (account: string, area_code?: string): Promise<string | undefined> =>
    (await people.login(account, 'Wrong-1111', area_code === undefined ? {} : { area_code }, stranger)).key;
  const tryCode = async (account: string, area_code?: string): Promise<string | undefined> =>
    (
      await auth.post(
        '/api/user/device_login',
        { user_string: account, authorization_code: 'WRONG234', ...(area_code === undefined ? {} : { area_code }) },
        stranger,
      )
    ).key;
  async function bindTelephone(mobile: string, area_code: string): Promise<void> {
    const { caller } = await people.register();
    await auth.post('/api/sms_send', { user_string: mobile, area_code, scene: 'bind' }, { caller });
    const code = await auth.code(mobile, 'bind');
    expect((await auth.post('/api/safe/mobile', { mobile, area_code, code }, { caller })).type).toBe('ok');
  }
  async function bindEmail(email: string): Promise<void> {
    const { caller } = await people.register();
    const code = await people.codeFor(email, 'bind', caller);
    expect((await auth.post('/api/safe/email', { email, code }, { caller })).type).toBe('ok');
  }

  test.each([
    ['password', tryPassword, 'set.enterCode'],
    ['code of a device', tryCode, 'common.tooMany'],
  ] as const)(
    'by %s: all spellings of one count together, other names apart [AUTH-219]',
    async (_what, attempt, lock) => {
      const digits = attempt === tryPassword ? '1512345' : '1512346';
      const domain = attempt === tryPassword ? 'b\u00fccher.example' : 'm\u00fcnchen.example';
      const ascii = attempt === tryPassword ? 'xn--bcher-kva.example' : 'xn--mnchen-3ya.example';
      await bindTelephone(`${digits}1111`, '49');
      await bindEmail(`known@${domain}`);

      const rows: readonly (readonly [typed: Typed, again: Typed, otherName: Typed])[] = [
        [
          [`${digits}1111`, '49'],
          [`0${digits}1111`, '+49'],
          [`${digits}1111`, '43'],
        ],
        [
          [`${digits}2222`, '49'],
          [`0${digits}2222`, '+49'],
          [`${digits}2222`, '43'],
        ],
        [[`known@${domain}`], [`KNOWN@${ascii}`], [`known2@${domain}`]],
        [[`ghost@${domain}`], [`GHOST@${ascii}`], [`ghost2@${domain}`]],
      ];
      for (const [typed, again, otherName] of rows) {
        for (let count = 0; count < 10; count += 1) expect(await attempt(...typed)).toBe('auth.wrong');
        expect([typed, await attempt(...typed)]).toEqual([typed, lock]);
        expect([again, await attempt(...again)]).toEqual([again, lock]);
        expect([otherName, await attempt(...otherName)]).toEqual([otherName, 'auth.wrong']);
      }
    },
  );

  test('a text that is no name does not count against the name whose key it spells [AUTH-219]', async () => {
    for (let count = 0; count < 11; count += 1) await tryPassword('mobile:+4915123453333');
    expect(await tryPassword('mobile:+4915123453333')).toBe('set.enterCode');
    expect(await tryPassword('15123453333', '49')).toBe('auth.wrong');
  });
});
