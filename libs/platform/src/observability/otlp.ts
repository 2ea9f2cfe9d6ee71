import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** Spans that wait to be sent; beyond them new ones are dropped. An order has some thirty. */
const QUEUE = { maxQueueSize: 16_384, maxExportBatchSize: 2_048, scheduledDelayMillis: 1_000 } as const;

/**
 * Sends spans to the receiver of `OTEL_EXPORTER_OTLP_ENDPOINT`. `OTEL_SERVICE_NAME` replaces the name of the process;
 * `share` of the calls are recorded, each whole or not at all. Returns a function that flushes and ends it.
 */
export function exportSpans(service: string, share: number): () => Promise<void> {
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.namespace': 'bourse', 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...QUEUE })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}
