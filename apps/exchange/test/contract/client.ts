import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import type { CallAt, CallMethod, MessageOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { expectDeclared } from './shapes.js';

/** Address of the running exchange under test, embedded or distributed: the same tests run against both. */
export const BASE = required('BOURSE_URL');

export interface Answered<B extends Body = Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: B;
  readonly text: string;
}
/** An envelope: a refusal, or the answer of a call that the documents do not list. */
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
/**
 * The envelope of a call with its declared answer, which every accepted answer must match. Tests of refusals compare
 * `key`, not the message.
 */
export type BodyAt<M extends CallMethod, P extends string> = [CallAt<M, PathIn<P>>] extends [never]
  ? Body
  : Body & Omit<CallAt<M, PathIn<P>>['answer'], 'type' | 'key' | 'command_id' | 'request_id'>;
/** A path without its query. */
type PathIn<P extends string> = P extends `${infer Path}?${string}` ? Path : P;
export type Fields = Readonly<Record<string, string | number | undefined>>;
export interface Options {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: boolean;
  /** The call reads the outcome of a command, so `pending` is its answer and not a reason to wait. */
  readonly isOutcome?: boolean;
  /** The first answer counts, also when it says that nothing was done. */
  readonly once?: boolean;
}

/**
 * Calls the exchange, form-encoded unless `json`. An accepted answer must match the declared one. Waits as clients do:
 * a call that a busy exchange has not executed is repeated, and of a pending one the outcome is returned.
 */
export async function call<B extends Body = Body>(
  method: string,
  path: string,
  fields: Fields = {},
  options: Options = {},
): Promise<Answered<B>> {
  if (options.once) return send(method, path, fields, options);
  const ownKey = options.headers?.['idempotency-key'];
  // `GET /api/command` answers people, not operators: they repeat the call under its key.
  const isOperators = method !== 'GET' && path.startsWith('/api/admin/');
  let key = ownKey ?? (isOperators ? randomUUID() : undefined);
  const headers = (): Options['headers'] => ({ ...options.headers, ...(key ? { 'idempotency-key': key } : {}) });
  const isAnswered = ({ status, body }: Answered): boolean => {
    if (body.key === EXPIRED && ownKey === undefined && !options.isOutcome) {
      key &&= randomUUID();
      return false;
    }
    return body.key !== UNAVAILABLE && !(isOperators && (status === 202 || body.key === REPEATED));
  };
  return repeatUntil(isAnswered, async () => {
    const answer = await send<B>(method, path, fields, { ...options, headers: headers() });
    const { status, body } = answer;
    const isPending = status === 202 && !options.isOutcome && !/^\/api\/(?:command|admin\/)/.test(path);
    if (!isPending || body.command_id === undefined || options.token === undefined) return answer;
    return outcomeOf(answer, body.command_id, options.token);
  });
}
/** The exchange was too busy: nothing was done. */
const UNAVAILABLE = 'common.unavailable';
/** How long a busy exchange may answer that it is unavailable, ms. */
const UNAVAILABLE_MS = 12_000;
/** The command was not executed within its time, and never will be. */
const EXPIRED = 'common.expired';
/** The call with this key is running. */
const REPEATED = 'common.repeated';

/** Repeats a request until its answer is accepted, or the limit has passed; returns the last answer. */
async function repeatUntil<A>(isAnswered: (answer: A) => boolean, request: () => Promise<A>): Promise<A> {
  let last = await request();
  if (!isAnswered(last))
    await eventuallySatisfied(async () => (last = await request()), isAnswered, UNAVAILABLE_MS).catch(() => undefined);
  return last;
}
/** Repeats a request while a busy exchange answers that it has done nothing; returns the last answer. */
export const untilAvailable = <A extends { readonly body: { readonly key?: string } }>(
  request: () => Promise<A>,
): Promise<A> => repeatUntil(({ body }) => body.key !== UNAVAILABLE, request);

/** Makes one request. */
async function send<B extends Body>(
  method: string,
  path: string,
  fields: Fields,
  { token, headers = {}, json = false }: Options,
): Promise<Answered<B>> {
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
  const body = parse(text) as B;
  if (response.status === 200 && body.type === 'ok') await expectDeclared(BASE, method, path, body);
  return { status: response.status, headers: response.headers, text, body };
}

/**
 * The outcome of a pending command by its id, as clients read it. A command that is not known after its time has had no
 * effect and will have none: its outcome is EXPIRED. One that is still pending then is returned as it was answered.
 */
async function outcomeOf<B extends Body>(pending: Answered<B>, id: string, token: string): Promise<Answered<B>> {
  const read = (): Promise<Answered<B>> =>
    call<B>('GET', `/api/command?key=${encodeURIComponent(id)}`, {}, { token, isOutcome: true });
  const isUnknown = ({ body }: Answered): boolean => body.key === 'common.notFound';
  try {
    return await eventuallySatisfied(read, (answer) => answer.status !== 202 && !isUnknown(answer), COMMAND_MS);
  } catch {
    const last = await read();
    return isUnknown(last) ? { ...pending, body: { ...pending.body, type: 'error', key: EXPIRED } } : pending;
  }
}
/**
 * A command is executed or refused within 4 s of its call (invariants §2.1). A test makes many calls at once, and the
 * outcome of each follows those of the calls before it.
 */
const COMMAND_MS = 10_000;

/** Makes `count` concurrent calls; call n is `act(n)`. */
export const callAtOnce = <B extends Body>(
  count: number,
  act: (at: number) => Promise<Answered<B>>,
): Promise<Answered<B>[]> => Promise.all(Array.from({ length: count }, (_, at) => act(at)));

export const get = <P extends string>(
  path: P,
  fields: Fields = {},
  options: Options = {},
): Promise<Answered<BodyAt<'GET', P>>> => call('GET', path, fields, options);
export const post = <P extends string>(
  path: P,
  fields: Fields = {},
  options: Options = {},
): Promise<Answered<BodyAt<'POST', P>>> => call('POST', path, fields, options);
export const put = <P extends string>(
  path: P,
  fields: Fields = {},
  options: Options = {},
): Promise<Answered<BodyAt<'PUT', P>>> => call('PUT', path, fields, options);

/** Key of an answer. */
export const keyOf = async (answer: Promise<Answered>): Promise<string | undefined> => (await answer).body.key;
export const keysOf = (answers: readonly Answered[]): (string | undefined)[] => answers.map(({ body }) => body.key);

/** Key and params of a refusal. */
export async function refusal(answer: Promise<Answered>): Promise<Pick<Body, 'key' | 'params'>> {
  const { key, params } = (await answer).body;
  return { key, params };
}

const tokens = new Map<string, Promise<string>>();
/** Token of a demo person (rules §17), signed in once per test file: sign-ins are limited per account. */
export function signIn(account: string, password = 'Harbor-2468'): Promise<string> {
  const known = tokens.get(account);
  if (known) return known;
  const fresh = tokenOf(account, password);
  tokens.set(account, fresh);
  return fresh;
}
async function tokenOf(account: string, password: string): Promise<string> {
  const { body } = await post('/api/user/login', { user_string: account, password });
  if (body.type !== 'ok') throw new Error(`sign-in of ${account}: ${JSON.stringify(body)}`);
  return body.message;
}
export const trader = (number: 1 | 2 | 3): Promise<string> => signIn(`trader${number}@demo.bourse`);

/** Available and held amounts of one coin in the four accounts. */
export type Balances = MessageOf<'POST /api/wallet/detail'>;
export async function balanceOf(token: string, currency: number): Promise<Balances> {
  const { body } = await post('/api/wallet/detail', { currency }, { token });
  if (body.type !== 'ok') throw new Error(`wallet/detail: ${JSON.stringify(body)}`);
  return body.message;
}

/** Price of the last trade of a pair in its book, decimal text. */
export async function lastPrice(legal: number, currency: number): Promise<string> {
  const { body } = await post('/api/transaction/deal', { legal_id: legal, currency_id: currency });
  if (body.type !== 'ok') throw new Error(`transaction/deal: ${JSON.stringify(body)}`);
  return body.message.last_price;
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
