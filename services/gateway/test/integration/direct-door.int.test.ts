import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { RouteTable, tracing } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing';
import { person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
  for (const [userId, more] of [
    [11, {}],
    [12, { hasFundPassword: false }],
    [13, { frozen: 'all' }],
    [14, { kind: 'operator', roles: ['support'] }],
    [15, { kind: 'points' }],
  ] as const)
    gateway.people.set(userId, person(userId, more));
});
afterAll(async () => {
  tracing.on = false;
  await gateway.end();
});

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly userId?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ATTEMPTS: readonly Attempt[] = [
  { method: 'POST', path: '/api/probe/money', userId: 11 },
  {
    method: 'POST',
    path: '/api/probe/money',
    userId: 11,
    headers: { lang: 'de', origin: 'https://elsewhere.example' },
  },
  { method: 'POST', path: '/api/probe/money' },
  { method: 'POST', path: '/api/probe/money', userId: 13 },
  { method: 'POST', path: '/api/probe/money', userId: 14 },
  { method: 'POST', path: '/api/probe/money', userId: 15 },
  { method: 'POST', path: '/api/probe/trade', userId: 12 },
  { method: 'POST', path: '/api/probe/trade', userId: 11 },
  { method: 'POST', path: '/api/probe/down', userId: 11 },
  { method: 'POST', path: '/api/probe/defect' },
  { method: 'POST', path: '/api/probe/sign_in', headers: FORM, body: 'user_string=one' },
  { method: 'POST', path: '/api/probe/order', userId: 11, headers: FORM, body: 'a=1&a=2' },
  { method: 'POST', path: '/api/probe/order', userId: 11, headers: { 'content-type': 'text/plain' }, body: 'a' },
  { method: 'GET', path: '/api/probe/own?x=%E0%A4%A', userId: 11 },
  { method: 'GET', path: '/api/probe/own', userId: 11 },
  { method: 'HEAD', path: '/api/probe/own', userId: 11 },
  { method: 'GET', path: '/api/probe/points', userId: 15 },
  { method: 'GET', path: '/api/probe/operator', userId: 14 },
  { method: 'GET', path: '/api/probe/operator', userId: 11 },
  { method: 'PUT', path: '/api/probe/own', userId: 11 },
  { method: 'GET', path: '/api/status' },
  { method: 'GET', path: '/api/market/candles?symbol=&interval=nothing' },
];
/** Headers that differ from one answer to the next. */
const OWN_HEADERS = new Set(['date', 'x-request-id', 'content-length', 'traceresponse']);
/** Headers whose values depend on earlier calls. */
const COUNTED_HEADERS = new Set(['ratelimit-remaining', 'ratelimit-reset']);

async function answerTo({ method, path, userId, headers, body }: Attempt): Promise<object> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { ...headers, ...(userId === undefined ? {} : { authorization: gateway.token(userId) }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers]
        .filter(([name]) => !OWN_HEADERS.has(name))
        .map(([name, value]) => [name, COUNTED_HEADERS.has(name) ? '' : value]),
    ),
    // Ids, and figures that move while the test runs, also from none to one.
    body: text.replace(/"(?:request|command)_id":"[^"]+"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|null/g, '0'),
  };
}

test('the probes run without the pipeline of Nest [EDGE-040]', () => {
  const direct = gateway.app.get(RouteTable).direct();
  for (const { method, path } of ATTEMPTS.slice(0, 12)) expect([...direct.keys()]).toContain(`${method} ${path}`);
});

test.each(ATTEMPTS)('$method $path of $userId is answered as Nest answers it [EDGE-040]', async (attempt) => {
  tracing.on = false;
  const direct = await answerTo(attempt);
  tracing.on = true;
  const throughNest = await answerTo(attempt);
  tracing.on = false;
  expect(direct).toEqual(throughNest);
});
