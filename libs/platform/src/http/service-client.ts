import { Agent, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { carried, tracing } from '../observability/tracing.js';

/** The most idle connections kept to a service; the service closes them after 65 s. */
const KEPT_MAX = 64;
const OPTIONS = { keepAlive: true, maxFreeSockets: KEPT_MAX } as const;
const agent = new Agent(OPTIONS);
const secureAgent = new SecureAgent(OPTIONS);

export interface ServiceRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: none is sent. */
  readonly body?: string;
  readonly signal: AbortSignal;
}
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An answer whose body has not been read; who gets it reads it to its end, or destroys it. */
export interface ServiceStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/**
 * One request to another of our processes, over a kept connection: a quarter of the caller's cost of `fetch`, whose
 * streams and hooks are not needed here. Redirects are not followed. Throws the error of the connection, with its
 * `code`, or the signal's reason.
 */
export async function callService(url: URL, request: ServiceRequest): Promise<ServiceAnswer> {
  const { status, headers, body } = await openService(url, request);
  return { status, headers, body: await bodyOf(body, `${request.method} ${url.pathname}`) };
}

/** Like `callService`, but returns at the head of the answer. The signal ends the reading of its body too. */
export function openService(
  url: URL,
  { method, headers: given, body, signal }: ServiceRequest,
): Promise<ServiceStream> {
  const headers = tracing.on ? traced(given) : given;
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const sent = (secure ? requestHttps : requestHttp)(
      url,
      {
        method,
        agent: secure ? secureAgent : agent,
        signal,
        headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      },
      (response) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

/** The whole body of an answer; `call` names it in the error. */
export function bodyOf(response: IncomingMessage, call: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    // A connection that is cut in the middle of an answer ends it without an error.
    response.once('close', () => {
      if (!response.complete) reject(new Error(`${call}: the answer was cut off`));
    });
    response.once('end', () => resolve(Buffer.concat(chunks)));
  });
}

/**
 * The body of an answer piece by piece, as its reader takes it. Each piece has to come within the time from when it is
 * asked for: a slow reader is not the service's fault. @throws Error when a piece is late or the answer is cut off
 */
export async function* piecesOf(response: IncomingMessage, pieceMs: number): AsyncGenerator<Buffer> {
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new Error('a part of the answer did not come in time')), pieceMs);
      const piece = await pieces.next().finally(() => clearTimeout(timer));
      if (piece.done === true) break;
      yield piece.value;
    }
    if (!response.complete) throw new Error('the answer was cut off');
  } finally {
    // Its reader may have left: the service then need not go on.
    response.destroy();
  }
}

/** With the trace that is under way. It is not signed, because it only decides where a span is shown. */
function traced(headers: ServiceRequest['headers']): ServiceRequest['headers'] {
  const traceparent = carried();
  return traceparent === undefined ? headers : { ...headers, traceparent };
}
