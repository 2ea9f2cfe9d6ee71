import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { BatchSpans, carried, childSpan, inSpan, rootSpan, spanBelow, tracing, withTrace } from './tracing.js';

const exporter = new InMemorySpanExporter();
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
});
afterAll(() => {
  tracing.on = false;
  context.disable();
  trace.disable();
});
beforeEach(() => {
  tracing.on = true;
  exporter.reset();
});
const PARENT = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
const message = { type: 'spot.place.v1', key: 'BTC/USDT', body: {} };

describe('tracing [OBSERVE-001]', () => {
  test('off, nothing is begun, and messages stay the objects that they are', async () => {
    tracing.on = false;
    expect(childSpan('a')).toBeUndefined();
    expect(spanBelow(PARENT, 'a')).toBeUndefined();
    expect(withTrace(message)).toBe(message);
    expect(await inSpan('a', {}, () => Promise.resolve(carried()))).toBeUndefined();
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  test('off, a batch passes on the traces of its messages', () => {
    tracing.on = false;
    expect(new BatchSpans().open(PARENT, 'ledger order')).toBe(PARENT);
  });

  test('work that belongs to no trace begins none', async () => {
    expect(await inSpan('a', {}, () => Promise.resolve(carried()))).toBeUndefined();
    expect(withTrace(message)).toBe(message);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  test('spans lie below the one that is active, over awaits, and a message is given its trace once', async () => {
    const root = rootSpan('call');
    const sent = await root.run(() =>
      inSpan('ask', {}, async () => {
        await Promise.resolve();
        const first = withTrace(message);
        return [first, await inSpan('inner', {}, () => Promise.resolve(withTrace(first)))] as const;
      }),
    );
    root.end();
    const spans = new Map(exporter.getFinishedSpans().map((span) => [span.name, span]));
    expect(spans.get('inner')?.parentSpanContext?.spanId).toBe(spans.get('ask')?.spanContext().spanId);
    expect(spans.get('ask')?.parentSpanContext?.spanId).toBe(spans.get('call')?.spanContext().spanId);
    expect(sent[0]).toMatchObject({
      trace: `00-${root.traceId}-${spans.get('ask')?.spanContext().spanId}-01`,
    });
    expect(sent[1]).toBe(sent[0]);
  });

  test('a malformed trace context is no parent', () => {
    for (const wrong of ['', 'x', PARENT.toUpperCase().replaceAll('1', 'G'), `01${PARENT.slice(2)}`, `${PARENT}-00`])
      expect(spanBelow(wrong, 'a')).toBeUndefined();
  });

  test('a batch has a span for each trace, with the step that all wait for in each', async () => {
    const spans = new BatchSpans(performance.now());
    const other = PARENT.replaceAll('1', '3');
    const onward = [spans.open(PARENT, 'ledger order'), spans.open(other, 'ledger trade')];
    await spans.step('postgresql transaction', { kind: 'client' }, () => Promise.resolve());
    spans.end();
    const found = exporter.getFinishedSpans().map((span) => [span.name, span.spanContext().traceId]);
    const [one, two] = [PARENT.split('-')[1], other.split('-')[1]];
    expect(found).toEqual([
      ['postgresql transaction', one],
      ['postgresql transaction', two],
      ['ledger order', one],
      ['ledger trade', two],
    ]);
    expect(onward.map((text) => text.split('-')[1])).toEqual([one, two]);
  });

  test('a failure marks its spans and passes, without its words', async () => {
    const root = rootSpan('call');
    const failing = root.run(() => inSpan('ask', {}, () => Promise.reject(new RangeError('Harbor-2468'))));
    await expect(failing).rejects.toThrow('Harbor-2468');
    root.end();
    const [ask] = exporter.getFinishedSpans();
    expect(ask?.status).toEqual({ code: 2, message: 'RangeError' });
    expect(ask?.events).toEqual([]);
  });
});
