import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { signatureOf } from '../../src/sign-in/application/api-signature.js';
import { person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

const SECRET = 'a-secret-of-a-program';
let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
  for (const [at, permissions] of ['read', 'read,trade'].entries()) {
    gateway.people.set(50 + at, person(50 + at));
    gateway.keys.set(`key-of-${permissions.replace(',', '-')}`, {
      caller: person(50 + at, { kind: 'apikey' }),
      secret: SECRET,
      permissions: permissions.split(','),
      ips: [],
    });
  }
});
afterAll(async () => {
  await gateway.end();
});

interface Signed {
  readonly key?: string;
  readonly secret?: string;
  readonly at?: number;
  readonly body?: string;
  readonly signedBody?: string;
  readonly headers?: Record<string, string>;
}
interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}
async function call(
  method: string,
  path: string,
  { key = 'key-of-read-trade', secret = SECRET, at = Date.now(), body, signedBody = body, headers = {} }: Signed = {},
): Promise<Answer> {
  const timestamp = String(at);
  const bodyDigest = signedBody === undefined ? undefined : createHash('sha256').update(signedBody).digest('hex');
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      'x-api-key': key,
      'x-api-timestamp': timestamp,
      'x-api-signature': signatureOf(secret, { method, path, timestamp, bodyDigest }),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const said = ({ status, body }: Answer): unknown[] => [status, body['type'], body['key']];
const REFUSED = [401, 'error', 'apikey.signature'];
const FORBIDDEN = [403, 'error', 'common.forbidden'];

describe('money out', () => {
  test('a call that takes money out reads its caller from auth every time [EDGE-021]', async () => {
    gateway.people.set(60, person(60));
    const token = gateway.token(60);
    const out = async (): Promise<unknown> => {
      const response = await fetch(`${gateway.url}/api/probe/out`, {
        method: 'POST',
        headers: { authorization: token },
      });
      return ((await response.json()) as { type: string }).type;
    };
    const before = gateway.asked.sessions;
    expect([await out(), await out()]).toEqual(['ok', 'ok']);
    expect(gateway.asked.sessions - before).toBe(2);
    // Ended without a word to the gateway, as when that word was lost.
    gateway.people.delete(60);
    expect(await out()).toBe('999');
  });
});

describe('API keys', () => {
  test('a signed call is its owner’s; the body is signed as sent, the path with its query [APIKEY-001]', async () => {
    expect((await call('GET', '/api/probe/own?b=2&a=%31')).body).toMatchObject({ type: 'ok', message: 51 });
    expect((await call('POST', '/api/probe/keyed', { body: 'b=2&a=1' })).body).toMatchObject({ type: 'ok', user: 51 });
    expect((await call('POST', '/api/probe/keyed')).body).toMatchObject({ type: 'ok', user: 51 });
    expect(said(await call('POST', '/api/probe/keyed', { body: 'b=2&a=1', signedBody: 'a=1&b=2' }))).toEqual(REFUSED);
  });

  test('an unknown key, a wrong time or signature is refused with the reason [APIKEY-002] [CLIENT-130]', async () => {
    const at = Date.now();
    const bads: readonly (readonly [reason: string, bad: Parameters<typeof call>[2]])[] = [
      ['key', { key: 'key-of-nobody' }],
      ['key', { key: 'x' }],
      ['key', { key: `${'k'.repeat(300)}` }],
      ['signature', { secret: 'another' }],
      ['time', { at: at - 5_500 }],
      ['time', { at: at + 6_500 }],
      ['time', { headers: { 'x-api-timestamp': '' } }],
      ['signature', { headers: { 'x-api-signature': '0'.repeat(64) } }],
      ['signature', { headers: { 'x-api-signature': 'A'.repeat(64) } }],
    ];
    for (const [reason, bad] of bads) {
      const answer = await call('GET', '/api/probe/own', bad);
      expect(said(answer)).toEqual(REFUSED);
      expect(answer.body['params']).toEqual({ reason });
    }
  });

  test('a key makes its permitted calls, and none for money out or personal data [APIKEY-003]', async () => {
    expect((await call('GET', '/api/probe/own', { key: 'key-of-read' })).body).toMatchObject({ message: 50 });
    expect(said(await call('POST', '/api/probe/keyed', { key: 'key-of-read' }))).toEqual(FORBIDDEN);
    for (const [method, path] of [
      ['POST', '/api/probe/keyed_out'],
      ['POST', '/api/probe/money'],
      ['POST', '/api/probe/out'],
      ['GET', '/api/user/probe'],
      ['GET', '/api/probe/operator'],
      ['GET', '/api/probe/points'],
      ['GET', '/api/admin/reconciliation'],
    ] as const) {
      expect([path, ...said(await call(method, path))]).toEqual([path, ...FORBIDDEN]);
    }
  });

  test('a key with a list of addresses works from these only [APIKEY-003]', async () => {
    const key = gateway.keys.get('key-of-read')!;
    for (const [name, ips] of [
      ['key-from-here', ['10.0.0.1', '::ffff:127.0.0.1']],
      ['key-from-afar', ['10.0.0.1']],
    ] as const)
      gateway.keys.set(name, { ...key, ips: [...ips] });
    expect((await call('GET', '/api/probe/own', { key: 'key-from-here' })).body['type']).toBe('ok');
    expect(said(await call('GET', '/api/probe/own', { key: 'key-from-afar' }))).toEqual(FORBIDDEN);
  });

  test('an overheard write cannot be sent again; its first Idempotency-Key is one command [APIKEY-004]', async () => {
    const [at, plain] = [Date.now(), { body: 'a=1' }];
    expect((await call('POST', '/api/probe/keyed', { ...plain, at })).body['type']).toBe('ok');
    const again = await call('POST', '/api/probe/keyed', { ...plain, at });
    expect(said(again)).toEqual(REFUSED);
    expect(again.body['params']).toEqual({ reason: 'replay' });
    expect(
      said(await call('POST', '/api/probe/keyed', { ...plain, at, headers: { 'idempotency-key': 'another-key-1' } })),
    ).toEqual(REFUSED);
    const keyed = { ...plain, at: at + 1, headers: { 'idempotency-key': 'the-first-key' } };
    const first = await call('POST', '/api/probe/keyed', keyed);
    expect((await call('POST', '/api/probe/keyed', keyed)).body).toMatchObject({
      type: 'ok',
      command_id: first.body['command_id'],
    });
    for (const headers of [{}, { 'idempotency-key': 'the-other-key' }] as Record<string, string>[])
      expect(said(await call('POST', '/api/probe/keyed', { ...keyed, headers }))).toEqual(REFUSED);
    const race = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', '/api/probe/keyed', { ...plain, at: at + 2 })),
    );
    expect(race.filter(({ body }) => body['type'] === 'ok')).toHaveLength(1);
    // Reads change nothing and may come twice within a millisecond.
    expect(
      (await Promise.all([1, 2].map(() => call('GET', '/api/probe/own', { at })))).map(({ body }) => body['type']),
    ).toEqual(['ok', 'ok']);
  });

  test('a key is remembered for a while, and forgotten when its owner changes [APIKEY-005]', async () => {
    gateway.keys.set('key-to-forget', { ...gateway.keys.get('key-of-read')!, caller: person(50, { kind: 'apikey' }) });
    const before = gateway.asked.keys;
    for (let at = 0; at < 3; at += 1)
      expect((await call('GET', '/api/probe/own', { key: 'key-to-forget' })).body['type']).toBe('ok');
    expect(gateway.asked.keys - before).toBe(1);
    gateway.keys.delete('key-to-forget');
    gateway.views.publish('session/50', { userId: 50, ended: [] });
    const refused = await eventuallySatisfied(
      () => call('GET', '/api/probe/own', { key: 'key-to-forget' }),
      ({ body }) => body['type'] !== 'ok',
    );
    expect(said(refused)).toEqual(REFUSED);
  });

  test('rates of the owner hold; a token beside the key counts for nothing [APIKEY-003]', async () => {
    expect(
      said(
        await call('GET', '/api/probe/own', { key: 'key-of-nobody', headers: { authorization: gateway.token(51) } }),
      ),
    ).toEqual(REFUSED);
    const answers = await gateway.inOneWindow(51, () =>
      Promise.all(Array.from({ length: 60 }, (_, at) => call('GET', '/api/probe/own', { at: Date.now() - at }))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused[0]?.body).toMatchObject({ type: 'error', key: 'common.tooMany' });
  });
});
