import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PRIVATE_EVENTS, type PrivateEvent } from '@bourse/contract';
import { io, type Socket } from 'socket.io-client';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { BASE, call, get, post } from './client.js';
import { createTrader, done, FUND, operator } from './people.js';

/* The committed interface documents, and sockets that programs open with their keys. */

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
interface Documents {
  pathsOfExamples(root: string): Set<string>;
  operatorsOpenApi(whole: unknown): unknown;
  publicOpenApi(served: unknown, examples: Set<string>): unknown;
  publicAsyncApi(served: unknown, ofExamples: readonly string[]): unknown;
}
const { operatorsOpenApi, pathsOfExamples, publicAsyncApi, publicOpenApi } = (await import(
  new URL('../../../../tools/lib/api/documents.mjs', import.meta.url).href
)) as Documents;
const committed = (name: string): unknown => JSON.parse(readFileSync(`${ROOT}docs/api/${name}`, 'utf8')) as unknown;

test('docs/api/openapi.json equals the served document: else run `npm run api` [API-001]', async () => {
  const served = JSON.parse((await get('/api/openapi.json')).text) as unknown;
  expect(publicOpenApi(served, pathsOfExamples(ROOT))).toEqual(committed('openapi.json'));
});

test('docs/api/operators.json equals the document of operators: else run `npm run api` [API-001]', async () => {
  const answer = await get('/api/admin/openapi.json', {}, { token: await operator('operator') });
  expect(operatorsOpenApi(JSON.parse(answer.text) as unknown)).toEqual(committed('operators.json'));
});

test('docs/api/asyncapi.json equals the document of the socket: else run `npm run api` [API-001]', async () => {
  const served = JSON.parse((await get('/api/asyncapi.json')).text) as unknown;
  const ofExamples = Object.entries<PrivateEvent>(PRIVATE_EVENTS)
    .filter(([, { example }]) => example !== undefined)
    .map(([name]) => name);
  expect(publicAsyncApi(served, ofExamples)).toEqual(committed('asyncapi.json'));
});

interface Key {
  readonly key: string;
  readonly secret: string;
}
let token: string;
let key: Key;
const open: Socket[] = [];
beforeAll(async () => {
  ({ token } = await createTrader({ change: { 3: '1000' } }));
  key = await create();
});
afterAll(async () => {
  for (const socket of open) socket.disconnect();
  await call('DELETE', '/api/apikey', { key: key.key, password: FUND }, { token });
});
async function create(more: Record<string, string> = {}): Promise<Key> {
  const answer = await done(
    post('/api/apikey', { label: 'socket', permissions: 'read', password: FUND, ...more }, { token }),
  );
  return answer.message;
}

/** A handshake as api §4 has it for programs. */
function handshake({ key: name, secret }: Key, timestamp = String(Date.now())): object {
  const lines = ['GET', '/socket.io', timestamp, createHash('sha256').update('').digest('hex')];
  return { key: name, timestamp, signature: createHmac('sha256', secret).update(lines.join('\n')).digest('hex') };
}
/** A socket, or the key by which it was refused. */
function connect(auth: object): Promise<Socket | string> {
  const socket = io(BASE, { auth, transports: ['websocket'], forceNew: true, reconnection: false });
  open.push(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', (error) => resolve(error.message));
  });
}
const login = (socket: Socket, name: unknown): Promise<{ type: string }> =>
  new Promise((resolve) => socket.emit('login', name, resolve));

test('a key with read permission opens a socket of its owner; another name is refused [API-010]', async () => {
  const socket = (await connect(handshake(key))) as Socket;
  expect(await login(socket, 'another-key')).toEqual({ type: '999' });
  expect(await login(socket, key.key)).toMatchObject({ type: 'ok' });
  const heard = new Promise<{ order: { client_order_id: string } }>((resolve) => socket.on('order_update', resolve));
  const clientOrderId = randomUUID();
  const order = { legal_id: 3, currency_id: 1, type: 1, target_price: '1000.00', amount: '0.01' };
  const placed = await done(post('/api/coin/trade', { ...order, client_order_id: clientOrderId }, { token }));
  expect((await heard).order.client_order_id).toBe(clientOrderId);
  await call('PUT', '/api/coin/trade', { id: String(placed.id) }, { token });
});

test('a handshake with a wrong signature, time or address is refused, and is no guest [API-010]', async () => {
  expect(await connect(handshake({ ...key, secret: 'another' }))).toBe('apikey.signature');
  expect(await connect(handshake(key, String(Date.now() - 60_000)))).toBe('apikey.signature');
  expect(await connect({ key: key.key })).toBe('apikey.signature');
  const afar = await create({ ips: '10.1.2.3' });
  expect(await connect(handshake(afar))).toBe('common.forbidden');
  await call('DELETE', '/api/apikey', { key: afar.key, password: FUND }, { token });
});

test('the sockets of a key that was ended are cut [API-011]', async () => {
  const short = await create();
  const socket = (await connect(handshake(short))) as Socket;
  expect(await login(socket, short.key)).toMatchObject({ type: 'ok' });
  const kept = (await connect(handshake(key))) as Socket;
  expect((await call('DELETE', '/api/apikey', { key: short.key, password: FUND }, { token })).body.type).toBe('ok');
  await eventuallySatisfied(
    () => socket.connected,
    (connected) => !connected,
  );
  expect(kept.connected).toBe(true);
});

describe('the pages of the reference', () => {
  const page = async (path: string): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${BASE}${path}`, { headers: { accept: 'text/html' } });
    return { status: answer.status, text: await answer.text() };
  };

  test.each([
    ['/docs', 'A bot in ten minutes'],
    ['/docs/rest', 'swagger-ui-bundle.js'],
    ['/docs/socket', 'market_depth'],
    ['/docs/errors', 'balance.insufficient'],
  ])('%s is served, and takes nothing from elsewhere [API-040]', async (path, said) => {
    const { status, text } = await page(path);
    expect(status).toBe(200);
    expect(text).toContain(said);
    const taken = [...text.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g)].map(([, from]) => from ?? '');
    expect(taken.length).toBeGreaterThan(0);
    for (const from of taken) {
      expect(from).toMatch(/^\/(?:docs\/|icon\.svg$)/);
      expect((await page(from)).status).toBe(200);
    }
  });

  test('an address below it that is none answers 404 [API-040]', async () => {
    expect((await page('/docs/nothing')).status).toBe(404);
  });
});
