import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { call, get, keyOf, post, signIn, type Answered, type Body, type Fields } from './client.js';

// Slow hashes, one at a time.
jest.setTimeout(testTimeoutMs(15_000));

const PASSWORD = 'Harbor-2468';
const fresh = (): string => `t${randomBytes(6).toString('hex')}@example.org`;
const body = async <B extends Body>(answer: Promise<Answered<B>>): Promise<B> => (await answer).body;
const login = (fields: Fields, headers: Record<string, string> = {}) => post('/api/user/login', fields, { headers });

async function code(account: string, scene: string, send: Fields = {}, token?: string): Promise<string> {
  const sent = await body(post('/api/sms_mail', { user_string: account, scene, ...send }, { token }));
  if (sent.key !== 'code.sent') throw new Error(`code for ${account}: ${JSON.stringify(sent)}`);
  return newest(account, scene);
}
async function newest(to: string, scene: string): Promise<string> {
  const { message } = await body(get('/dev/inbox', { to, scene, limit: 1 }));
  const letter = (message as { code: string }[])[0];
  if (!letter) throw new Error(`no ${scene} letter to ${to}`);
  return letter.code;
}
const otherThan = (right: string): string => (right === '000000' ? '111111' : '000000');
async function register(more: Fields = {}): Promise<{ account: string; id: number; token: string }> {
  const account = fresh();
  const answer = await body(
    post('/api/user/register', {
      type: 'email',
      user_string: account,
      code: await code(account, 'register'),
      password: PASSWORD,
      re_password: PASSWORD,
      ...more,
    }),
  );
  expect(answer).toMatchObject({ type: 'ok', key: 'register.success', message: 'Registered' });
  return { account, id: answer.id, token: await signIn(account) };
}

let person: { account: string; id: number; token: string };
beforeAll(async () => {
  person = await register();
});

describe('country/list', () => {
  test('has every country once, +1 first', async () => {
    const { message } = await body(get('/api/country/list'));
    const list = message;
    expect(list.length).toBeGreaterThan(220);
    expect(list[0]).toEqual({ area_code: '+1', country_id: 840, name_cn: '美国', name_en: 'United States of America' });
    expect(new Set(list.map(({ country_id }) => country_id)).size).toBe(list.length);
    expect(
      list.every(
        ({ area_code, name_cn, name_en }) => /^\+\d{1,4}$/.test(area_code) && name_cn !== '' && name_en !== '',
      ),
    ).toBe(true);
    expect(list.find(({ area_code }) => area_code === '+86')?.name_cn).toBe('中国');
  });
});

describe('login', () => {
  test('answers a token and the id', async () => {
    const answer = await login({ user_string: 'TRADER1@demo.bourse', password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'ok', id: 100001 });
    const token = answer.body.message;
    expect(token.split('.')).toHaveLength(3);
    for (const authorization of [token, `Bearer ${token}`])
      expect(await body(get('/api/user/info', {}, { headers: { authorization } }))).toMatchObject({
        type: 'ok',
        message: { id: 100001 },
      });
  });

  test('by a phone number with its area code, also in JSON', async () => {
    expect(
      await body(login({ user_string: '5550100003', area_code: '1', area_code_id: 0, password: PASSWORD })),
    ).toMatchObject({ type: 'ok', id: 100003 });
    expect(
      await body(post('/api/user/login', { user_string: '5550100003', password: PASSWORD }, { json: true })),
    ).toMatchObject({ type: 'ok', id: 100003 });
    expect(await keyOf(login({ user_string: '5550100003', area_code: '44', password: PASSWORD }))).toBe('auth.wrong');
  });

  test.each<[string, Fields, string, string]>([
    ['nothing', {}, 'set.enterAccount', 'user_string'],
    ['no account', { password: PASSWORD }, 'set.enterAccount', 'user_string'],
    ['an empty account', { user_string: '', password: 'x' }, 'set.enterAccount', 'user_string'],
    ['no password', { user_string: 'trader1@demo.bourse' }, 'login.psw6', 'password'],
    ['five characters', { user_string: 'trader1@demo.bourse', password: '12345' }, 'login.psw6', 'password'],
    [
      'seventeen characters',
      { user_string: 'nobody@example.org', password: '12345678901234567' },
      'login.psw6',
      'password',
    ],
  ])('%s: refused in order [AUTH-001]', async (_, fields, key, field) => {
    expect(await body(login(fields))).toMatchObject({ type: 'error', key, field });
  });

  test('one answer for wrong passwords, unknown accounts and the house [AUTH-002]', async () => {
    const answers = await Promise.all(
      [
        [person.account, 'Wrong-1234'],
        [fresh(), PASSWORD],
        ['not an account', PASSWORD],
        ['maker@house.bourse', PASSWORD],
        ['taker@house.bourse', PASSWORD],
      ].map(([user_string, password]) => body(login({ user_string, password }))),
    );
    for (const { request_id, ...answer } of answers) {
      expect(request_id).not.toBe('');
      expect(answer).toEqual({ type: 'error', key: 'auth.wrong', message: 'Wrong account or password' });
    }
  });

  test('ten failures demand a code, which comes before everything but the fields [AUTH-001] [AUTH-003]', async () => {
    const { account } = await register();
    for (let count = 0; count < 10; count += 1)
      expect(await keyOf(login({ user_string: account, password: 'Wrong-1234' }))).toBe('auth.wrong');
    expect(await body(login({ user_string: account, password: PASSWORD }))).toMatchObject({
      type: 'error',
      key: 'set.enterCode',
      need: 'sms_code',
    });
    expect(await keyOf(login({ user_string: account, password: '12345' }))).toBe('login.psw6');
    const right = await code(account, 'login');
    expect(await keyOf(login({ user_string: account, password: 'Wrong-1234', sms_code: right }))).toBe('auth.wrong');
    expect(await body(login({ user_string: account, password: PASSWORD, sms_code: otherThan(right) }))).toMatchObject({
      key: 'code.wrong',
      params: { left: 4 },
    });
    expect(await body(login({ user_string: account, password: PASSWORD, sms_code: right }))).toMatchObject({
      type: 'ok',
    });
    expect(await body(login({ user_string: account, password: PASSWORD }))).toMatchObject({ type: 'ok' });
  });

  test('twenty failures leave only the reset [AUTH-003]', async () => {
    const { account } = await register();
    const attempt = (password: string): Promise<string | undefined> =>
      keyOf(login({ user_string: account, password, sms_code: '123456' }));
    for (let count = 0; count < 20; count += 1) expect(await attempt('Wrong-1234')).toBe('auth.wrong');
    expect(await attempt(PASSWORD)).toBe('login.resetOnly');
    const forgotten = await body(
      post('/api/user/forget', {
        account,
        code: await code(account, 'forget'),
        password: 'Anchor-1357',
        repassword: 'Anchor-1357',
      }),
    );
    expect(forgotten.key).toBe('forget.success');
    expect(await body(login({ user_string: account, password: 'Anchor-1357' }))).toMatchObject({ type: 'ok' });
  });
});

describe('tokens', () => {
  test.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMDAwMDEifQ.'])(
    '%j is 999 with status 200, never 401',
    async (token) => {
      const answer = await get('/api/user/info', {}, { headers: token === '' ? {} : { authorization: token } });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ type: '999', key: 'auth.expired' });
    },
  );

  test.each(['GET', 'POST'])('%s logout kills the token at once', async (method) => {
    const { message: token } = await body(login({ user_string: person.account, password: PASSWORD }));
    expect(await body(call(method, '/api/user/logout', {}, { token: token }))).toMatchObject({
      type: 'ok',
      key: 'logout.success',
    });
    expect(await body(get('/api/user/info', {}, { token: token }))).toMatchObject({ type: '999' });
    expect(await body(call(method, '/api/user/logout'))).toMatchObject({ type: '999' });
  });

  test('sessions are listed, and an own one can be ended', async () => {
    const { account, token } = await register();
    const { message: other } = await body(
      login({ user_string: account, password: PASSWORD }, { 'user-agent': 'another device' }),
    );
    const { message } = await body(get('/api/user/sessions', {}, { token }));
    const sessions = message;
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current === 1)).toHaveLength(1);
    const target = sessions.find(({ agent }) => agent === 'another device');
    expect(target).toMatchObject({ current: 0, created_at: expect.stringMatching(/^\d{4}-/) });
    expect(await keyOf(post('/api/user/session_revoke', { id: target?.id }, { token: person.token }))).toBe(
      'common.notFound',
    );
    expect(await keyOf(post('/api/user/session_revoke', {}, { token }))).toBe('common.fieldRequired');
    expect(await keyOf(post('/api/user/session_revoke', { id: target?.id }, { token }))).toBe('common.success');
    expect(await body(get('/api/user/info', {}, { token: other }))).toMatchObject({ type: '999' });
    expect(await keyOf(post('/api/user/session_revoke', { id: target?.id }, { token }))).toBe('common.notFound');
  });
});

describe('codes', () => {
  test.each<[string, string, Fields, string]>([
    ['no account', '/api/sms_mail', { scene: 'register' }, 'set.enterAccount'],
    ['no account by phone', '/api/sms_send', { scene: 'register' }, 'set.enterAccount'],
    ['not a mail address', '/api/sms_mail', { user_string: 'abc', scene: 'register' }, 'register.emailFalse'],
    [
      'too long',
      '/api/sms_mail',
      { user_string: `${'x'.repeat(60)}@example.org`, scene: 'register' },
      'register.emailFalse',
    ],
    ['not a number', '/api/sms_send', { user_string: 'abc', scene: 'register' }, 'register.mobileFalse'],
    ['four digits', '/api/sms_send', { user_string: '1234', scene: 'register' }, 'register.mobileFalse'],
    ['sixteen digits', '/api/sms_send', { user_string: '1234567890123456', scene: 'register' }, 'register.mobileFalse'],
    ['no scene without a token', '/api/sms_mail', { user_string: 'someone@example.org' }, 'common.fieldRequired'],
    [
      'an unknown scene',
      '/api/sms_mail',
      { user_string: 'someone@example.org', scene: 'withdraw' },
      'common.fieldInvalid',
    ],
  ])('%s: refused', async (_, path, fields, key) => {
    expect(await body(post(path, fields))).toMatchObject({ type: 'error', key });
  });

  test('are sent once a minute per account and scene [AUTH-020]', async () => {
    const account = fresh();
    expect(await body(post('/api/sms_mail', { user_string: account, type: 'register' }))).toMatchObject({
      type: 'ok',
      key: 'code.sent',
      seconds: 60,
      message: 'Code sent',
    });
    const again = await body(post('/api/sms_mail', { user_string: account, scene: 'register' }));
    expect(again).toMatchObject({ type: 'error', key: 'code.tooSoon' });
    expect(again.params?.['seconds']).toBeGreaterThan(50);
    expect(await body(post('/api/sms_mail', { user_string: account, scene: 'forget' }))).toMatchObject({
      type: 'ok',
      seconds: 31,
    });
    const { message } = await body(get('/dev/inbox', { to: account }));
    expect(message).toEqual([
      expect.objectContaining({
        to: account,
        scene: 'register',
        code: expect.stringMatching(/^\d{6}$/),
        text: expect.stringMatching(/\d{6}/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      }),
    ]);
  });

  test('a signed-in user without a scene gets a binding code', async () => {
    const account = fresh();
    expect(await newest(account, 'bind').catch(() => 'none')).toBe('none');
    expect(await keyOf(post('/api/sms_mail', { user_string: account }, { token: person.token }))).toBe('code.sent');
    expect(await newest(account, 'bind')).toMatch(/^\d{6}$/);
  });

  test('a registered user gets a note instead of a registration code, and the same answer [AUTH-023]', async () => {
    const { account: known } = await register();
    expect(
      await body(post('/api/sms_mail', { user_string: known, scene: 'register' })).then(({ key, seconds }) => ({
        key,
        seconds,
      })),
    ).toEqual({ key: 'code.tooSoon', seconds: undefined });
    const phone = `91${String(Date.now()).slice(-7)}`;
    expect(await keyOf(post('/api/sms_send', { user_string: phone, scene: 'register', area_code: '351' }))).toBe(
      'code.sent',
    );
    const registered = await body(
      post('/api/user/register', {
        type: 'mobile',
        user_string: phone,
        area_code: '351',
        code: await newest(phone, 'register'),
        password: PASSWORD,
        re_password: PASSWORD,
      }),
    );
    expect(registered.key).toBe('register.success');
    const answer = await body(post('/api/sms_send', { user_string: '5550100003', scene: 'register', area_code: '1' }));
    expect(['code.sent', 'code.tooSoon']).toContain(answer.key);
    expect(await newest('5550100003', 'register')).toBe('');
  });

  test('check calls use nothing up, and count as tries', async () => {
    const account = fresh();
    const right = await code(account, 'register');
    const check = (fields: Fields) => body(post('/api/user/check_email', fields));
    expect(await check({ user_string: account, scene: 'register' })).toMatchObject({
      type: 'error',
      key: 'set.enterCode',
    });
    expect(await check({ email_code: right, user_string: account, scene: 'register' })).toMatchObject({
      type: 'ok',
      key: 'code.ok',
    });
    expect(await check({ code: right, user_string: account })).toMatchObject({ type: 'ok' });
    expect(await check({ code: otherThan(right), user_string: account, scene: 'register' })).toMatchObject({
      type: 'error',
      key: 'code.wrong',
      params: { left: 2 },
    });
    expect(
      await body(post('/api/user/check_mobile', { mobile_code: right, user_string: '5559999999', scene: 'register' })),
    ).toMatchObject({ key: 'code.wrong' });
    await check({ code: otherThan(right), user_string: account });
    expect(await check({ code: otherThan(right), user_string: account })).toMatchObject({
      key: 'code.wrong',
      params: { left: 0 },
    });
    expect(await check({ code: right, user_string: account })).toMatchObject({ key: 'code.expired' });
  });
});

describe('registration [AUTH-010]', () => {
  const valid = {
    type: 'email',
    user_string: 'someone-new@example.org',
    code: '123456',
    password: PASSWORD,
    re_password: PASSWORD,
  };
  test.each<[string, Fields, string]>([
    ['no type', { type: '' }, 'common.fieldRequired'],
    ['another type', { type: 'pigeon', user_string: '' }, 'common.fieldInvalid'],
    ['no account', { user_string: '', code: '' }, 'set.enterAccount'],
    ['no mail address', { user_string: 'abc', code: '' }, 'register.emailFalse'],
    ['a mail address as a number', { type: 'mobile', code: '' }, 'register.mobileFalse'],
    ['no code', { code: '', password: '' }, 'set.enterCode'],
    ['no password', { password: '', re_password: 'x' }, 'register.psw16'],
    ['five characters', { password: '12345' }, 'register.psw16'],
    ['seventeen characters', { password: '12345678901234567' }, 'register.psw16'],
    ['a common password', { password: '12345678', re_password: '' }, 'register.pswCommon'],
    ['a common password in capitals', { password: 'PASSWORD', re_password: '' }, 'register.pswCommon'],
    ['the own name', { password: 'someone-new', re_password: '' }, 'register.pswCommon'],
    ['another repeat', { re_password: `${PASSWORD}x`, extension_code: 'abc' }, 'pswFalse'],
    ['no repeat', { re_password: '' }, 'pswFalse'],
    ['a short invite code', { extension_code: 'abc' }, 'register.inviteMin'],
    ['an unknown invite code', { extension_code: 'NOBODY-9' }, 'register.inviteUnknown'],
    ['a wrong code', {}, 'code.wrong'],
  ])('%s: refused in order', async (_, fields, key) => {
    expect(await body(post('/api/user/register', { ...valid, ...fields }))).toMatchObject({ type: 'error', key });
  });

  test('a refused registration leaves its code usable, a done one does not', async () => {
    const account = fresh();
    const right = await code(account, 'register');
    const submit = (fields: Fields = {}) =>
      body(post('/api/user/register', { ...valid, user_string: account, code: right, ...fields }));
    expect(await submit({ code: otherThan(right) })).toMatchObject({ key: 'code.wrong', params: { left: 4 } });
    expect(await submit({ extension_code: 'NOBODY-9' })).toMatchObject({ key: 'register.inviteUnknown' });
    expect(await submit()).toMatchObject({ type: 'ok', id: expect.any(Number) });
    expect(await submit()).toMatchObject({ type: 'error', key: 'code.expired' });
  });

  test('a new user has neither certificate nor fund password', async () => {
    const { message } = await body(get('/api/user/info', {}, { token: person.token }));
    expect(message).toMatchObject({
      id: person.id,
      email: person.account,
      phone: '',
      review_status: 0,
      has_fund_password: 0,
      totp: 0,
      is_seller: 0,
      is_acceptor: 0,
      is_region: 0,
      type: 0,
    });
    expect(message.extension_code.length).toBeGreaterThanOrEqual(4);
    expect(
      await body(
        post(
          '/api/coin/trade',
          { legal_id: 3, currency_id: 1, type: 1, target_price: '1', amount: '1' },
          { token: person.token },
        ),
      ),
    ).toMatchObject({ type: 'not', key: 'fund.notSet' });
  });

  test('an invite code is taken in any case, and the nationality stays', async () => {
    const { message } = await body(get('/api/user/info', {}, { token: person.token }));
    const { token } = await register({
      extension_code: message.extension_code.toLowerCase(),
      nationality: 'Portugal',
    });
    expect((await body(get('/api/user/info', {}, { token }))).message).toMatchObject({ nationality: 'Portugal' });
  });
});

describe('forgotten password', () => {
  const valid = {
    account: 'someone-else@example.org',
    code: '123456',
    password: 'Anchor-1357',
    repassword: 'Anchor-1357',
  };
  test.each<[string, Fields, string]>([
    ['no account', { account: '', code: '' }, 'set.enterAccount'],
    ['no code', { code: '', password: '' }, 'set.enterCode'],
    ['a short password', { password: '12345', repassword: '' }, 'register.psw16'],
    ['another repeat', { repassword: 'Anchor-1358' }, 'pswFalse'],
    ['a code nobody sent', {}, 'code.wrong'],
    ['what is no account', { account: 'not an account' }, 'code.wrong'],
  ])('%s: refused in order', async (_, fields, key) => {
    expect(await body(post('/api/user/forget', { ...valid, ...fields }))).toMatchObject({ type: 'error', key });
  });

  test('sets a new password and ends all sessions; a login code does not do it [AUTH-021] [AUTH-030]', async () => {
    const { account, token } = await register();
    const loginCode = await code(account, 'login');
    expect(await keyOf(post('/api/user/forget', { ...valid, account, code: loginCode }))).toBe('code.wrong');
    const right = await code(account, 'forget');
    expect(await body(post('/api/user/forget', { ...valid, account, code: right }))).toMatchObject({
      type: 'ok',
      key: 'forget.success',
    });
    expect(await body(get('/api/user/info', {}, { token }))).toMatchObject({ type: '999' });
    expect(await keyOf(login({ user_string: account, password: PASSWORD }))).toBe('auth.wrong');
    expect(await body(login({ user_string: account, password: 'Anchor-1357' }))).toMatchObject({ type: 'ok' });
    expect(
      await keyOf(
        post('/api/user/forget', {
          ...valid,
          account,
          code: right,
          password: 'Anchor-9999',
          repassword: 'Anchor-9999',
        }),
      ),
    ).toBe('code.expired');
  });
});

test('the reference currency follows the account, and only listed ones are taken [AUTH-213]', async () => {
  const { token, account } = await register();
  const own = async (session: string): Promise<string> =>
    (await body(get('/api/user/info', {}, { token: session }))).message.currency;
  expect(await own(token)).toBe('');
  for (const [fields, key] of [
    [{}, 'common.fieldRequired'],
    [{ currency: 'usd' }, 'common.fieldInvalid'],
    [{ currency: 'ETH' }, 'common.fieldInvalid'],
  ] as const)
    expect(await body(post('/api/set/currency', fields, { token }))).toMatchObject({ type: 'error', key });
  expect(await body(post('/api/set/currency', { currency: 'EUR' }))).toMatchObject({ type: '999' });
  expect(await own(token)).toBe('');
  expect(await body(post('/api/set/currency', { currency: 'EUR' }, { token }))).toMatchObject({
    type: 'ok',
    key: 'currency.saved',
  });
  await body(post('/api/user/logout', {}, { token }));
  const again = await body(login({ user_string: account, password: PASSWORD }));
  expect(await own(again.message as string)).toBe('EUR');
});

test('a call changes the preferences that it names, and they follow the account [AUTH-214]', async () => {
  const { token, account } = await register();
  const own = async (session: string): Promise<unknown> =>
    (await body(get('/api/user/info', {}, { token: session }))).message.preferences;
  const set = (fields: Record<string, string | number>, session?: string) =>
    body(post('/api/set/preferences', fields, session === undefined ? {} : { token: session }));
  expect(await own(token)).toEqual({});
  for (const [field, value] of Object.entries({
    theme: 'black',
    palette: 'CLASSIC',
    time_zone: 'Europe/Paris',
    ask_order: 'yes',
    ask_position: '2',
    ask_close: '-1',
    sound: 'on',
    keys: '00',
    favourites: '["BTC"]',
  }))
    expect(await set({ theme: 'white', [field]: value }, token)).toMatchObject({ key: 'common.fieldInvalid', field });
  expect(await set({ theme: 'white' })).toMatchObject({ type: '999' });
  expect(await own(token)).toEqual({});
  expect(await set({ theme: 'white', ask_close: '0', sound: 0 }, token)).toMatchObject({ key: 'preferences.saved' });
  expect(await set({ palette: 'colorblind', sound: '1', other: 'x' }, token)).toMatchObject({ type: 'ok' });
  expect(await set({}, token)).toMatchObject({ type: 'ok' });
  const pairs = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, at) => `C${at}/USDT`));
  expect(await set({ favourites: pairs(101) }, token)).toMatchObject({
    key: 'common.fieldInvalid',
    field: 'favourites',
  });
  for (const favourites of [pairs(100), '[]', 'BTC/USDT,ETH/USDT']) await set({ favourites }, token);
  await body(post('/api/user/logout', {}, { token }));
  const again = await body(login({ user_string: account, password: PASSWORD }));
  expect(await own(again.message as string)).toEqual({
    theme: 'white',
    palette: 'colorblind',
    ask_close: 0,
    sound: 1,
    favourites: ['BTC/USDT', 'ETH/USDT'],
  });
});

describe('language', () => {
  test('is stored with a token and used without a header', async () => {
    const { token } = await register();
    expect(await body(post('/api/set/lang', { lang: 'de' }))).toMatchObject({ type: 'ok', key: 'lang.saved' });
    expect(await body(post('/api/set/lang', { lang: 'xx' }, { token }))).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
      field: 'lang',
    });
    expect(await body(post('/api/set/lang', { lang: 'de' }, { token }))).toMatchObject({
      type: 'ok',
      key: 'lang.saved',
    });
    expect((await body(get('/api/user/info', {}, { token }))).message).toMatchObject({ lang: 'de' });
    const titles = async (headers: Record<string, string>): Promise<string | undefined> =>
      (await body(post('/api/news/list', { c_id: 36 }, { token, headers }))).message.list[0]?.title;
    expect(
      await eventuallySatisfied(
        () => titles({}),
        (title) => title === 'Vertragsverwaltung',
      ),
    ).toBe('Vertragsverwaltung');
    expect(await titles({ lang: 'fr' })).toBe('Gestion des contrats');
  });
});

describe('profile', () => {
  test('info and centre show the own account', async () => {
    const token = await signIn('trader3@demo.bourse');
    const info = await body(get('/api/user/info', {}, { token }));
    expect(info.message).toMatchObject({
      id: 100003,
      email: 'trader3@demo.bourse',
      phone: '5550100003',
      area_code: '1',
      area_code_id: 0,
      review_status: 2,
      has_fund_password: 1,
      totp: 0,
      type: 0,
      lang: expect.stringMatching(/^[a-z]{2}$/),
    });
    expect(Object.keys(info.message).sort()).toEqual([
      'account_number',
      'area_code',
      'area_code_id',
      'currency',
      'email',
      'extension_code',
      'has_fund_password',
      'id',
      'is_acceptor',
      'is_region',
      'is_seller',
      'lang',
      'nationality',
      'phone',
      'preferences',
      'review_status',
      'totp',
      'type',
    ]);
    expect((await body(get('/api/user/center', {}, { token }))).message).toMatchObject({
      review_status: 2,
      review_reason: '',
      cashinfo_status: 0,
      security_level: 100,
      bank: null,
      card_id: expect.stringMatching(/\*/),
    });
    expect(
      (await body(get('/api/user/center', {}, { token: await signIn('trader1@demo.bourse') }))).message,
    ).toMatchObject({ cashinfo_status: 1, security_level: 75, bank: { region: 'Lisbon/Alfama' } });
    expect(
      (await body(get('/api/user/center', {}, { token: await signIn('newbie@demo.bourse') }))).message,
    ).toMatchObject({ review_status: 0, cashinfo_status: 0, security_level: 50, name: '', card_id: '' });
  });

  test("another person's id in the request changes nothing", async () => {
    expect((await body(get('/api/user/info', { user_id: 100001 }, { token: person.token }))).message).toMatchObject({
      id: person.id,
    });
  });
});

describe('fund password', () => {
  test('is refused in order, set, and then known at once [AUTH-041]', async () => {
    const { account, token } = await register();
    const passwordState = () => body(post('/api/safe/judge_password', {}, { token }));
    const set = (fields: Fields) => body(post('/api/safe/update_password', fields, { token }));
    expect(await passwordState()).toMatchObject({ type: 'not', key: 'fund.notSet', is_set: 0 });
    for (const password of ['', 'fund6', 'fund666', 'fund-6', 'Harbor'])
      expect(await set({ password, re_password: 'x' })).toMatchObject({ type: 'error', key: 'fund.format' });
    expect(await set({ password: 'ships7', re_password: 'ships8' })).toMatchObject({ key: 'pswFalse' });
    expect(await set({ password: 'ships7', re_password: 'ships7' })).toMatchObject({ key: 'set.enterCode' });
    expect(await set({ password: 'ships7', re_password: 'ships7', code: '123456' })).toMatchObject({
      key: 'code.wrong',
    });
    const right = await code(account, 'fund', {}, token);
    expect(await set({ password: 'ships7', re_password: 'ships7', code: right })).toMatchObject({
      type: 'ok',
      key: 'fund.saved',
    });
    expect(await set({ password: 'ships7', re_password: 'ships7', code: right })).toMatchObject({
      key: 'code.expired',
    });
    expect(await passwordState()).toMatchObject({ type: 'ok', key: 'fund.set', is_set: 1 });
    // The next gate applies now: no longer `not`, but the missing KYC.
    expect(
      await body(
        post('/api/coin/trade', { legal_id: 3, currency_id: 1, type: 1, target_price: '1', amount: '1' }, { token }),
      ),
    ).toMatchObject({ type: '998', key: 'kyc.required' });
  });
});

test('calls of a signed-in person are 999 without a token', async () => {
  for (const [method, path] of [
    ['GET', '/api/user/info'],
    ['GET', '/api/user/center'],
    ['GET', '/api/user/sessions'],
    ['POST', '/api/user/session_revoke'],
    ['POST', '/api/safe/judge_password'],
    ['POST', '/api/safe/update_password'],
  ] as const) {
    expect({ path, ...(await body(call(method, path))) }).toMatchObject({ path, type: '999', key: 'auth.expired' });
  }
});
