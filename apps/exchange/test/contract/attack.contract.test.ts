import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import {
  allCalls,
  each,
  FORM,
  isCoded,
  JSON_TYPE,
  raw,
  send,
  malformed,
  type KnownCall,
  type RawAnswer,
} from './attack.js';
import { findFailingChecks } from './audit.js';
import { get, post, type Body } from './client.js';
import {
  createCertified,
  codeFor,
  done,
  fund,
  createNewcomer,
  operator,
  PASSWORD,
  upload,
  type Person,
} from './people.js';

/*
 * Attacks on every call: the list is the exchange's own document, so a new call is attacked from its first day. Attacks
 * on single calls are in attack.objects.contract.test.ts.
 */
jest.setTimeout(testTimeoutMs(150_000));

const MARK = 'Victoria-Markworth';
let calls: KnownCall[];
let mallory: Person, victim: Person, fuzzer: Person;
let before: string;

const wallets = async (token: string): Promise<string> => {
  const { body } = await post('/api/wallet/list', {}, { token });
  const { change_wallet: change, legal_wallet: legal } = body.message;
  // Prices move by themselves; amounts must not.
  return JSON.stringify(
    [change, legal].map((group) =>
      group?.balance.map((row) => Object.entries(row).filter(([name]) => /balance$/.test(name))),
    ),
  );
};
beforeAll(async () => {
  [calls, mallory, victim, fuzzer] = await Promise.all([
    allCalls(),
    createCertified(),
    createCertified(MARK),
    createCertified(),
  ]);
  await fund(victim, { change: { 3: '1000' } });
  await done(
    post(
      '/api/coin/trade',
      { legal_id: 3, currency_id: 1, type: 1, target_price: '100', amount: '0.1' },
      { token: victim.token },
    ),
  );
  await done(
    post(
      '/api/user/set_bank_account',
      { real_name: MARK, bank_no: '4000123412341234', bank_name: MARK, region: 'Lisbon/Alfama', phone: '5550109999' },
      { token: victim.token },
    ),
  );
  before = await wallets(victim.token);
});

/** Calls that would break other tests, or that belong to the demo install. */
const ENDING = /\/(logout|freeze|login|device_login)$|^\/dev\/|\/solvency\/snapshot$/;
const signedIn = (): KnownCall[] => calls.filter(({ auth }) => auth === 'user' || auth === 'points');
/** Calls that take a picture in parts. */
const UPLOADS: readonly string[] = ['/api/upload', '/api/admin/upload'];
const writes = (): KnownCall[] => calls.filter(({ method, path }) => method !== 'GET' && !UPLOADS.includes(path));
const said = ({ status, body }: RawAnswer): string =>
  `${status} ${body.type ?? body.code} ${body.key ?? (body.msg as string | undefined) ?? ''}`.trim();
const isExpired = ({ path }: KnownCall, { status, body }: RawAnswer): boolean =>
  status === 200 && (isCoded(path) ? body.code === 999 : body.type === '999' && body.key === 'auth.expired');
/** Tries all of these on all calls and returns the failures, a line each. */
async function wrong<T>(
  list: readonly KnownCall[],
  tries: readonly T[],
  attack: (call: KnownCall, one: T) => Promise<string | null>,
): Promise<string[]> {
  const all = list.flatMap((call) => tries.map((one) => ({ call, one })));
  const found = await each(all, async ({ call, one }) => {
    const fault = await attack(call, one);
    return fault === null ? null : `${call.name} ${JSON.stringify(one).slice(0, 80)}: ${fault}`;
  });
  return found.filter((line) => line !== null);
}

test('the document names every call and its fields [ATTACK-001]', () => {
  expect(calls.length).toBeGreaterThan(70);
  expect(calls.filter(({ auth }) => auth === 'operator').length).toBeGreaterThan(10);
  expect(calls.filter(({ auth }) => !['public', 'user', 'points', 'operator', 'dev'].includes(auth))).toEqual([]);
  expect(calls.filter(({ money, auth }) => money && !['user', 'points', 'operator'].includes(auth))).toEqual([]);
});

describe('tokens', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = (head: object, secret?: string): string => {
    const payload = { sub: String(victim.id), sid: randomBytes(32).toString('hex'), iat: 1, exp: 4_000_000_000 };
    const claims = `${part(head)}.${part(payload)}`;
    return `${claims}.${secret === undefined ? '' : createHmac('sha256', secret).update(claims).digest('base64url')}`;
  };

  test('none, a forged one, a dead one: signed out, on every call that needs one [ATTACK-002]', async () => {
    const gone = await createNewcomer();
    await done(post('/api/user/logout', {}, { token: gone.token }));
    const [head, claims, signature = ''] = mallory.token.split('.');
    const tokens = [
      '',
      'x',
      'null',
      'Bearer',
      'Bearer undefined',
      forged({ alg: 'none', typ: 'JWT' }),
      forged({ alg: 'none' }, 'x'),
      forged({ alg: 'HS256', typ: 'JWT' }, 'secret'),
      forged({ alg: 'HS512', typ: 'JWT' }, 'secret'),
      `${head}.${claims}.`,
      `${head}.${part({ sub: String(victim.id), sid: 'x', exp: 4_000_000_000 })}.${signature}`,
      gone.token,
      'A'.repeat(4_000),
    ];
    const needing = calls.filter(({ auth }) => auth === 'user' || auth === 'points' || auth === 'operator');
    expect(
      await wrong(
        needing.filter(({ path }) => path !== '/api/upload'),
        tokens,
        async (call, token) => {
          const answer = await send(call, {}, token);
          return isExpired(call, answer) ? malformed(call, answer) : said(answer);
        },
      ),
    ).toEqual([]);
  });

  test('a token counts in its header only: not in the query, the body or a cookie [ATTACK-002]', async () => {
    expect(
      await wrong(
        signedIn().filter(({ path }) => path !== '/api/upload'),
        ['query', 'body', 'cookie', 'x-token'],
        async (call, where) => {
          const named = `token=${mallory.token}&Authorization=${mallory.token}&access_token=${mallory.token}`;
          const headers = {
            ...(where === 'cookie'
              ? { cookie: named.replaceAll('&', '; ') }
              : where === 'x-token'
                ? { 'x-token': mallory.token, 'x-access-token': mallory.token, 'x-bourse-context': mallory.token }
                : {}),
          };
          const answer = await raw(call.method, where === 'query' ? `${call.path}?${named}` : call.path, {
            headers: { ...headers, ...FORM },
            ...(call.method === 'GET' ? {} : { body: where === 'body' ? named : '' }),
          });
          return isExpired(call, answer) ? null : said(answer);
        },
      ),
    ).toEqual([]);
  });

  test("operators are refused on users' calls, users on operators', support on finance's [ATTACK-003]", async () => {
    const [admin, support] = [await operator('operator'), await operator('support1')];
    expect(
      await wrong(
        signedIn().filter(({ path }) => path !== '/api/upload'),
        [admin],
        async (call, token) => {
          const answer = await send(call, {}, token);
          return answer.status === 200 &&
            (isCoded(call.path) ? answer.body.code !== 0 : answer.body.key === 'common.noPermission')
            ? malformed(call, answer)
            : said(answer);
        },
      ),
    ).toEqual([]);
    const operators = calls.filter(({ auth }) => auth === 'operator');
    const refused = async (call: KnownCall, token: string): Promise<string | null> => {
      const answer = await send(call, { reason: 'because I can' }, token);
      return answer.status === 403 && answer.body.key === 'common.forbidden' ? malformed(call, answer) : said(answer);
    };
    expect(await wrong(operators, [mallory.token], refused)).toEqual([]);
    expect(
      await wrong(
        operators.filter(({ role }) => role !== 'support'),
        [support],
        refused,
      ),
    ).toEqual([]);
  });

  test('every write of an operator has a reason [ATTACK-003]', async () => {
    const admin = await operator('operator');
    expect(
      await wrong(
        calls.filter(({ auth, method, path }) => auth === 'operator' && method !== 'GET' && !path.endsWith('/logout')),
        ['', 'why', 'x'.repeat(501)],
        async (call, reason) => {
          const answer = await send(call, { reason }, admin);
          return answer.body.key === 'admin.reason' ? null : said(answer);
        },
      ),
    ).toEqual([]);
  });
});

describe('routes', () => {
  const bearer = (): Record<string, string> => ({ authorization: mallory.token });

  test('no other spelling of a path reaches a call [ATTACK-004]', async () => {
    const spellings: Record<string, (path: string) => string> = {
      'slash behind': (path) => `${path}/`,
      'two slashes': (path) => path.replace('/', '//'),
      'two inside': (path) => path.replace(/\/(?=[^/]*$)/, '//'),
      'upper case': (path) => path.replace(/[a-z](?=[^/]*$)/, (letter) => letter.toUpperCase()),
      dot: (path) => path.replace(/\/(?=[^/]*$)/, '/./'),
      'dot dot': (path) => path.replace(/\/(?=[^/]*$)/, '/x/../'),
      encoded: (path) => path.replace(/[a-z](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      'encoded slash': (path) => path.replace(/\/(?=[^/]*$)/, '%2f'),
      semicolon: (path) => `${path};jsessionid=1`,
      suffix: (path) => `${path}.json`,
      'NUL behind': (path) => `${path}%00`,
      'blank behind': (path) => `${path}%20`,
      backslash: (path) => path.replace(/\/(?=[^/]*$)/, '\\'),
    };
    expect(
      await wrong(
        calls.filter(({ path, auth }) => auth !== 'public' && !path.endsWith('/1')),
        Object.keys(spellings),
        async (call, how) => {
          const answer = await raw(call.method, spellings[how]!(call.path), { headers: bearer() });
          // A path without a call may be a page of the terminal, which is not an answer of a call.
          const reached = answer.status === 200 && /json/.test(String(answer.headers['content-type']));
          return reached || answer.status >= 500 ? said(answer) : null;
        },
      ),
    ).toEqual([]);
  });

  test('a wrong method is refused, HEAD reveals no more than GET, OPTIONS and TRACE nothing [ATTACK-004]', async () => {
    const methods = new Map<string, Set<string>>();
    for (const { path, method } of calls) methods.set(path, (methods.get(path) ?? new Set()).add(method));
    // GET /x/{id} answers to GET /x/reset too.
    for (const [path, known] of methods)
      for (const method of methods.get(path.replace(/[^/]*$/, '1')) ?? []) known.add(method);
    const paths = calls.filter(
      ({ path }, at) => calls.findIndex((other) => other.path === path) === at && !ENDING.test(path),
    );
    expect(
      await wrong(
        paths,
        ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'],
        async ({ path }, method) => {
          const known = methods.get(path)!;
          if (known.has(method)) return null;
          const answer = await raw(method, path, { headers: method === 'HEAD' ? {} : bearer() });
          if (method === 'HEAD') return answer.text !== '' || answer.status >= 500 ? said(answer) : null;
          return [404, 405].includes(answer.status) &&
            (answer.body.type === 'error' || answer.text === '' || isCoded(path))
            ? null
            : said(answer);
        },
      ),
    ).toEqual([]);
  });
});

describe('bodies', () => {
  const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const broken: Record<string, readonly [Record<string, string>, string | Buffer, number]> = {
    'a field twice': [FORM, 'amount=1&amount=2', 400],
    'a nested field': [FORM, 'amount[a]=1', 400],
    'a list': [FORM, 'id[]=1', 400],
    'a list in JSON': [JSON_TYPE, '{"id":["1"]}', 400],
    'an object in JSON': [JSON_TYPE, '{"id":{"$ne":1}}', 400],
    'twice in JSON': [JSON_TYPE, '{"id":1,"id":2}', 400],
    'a nested prototype': [JSON_TYPE, '{"__proto__":{"isAdmin":true}}', 400],
    'a constructor': [JSON_TYPE, '{"constructor":{"prototype":{"x":1}}}', 400],
    'a thousand fields': [FORM, Array.from({ length: 1_000 }, (_, at) => `f${at}=1`).join('&'), 400],
    NUL: [FORM, 'id=1%00', 400],
    'a control character': [FORM, 'id=1%1b', 400],
    'half a surrogate pair': [JSON_TYPE, '{"id":"\\ud800"}', 400],
    'broken UTF-8': [FORM, Buffer.from([0x69, 0x64, 0x3d, 0xc3, 0x28]), 400],
    'a broken escape': [FORM, 'id=%E0%A4%A', 400],
    'no JSON': [JSON_TYPE, '{id:1}', 400],
    'a JSON list': [JSON_TYPE, '[{"id":1}]', 400],
    'deep JSON': [JSON_TYPE, deep, 400],
    '200 kB': [FORM, `note=${'x'.repeat(200_000)}`, 413],
    'no type we take': [{ 'content-type': 'text/plain' }, 'id=1', 415],
    XML: [
      { 'content-type': 'application/xml' },
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
      415,
    ],
    'several parts': [
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--x--\r\n',
      415,
    ],
  };
  const keys: Record<number, string> = { 400: 'common.badRequest', 413: 'common.tooLarge', 415: 'common.mediaType' };

  test('every call refuses an unreadable body before any other check [ATTACK-005]', async () => {
    expect(
      await wrong(writes(), Object.keys(broken), async (call, what) => {
        const [headers, body, status] = broken[what]!;
        const answer = await raw(call.method, call.path, {
          headers: { ...headers, authorization: call.auth === 'operator' ? await operator('operator') : mallory.token },
          body,
        });
        return answer.status === status && answer.body.key === keys[status] ? malformed(call, answer) : said(answer);
      }),
    ).toEqual([]);
  });

  test('so is a query [ATTACK-005]', async () => {
    expect(
      await wrong(
        calls.filter(({ method }) => method === 'GET'),
        ['a=1&a=2', 'a[b]=1', 'a=%00', 'a=%zz', Array.from({ length: 201 }, (_, at) => `f${at}=1`).join('&')],
        async (call, query) => {
          const answer = await raw('GET', `${call.path}?${query}`, { headers: { authorization: mallory.token } });
          return answer.status === 400 && answer.body.key === 'common.badRequest' ? null : said(answer);
        },
      ),
    ).toEqual([]);
  });

  test('names of prototype properties are ordinary fields and give no rights [ATTACK-005]', async () => {
    const fields = {
      __proto__: 'x',
      constructor: 'x',
      toString: 'x',
      hasOwnProperty: 'x',
      isAdmin: '1',
      roles: 'admin',
      role: 'admin',
      kind: 'operator',
      caller: '1',
      userId: String(victim.id),
    };
    const text = `{"__proto__":"x",${JSON.stringify(fields).slice(1)}`;
    expect(
      await wrong(
        calls.filter(({ auth, method, path }) => auth === 'operator' && method !== 'GET' && !UPLOADS.includes(path)),
        [text],
        async (call, body) => {
          const answer = await raw(call.method, call.path, {
            headers: { ...JSON_TYPE, authorization: mallory.token },
            body,
          });
          return answer.status === 403 ? malformed(call, answer) : said(answer);
        },
      ),
    ).toEqual([]);
  });
});

describe('values', () => {
  /** Every name the contract knows, so that each call finds its own among them. */
  const NAMES = (
    'user_id id page limit page_size currency currency_id legal_id match_id type amount number target_price price ' +
    'share stop_price stop_limit_price trail_percent trail_amount activation_price take_profit stop_loss ' +
    'from to from_field to_field address address_id memo rate password pay_password re_password ' +
    'endpoint p256dh auth alerts trades deals ' +
    'repassword code totp_code passkey verification_code user_string account scene symbol period user_seq key label ' +
    'permissions ips name card_id front_pic reverse_pic hand_pic real_name bank_no bank_name region phone ' +
    'bank_account alipay_account alipay_collect wechat_account wechat_nickname wechat_collect word lang mobile ' +
    'email mobile_code email_code snapshot_id client_order_id order_id order_type time_in_force post_only stp ' +
    'deposit_id status state scope mode what pass username roles active reason_code note keyword role is_seller ' +
    'cause_type format signature data coin_name contract_address authorization_code extension_code nationality ' +
    'area_code country_code title content operator action target pageSize keywords'
  ).split(' ');
  const VALUES = [
    '1e9',
    '0x1F',
    'NaN',
    'Infinity',
    '-1',
    '-0',
    '+1',
    '1,000',
    '1_000',
    ' 1',
    '1.',
    '.5',
    '01',
    '0.0000000000000000000001',
    '1'.repeat(400),
    '9007199254740993',
    '999999999999999999999999',
    '١',
    '１',
    'true',
    'null',
    'undefined',
    '[]',
    '{}',
    '%',
    '💥💥💥💥',
    "' or '1'='1",
    "1'; select pg_sleep(3)--",
    '1) or 1=1',
    '../../../../etc/passwd',
    '${7*7}{{7*7}}',
    '\u202Eevil',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    'http://169.254.169.254/latest',
    'x'.repeat(8_000),
  ];

  test('values that are no number, id or allowed word have no effect, and no call fails [ATTACK-006]', async () => {
    const admin = await operator('operator');
    const tried = calls.filter(({ path }) => !ENDING.test(path) && path !== '/api/upload');
    // One code at the edge judges them: each call meets every third value, and each value every third call.
    const meets = (call: (typeof tried)[number], value: string): boolean =>
      (tried.indexOf(call) + VALUES.indexOf(value)) % 3 === 0;
    expect(
      await wrong(tried, VALUES, async (call, value) => {
        if (!meets(call, value)) return null;
        const fields = Object.fromEntries(NAMES.map((name) => [name, value]));
        const answer = await send(
          call,
          call.auth === 'operator'
            ? { ...fields, reason: 'an attack of the tests' }
            : value.length > 1_000
              ? { ...Object.fromEntries(NAMES.slice(0, 8).map((name) => [name, value])) }
              : fields,
          call.auth === 'operator' ? admin : call.auth === 'public' ? undefined : fuzzer.token,
        );
        if (call.money && answer.body.type === 'ok') return `was done: ${answer.text.slice(0, 200)}`;
        // The query of a GET may exceed the size limit of headers.
        return answer.status === 431 ? null : malformed(call, answer);
      }),
    ).toEqual([]);
  });

  test('a page beyond all pages, or none at all, is refused or empty [ATTACK-006]', async () => {
    const admin = await operator('operator');
    expect(
      await wrong(
        calls.filter(({ path, auth }) => auth !== 'dev' && !ENDING.test(path) && path !== '/api/upload'),
        [
          { page: '1000000000' },
          { page: '0' },
          { page: '-1' },
          { page: '1001' },
          { page: '1', limit: '101' },
          { page: '1', page_size: '100000' },
          { page: '1000', limit: '100' },
          { limit: '0' },
        ] as Record<string, string>[],
        async (call, fields) => {
          const answer = await send(
            call,
            { ...fields, reason: 'an attack of the tests' },
            call.auth === 'operator' ? admin : fuzzer.token,
          );
          return malformed(call, answer);
        },
      ),
    ).toEqual([]);
  });
});

/** Returns the e-mail address of a user who registered by phone and bound it afterwards. */
async function withUnusedAddress(): Promise<string> {
  const phone = { user_string: `91${randomInt(1e6, 1e7)}`, area_code: '351' };
  await done(post('/api/sms_send', { ...phone, scene: 'register' }));
  const code = await codeFor(phone.user_string, 'register');
  const password = { password: PASSWORD, re_password: PASSWORD };
  await done(post('/api/user/register', { type: 'mobile', ...phone, code, ...password }));
  const token = (await done(post('/api/user/login', { ...phone, password: PASSWORD }))).message;
  const email = `t${randomBytes(6).toString('hex')}@example.org`;
  await done(post('/api/sms_mail', { user_string: email, scene: 'bind' }, { token }));
  await done(post('/api/safe/email', { email, code: await codeFor(email, 'bind') }, { token }));
  return email;
}

describe('other people', () => {
  test('with any user id in the request the answer has no data of another user [ATTACK-007]', async () => {
    const { body: keyed } = await post(
      '/api/apikey',
      { label: MARK, permissions: 'read', password: 'fund66' },
      { token: victim.token },
    );
    const picture = await upload(victim.token, 'pay');
    const { body: sessions } = await get('/api/user/sessions', {}, { token: victim.token });
    const { body: orders } = await get('/api/coin/list', {}, { token: victim.token });
    const marks = [
      MARK,
      victim.account,
      keyed.message.key,
      /upload\/([^?]+)/.exec(picture)![1]!,
      sessions.message[0]!.id,
      orders.message.data[0]!.id,
      String(victim.id),
    ];
    const id = String(victim.id);
    const claims: Record<string, string>[] = [
      { user_id: id, userId: id, uid: id, id, owner: id },
      {
        user_id: id,
        address: id,
        account: victim.account,
        user_string: victim.account,
        account_number: victim.account,
        page: '1',
      },
    ];
    expect(
      await wrong(
        signedIn().filter(({ path }) => !ENDING.test(path) && path !== '/api/upload'),
        claims,
        async (call, fields) => {
          const answer = await send(call, fields, mallory.token);
          const sent = Object.values(fields);
          const leaked = marks.find((mark) => answer.text.includes(mark) && !sent.includes(mark));
          return leaked === undefined ? malformed(call, answer) : `tells ${leaked}: ${answer.text.slice(0, 200)}`;
        },
      ),
    ).toEqual([]);
    // Answers may repeat only the caller's own data: whatever the request claims, the caller stays the caller.
    expect((await get('/api/user/info', { user_id: victim.id }, { token: mallory.token })).body.message.id).toBe(
      mallory.id,
    );
  });

  test('no call reveals before the password whether an account exists [ATTACK-008]', async () => {
    // Registered by phone, so that no code of these scenes was sent to the address: the pause after a code would reveal
    // that instead of the account.
    const [known, unknown] = [await withUnusedAddress(), `nobody${randomBytes(5).toString('hex')}@example.org`];
    const alike = ({ type, key, message, params }: Body): unknown => ({ type, key, message, params });
    for (const [path, fields] of [
      ['/api/user/login', { password: 'not-the-one' }],
      ['/api/user/device_login', { authorization_code: 'ABCDEFGH' }],
      ['/api/Independent/points', { password: 'not-the-one' }],
      ['/api/sms_mail', { scene: 'forget' }],
      ['/api/sms_mail', { scene: 'login' }],
      ['/api/sms_mail', { scene: 'register' }],
      ['/api/user/forget', { password: PASSWORD, repassword: PASSWORD, code: '000000' }],
      ['/api/user/check_email', { scene: 'forget', email_code: '000000' }],
      ['/api/admin/login', { password: 'not-the-one' }],
    ] as const) {
      const [one, other] = await Promise.all(
        [known, unknown].map((account) => post(path, { user_string: account, account, username: account, ...fields })),
      );
      expect([path, alike(one!.body)]).toEqual([path, alike(other!.body)]);
    }
  });
});

test('after all of it nothing has moved, every row has its cause and the auditors are quiet [ATTACK-009]', async () => {
  expect(await wallets(victim.token)).toBe(before);
  for (const { token } of [mallory, victim, fuzzer])
    expect((await get('/api/statement/check', {}, { token })).body.message).toMatchObject({ ok: 1 });
  expect((await post('/api/account/list', {}, { token: fuzzer.token })).body.message).toMatchObject({ total: 0 });
  expect(await findFailingChecks()).toEqual([]);
});
