import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { allCalls, each, send, type KnownCall, type RawAnswer } from './attack.js';
import { get, signIn } from './client.js';
import type { OpenApi, Schema } from './generated-client.js';
import { createNewcomer, operator, PASSWORD } from './people.js';
import { answerOf, findMisfits } from './shapes.js';

/* Every call of the contract and of the source documents is served, and answers as declared. */

interface Named {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}
interface Documents {
  contractCalls(text: string): Named[];
  sourceCalls(text: string): Named[];
  unfoldCalls(calls: readonly Named[], text: string): Named[];
}
const ROOT = new URL('../../../../', import.meta.url);
const { contractCalls, sourceCalls, unfoldCalls } = (await import(
  new URL('tools/lib/coverage/documents.mjs', ROOT).href
)) as Documents;
const read = (file: string): string => readFileSync(new URL(`docs/${file}`, ROOT), 'utf8');
const api = read('contract/api.md');
const CALLS = unfoldCalls(contractCalls(api), api);
const SOURCES = ['01-trading-and-c2c', '02-wallet-and-account'].map((name) => read(`contract/sources/${name}.md`));
/** Calls that `docs/coverage/not-yet.md` excuses, each with its reason there. */
const EXCUSED = new Set([...read('coverage/not-yet.md').matchAll(/^\| call \| ([^|]+?) \|/gm)].map(([, name]) => name));
/** They end the session that asks: each gets one of its own. */
const ENDS = new Set(['GET /api/user/logout', 'POST /api/user/logout', 'POST /api/admin/logout']);

let known: ReadonlyMap<string, KnownCall>;
let document: OpenApi;
let person: string;
let trader: string;
let admin: string;
const answers = new Map<string, RawAnswer>();

const fill = (path: string): string => path.replace(/:\w+/g, '1');
const braced = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

beforeAll(async () => {
  known = new Map((await allCalls()).map((one) => [one.name, one]));
  [person, trader, admin] = [
    (await createNewcomer()).token,
    await signIn('trader3@demo.bourse'),
    await operator('operator'),
  ];
  document = JSON.parse((await get('/api/admin/openapi.json', {}, { token: admin })).text) as OpenApi;
}, testTimeoutMs(15_000));

/**
 * Returns a token for the call. Reads use a trader with data; other calls use a fresh user, so that no other test is
 * affected.
 */
async function tokenFor({ name, method, path }: Named): Promise<string> {
  if (name === 'POST /api/admin/logout') return freshOperator();
  if (ENDS.has(name)) return (await createNewcomer()).token;
  if (path.startsWith('/api/admin')) return admin;
  return method === 'GET' || READS.has(path) ? trader : person;
}
/** Reads that the contract has as POST. */
const READS = new Set([
  '/api/user/cash_info',
  '/api/wallet/list',
  '/api/wallet/get_info',
  '/api/account/list',
  '/api/transaction_in',
  '/api/transaction_out',
  '/api/transaction_complete',
  '/api/lever/my_trade',
  '/api/news/list',
  '/api/notice/list',
  '/api/getNode',
  '/upi/usdt/account',
]);
async function freshOperator(): Promise<string> {
  const { body } = await send(
    { method: 'POST', path: '/api/admin/login' },
    { username: 'support1', password: PASSWORD },
  );
  return body.message as string;
}

/** They answer files (api §1.3). */
const FILES = new Set(['/api/statement/export', '/api/coin/export', '/api/lever/export', '/api/admin/export']);

/** Checks the envelope, by the family of the call (api §1.3, §3). */
function wrongIn({ path }: Named, { status, headers, text, body }: RawAnswer): string | undefined {
  if (status === 404 && path === '/api/upload/:name') return undefined; // the name is not signed (api §2.11)
  if (status === 404 || status === 405 || status >= 500) return `HTTP ${status}`;
  const type = String(headers['content-type']);
  if (FILES.has(path) && type.startsWith('text/csv')) return undefined;
  if (!type.startsWith('application/json')) return type;
  if (/^\/(walletMiddle|upi)/.test(path)) return typeof body.code === 'number' ? undefined : text;
  const types = ['ok', 'error', 'not', '996', '997', '555', '998', '999', 'pending'];
  if (!types.includes(String(body.type)) || typeof body.request_id !== 'string') return text;
  return body.type === 'ok' || typeof body.key === 'string' ? undefined : text;
}

async function ask(call: Named): Promise<string | undefined> {
  const answer = await send(
    { method: call.method, path: fill(call.path) },
    QUERY[call.path] ?? {},
    await tokenFor(call),
  );
  answers.set(call.name, answer);
  const wrong = wrongIn(call, answer);
  return wrong === undefined ? undefined : `${call.name}: ${wrong.slice(0, 200)}`;
}
/** Fields with which a read returns data; every other call gets none. */
const QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/currency/detail': { id: '1' },
  '/api/currency/new_timeshar': { symbol: 'BTC/USDT', period: '1min', from: '1', to: '9999999999' },
  '/api/coin/export': { kind: 'trades' },
  '/api/market/trades': { legal_id: '3', currency_id: '1' },
  '/api/transaction/deal': { legal_id: '3', currency_id: '1' },
  '/api/market/get_current': { base_currency: 'BTC', quote_currency: 'USDT', period: '1min' },
  '/api/wallet/get_info': { currency: '3' },
  '/api/news/list': { c_id: '11' },
  '/api/c2c_deal_platform': { type: 'sell', currency_id: '3' },
  '/api/legal/ads': { type: 'sell', currency_id: '3' },
  '/api/stream/since': { user_seq: '0' },
  '/api/currency/deposit/config': { currency_id: '3' },
  '/api/solvency/proof': { currency: '3' },
};

test(
  'no call of the contract answers 404, 405 or without an envelope [COVER-001]',
  async () => {
    expect(CALLS.length).toBeGreaterThan(240);
    // An excused call that is served all the same (it lacks a test of its own) is called like the others.
    const asked = CALLS.filter(
      ({ name, method, path }) => !EXCUSED.has(name) || known.has(`${method} ${braced(path)}`),
    );
    expect([...EXCUSED].filter((name) => !CALLS.some((call) => call.name === name))).toEqual([]);
    const wrong = await each(asked, ask, 6);
    expect(wrong.filter((one) => one !== undefined)).toEqual([]);
  },
  testTimeoutMs(30_000),
);

test('every call of both source documents is one of the contract’s [COVER-002]', () => {
  const names = new Set(CALLS.map(({ name }) => name));
  const counted = SOURCES.map((text) => sourceCalls(text));
  expect(counted.map(({ length }) => length >= 50)).toEqual([true, true]);
  expect(counted.flat().filter(({ name }) => !names.has(name))).toEqual([]);
});

test('every answer fits the declared answer of its call, field by field [COVER-003]', () => {
  const fitting = [...answers].filter(([name, { status, body }]) => {
    const call = CALLS.find((one) => one.name === name)!;
    return status === 200 && body.type === 'ok' && documented(call) !== undefined;
  });
  expect(fitting.length).toBeGreaterThan(80);
  const wrong = fitting.flatMap(([name, { text }]) => {
    const call = CALLS.find((one) => one.name === name)!;
    return findMisfits(document, documented(call)!, JSON.parse(text)).map((where) => `${name}${where}`);
  });
  expect(wrong).toEqual([]);
});

test('each call is in the interface document, and each call of the document is served [COVER-004]', () => {
  const plain = (path: string): string => path.replace(/\{\w+\}/g, ':x').replace(/:\w+/g, ':x');
  const told = new Set(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${plain(path)}`),
    ),
  );
  const missing = CALLS.filter(({ name, method, path }) => !EXCUSED.has(name) && !told.has(`${method} ${plain(path)}`));
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect(known.size).toBeGreaterThan(200);
});

const documented = ({ method, path }: Named): Schema | undefined => answerOf(document, method, braced(path));
