import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteTable, tracing, type Caller } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing';
import type { FastifyInstance } from 'fastify';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  tracing.on = false;
  await auth.end();
});

/** What `attempt` returns without the pipeline of Nest, and through it. */
async function onBothWays<T>(attempt: () => Promise<T>): Promise<[direct: T, throughNest: T]> {
  const direct = await attempt();
  tracing.on = true;
  const throughNest = await attempt();
  tracing.on = false;
  return [direct, throughNest];
}

const PERSON = { userId: 500_000, sessionId: 's', kind: 'user', lang: 'en' } as Caller;
const CALLS: readonly { readonly name: string; readonly ask: () => Promise<Answered> }[] = [
  { name: 'a profile', ask: () => auth.get('/api/user/info', { caller: PERSON }) },
  { name: 'a refused sign-in', ask: () => auth.post('/api/user/login', { user_string: 'nobody', password: 'wrong' }) },
  { name: 'a missing field', ask: () => auth.post('/api/user/login', { user_string: 'nobody' }) },
  { name: 'a call for people without a person', ask: () => auth.get('/api/user/info') },
];

test.each(CALLS)('$name is answered by a service process as Nest answers it [EDGE-040]', async ({ ask }) => {
  const [direct, throughNest] = await onBothWays(ask);
  expect(direct).toEqual(throughNest);
});

test('a service process refuses an unsigned call on both ways [EDGE-040]', async () => {
  const fastify = auth.get$(HttpAdapterHost).httpAdapter.getInstance<FastifyInstance>();
  expect([...auth.get$(RouteTable).direct().keys()]).toContain('GET /api/user/info');
  const statuses = await onBothWays(
    async () => (await fastify.inject({ method: 'GET', url: '/api/user/info' })).statusCode,
  );
  expect(statuses).toEqual([403, 403]);
});
