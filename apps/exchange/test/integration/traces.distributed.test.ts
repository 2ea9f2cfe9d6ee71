import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { post, trader } from '../contract/client.js';
import { TraceReceiver, type Span } from './trace-receiver.js';

jest.setTimeout(600_000);

/** The address to which the run sends its spans. */
const address = process.env['BOURSE_TRACES'];
const receiver = new TraceReceiver();
beforeAll(async () => {
  if (!address) throw new Error('BOURSE_TRACES is not set; `npm test -- distributed` sets it');
  await receiver.listen(Number(new URL(address).port));
});
afterAll(() => receiver.close());

const order = (token: string, side: '1' | '2') =>
  post(
    '/api/coin/trade',
    { legal_id: '3', currency_id: '1', type: side, target_price: '56000.00', amount: '0.001' },
    { token },
  );

test('one order is one trace across processes: over HTTP, and twice over Kafka [OBSERVE-021]', async () => {
  const [buyer, seller] = [await trader(1), await trader(2)];
  expect((await order(buyer, '1')).body.type).toBe('ok');
  const sold = await order(seller, '2');
  expect(sold.body.type).toBe('ok');
  const traceId = sold.headers.get('traceresponse')?.split('-')[1] ?? '';
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);

  const wanted = [
    ['gateway', 'POST /api/coin/trade'],
    ['wallet-ledger', 'ledger order'],
    ['spot-matching', 'match place'],
    ['wallet-ledger', 'ledger trade'],
    ['gateway', 'push order_update'],
  ] as const;
  const isThere = (spans: readonly Span[], [service, name]: readonly [string, string]): boolean =>
    spans.some((span) => span.service === service && span.name === name);
  // Every process sends its spans every five seconds: a trace is complete when no parent is missing.
  const orphans = (spans: readonly Span[]): readonly Span[] => {
    const ids = new Set(spans.map(({ spanId }) => spanId));
    return spans.filter(({ parentSpanId }) => (parentSpanId ?? '') !== '' && !ids.has(parentSpanId ?? ''));
  };
  const deadline = Date.now() + 180_000;
  let spans = receiver.of(traceId);
  while (!wanted.every((one) => isThere(spans, one)) || orphans(spans).length > 0) {
    if (Date.now() > deadline)
      throw new Error(`not whole: ${JSON.stringify(spans.map(({ service, name }) => [service, name]))}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    spans = receiver.of(traceId);
  }

  const byId = new Map(spans.map((span) => [span.spanId, span]));
  /** Returns service and name of a span and of its ancestors. */
  const path = (span: Span | undefined): string[] =>
    span ? [`${String(span.service)}: ${span.name}`, ...path(byId.get(span.parentSpanId ?? ''))] : [];
  const [root, ...others] = spans.filter(({ parentSpanId }) => (parentSpanId ?? '') === '');
  expect(others).toEqual([]);
  expect(path(root)).toEqual(['gateway: POST /api/coin/trade']);
  const settled = path(spans.find(({ name }) => name === 'ledger trade'));
  expect(settled.slice(0, 3)).toEqual([
    'wallet-ledger: ledger trade',
    'spot-matching: match place',
    'wallet-ledger: ledger order',
  ]);
  expect(settled.at(-1)).toBe('gateway: POST /api/coin/trade');
  const pushed = path(spans.find(({ name }) => name === 'push order_update'));
  expect(pushed.slice(0, 2)).toEqual(['gateway: push order_update', 'spot-matching: match place']);
  expect(pushed.at(-1)).toBe('gateway: POST /api/coin/trade');
});
