import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CALL_DEADLINE_MS } from '@bourse/contract';
import { SimulatedClock } from '@bourse/testing';
import type { CallContext, InternalCalls } from '@bourse/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandKeys } from '../application/command-keys.js';
import type { Commands } from '../application/commands.js';
import type { Latency } from '../../shared/application/latency.js';
import type { Edge } from './edge.js';
import { Forwarder } from './forwarder.js';
import type { Route } from './routes.js';

/** A service of the markets, which answers with this status. */
let status = 200;
let server: Server;
let base = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(status).end();
    const message = status === 200 ? [`prices of ${String(request.url)}`] : 'not yet';
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: status === 200 ? 'ok' : 'error', message }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const clock = new SimulatedClock();
let lang = 'en';
const forwarder = new Forwarder(
  { admit: () => Promise.resolve({ lang }) } as unknown as Edge,
  {} as Commands,
  {} as CommandKeys,
  {} as Latency,
  clock,
  { sign: () => ({}) } as unknown as InternalCalls,
);
interface Sent {
  readonly status: number;
  readonly age: string | undefined;
  readonly body: { readonly message: unknown; readonly age_ms?: number };
}
async function get(url: string, at = base, keepsLastAnswer = true, method = 'GET'): Promise<Sent> {
  const headers = new Map<string, string>();
  let sent: Sent | undefined;
  let code = 200;
  const reply = {
    elapsedTime: 0,
    code: (value: number) => ((code = value), reply),
    header: (name: string, value: string) => (headers.set(name, value), reply),
    send: (body: Buffer | string) => {
      sent = { status: code, age: headers.get('age'), body: JSON.parse(body.toString() || '{}') as Sent['body'] };
      return Promise.resolve();
    },
  };
  const policy = { method: 'GET', path: url, auth: 'public', keepsLastAnswer };
  await forwarder.forward(
    { method, url } as FastifyRequest,
    reply as unknown as FastifyReply,
    { service: 'market-data', base: at, policy } as unknown as Route,
  );
  return sent as Sent;
}
const AWAY = 'http://127.0.0.1:9';

test('while a service is away its last quotations are sent with their age [EDGE-064]', async () => {
  expect(await get('/api/quotation_new')).toMatchObject({ status: 200, age: undefined });
  clock.advance(4_200);
  const expected = { status: 200, age: '4', body: { message: ['prices of /api/quotation_new'], age_ms: 4_200 } };
  expect(await get('/api/quotation_new', AWAY)).toMatchObject(expected);
  // A restarted service answers 503 until it has read its catalog.
  status = 503;
  expect(await get('/api/quotation_new')).toMatchObject(expected);
  status = 200;
  const fresh = await get('/api/quotation_new');
  expect([fresh.age, fresh.body.age_ms]).toEqual([undefined, undefined]);
});

test('a kept answer is not sent in another language, for another call or where none is kept [EDGE-064]', async () => {
  await get('/api/quotation_new');
  lang = 'de';
  await expect(get('/api/quotation_new', AWAY)).rejects.toMatchObject({ key: 'common.unavailable' });
  lang = 'en';
  await expect(get('/api/currency/detail?id=1', AWAY)).rejects.toMatchObject({ key: 'common.unavailable' });
  await expect(get('/api/quotation_new', AWAY, false)).rejects.toMatchObject({ key: 'common.unavailable' });
  status = 503;
  expect(await get('/api/currency/detail?id=1')).toMatchObject({ status: 503 });
  status = 200;
});

test('HEAD has no kept answer: without its service it is refused as unavailable [EDGE-064]', async () => {
  expect(await get('/api/quotation_new', base, true, 'HEAD')).toMatchObject({ status: 200 });
  await expect(get('/api/quotation_new', AWAY, true, 'HEAD')).rejects.toMatchObject({ key: 'common.unavailable' });
});

/** A call of a file of 40 rows, with `leftMs` of its time left; returns what has come, and whether it came whole. */
async function getFile(
  rows: (response: ServerResponse) => Promise<unknown>,
  leftMs: number,
): Promise<{ readonly text: string; readonly isWhole: boolean; readonly pieces: number }> {
  const service = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="a.csv"' });
    void rows(response);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const read = { text: '', isWhole: false, pieces: 0 };
  const reply = {
    elapsedTime: CALL_DEADLINE_MS - leftMs,
    code: () => reply,
    header: () => reply,
    send: async (body: AsyncIterable<Buffer>) => {
      try {
        for await (const piece of body) {
          read.text += piece.toString();
          read.pieces += 1;
        }
        read.isWhole = true;
      } catch {
        // The connection of the caller is cut: the file has no regular end.
      }
    },
  };
  const url = '/api/coin/export';
  try {
    await forwarder.forward(
      { method: 'GET', url } as FastifyRequest,
      reply as unknown as FastifyReply,
      {
        service: 'spot-matching',
        base: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
        policy: { method: 'GET', path: url, auth: 'user' },
      } as unknown as Route,
    );
  } finally {
    service.close();
  }
  return read;
}
const ROWS = Array.from({ length: 40 }, (_, at) => `row ${at}\n`);

test('a file that takes longer than a call may is sent on whole, piece by piece [EDGE-066]', async () => {
  const { text, isWhole, pieces } = await getFile(async (response) => {
    for (const row of ROWS) {
      response.write(row);
      await sleep(20);
    }
    response.end();
  }, 200);
  expect([text, isWhole]).toEqual([ROWS.join(''), true]);
  expect(pieces).toBeGreaterThan(5);
});

test('a file whose service is lost before its first piece is asked for once more [EDGE-070]', async () => {
  let asked = 0;
  const { text, isWhole } = await getFile(async (response) => {
    asked += 1;
    if (asked > 1) return response.end(ROWS[0]);
    response.flushHeaders();
    await sleep(50);
    return response.destroy();
  }, 2_000);
  expect([text, isWhole, asked]).toEqual([ROWS[0], true, 2]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['is lost', (response) => void sleep(20).then(() => response.destroy())],
  ['says nothing more', () => undefined],
])('a file whose service %s after the head is refused, not cut off [EDGE-070]', async (_, end) => {
  const left = getFile((response) => {
    response.flushHeaders();
    return Promise.resolve(end(response));
  }, 300);
  await expect(left).rejects.toMatchObject({ key: 'common.unavailable' });
});

test('an empty file is sent as one [EDGE-070]', async () => {
  expect(await getFile((response) => Promise.resolve(response.end()), 2_000)).toMatchObject({
    text: '',
    isWhole: true,
  });
});

test('a file that its service breaks off has no regular end [EDGE-066]', async () => {
  const { text, isWhole } = await getFile(async (response) => {
    response.write(ROWS[0]);
    await sleep(50);
    response.destroy();
  }, 2_000);
  expect([text, isWhole]).toEqual([ROWS[0], false]);
});

/** Forwards a money call to a service that is lost after the first delivery; returns the contexts that it has got. */
async function deliverTwice(context: Partial<CallContext>): Promise<Partial<CallContext>[]> {
  let asked = 0;
  const service = createServer((_request, response) => {
    asked += 1;
    if (asked === 1) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"type":"ok"}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const contexts: Partial<CallContext>[] = [];
  const sign: InternalCalls['sign'] = (_to, _call, _at, given) => {
    contexts.push(given ?? {});
    return {};
  };
  const forwarding = new Forwarder(
    { admit: () => Promise.resolve({ lang: 'en', ...context }) } as unknown as Edge,
    { enter: () => () => false } as unknown as Commands,
    {} as CommandKeys,
    {} as Latency,
    clock,
    { sign } as unknown as InternalCalls,
  );
  const reply = { elapsedTime: 0, code: () => reply, header: () => reply, send: () => Promise.resolve() };
  const url = '/api/coin/batch';
  try {
    await forwarding.forward(
      { method: 'POST', url, body: {} } as FastifyRequest,
      reply as unknown as FastifyReply,
      {
        service: 'spot-matching',
        base: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
        policy: { method: 'POST', path: url, auth: 'user', money: true },
      } as unknown as Route,
    );
  } finally {
    service.close();
  }
  return contexts;
}

test('a money call without a key that is delivered twice has the id of one command both times [EDGE-120]', async () => {
  const [first, second, ...more] = await deliverTwice({ commandId: 'command', hasKey: false, bodyHash: null });
  expect(first).toMatchObject({ commandId: 'command', hasKey: true, bodyHash: 'command' });
  expect(second).toEqual(first);
  expect(more).toEqual([]);
  const [keyed] = await deliverTwice({ commandId: 'command', hasKey: true, bodyHash: 'hash' });
  expect(keyed).toMatchObject({ commandId: 'command', hasKey: true, bodyHash: 'hash' });
});
