import type { Config } from '../config/index.js';
import { tracing } from './tracing.js';

/** The time to send pending spans when a process ends, ms. */
const FLUSH_MS_MAX = 2_000;

let stop: (() => Promise<void>) | undefined;

/**
 * Records spans and sends them by OTLP over HTTP, where the settings name a receiver. Called before the application is
 * created: its parts read `tracing.on` at their creation. Headers, certificates and compression are by the standard
 * variables `OTEL_EXPORTER_OTLP_*`, which the exporter reads itself.
 */
export async function startTracing({
  traces,
  traceShare,
  service,
}: Pick<Config, 'traces' | 'traceShare' | 'service'>): Promise<void> {
  if (!traces || stop) return;
  // Loaded only where tracing is on.
  const { exportSpans } = await import('./otlp.js');
  stop = exportSpans(service, traceShare);
  tracing.on = true;
}

/** Sends what is left, for a moment at most. */
export async function stopTracing(): Promise<void> {
  if (!stop) return;
  tracing.on = false;
  const stopping = stop;
  stop = undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FLUSH_MS_MAX);
  });
  // An unreachable receiver does not delay the end of the process.
  await Promise.race([stopping().catch(() => undefined), late]);
  clearTimeout(timer);
}
