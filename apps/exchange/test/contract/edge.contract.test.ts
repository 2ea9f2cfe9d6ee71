import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, get, post, put, signIn, type Answered } from './client.js';
import { createTraders, createNewcomer, operator, type Person } from './people.js';

let owner: Person, stranger: Person;
beforeAll(async () => {
  [owner, stranger] = await createTraders(2, { change: { 3: '100' } });
});

const CLOCK = '/dev/clock';
const raw = async (path: string, init: RequestInit): Promise<Answered> => {
  const response = await fetch(`${BASE}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Answered['body'] };
};
const form = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
});
const json = (body: string): RequestInit => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });
const said = ({ status, body }: Answered): [number, string, string | undefined] => [status, body.type, body.key];

describe('envelope and routes', () => {
  test('every answer has a request id of its own and is never cached [EDGE-010]', async () => {
    const [first, second] = await Promise.all([get('/api/time'), get('/api/time')]);
    expect(first.body).toEqual({
      type: 'ok',
      message: expect.any(Number),
      request_id: expect.stringMatching(/^\S{8,}$/),
    });
    expect(second.body.request_id).not.toBe(first.body.request_id);
    expect(first.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    '/api/nothing',
    '/api/time/',
    '/API/time',
    '/api/Time',
    '/api',
    '/dev/nothing',
    '/internal/routes',
    '/internal/ask',
    '/upi/nothing',
  ])('%s is nowhere [EDGE-010]', async (path) => {
    expect(said(await get(path))).toEqual([404, 'error', 'common.noRoute']);
    expect(said(await post(path))).toEqual([404, 'error', 'common.noRoute']);
  });

  test.each([
    ['POST', '/api/time'],
    ['DELETE', '/api/config'],
    ['PUT', '/api/user/login'],
    ['GET', '/api/user/login'],
    ['DELETE', '/api/coin/trade'],
    ['PATCH', '/api/coin/trade'],
  ])('%s %s is a wrong method [EDGE-010]', async (method, path) => {
    const answer = await call(method, path);
    expect(said(answer)).toEqual([405, 'error', 'common.noMethod']);
    expect(answer.headers.get('allow')).toBeTruthy();
  });

  test('the timestamp parameter and unknown fields are ignored [EDGE-003]', async () => {
    expect((await get('/api/time', { timestamp: 'whatever', unknown: 'x' })).body.type).toBe('ok');
  });

  test('texts have the requested language, keys never change [EDGE-013]', async () => {
    const [english, german, accepted, bad] = await Promise.all([
      get('/api/stream/since'),
      get('/api/stream/since', {}, { headers: { lang: 'de' } }),
      get('/api/stream/since', {}, { headers: { 'accept-language': 'de-AT,en;q=0.3' } }),
      get('/api/stream/since', {}, { headers: { lang: 'xx' } }),
    ]);
    expect([english, german, accepted, bad].map(({ body }) => body.key)).toEqual(Array(4).fill('auth.expired'));
    expect(german.body.message).not.toBe(english.body.message);
    expect([accepted.body.message, bad.body.message]).toEqual([german.body.message, english.body.message]);
  });
});

describe('bodies', () => {
  test.each<[string, RequestInit]>([
    ['a repeated form field', form('advance_seconds=1&advance_seconds=1')],
    ['a nested form field', form('advance_seconds[a]=1')],
    ['a list in a form', form('advance_seconds[]=1')],
    ['a NUL', form('scope=a%00b')],
    ['a control character', form('scope=a%07b')],
    ['a broken escape', form('scope=%zz')],
    ['broken UTF-8', form('scope=%ff%fe')],
    ['more than 200 fields', form(Array.from({ length: 201 }, (_, at) => `f${at}=1`).join('&'))],
    ['broken JSON', json('{"scope":')],
    ['a JSON list', json('[1]')],
    ['a JSON text', json('"x"')],
    ['nested JSON', json('{"scope":{"a":1}}')],
    ['a list in JSON', json('{"scope":["a"]}')],
    ['a repeated JSON field', json('{"scope":"a","scope":"b"}')],
    ['a NUL in JSON', json('{"scope":"\\u0000"}')],
    ['half a surrogate pair', json('{"scope":"\\ud83d"}')],
  ])('%s is a bad request [EDGE-003]', async (_, init) => {
    expect(said(await raw(CLOCK, init))).toEqual([400, 'error', 'common.badRequest']);
  });

  test.each(['a=1&a=2', 'a[b]=1', 'a=%00', 'a=%zz'])('a query %j is a bad request [EDGE-003]', async (query) => {
    expect(said(await raw(`/api/time?${query}`, {}))).toEqual([400, 'error', 'common.badRequest']);
  });

  test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/jsonx'])(
    '%s is not accepted [EDGE-003]',
    async (type) => {
      expect(said(await raw(CLOCK, { method: 'POST', body: 'x', headers: { 'content-type': type } }))).toEqual([
        415,
        'error',
        'common.mediaType',
      ]);
    },
  );

  test('a body above 100 kB is too large [EDGE-003]', async () => {
    expect(said(await raw(CLOCK, form(`scope=${'a'.repeat(110_000)}`)))).toEqual([413, 'error', 'common.tooLarge']);
    expect(said(await raw(CLOCK, json(`{"scope":"${'a'.repeat(110_000)}"}`)))).toEqual([
      413,
      'error',
      'common.tooLarge',
    ]);
  });

  test('an empty body is valid with any content type [EDGE-003]', async () => {
    for (const init of [{ method: 'POST' }, form(''), json('')])
      expect(said(await raw(CLOCK, init))).toEqual([200, 'error', 'common.fieldRequired']);
  });

  test('form, JSON and query carry the same names [EDGE-003]', async () => {
    const answers = await Promise.all([
      post(CLOCK, { set: '2001-01-01 00:00:00' }),
      post(CLOCK, { set: '2001-01-01 00:00:00' }, { json: true }),
      post(`${CLOCK}?set=2001-01-01%2000:00:00`),
    ]);
    for (const { body } of answers)
      expect(body).toMatchObject({ type: 'error', key: 'common.fieldInvalid', field: 'set' });
  });

  test('a JSON number is checked as it was written [EDGE-003]', async () => {
    const { token } = owner;
    const change = (number: string) =>
      raw('/api/wallet/change', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: token },
        body: `{"number":${number},"currency_id":3,"from_field":"change","to_field":"legal"}`,
      });
    for (const number of ['1e-3', '-1', '0.0000000001', '123456789012345678901234567890'])
      expect((await change(number)).body.type).toBe('error');
  });
});

describe('callers', () => {
  test.each([
    ['no token', {}],
    ['a word', { authorization: 'nonsense' }],
    ['a forged token', { authorization: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMDAwMDEiLCJzaWQiOiIxIn0.' }],
    ['a Bearer of nothing', { authorization: 'Bearer ' }],
    ['two tokens in one', { authorization: 'a b c' }],
  ])('%s is 999 with status 200 [EDGE-009]', async (_, headers) => {
    expect(said(await post('/api/wallet/list', {}, { headers }))).toEqual([200, '999', 'auth.expired']);
  });

  test('a token of which a character was changed is 999 [EDGE-009]', async () => {
    const { token } = owner;
    const middle = Math.floor(token.length / 2);
    const forged = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
    expect(said(await post('/api/wallet/list', {}, { token: forged }))).toEqual([200, '999', 'auth.expired']);
  });

  test('raw or Bearer, a good token is good; in the address or a cookie it is none [EDGE-009]', async () => {
    const { token } = owner;
    expect((await get('/api/user/info', {}, { token })).body.type).toBe('ok');
    expect((await get('/api/user/info', {}, { token: `Bearer ${token}` })).body.type).toBe('ok');
    expect((await get('/api/user/info', { token, authorization: token })).body.type).toBe('999');
    expect(
      (await get('/api/user/info', {}, { headers: { cookie: `token=${token}; authorization=${token}` } })).body.type,
    ).toBe('999');
  });

  test('user_id in a request is ignored [EDGE-009]', async () => {
    const { token } = owner;
    const [mine, named] = await Promise.all([
      get('/api/user/info', {}, { token }),
      get('/api/user/info', { user_id: 100002, address: 100002 }, { token }),
    ]);
    expect(named.body.message.id).toBe(mine.body.message.id);
  });

  test('an API key that is not known is 401 [EDGE-009]', async () => {
    expect(
      said(
        await get(
          '/api/user/info',
          {},
          { headers: { 'x-api-key': 'nobody', 'x-api-timestamp': String(Date.now()), 'x-api-signature': '00' } },
        ),
      ),
    ).toEqual([401, 'error', 'apikey.signature']);
  });

  test('a bad body is named before a missing token, that before a gate, a gate before fields [EDGE-002]', async () => {
    expect((await raw('/api/coin/trade', form('a=1&a=2'))).status).toBe(400);
    expect((await post('/api/coin/trade')).body.type).toBe('999');
    const newbie = await signIn('newbie@demo.bourse');
    expect((await post('/api/coin/trade', { amount: 'nonsense' }, { token: newbie })).body).toMatchObject({
      type: 'not',
      key: 'fund.notSet',
    });
  });
});

describe('money calls', () => {
  const transfer = (
    token: string,
    key: string | undefined,
    fields: Record<string, string> = {},
    path = '/api/wallet/change',
  ) =>
    post(
      path,
      { number: '0.01', currency_id: '3', from_field: 'change', to_field: 'legal', ...fields },
      { token, headers: key === undefined ? {} : { 'idempotency-key': key } },
    );
  const newKey = (): string => `edge-${Date.now()}-${Math.random().toString(36).slice(2)}`;

  test('same key and body: one effect, one answer, also at /api/command, for the owner only [EDGE-006]', async () => {
    const [one, two] = [owner.token, stranger.token];
    const key = newKey();
    const first = await transfer(one, key);
    expect(first.body).toMatchObject({
      type: 'ok',
      key: 'transfer.success',
      command_id: expect.any(String),
      id: expect.any(String),
    });
    const again = await transfer(one, key);
    expect(again.body).toMatchObject({ type: 'ok', id: first.body.id, command_id: first.body.command_id });
    expect((await transfer(one, key, { number: '0.02' })).body).toMatchObject({
      type: 'error',
      key: 'common.keyReused',
    });
    for (const name of [key, first.body.command_id!]) {
      expect((await get('/api/command', { key: name }, { token: one })).body).toMatchObject({
        type: 'ok',
        key: 'transfer.success',
        id: first.body.id,
      });
      expect((await get('/api/command', { key: name }, { token: two })).body).toMatchObject({
        type: 'error',
        key: 'common.notFound',
      });
    }
    expect((await transfer(two, key)).body.id).not.toBe(first.body.id);
    for (const token of [one, two])
      expect((await transfer(token, undefined, { from_field: 'legal', to_field: 'change' })).body.type).toBe('ok');
  });

  test('without a key repeats are new commands [EDGE-006]', async () => {
    const { token } = owner;
    const [there, back] = [
      await transfer(token, undefined),
      await transfer(token, undefined, { from_field: 'legal', to_field: 'change' }),
    ];
    expect(there.body.command_id).not.toBe(back.body.command_id);
    expect([there.body.type, back.body.type]).toEqual(['ok', 'ok']);
  });

  test('many at once with one key have one effect [EDGE-007]', async () => {
    const { token } = owner;
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => transfer(token, key)));
    const ids = new Set(answers.filter(({ body }) => body.type === 'ok').map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    for (const { body } of answers) if (body.type !== 'ok') expect(body.key).toBe('common.repeated');
    expect((await transfer(token, undefined, { from_field: 'legal', to_field: 'change' })).body.type).toBe('ok');
  });

  test.each(['short', 'x'.repeat(65), 'has space in it', 'semi;colon;'])(
    'a key %j is a bad request [EDGE-006]',
    async (key) => {
      expect(said(await transfer(owner.token, key))).toEqual([400, 'error', 'common.badRequest']);
    },
  );

  test('a refusal of the body is not kept under its key [EDGE-006]', async () => {
    const { token } = owner;
    const key = newKey();
    expect(
      (await raw('/api/wallet/change', form('number=1&number=2', { authorization: token, 'idempotency-key': key })))
        .status,
    ).toBe(400);
    expect((await transfer(token, key)).body.type).toBe('ok');
    expect((await transfer(token, undefined, { from_field: 'legal', to_field: 'change' })).body.type).toBe('ok');
  });

  test('a command that never was is not found [EDGE-006]', async () => {
    const { token } = owner;
    const key = newKey();
    // A gateway of the distributed run that has just been started may not say so yet: the one before it may have taken
    // the command.
    await eventuallySatisfied(
      () => get('/api/command', { key }, { token }),
      ({ status }) => status !== 202,
    );
    expect((await get('/api/command', { key }, { token })).body.key).toBe('common.notFound');
    expect((await get('/api/command', {}, { token })).body).toMatchObject({
      key: 'common.fieldRequired',
      field: 'key',
    });
  });
});

test(
  'past the rate the answer is 429 with the seconds to wait, for this person only [EDGE-004]',
  async () => {
    // Transfers are the lowest rate a signed-in person has: 10 a minute, 1,000 on a demo install. The fields are wrong,
    // so nothing moves. The user whose rate is used up here belongs to this test.
    const [{ token }, { token: other }] = [await createNewcomer(), owner];
    let refused: Answered | undefined;
    for (let sent = 0; sent < 2_100 && !refused; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => post('/api/wallet/change', {}, { token })));
      refused = answers.find(({ status }) => status === 429);
    }
    expect(refused?.body).toMatchObject({
      type: 'error',
      key: 'common.tooMany',
      params: { seconds: expect.any(Number) },
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    // Each answer names the narrowest rate that its call was counted in [EDGE-041].
    const rateHeaders = ({ headers }: Answered): (string | null)[] =>
      ['class', 'limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`));
    const [name, limit, left] = rateHeaders(refused as Answered);
    expect([name, left]).toEqual(['transfer', '0']);
    expect(Number(refused?.headers.get('ratelimit-reset'))).toBeGreaterThanOrEqual(1);
    expect(rateHeaders(await post('/api/wallet/change', {}, { token: other }))).toEqual([
      'transfer',
      limit,
      expect.stringMatching(/^[1-9]\d*$/),
    ]);
    expect(rateHeaders(await post('/api/quotation', {}))[0]).toBe('public');
    expect((await post('/api/wallet/change', {}, { token: other })).status).toBe(200);
    expect((await get('/api/user/info', {}, { token })).body.type).toBe('ok');
  },
  testTimeoutMs(15_000),
);

describe('around the calls', () => {
  test('security headers on pages and answers; no inline script in a page [EDGE-008]', async () => {
    for (const path of ['/', '/api/time']) {
      const { headers } = await fetch(`${BASE}${path}`);
      expect(headers.get('content-security-policy')).toMatch(/script-src 'self';/);
      expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(await (await fetch(`${BASE}/`)).text()).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
  });

  test('other origins cannot read, our own can; no cookies [EDGE-008]', async () => {
    const stranger = await fetch(`${BASE}/api/time`, { headers: { origin: 'https://evil.example' } });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    const own = await fetch(`${BASE}/api/time`, { headers: { origin: BASE } });
    expect(own.headers.get('access-control-allow-origin')).toBe(BASE);
    expect([stranger, own].map(({ headers }) => headers.get('access-control-allow-credentials'))).toEqual([null, null]);
    const preflight = await fetch(`${BASE}/api/coin/trade`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null]);
  });

  test('health, readiness and metrics are outside of the envelope [EDGE-014]', async () => {
    expect(JSON.parse((await get('/healthz')).text)).toEqual({ status: 'ok' });
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/metrics')).text).toContain('bourse_ready 1');
  });

  test('one document describes the calls of all services [EDGE-014]', async () => {
    const { paths } = JSON.parse((await get('/api/openapi.json')).text) as { paths: Record<string, unknown> };
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/api/time',
        '/api/user/login',
        '/api/wallet/list',
        '/api/coin/trade',
        '/api/quotation',
        '/api/news/list',
      ]),
    );
    expect(Object.keys(paths).filter((path) => path.startsWith('/internal'))).toEqual([]);
  });
});

test('calls that need no token are these and no others [EDGE-020]', async () => {
  const whole = await get('/api/admin/openapi.json', {}, { token: await operator('support1') });
  const { paths } = JSON.parse(whole.text) as {
    paths: Record<string, Record<string, { security?: unknown }>>;
  };
  const open = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls)
      .filter(([, { security }]) => security === undefined)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  // A new line here is a decision: state why the call may be made without a session.
  expect(open.sort()).toEqual([
    // The interface documents are public.
    'GET /api/asyncapi.json',
    // Transcript signatures can be checked without an account.
    'GET /api/c2c/transcript_keys',
    // Ads of people and of shops are for visitors, too (rules §14); they do not contain a shop's balances.
    'GET /api/c2c_deal_platform',
    'GET /api/config',
    'GET /api/country/list',
    // Terms of savings are public (rules §14).
    'GET /api/currency/deposit/config',
    'GET /api/currency/detail',
    'GET /api/currency/lhDepositLists',
    'GET /api/currency/list',
    'GET /api/currency/new_timeshar',
    'GET /api/currency/quotation_new',
    'GET /api/legal/ads',
    'GET /api/legal/shop',
    // The deposit of a shop is shown in the market, before an application.
    'GET /api/legal/terms',
    // The rates by which approximate values are shown, also to guests.
    'GET /api/market/rates',
    // Recorded prices and the keys that signed them are for everybody to check.
    'GET /api/market/tick_keys',
    'GET /api/market/ticks/day',
    'GET /api/market/trades',
    // The offered contracts, and the recorded prices that decide them, are public.
    'GET /api/microtrade/seconds',
    'GET /api/microtrade/ticks',
    'GET /api/openapi.json',
    'GET /api/quotation_new',
    // Liabilities are public; an image is authorised by the signature in its address; a device login by the code from
    // another device.
    'GET /api/solvency/latest',
    'GET /api/status',
    'GET /api/time',
    'GET /api/upload/{name}',
    'GET /dev/audit',
    'GET /dev/clock',
    'GET /dev/inbox',
    'GET /healthz',
    'GET /metrics',
    'GET /readyz',
    // The login for points alone.
    'POST /api/Independent/points',
    'POST /api/admin/login',
    // The members page sends no token; without one the shape of a team is visible, but no names.
    'POST /api/getNode',
    'POST /api/market/get_current',
    'POST /api/news/detail',
    'POST /api/news/list',
    'POST /api/quotation',
    'POST /api/quotation_new',
    'POST /api/set/lang',
    'POST /api/sms_mail',
    'POST /api/sms_send',
    'POST /api/transaction/deal',
    'POST /api/user/check_email',
    'POST /api/user/check_mobile',
    'POST /api/user/device_login',
    'POST /api/user/forget',
    'POST /api/user/login',
    'POST /api/user/passkey_login',
    'POST /api/user/passkey_options',
    'POST /api/user/register',
    'POST /dev/chain/blocks',
    'POST /dev/chain/deposit',
    'POST /dev/clock',
  ]);
});

test('PUT takes its fields from the query too [EDGE-003]', async () => {
  const { token } = owner;
  expect((await put('/api/coin/trade?id=1', {}, { token })).body).toMatchObject({
    type: 'error',
    key: 'common.notFound',
  });
  await eventuallySatisfied(
    () => put('/api/coin/trade', { id: '1' }, { token }),
    ({ body }) => body.key === 'common.notFound',
  );
});
