import { io, type Socket } from 'socket.io-client';
import { expectDeclared } from './shapes.js';

/** Address of the running exchange under test, embedded or distributed: the same tests run against both. */
export const BASE = required('BOURSE_URL');

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}
/** An envelope, loosely typed: tests say what they expect. */
export interface Body {
  readonly type: string;
  readonly message: unknown;
  readonly key?: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly field?: string;
  readonly command_id?: string;
  readonly request_id: string;
  readonly [extra: string]: unknown;
}
export type Fields = Readonly<Record<string, string | number | undefined>>;
export interface Options {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: boolean;
}

/**
 * One call, form-encoded unless `json`; the body is parsed when it is JSON. What is accepted must be what the call
 * declares to answer.
 */
export async function call(
  method: string,
  path: string,
  fields: Fields = {},
  { token, headers = {}, json = false }: Options = {},
): Promise<Answered> {
  const present = Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
  const query =
    method === 'GET' && Object.keys(present).length > 0
      ? `${path.includes('?') ? '&' : '?'}${new URLSearchParams(present).toString()}`
      : '';
  const response = await fetch(`${BASE}${path}${query}`, {
    method,
    headers: {
      ...(token ? { authorization: token } : {}),
      ...(method === 'GET' ? {} : { 'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: json ? JSON.stringify(present) : new URLSearchParams(present).toString() }),
  });
  const text = await response.text();
  const body = parse(text);
  if (response.status === 200 && body.type === 'ok') await expectDeclared(BASE, method, path, body);
  return { status: response.status, headers: response.headers, text, body };
}
export const get = (path: string, fields: Fields = {}, options: Options = {}): Promise<Answered> =>
  call('GET', path, fields, options);
export const post = (path: string, fields: Fields = {}, options: Options = {}): Promise<Answered> =>
  call('POST', path, fields, options);
export const put = (path: string, fields: Fields = {}, options: Options = {}): Promise<Answered> =>
  call('PUT', path, fields, options);

const tokens = new Map<string, Promise<string>>();
/** Token of a demo person (rules §17), signed in once per test file: sign-ins are limited per account. */
export function signIn(account: string, password = 'Harbor-2468'): Promise<string> {
  const known = tokens.get(account);
  if (known) return known;
  const fresh = tokenOf(account, password);
  tokens.set(account, fresh);
  return fresh;
}
/** Signs in. A service that says it is not available has done nothing, so it is asked again, as any client would. */
async function tokenOf(account: string, password: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const { body } = await post('/api/user/login', { user_string: account, password });
    if (body.type === 'ok') return body.message as string;
    if (body.key !== 'common.unavailable' || tries === 5)
      throw new Error(`sign-in of ${account}: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
export const trader = (number: 1 | 2 | 3): Promise<string> => signIn(`trader${number}@demo.bourse`);

/** Available and held amounts of one coin in the four accounts. */
export async function balanceOf(token: string, currency: number): Promise<Readonly<Record<string, string>>> {
  const { body } = await post('/api/wallet/detail', { currency }, { token });
  if (body.type !== 'ok') throw new Error(`wallet/detail: ${JSON.stringify(body)}`);
  return body.message as Readonly<Record<string, string>>;
}

/** Price of the last trade of a pair, as its book says: decimal text. */
export async function lastPrice(legal: number, currency: number): Promise<string> {
  const { body } = await post('/api/transaction/deal', { legal_id: legal, currency_id: currency });
  if (body.type !== 'ok') throw new Error(`transaction/deal: ${JSON.stringify(body)}`);
  return (body.message as { last_price: string }).last_price;
}

/** A new socket; `token` goes into the handshake. Close it in the test. */
export async function connect(token?: string, port?: number): Promise<Socket> {
  const url = new URL(BASE);
  if (port) url.port = String(port);
  const socket = io(url.origin, {
    auth: token ? { token } : {},
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/** On a machine with other work than this an effect takes so many times as long. */
const PATIENCE = 6;

/** Asks again until the answer satisfies: for effects that follow an answer within `withinMs` on an idle machine. */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (value: T) => boolean,
  withinMs = 5_000,
): Promise<T> {
  const until = Date.now() + PATIENCE * withinMs;
  for (;;) {
    const value = await ask();
    if (satisfied(value)) return value;
    if (Date.now() > until) throw new Error(`not within ${PATIENCE * withinMs} ms; last: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch (error) {
    return { type: 'unparsed', message: String(error), request_id: '' };
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} must name the running exchange; \`npm test\` sets it`);
  return value.replace(/\/$/, '');
}
