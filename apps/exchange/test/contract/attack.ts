import { request as httpRequest } from 'node:http';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, get, untilAvailable, type Body } from './client.js';
import { operator } from './people.js';

/** A call as in `/api/admin/openapi.json`. Names in braces in `path` are filled in. */
export interface KnownCall {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly auth: 'public' | 'user' | 'points' | 'operator' | 'dev';
  readonly role?: string;
  readonly money: boolean;
  readonly gates: readonly string[];
  readonly keys: string;
}

/** Every call of the exchange but the open ones (health, metrics, the document itself). */
export async function allCalls(): Promise<KnownCall[]> {
  const { text } = await get('/api/admin/openapi.json', {}, { token: await operator('operator') });
  const { paths } = JSON.parse(text) as {
    paths: Record<
      string,
      Record<
        string,
        { 'x-call'?: { auth: KnownCall['auth']; role?: string; money: boolean; gates: string[]; api_key: string } }
      >
    >;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { 'x-call': told }]) => {
      if (!told || OPEN.has(path)) return [];
      return [
        {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: path.replace(/\{\w+\}/g, '1'),
          auth: told.auth,
          ...(told.role ? { role: told.role } : {}),
          money: told.money,
          gates: told.gates,
          keys: told.api_key,
        },
      ];
    }),
  );
}
const OPEN = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/openapi.json',
  '/api/asyncapi.json',
  '/api/admin/openapi.json',
]);

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Partial<Body> & { readonly code?: number };
}

/** A server reads a head of so many bytes (Node's `maxHeaderSize`). */
const HEAD_BYTES = 16_384;

/** One request exactly as given: nothing is normalised on the way. */
export function raw(
  method: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(BASE);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        agent: false,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
        timeout: ANSWER_MS,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
        });
      },
    );
    request.on('timeout', () =>
      request.destroy(new Error(`${method} ${path} was not answered within ${ANSWER_MS} ms`)),
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server answers a head that is too long with 431 and ends the connection while the rest is still written.
      // The end may arrive before the answer is read.
      if (error.code === 'ECONNRESET' && path.length > HEAD_BYTES)
        return resolve({ status: 431, headers: {}, text: '', body: {} });
      reject(error);
    });
    request.end(body);
  });
}

/** An answer comes within the 5 s of a call's deadline; the clock and the audits of a demo install take longer. */
const ANSWER_MS = testTimeoutMs(10_000);

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const;
export const JSON_TYPE = { 'content-type': 'application/json' } as const;

/**
 * A call with fields: in the query of a GET, in the body of everything else; repeated while a busy exchange has not
 * executed it.
 */
export function send(
  call: Pick<KnownCall, 'method' | 'path'>,
  fields: Readonly<Record<string, string>>,
  token?: string,
): Promise<RawAnswer> {
  const text = new URLSearchParams(fields).toString();
  const headers: Record<string, string> = token ? { authorization: token } : {};
  return untilAvailable(() =>
    call.method === 'GET'
      ? raw('GET', text ? `${call.path}?${text}` : call.path, { headers })
      : raw(call.method, call.path, { headers: { ...headers, ...FORM }, body: text }),
  );
}

/** Processes a list in its order, several items at a time. */
export async function each<T, R>(list: readonly T[], work: (item: T) => Promise<R>, atOnce = 8): Promise<R[]> {
  const results: R[] = new Array<R>(list.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < list.length; at = next++) results[at] = await work(list[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, lane));
  return results;
}

/** The middleware and `/upi` answer with a code instead of a type (api §3). */
export const isCoded = (path: string): boolean => /^\/(walletMiddle|upi)\//.test(path);

/**
 * Returns what is wrong with an answer to any call: a server error, no envelope, a cacheable or sniffable answer, an
 * internal text; null if nothing.
 */
export function malformed(call: Pick<KnownCall, 'path'>, { status, headers, text, body }: RawAnswer): string | null {
  if (status >= 500 && status !== 503) return `status ${status}`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'may be sniffed';
  const type = String(headers['content-type'] ?? '');
  if (text !== '' && !/^(application\/json|text\/csv|image\/(png|jpeg|webp))/.test(type)) return `is ${type}`;
  if (type.startsWith('application/json')) {
    if (isCoded(call.path) && status === 200) {
      if (typeof body.code !== 'number') return 'has no code';
    } else if (!TYPES.has(body.type ?? '') && !RAW.test(call.path)) return `has type ${body.type}`;
    if (
      body.type !== undefined &&
      body.type !== 'ok' &&
      (typeof body.key !== 'string' || typeof body.message !== 'string' || typeof body.request_id !== 'string') &&
      !isCoded(call.path)
    )
      return 'is no whole refusal';
    if (headers['cache-control'] !== 'no-store') return 'may be cached';
  }
  if (INNER.test(text)) return `reveals internals: ${INNER.exec(text)?.[0]}`;
  return null;
}
const TYPES = new Set(['ok', 'error', 'not', '996', '997', '555', '998', '999', 'pending']);
/** Answers with another format by contract. */
const RAW = /^\/api\/(currency\/new_timeshar|kline)/;
const INNER =
  /node_modules|\bat \w+\.\w+ \(|QueryFailed|syntax error at|ECONNREFUSED|duplicate key value|violates|invalid input syntax|\.ts:\d+|\.js:\d+/;

function parsed(text: string): RawAnswer['body'] {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // An image, a file, or empty: the caller reads the text.
    return {};
  }
}
