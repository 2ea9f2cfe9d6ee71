import { expect, test } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { AccessLog } from '../observability/access-log.js';
import { Metrics } from '../observability/metrics.js';
import type { CallPolicy } from './call.js';
import type { SignedCall } from './internal.js';
import { Traffic } from './traffic.js';

const ORDER = { method: 'POST', path: '/api/coin/trade', auth: 'user', rate: 'order' } as CallPolicy;
const REFUSED = JSON.stringify({ type: 'error', key: 'balance.insufficient', message: 'No', request_id: '' });

/** A process with nothing but its figures. */
function processOf({ edge, forwards }: { readonly edge: boolean; readonly forwards: boolean }): {
  readonly app: FastifyInstance;
  readonly traffic: Traffic;
  /** Lines of counts whose name begins so. */
  counted(name: string): Promise<string[]>;
} {
  const app = new FastifyAdapter().getInstance() as unknown as FastifyInstance;
  const metrics = new Metrics();
  const traffic = new Traffic(metrics, { record: () => undefined } as unknown as AccessLog, edge);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-signed'] !== undefined) request.signed = {} as SignedCall;
    done();
  });
  traffic.install(app, { forwards });
  const counted = async (name: string): Promise<string[]> =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(name) && !/_(bucket|sum)/.test(line));
  return { app, traffic, counted };
}

/** A service that refuses an order, answers a question and is not ready; and a gateway that forwards to it. */
function exchange() {
  const service = processOf({ edge: false, forwards: false });
  service.app.post('/api/coin/trade', (request, reply) => {
    request.refusal = 'balance.insufficient';
    return reply.send(REFUSED);
  });
  service.app.get('/internal/ask/:name', () => '{}');
  service.app.get('/readyz', (_request, reply) => reply.code(503).send('{}'));
  const gateway = processOf({ edge: true, forwards: true });
  gateway.app.post('/api/coin/trade', async (request, reply) => {
    request.call = ORDER;
    const { rawPayload } = await service.app.inject({ method: 'POST', url: '/api/coin/trade' });
    return reply.send(rawPayload);
  });
  gateway.app.get('/internal/ask/:name', () => '{}');
  for (const path of ['/healthz', '/readyz', '/metrics']) gateway.app.get(path, () => '{}');
  gateway.app.get('/*', () => '<html>');
  return { service, gateway };
}

test('a forwarded call is one call of a person, at the edge, with its refusal [OBSERVE-023]', async () => {
  const { service, gateway } = exchange();
  await gateway.app.inject({ method: 'POST', url: '/api/coin/trade' });
  expect(await gateway.counted('bourse_')).toEqual([
    'bourse_http_request_seconds_count{route="/api/coin/trade",method="POST",status="200"} 1',
    'bourse_http_refusals_total{route="/api/coin/trade",key="balance.insufficient"} 1',
    'bourse_orders_total{outcome="balance.insufficient"} 1',
  ]);
  expect(gateway.traffic.totals()).toEqual({ calls: 1, refused: 1, failed: 0 });
  // The service's own view stays to be seen, under other names.
  expect(await service.counted('bourse_')).toEqual([
    'bourse_internal_request_seconds_count{route="/api/coin/trade",method="POST",status="200"} 1',
    'bourse_internal_refusals_total{route="/api/coin/trade",key="balance.insufficient"} 1',
  ]);
  expect(service.traffic.totals()).toEqual({ calls: 0, refused: 0, failed: 0 });
});

test('probes and questions of our own processes are no calls of people, at the edge either [OBSERVE-023]', async () => {
  const { service, gateway } = exchange();
  for (const url of ['/readyz', '/internal/ask/coin']) await service.app.inject({ method: 'GET', url });
  for (const url of ['/healthz', '/readyz', '/metrics']) await gateway.app.inject({ method: 'GET', url });
  await gateway.app.inject({ method: 'GET', url: '/internal/ask/coin', headers: { 'x-signed': '1' } });
  for (const { counted, traffic } of [service, gateway]) {
    expect(await counted('bourse_http_')).toEqual([]);
    expect(traffic.totals()).toEqual({ calls: 0, refused: 0, failed: 0 });
  }
  expect(await service.counted('bourse_internal_')).toEqual([
    'bourse_internal_request_seconds_count{route="/readyz",method="GET",status="503"} 1',
    'bourse_internal_request_seconds_count{route="/internal/ask/:name",method="GET",status="200"} 1',
  ]);
  expect(await gateway.counted('bourse_internal_')).toHaveLength(4);
});

test('files, and internal paths that a stranger asks for, are calls that lead nowhere [OBSERVE-023]', async () => {
  const { gateway } = exchange();
  for (const url of ['/', '/internal/ask/coin', '/nothing'])
    await gateway.app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
  expect(await gateway.counted('bourse_')).toEqual([
    'bourse_http_request_seconds_count{route="none",method="GET",status="200"} 3',
  ]);
});
