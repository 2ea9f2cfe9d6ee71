import { describe, expect, test } from '@jest/globals';
import { ApiClient, type ClientOptions } from './client.js';
import { ApiError, NetworkError } from './errors.js';
import { reactionTo } from './reaction.js';

interface Call {
  url: string;
  init: RequestInit;
}

/** A client over scripted answers; an `Error` in the script is a network failure. */
function clientOver(
  script: (Error | { status?: number; body: unknown })[],
  options: Partial<ClientOptions> = {},
): { client: ApiClient; calls: Call[]; reached: boolean[] } {
  const calls: Call[] = [];
  const reached: boolean[] = [];
  const fake = (url: unknown, init?: RequestInit): Promise<Response> => {
    calls.push({ url: String(url), init: init ?? {} });
    const next = script.shift();
    if (next === undefined || next instanceof Error) return Promise.reject(next ?? new Error('script ended'));
    return Promise.resolve(new Response(JSON.stringify(next.body), { status: next.status ?? 200 }));
  };
  const client = new ApiClient({
    token: () => 'tok',
    lang: () => 'jp',
    now: () => 1_767_225_600_000,
    sleep: () => Promise.resolve(),
    fetch: fake as typeof fetch,
    onReach: (ok) => reached.push(ok),
    ...options,
  });
  return { client, calls, reached };
}

const ok = (message: unknown, more: object = {}) => ({ body: { type: 'ok', message, request_id: 'r', ...more } });
/** A market order. */
const ORDER = { legal_id: 3, currency_id: 1, type: 1, amount: '0.01' } as const;
const headersOf = (call: Call | undefined) => call?.init.headers as Record<string, string>;

describe('the client', () => {
  test('sends the token raw, the language, a timestamp and a form body without empty fields [CLIENT-001]', async () => {
    const { client, calls } = clientOver([ok('saved', { id: '7' })]);
    const answer = await client.post('/api/coin/trade', {
      ...ORDER,
      stop_price: undefined,
      post_only: true,
    });
    expect(answer.id).toBe('7');
    expect(calls[0]?.url).toBe('/api/coin/trade?timestamp=1767225600000');
    expect(calls[0]?.init.body).toBe('legal_id=3&currency_id=1&type=1&amount=0.01&post_only=1');
    expect(headersOf(calls[0])).toEqual({
      lang: 'jp',
      Authorization: 'tok',
      'Content-Type': 'application/x-www-form-urlencoded',
    });
  });

  test('a read carries its fields in the query and no body [CLIENT-001]', async () => {
    const { client, calls } = clientOver([ok([])]);
    await client.get('/api/coin/list', { status: 1 });
    expect(calls[0]?.url).toBe('/api/coin/list?status=1&timestamp=1767225600000');
    expect(calls[0]?.init.body).toBeUndefined();
  });

  test('an unanswered money call is repeated under the same key; any other call is not [CLIENT-002]', async () => {
    const money = clientOver([new Error('offline'), ok('done')]);
    await money.client.post('/api/coin/trade', ORDER, { intent: 'k-12345678' });
    expect(money.calls.map((call) => headersOf(call)['Idempotency-Key'])).toEqual(['k-12345678', 'k-12345678']);
    expect(money.reached).toEqual([false, true]);
    const plain = clientOver([new Error('offline'), ok('done')]);
    await expect(plain.client.post('/api/set/lang', { lang: 'en' })).rejects.toBeInstanceOf(NetworkError);
    expect(plain.calls).toHaveLength(1);
  });

  test('a pending outcome is polled until it is final, and the command is sent once [CLIENT-003]', async () => {
    const pending = {
      status: 202,
      body: { type: 'pending', key: 'common.processing', message: 'wait', command_id: 'c1', request_id: 'r' },
    };
    const { client, calls } = clientOver([pending, pending, new Error('offline'), ok('done', { id: '9' })]);
    const answer = await client.post('/api/coin/trade', ORDER, { intent: 'k-12345678' });
    expect(answer.id).toBe('9');
    expect(calls.map((call) => call.url.split('?')[0])).toEqual([
      '/api/coin/trade',
      '/api/command',
      '/api/command',
      '/api/command',
    ]);
    expect(calls[1]?.url).toContain('key=k-12345678');
  });

  test('a client that may not ask for outcomes sends the call again if its key is kept [CLIENT-003]', async () => {
    const body = { type: 'pending', key: 'common.processing', message: 'wait', request_id: 'r' };
    const kept = { status: 202, body: { ...body, command_id: 'c1' } };
    const { client, calls } = clientOver([kept, new Error('offline'), kept, ok('done')], { repeatsPending: true });
    await client.post(
      '/api/admin/appeals/decide',
      { id: '7', outcome: 'buyer', reason: 'paid' },
      { intent: 'k-12345678' },
    );
    expect(calls).toHaveLength(4);
    for (const call of calls) {
      expect([call.url.split('?')[0], headersOf(call)['Idempotency-Key']]).toEqual([
        '/api/admin/appeals/decide',
        'k-12345678',
      ]);
      expect(call.init.body as string).toContain('id=7');
    }
    const other = clientOver([{ status: 202, body }, ok('done')], { repeatsPending: true });
    await expect(other.client.post('/api/admin/logout', {}, { intent: 'k-12345678' })).rejects.toMatchObject({
      key: 'common.processing',
    });
    expect(other.calls).toHaveLength(1);
  });

  test('a caller that repeats calls gets each open outcome at once, with its key [CLIENT-003]', async () => {
    const body = { type: 'pending', key: 'common.processing', message: 'wait', command_id: 'c1', request_id: 'r' };
    const { client, calls } = clientOver([new Error('offline'), { status: 202, body }], { once: true });
    const place = (): Promise<unknown> => client.post('/api/coin/trade', ORDER, { intent: 'k-12345678' });
    await expect(place()).rejects.toMatchObject({ name: 'NetworkError', intent: 'k-12345678' });
    await expect(place()).rejects.toMatchObject({ name: 'ApiError', type: 'pending', intent: 'k-12345678' });
    expect(calls).toHaveLength(2);
  });

  test('a refusal is thrown with key, params and field, and announced with the quiet flag [CLIENT-004]', async () => {
    const told: [string, boolean][] = [];
    const refusal = {
      body: {
        type: 'error',
        key: 'quantity.rule',
        message: 'too small',
        params: { min: '1' },
        field: 'amount',
        request_id: 'r',
      },
    };
    const { client } = clientOver([refusal], { onRefusal: (error, quiet) => told.push([error.key, quiet]) });
    const error = await client.post('/api/coin/trade', ORDER, { quiet: true }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      key: 'quantity.rule',
      params: { min: '1' },
      field: 'amount',
      message: 'too small',
      status: 200,
    });
    expect(told).toEqual([['quantity.rule', true]]);
  });

  test('an answer without an envelope counts as not reached [CLIENT-005]', async () => {
    const { client, reached } = clientOver([{ status: 502, body: 'bad gateway' }]);
    await expect(client.get('/api/time', {})).rejects.toBeInstanceOf(NetworkError);
    expect(reached).toEqual([false]);
  });
});

test.each([
  ['error', 200, 'toast'],
  ['not', 200, 'askFundPassword'],
  ['996', 200, 'askFundPassword'],
  ['error', 401, 'askFundPassword'],
  ['997', 200, 'paymentSettings'],
  ['555', 200, 'paymentSettings'],
  ['998', 200, 'identity'],
  ['999', 200, 'signOut'],
  ['error', 503, 'toast'],
] as const)('type %s with HTTP %i leads to %s [CLIENT-006]', (type, status, reaction) => {
  expect(reactionTo({ type, status })).toBe(reaction);
});

test('the middleware answers with codes: 0 gives data, others refuse, 999 ends the session [CLIENT-007]', async () => {
  const seen: string[] = [];
  const { client, calls } = clientOver(
    [
      { body: { code: 0, msg: 'ok', data: { seconds: 30 } } },
      { body: { code: 6, msg: 'too soon', data: { seconds: 12 } } },
      { body: { code: 999, msg: 'ended', data: null } },
      { body: 'soup' },
    ],
    { onRefusal: (refusal, quiet) => seen.push(`${refusal.key} ${reactionTo(refusal)} ${quiet}`) },
  );
  expect(await client.coded('GET', '/walletMiddle/SendVerificationcode', { user_id: '7' })).toEqual({ seconds: 30 });
  expect(calls[0]?.url).toBe('/walletMiddle/SendVerificationcode?user_id=7&timestamp=1767225600000');
  await expect(client.coded('GET', '/walletMiddle/SendVerificationcode', {}, { quiet: true })).rejects.toMatchObject({
    key: 'middleware.6',
    message: 'too soon',
    params: { seconds: 12 },
  });
  await expect(client.coded('POST', '/walletMiddle/BindDrawAddress', {})).rejects.toMatchObject({ type: '999' });
  await expect(client.coded('GET', '/walletMiddle/GetDrawAddress', { coin_name: 'USDT' })).rejects.toBeInstanceOf(
    NetworkError,
  );
  expect(seen).toEqual(['middleware.6 toast true', 'middleware.999 signOut false']);
});

test('a file comes with the token in a header, and only the wanted kind is taken for it [CLIENT-008]', async () => {
  const answers = [
    new Response('time,account\n', { headers: { 'content-type': 'text/csv; charset=utf-8' } }),
    new Response('<html>502</html>', { status: 502, headers: { 'content-type': 'text/html' } }),
    new Response('{"type":"error","key":"common.tooMany","message":"Later","request_id":"r"}', {
      status: 429,
      headers: { 'content-type': 'application/json' },
    }),
    new Response('{"type":"999","key":"auth.required","message":"Sign in","request_id":"r"}', {
      headers: { 'content-type': 'application/json' },
    }),
  ];
  const told: unknown[] = [];
  const sent: (RequestInit | undefined)[] = [];
  const client = new ApiClient({
    token: () => 'tok',
    lang: () => 'en',
    now: () => 5,
    onRefusal: ({ key }, quiet) => told.push([key, quiet]),
    fetch: ((url: string, init?: RequestInit) => {
      sent.push(init);
      expect(url).toBe('/api/statement/export?account=change&timestamp=5');
      return Promise.resolve(answers.shift()!);
    }) as unknown as typeof fetch,
  });
  expect(
    await (await client.file('/api/statement/export', { account: 'change', currency: undefined }, 'text/csv')).text(),
  ).toBe('time,account\n');
  expect(sent[0]?.headers).toEqual({ lang: 'en', Authorization: 'tok' });
  const again = (): Promise<Blob> => client.file('/api/statement/export', { account: 'change' }, 'text/csv');
  await expect(again()).rejects.toBeInstanceOf(NetworkError);
  // A refusal keeps its words, and the end of the session is told.
  await expect(again()).rejects.toMatchObject({ name: 'ApiError', key: 'common.tooMany', message: 'Later' });
  await expect(again()).rejects.toMatchObject({ type: '999' });
  expect(told).toEqual([
    ['common.tooMany', true],
    ['auth.required', true],
  ]);
});

test('a file is sent with language and token, and its refusal has words [CLIENT-009]', async () => {
  const answers = [
    new Response('{"type":"ok","message":"/api/upload/a.webp","request_id":"r"}'),
    new Response('{"type":"error","key":"upload.type","message":"No picture","request_id":"r"}', { status: 200 }),
    new Response('{"type":"999","key":"auth.required","message":"Sign in","request_id":"r"}', { status: 401 }),
    new Response('too large', { status: 413 }),
  ];
  const sent: (RequestInit | undefined)[] = [];
  const told: unknown[] = [];
  const client = new ApiClient({
    token: () => 'tok',
    lang: () => 'zh',
    now: () => 5,
    onRefusal: ({ key }, quiet) => told.push([key, quiet]),
    fetch: ((url: string, init?: RequestInit) => {
      sent.push(init);
      expect(url).toBe('/api/admin/upload?reason=a+cover&timestamp=5');
      return Promise.resolve(answers.shift()!);
    }) as unknown as typeof fetch,
  });
  const upload = (): Promise<string> => client.upload('/api/admin/upload', { reason: 'a cover' }, new Blob(['x']));
  expect(await upload()).toBe('/api/upload/a.webp');
  expect(sent[0]).toMatchObject({ method: 'POST', headers: { lang: 'zh', Authorization: 'tok' } });
  await expect(upload()).rejects.toMatchObject({ name: 'ApiError', message: 'No picture' });
  await expect(upload()).rejects.toMatchObject({ type: '999' });
  await expect(upload()).rejects.toBeInstanceOf(NetworkError);
  expect(told).toEqual([
    ['upload.type', true],
    ['auth.required', true],
  ]);
});

describe('a call that needs the password again [HARD-103]', () => {
  const unconfirmed = {
    body: { type: 'error', key: 'auth.confirm', message: 'Please confirm', need: 'password', request_id: 'r' },
  };

  test('is sent again once the person has given the password', async () => {
    const refusals: string[] = [];
    const { client, calls } = clientOver([unconfirmed, ok('bound')], {
      confirm: () => Promise.resolve(true),
      onRefusal: ({ key }) => refusals.push(key),
    });
    expect((await client.post('/api/safe/email', { email: 'a@b.org', code: '1' })).message).toBe('bound');
    expect(calls.map(({ init }) => init.body)).toEqual(['email=a%40b.org&code=1', 'email=a%40b.org&code=1']);
    expect(refusals).toEqual([]);
  });

  test('is refused without a word when they decline, and asks once only', async () => {
    const told: unknown[] = [];
    const onRefusal: ClientOptions['onRefusal'] = ({ key }, quiet) => told.push([key, quiet]);
    const declined = clientOver([unconfirmed], { confirm: () => Promise.resolve(false), onRefusal });
    await expect(declined.client.post('/api/safe/totp_setup', {})).rejects.toMatchObject({ key: 'auth.confirm' });
    let asked = 0;
    const again = clientOver([unconfirmed, unconfirmed], {
      confirm: () => Promise.resolve((asked += 1) > 0),
      onRefusal,
    });
    await expect(again.client.post('/api/safe/totp_setup', {})).rejects.toMatchObject({ key: 'auth.confirm' });
    expect([asked, told]).toEqual([
      1,
      [
        ['auth.confirm', true],
        ['auth.confirm', false],
      ],
    ]);
  });

  test('a client without a person to ask gets the refusal', async () => {
    const { client } = clientOver([unconfirmed]);
    await expect(client.post('/api/safe/totp_setup', {})).rejects.toMatchObject({ body: { need: 'password' } });
  });
});

test('the id of this browser is sent with every call but reads [HARD-310]', async () => {
  const { client, calls } = clientOver([ok(1), ok(2)], { device: () => Promise.resolve('d'.repeat(32)) });
  await client.get('/api/user/info', {});
  await client.post('/api/user/logout', {});
  expect(calls.map((call) => headersOf(call)['X-Device-Id'])).toEqual([undefined, 'd'.repeat(32)]);
});

test('a call that outlives its page does not wait for the id of this browser [PREFS-007]', async () => {
  const { client, calls } = clientOver([ok(1)], { device: () => new Promise<string>(() => undefined) });
  await client.post('/api/set/preferences', { sound: 1 }, { keepalive: true });
  expect(calls).toHaveLength(1);
});

test('a path, a field or an answer that the exchange does not have does not compile [CLIENT-040]', async () => {
  const { client, calls } = clientOver(Array.from({ length: 9 }, () => ok({ id: '7', data: [], sessions: [] })));
  const order = await client.get('/api/coin/order', { id: '7' });
  expect(order.message.id).toBe('7');
  // @ts-expect-error -- the answer has no such field
  expect(order.message.identifier).toBeUndefined();
  const person = await client.get(`/api/admin/users/${order.message.id}`, {});
  expect(person.message.sessions).toEqual([]);
  // @ts-expect-error -- a path that there is not
  await client.get('/api/coin/orders', { id: '7' });
  // @ts-expect-error -- a call of another method
  await client.post('/api/coin/order', { id: '7' });
  // @ts-expect-error -- a misspelt field
  await client.get('/api/coin/list', { satus: 1 });
  // @ts-expect-error -- a call that takes no field
  await client.get('/api/user/info', { id: 7 });
  // @ts-expect-error -- the code is missing
  await client.post('/api/safe/email', { email: 'a@b.org' });
  // @ts-expect-error -- a side that there is not
  await client.post('/api/coin/trade', { ...ORDER, type: 3 });
  // @ts-expect-error -- an amount is text
  await client.post('/api/coin/trade', { ...ORDER, amount: 0.01 });
  expect(calls).toHaveLength(9);
});
