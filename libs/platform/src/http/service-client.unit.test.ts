import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { callService } from './service-client.js';

let server: Server | undefined;
afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));
async function serve(listener: RequestListener): Promise<URL> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((done) => started.listen(0, '127.0.0.1', done));
  return new URL(`http://127.0.0.1:${(started.address() as AddressInfo).port}/internal/x?a=1`);
}
const soon = (): AbortSignal => AbortSignal.timeout(5_000);

test('calls one after another share a connection, and bodies arrive whole [EDGE-032]', async () => {
  const sockets = new Set<Socket>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(201, { 'x-method': request.method });
      response.end(`${request.url} ${request.headers['content-length']} ${Buffer.concat(chunks).toString('utf8')}`);
    });
  });
  for (const body of ['{"ä":1}', '{}']) {
    const answer = await callService(url, { method: 'POST', headers: { 'x-a': 'b' }, body, signal: soon() });
    expect([answer.status, answer.headers['x-method']]).toEqual([201, 'POST']);
    expect(answer.body.toString('utf8')).toBe(`/internal/x?a=1 ${Buffer.byteLength(body)} ${body}`);
  }
  expect(sockets.size).toBe(1);
});

test('a closed port, a timeout and a truncated answer are errors [EDGE-032]', async () => {
  const url = await serve((request, response) => {
    if (request.method === 'GET') return;
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  const late = callService(url, { method: 'GET', headers: {}, signal: AbortSignal.timeout(50) });
  await expect(late).rejects.toThrow(/abort/i);
  await expect(callService(url, { method: 'POST', headers: {}, body: '', signal: soon() })).rejects.toThrow();
  const nobody = new URL('http://127.0.0.1:1/');
  await expect(callService(nobody, { method: 'GET', headers: {}, signal: soon() })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});
