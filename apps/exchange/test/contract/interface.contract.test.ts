import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import ts from 'typescript';
import { translate } from '@bourse/i18n';
import { generateClient, type AsyncApi, type OpenApi, type Operation } from './generated-client.js';
import { call, connect, get, type Fields } from './client.js';
import { createTrader, operator } from './people.js';

/* The contents of openapi.json and asyncapi.json, and a client generated from them alone (api §6.15). */

/** The public document, and that of operators, which has their calls too. */
let openApi: OpenApi;
let whole: OpenApi;
let asyncApi: AsyncApi;
let operations: (readonly [name: string, operation: Operation])[];
/** Looks of machines, which answer no envelope. */
const OPEN = /^\/(healthz|readyz|metrics)$/;
const folder = mkdtempSync(join(tmpdir(), 'bourse-client-'));

beforeAll(async () => {
  openApi = JSON.parse((await get('/api/openapi.json')).text) as OpenApi;
  asyncApi = JSON.parse((await get('/api/asyncapi.json')).text) as AsyncApi;
  const token = await operator('operator');
  whole = JSON.parse((await get('/api/admin/openapi.json', {}, { token })).text) as OpenApi;
  // Every call: those of people, of operators, of older programs and of a demo install.
  operations = Object.entries(whole.paths)
    .filter(([path]) => !OPEN.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the public document is that of operators without the calls of operators [OPENAPI-006]', () => {
  const open = Object.keys(whole.paths).filter((path) => !path.startsWith('/api/admin/'));
  expect(Object.keys(openApi.paths).sort()).toEqual(open.sort());
  expect(Object.keys(whole.paths).length).toBeGreaterThan(open.length + 30);
});

test('every call documents its purpose and its answer [OPENAPI-001]', () => {
  expect(operations.length).toBeGreaterThan(110);
  expect(operations.filter(([, { summary }]) => !summary).map(([name]) => name)).toEqual([]);
  expect(operations.filter(([, { responses }]) => !responses['200']?.content).map(([name]) => name)).toEqual([]);
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every field has a type, and every reference leads somewhere [OPENAPI-002]', () => {
  const untyped = operations.flatMap(([name, { parameters = [], requestBody }]) => [
    ...parameters
      .filter(({ schema }) => !schema || Object.keys(schema).length === 0)
      .map((one) => `${name} ${one.name}`),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(schema?.properties ?? {}).flatMap(([field, of]) =>
        'type' in of || 'enum' in of ? [] : [`${name} ${field}`],
      ),
    ),
  ]);
  expect(untyped).toEqual([]);
  const named = new Set(
    [...JSON.stringify(whole).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((found) => found[1]),
  );
  expect([...named].filter((name) => !Object.hasOwn(whole.components.schemas, name ?? ''))).toEqual([]);
});

test('every key that a call may answer is a text of ours [OPENAPI-003]', () => {
  const keys = new Set(operations.flatMap(([, operation]) => operation['x-refusals'] ?? []));
  expect(keys.size).toBeGreaterThan(50);
  expect([...keys].filter((key) => translate('en', key, {}) === key)).toEqual([]);
});

test('the socket document names each message, and each operation one of them [OPENAPI-004]', () => {
  expect(asyncApi.asyncapi).toBe('3.0.0');
  const { messages } = asyncApi.channels.socket;
  for (const name of ['order_update', 'balance_update', 'market_depth', 'subscribe', 'subscribe_ack', 'heartbeat'])
    expect(Object.keys(messages)).toContain(name);
  const named = Object.values(asyncApi.operations).flatMap((operation) => operation.messages.map(({ $ref }) => $ref));
  expect(named.filter((ref) => !Object.hasOwn(messages, ref.split('/').at(-1) ?? ''))).toEqual([]);
});

interface Placed {
  readonly type: string;
  readonly id?: string;
}
type Client = Record<string, (fields: Fields) => Promise<Placed>>;

test('a client made of the documents compiles, places an order and reads its push [OPENAPI-005]', async () => {
  const source = generateClient(openApi, asyncApi);
  const path = join(folder, 'client.ts');
  // Code that uses the client: wrong fields do not compile, right ones do.
  const use = `${source}
const api = client(() => Promise.resolve({}));
void api.postApiCoinTrade({ legal_id: 3, currency_id: 2, type: 1, target_price: '1', amount: '1' });
// @ts-expect-error -- a side that there is not
void api.postApiCoinTrade({ legal_id: 3, currency_id: 2, type: 3, target_price: '1', amount: '1' });
// @ts-expect-error -- the quantity is missing
void api.postApiCoinTrade({ legal_id: 3, currency_id: 2, type: 1, target_price: '1' });
export const idOf = (push: Messages['order_update']): string => push.order.id;
`;
  writeFileSync(path, use);
  const program = ts.createProgram([path], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
  });
  expect(
    ts.getPreEmitDiagnostics(program).map((found) => ts.flattenDiagnosticMessageText(found.messageText, ' ')),
  ).toEqual([]);

  const compiled = join(folder, 'client.mjs');
  writeFileSync(compiled, ts.transpile(source, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 }));
  const { client } = (await import(pathToFileURL(compiled).href)) as {
    client: (send: (method: string, path: string, fields: Fields) => Promise<unknown>) => Client;
  };
  const { token } = await createTrader({ change: { 3: '1000' } });
  const api = client(
    async (method, address, fields) => (await call(method, address, fields, { token, json: true })).body,
  );
  const { message: info } = (await api['getApiUserInfo']!({})) as unknown as { message: { id: number } };
  const socket = await connect(token);
  try {
    const pushed = new Promise<{ order: { id: string; client_order_id: string } }>((resolve) => {
      socket.on('order_update', resolve);
    });
    await new Promise<void>((resolve) => socket.emit('login', info.id, () => resolve()));
    const clientOrderId = randomUUID();
    const placed = await api['postApiCoinTrade']!({
      legal_id: 3,
      currency_id: 2,
      type: 1,
      target_price: '100.00',
      amount: '0.5',
      client_order_id: clientOrderId,
    });
    expect(placed.type).toBe('ok');
    expect((await pushed).order.id).toBe(placed.id);
    expect((await api['putApiCoinTrade']!({ id: placed.id })).type).toBe('ok');
  } finally {
    socket.disconnect();
  }
});
