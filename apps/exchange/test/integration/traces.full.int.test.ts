import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { ExchangeProcess } from './exchange-process.js';
import { TraceReceiver, type Span } from './trace-receiver.js';

jest.setTimeout(testTimeoutMs(120_000));

const receiver = new TraceReceiver();
let exchange: ExchangeProcess;
let url = '';
beforeAll(async () => {
  url = await receiver.listen();
  exchange = await ExchangeProcess.create('traces', {
    MAKER: 'off',
    PRICE_FEED: 'simulated',
    ACCESS_LOG: 'on',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
  });
  await exchange.start();
});
afterAll(async () => {
  await exchange.dispose();
  receiver.close();
});

interface Answer {
  readonly type: string;
  readonly message: unknown;
  readonly request_id: string;
  readonly trace: string | null;
}
async function post(path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Answer> {
  const response = await fetch(`${exchange.url}${path}`, {
    method: 'POST',
    signal: AbortSignal.timeout(testTimeoutMs(6_000)),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  return { ...((await response.json()) as Answer), trace: response.headers.get('traceresponse') };
}
const signIn = async (name: string): Promise<string> =>
  (await post('/api/user/login', { user_string: `${name}@demo.bourse`, password: 'Harbor-2468' })).message as string;
const order = (token: string, side: '1' | '2', headers = {}): Promise<Answer> =>
  post(
    '/api/coin/trade',
    { legal_id: '3', currency_id: '1', type: side, target_price: '20000.00', amount: '0.001' },
    { authorization: token, ...headers },
  );

test('one order is one trace: call, handler, ledger, book, settlement, push [OBSERVE-001, OBSERVE-002]', async () => {
  const [buyer, seller] = [await signIn('trader1'), await signIn('trader2')];
  expect((await order(buyer, '1')).type).toBe('ok');
  const stranger = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const sold = await order(seller, '2', { traceparent: stranger });
  expect(sold.type).toBe('ok');
  expect(sold.trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const traceId = (sold.trace as string).split('-')[1] as string;
  // A trace context from outside is ignored: callers do not decide what is recorded.
  expect(traceId).not.toBe('a'.repeat(32));

  const wanted = [
    'POST /api/coin/trade',
    'ledger order',
    'match place',
    'ledger trade',
    'push order_update',
    'push balance_update',
    'postgresql transaction',
  ];
  const spans = await eventually(() => {
    const found = receiver.of(traceId);
    const missing = wanted.filter((name) => !found.some((span) => span.name === name));
    if (missing.length > 0) throw new Error(`no span yet: ${missing.join(', ')}`);
    return found;
  }, 36_000);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const above = (span: Span): string[] => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent ? [parent.name, ...above(parent)] : [];
  };
  const named = (name: string): Span[] => spans.filter((span) => span.name === name);
  const root = spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '');
  expect(root.map(({ name }) => name)).toEqual(['POST /api/coin/trade']);
  // Every other span has its parent in the same trace, and begins no earlier than the call.
  expect(spans.filter((span) => span !== root[0] && !byId.has(span.parentSpanId ?? ''))).toEqual([]);
  const begun = BigInt((root[0] as Span).startTimeUnixNano);
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(startTimeUnixNano) + 1_000_000n >= begun).toBe(true);
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
  }
  const handler = above(named('ledger order')[0] as Span);
  expect(handler.at(-1)).toBe('POST /api/coin/trade');
  expect(handler.some((name) => /Controller\./.test(name))).toBe(true);
  expect(above(named('match place')[0] as Span)[0]).toBe('ledger order');
  expect(above(named('ledger trade')[0] as Span).slice(0, 2)).toEqual(['match place', 'ledger order']);
  for (const push of named('push order_update')) expect(above(push)[0]).toBe('match place');
  expect(named('push balance_update').map((span) => above(span)[0])).toEqual(
    expect.arrayContaining(['ledger order', 'ledger trade']),
  );
  expect(named('postgresql transaction').map((span) => above(span)[0])).toEqual(
    expect.arrayContaining(['ledger order', 'match place', 'ledger trade']),
  );
  expect([...receiver.services]).toEqual(['exchange']);
  // A span contains no user input and no value of a statement.
  const told = JSON.stringify(receiver.spans);
  for (const secret of [seller, buyer, 'Harbor-2468', 'trader1@demo', '20000']) expect(told).not.toContain(secret);
});

test('the access log names the call, its trace and the person, and no more [OBSERVE-003]', async () => {
  const token = await signIn('trader3');
  const refused = await order(token, '1', { 'idempotency-key': 'x'.repeat(300) });
  const placed = await order(token, '1');
  const lines = await eventually(() => {
    const read = readFileSync(join(exchange.dataDir, 'access.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const ids = new Set(read.map((line) => line['request_id']));
    return ids.has(refused.request_id) && ids.has(placed.request_id) ? read : undefined;
  }, 36_000);
  const lineOf = ({ request_id }: Answer) => lines.find((line) => line['request_id'] === request_id);
  expect(lineOf(placed)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    service: 'exchange',
    kind: 'access',
    request_id: placed.request_id,
    trace_id: (placed.trace as string).split('-')[1],
    method: 'POST',
    route: '/api/coin/trade',
    status: 200,
    ms: expect.any(Number),
    user_id: expect.any(Number),
  });
  expect(lineOf(refused)).toMatchObject({ route: '/api/coin/trade', key: expect.any(String) });
  expect(JSON.stringify(lines)).not.toMatch(/127\.0\.0\.1|Harbor|demo\.bourse|eyJ/);
});

test('an unavailable receiver stops neither trading nor a shutdown [OBSERVE-004]', async () => {
  receiver.close();
  const token = await signIn('trader1');
  expect((await order(token, '1')).type).toBe('ok');
  const begun = performance.now();
  expect(await exchange.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(testTimeoutMs(6_000));
});
