import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type { CallPolicy } from '@bourse/platform';
import fastify, { type FastifyInstance } from 'fastify';
import { acceptedEncoding, installCompression } from './compression.js';

const LONG = { type: 'ok', message: Array.from({ length: 500 }, (_, at) => ({ time: at, close: '57000.00' })) };
const PUBLIC: CallPolicy = { method: 'GET', path: '/', auth: 'public', rate: 'public' };

function serve(call: CallPolicy, body: object | Buffer): FastifyInstance {
  const server = fastify();
  installCompression(server);
  server.get('/', (request, reply) => {
    request.call = call;
    return reply.type('application/json').header('vary', 'origin').send(body);
  });
  return server;
}
const get = (server: FastifyInstance, accepted: string) =>
  server.inject({ method: 'GET', url: '/', headers: { 'accept-encoding': accepted } });

test('a long answer of market data is compressed as the client accepts it [EDGE-130]', async () => {
  for (const body of [LONG, Buffer.from(JSON.stringify(LONG))]) {
    const br = await get(serve(PUBLIC, body), 'gzip, deflate, br, zstd');
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'origin, accept-encoding' });
    expect(Number(br.headers['content-length'])).toBe(br.rawPayload.length);
    expect(JSON.parse(brotliDecompressSync(br.rawPayload).toString())).toEqual(LONG);
    expect(br.rawPayload.length).toBeLessThan(JSON.stringify(LONG).length / 5);
  }
  const gzip = await get(serve(PUBLIC, LONG), 'gzip');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual(LONG);
});

test('short answers, those of persons and those for plain clients are sent as they are [EDGE-130]', async () => {
  const plain = [
    await get(serve(PUBLIC, { type: 'ok', message: 'short' }), 'br'),
    await get(serve({ ...PUBLIC, auth: 'user', rate: 'read' }, LONG), 'br'),
    await get(serve({ ...PUBLIC, rate: 'export' }, LONG), 'br'),
    await get(serve(PUBLIC, LONG), ''),
    await get(serve(PUBLIC, LONG), 'identity, br;q=0'),
  ];
  for (const { headers, body } of plain) {
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(body)).toMatchObject({ type: 'ok' });
  }
});

test.each([
  ['br', 'br'],
  ['gzip;q=0.8, br;q=0.1', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['brotli, x-gzip', undefined],
  ['', undefined],
])('of %p the encoding is %p [EDGE-130]', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
