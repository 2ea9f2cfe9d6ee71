import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { FORM, raw, type RawAnswer } from './attack.js';
import { BASE, connect, get, post, trader } from './client.js';
import { operator } from './people.js';

/*
 * The edge around the calls: access to those of a demo install, origins that may open a socket, visibility of health
 * details. Rates of production are attacked in the gateway's own edge.int.test.ts: this exchange has a hundred times as
 * much of them.
 */
const { host, hostname, port } = new URL(BASE);

/** Opens a raw websocket, or only tries to: the status of its handshake. */
function handshake(headers: Record<string, string>, path = '/socket.io/?EIO=4&transport=websocket'): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      path,
      agent: false,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end();
  });
}

describe('calls of a demo install', () => {
  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ['by a foreign name (DNS rebinding)', { host: `evil.test:${port}` }],
    ['by a name that begins like ours', { host: `localhost.evil.test:${port}` }],
    ['by a form of a foreign page', { origin: 'http://evil.test' }],
    ['by a page without an origin', { origin: 'null' }],
    ['by a page of another port of this machine', { origin: 'http://localhost:1' }],
    ['by a foreign page that sends no origin', { 'sec-fetch-site': 'cross-site' }],
    ['by a page of a sister site', { 'sec-fetch-site': 'same-site' }],
    ['through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['through a proxy that names this machine', { forwarded: 'for=127.0.0.1' }],
    ['by a foreign name and its own page', { host: 'evil.test', origin: 'http://evil.test' }],
  ];

  test.each(foreign)('%s they are not there [HARD-202]', async (_how, headers) => {
    const clock = (): Promise<RawAnswer> => raw('GET', '/dev/clock');
    const offset = ({ body }: RawAnswer): number => Number((body.message as { offset_ms?: number }).offset_ms);
    const before = offset(await clock());
    for (const [method, path] of [
      ['GET', '/dev/inbox?limit=1'],
      ['GET', '/dev/clock'],
      ['GET', '/dev/audit'],
      ['PUT', '/dev/clock'],
      ['OPTIONS', '/dev/clock'],
      ['POST', '/dev/clock'],
      ['POST', '/dev/chain/blocks'],
    ] as const) {
      const isForm = method === 'POST';
      const answer = await raw(method, path, {
        headers: { ...headers, ...(isForm ? FORM : {}) },
        ...(isForm ? { body: 'advance_seconds=60' } : {}),
      });
      expect([path, answer.status, answer.body.key]).toEqual([path, 404, 'common.noRoute']);
      expect(answer.headers['allow']).toBeUndefined();
    }
    expect(offset(await clock())).toBe(before);
  });

  test('programs and pages of this machine have them [HARD-202]', async () => {
    for (const headers of [{}, { origin: BASE }, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])
      expect((await raw('GET', '/dev/clock', { headers: headers as Record<string, string> })).status).toBe(200);
  });
});

describe('sockets', () => {
  const open: Socket[] = [];
  afterAll(() => {
    for (const socket of open) socket.disconnect();
  });

  test('a foreign page opens none, by websocket or polling; a program and our own page do [HARD-312]', async () => {
    for (const origin of ['http://evil.test', 'null', `http://evil.test:${port}`]) {
      // engine.io refuses an upgrade with 400, whatever the reason.
      expect([origin, await handshake({ origin })]).toEqual([origin, 400]);
      const polled = await raw('GET', '/socket.io/?EIO=4&transport=polling', { headers: { origin } });
      expect([polled.status, polled.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
    // A foreign name that was led here, with its own page (DNS rebinding).
    expect(await handshake({ host: 'evil.test', origin: 'http://evil.test' })).toBe(400);
    expect(await handshake({})).toBe(101);
    expect(await handshake({ origin: BASE })).toBe(101);
    const own = await raw('GET', '/socket.io/?EIO=4&transport=polling', { headers: { origin: BASE } });
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, BASE]);
  });

  test('names of the prototype are no channels, intervals or pairs [HARD-304]', async () => {
    const socket = await connect();
    open.push(socket);
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      for (const frame of [
        { channel: 'kline', symbol: 'BTC/USDT', interval: name },
        { channel: name, symbol: 'BTC/USDT' },
        { channel: 'depth', symbol: name },
      ])
        expect(await socket.emitWithAck('subscribe', frame)).toMatchObject({ type: 'error' });
    }
    expect(
      await socket.emitWithAck('subscribe', { channel: 'kline', symbol: 'BTC/USDT', interval: '1D' }),
    ).toMatchObject({ type: 'ok', interval: '1day' });
  });
});

test('names of the prototype mean nothing in a field, a language or a form [HARD-304]', async () => {
  const token = await trader(1);
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const fields = { currency_id: 3, number: '1', type: name };
    expect((await post('/api/wallet/change', fields, { token })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
      field: 'type',
    });
    const spoken = await raw('GET', '/api/user/info', { headers: { 'accept-language': name, lang: name } });
    expect(spoken.body).toMatchObject({ type: '999', key: 'auth.expired', message: expect.stringMatching(/^[A-Z]/) });
    for (const period of [name, `${name}[a]`]) {
      const { status, body } = await raw('GET', `/api/currency/new_timeshar?symbol=BTC/USDT&period=${period}`);
      expect([period, status < 500, body.type]).not.toEqual([period, true, 'ok']);
    }
    const named = await raw('POST', '/api/user/login', { headers: FORM, body: `${name}=1&user_string=&password=` });
    expect(named.body).toMatchObject({ type: 'error', key: 'set.enterAccount' });
  }
});

test('a name that was led here is no origin of ours; a loopback page of this exchange is [HARD-313]', async () => {
  const allowed = async (headers: Record<string, string>): Promise<unknown> =>
    (await raw('GET', '/api/time', { headers })).headers['access-control-allow-origin'];
  expect(await allowed({ host: 'evil.test', origin: 'http://evil.test' })).toBeUndefined();
  expect(await allowed({ host: `evil.test:${port}`, origin: `http://evil.test:${port}` })).toBeUndefined();
  expect(await allowed({ origin: BASE })).toBe(BASE);
  const policy = (await raw('GET', '/', { headers: { host: 'evil.test', accept: 'text/html' } })).headers[
    'content-security-policy'
  ];
  expect(String(policy)).not.toContain('evil.test');
  expect(host).toContain(port);
});

describe('health and metrics', () => {
  const public_: readonly Record<string, string>[] = [
    { host: 'exchange.example' },
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
  ];

  test('outside callers see whether the exchange is ready, but no alarms, parts or figures [HARD-308]', async () => {
    for (const headers of public_) {
      for (const path of ['/healthz', '/readyz']) {
        const { status, text } = await raw('GET', path, { headers });
        expect([path, status, JSON.parse(text)]).toEqual([path, 200, { status: 'ok' }]);
      }
      const metrics = await raw('GET', '/metrics', { headers });
      expect([metrics.status, metrics.body.key]).toEqual([404, 'common.noRoute']);
    }
    // The operator of a demo install calls it from its own machine.
    expect(JSON.parse((await get('/readyz')).text)).toEqual({ status: 'ok', alarms: expect.any(Array) });
    expect((await get('/metrics')).status).toBe(200);
  });

  test('calls of operators are in the document of operators only [HARD-308]', async () => {
    const pathsOf = (text: string): string[] => Object.keys((JSON.parse(text) as { paths: object }).paths);
    const isAdmin = (path: string): boolean => path.startsWith('/api/admin/');
    const shown = pathsOf((await get('/api/openapi.json')).text);
    expect(shown.filter(isAdmin)).toEqual([]);
    for (const token of [undefined, await trader(1)])
      expect((await get('/api/admin/openapi.json', {}, { token })).body.key).toMatch(
        /^(auth\.expired|common\.forbidden)$/,
      );
    const whole = pathsOf((await get('/api/admin/openapi.json', {}, { token: await operator('support1') })).text);
    expect(whole).toEqual(expect.arrayContaining(shown));
    expect(whole.filter(isAdmin).length).toBeGreaterThan(20);
  });

  test('traffic, orders and pools are counted under names of calls, never under request data [HARD-308]', async () => {
    const token = await trader(1);
    const secret = `nothing-${Date.now()}`;
    await raw('GET', `/api/${secret}`);
    await raw('GET', `/${secret}`);
    await post('/api/coin/trade', { legal_id: '3', currency_id: '1', type: '1' }, { token });
    await raw('GET', `/api/upload/${secret}.png?expires=1&signature=x`);
    const text = await eventuallySatisfied(
      async () => (await get('/metrics')).text,
      (shown) => /bourse_orders_total\{outcome="(?!ok)[\w.]+"\}/.test(shown),
    );
    for (const line of [
      /bourse_http_request_seconds_count\{route="\/api\/coin\/trade",method="POST",status="200"\} \d/,
      /bourse_http_refusals_total\{route="\/api\/coin\/trade",key="[\w.]+"\} \d/,
      /bourse_http_request_seconds_count\{route="none",method="GET",status="404"\} \d/,
      /bourse_http_request_seconds_count\{route="\/api\/upload\/:name",method="GET",status="404"\} \d/,
      /bourse_database_connections\{schema="gateway",state="total"\} \d/,
      /bourse_database_connections\{schema="gateway",state="waiting"\} \d/,
    ])
      expect(text).toMatch(line);
    expect(text).not.toContain(secret);
    // One prefix, beside the default metrics of Node's client; each of ours is documented.
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string);
    expect(names.filter((name) => !/^(bourse|process|nodejs)_/.test(name))).toEqual([]);
    const documented = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
    expect(names.filter((name) => name.startsWith('bourse_') && !documented.includes(`\`${name}\``))).toEqual([]);
  });
});
