import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';

/**
 * Whether this process records spans: the one branch that tracing costs where it is off. `startTracing` sets it, before
 * anything is served.
 */
export const tracing = { on: false };

/** The data of a span beside its times; never a secret, an address or a text of a caller. */
export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
  /** Milliseconds since the process began (`performance.now()`); absent: now. */
  readonly startedAt?: number;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
const CARRIED = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const TRACER = 'bourse';

/** A span that was begun; its owner ends it. */
export class OpenSpan {
  private readonly context: Context;

  constructor(
    private readonly span: Span,
    parent: Context,
  ) {
    this.context = trace.setSpan(parent, span);
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  /** The span as `traceparent` of what is sent on its behalf (W3C Trace Context); undefined: it is not recorded. */
  get carried(): string | undefined {
    return carriedBy(this.span);
  }

  /** Runs work below this span, with all that it begins. */
  run<T>(work: () => T): T {
    return context.with(this.context, work);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  addAttributes(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  /** `failure` marks the span as failed; its text is not recorded, because it may quote the caller's input. */
  end(failure?: unknown): void {
    if (failure !== undefined) this.span.setStatus({ code: SpanStatusCode.ERROR, message: (failure as Error).name });
    this.span.end(performance.now());
  }
}

/** Begins a trace of its own: only the edge does. Whether it is recorded is the sampler's to say. */
export function rootSpan(name: string, options: SpanOptions = {}): OpenSpan {
  return begin(name, ROOT_CONTEXT, options);
}

/** Begins a span below what was carried here; undefined: nothing was, or tracing is off. */
export function spanBelow(parent: string | undefined, name: string, options: SpanOptions = {}): OpenSpan | undefined {
  if (!tracing.on || parent === undefined) return undefined;
  const [, traceId, spanId, flags] = CARRIED.exec(parent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return begin(name, trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true }), options);
}

/** Begins a span below the one that is active; undefined: none is recorded. */
export function childSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  if (!tracing.on || carried() === undefined) return undefined;
  return begin(name, context.active(), options);
}

/**
 * Runs work in a span below the active one. Without an active span it only runs the work: internal work begins no
 * trace.
 */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = childSpan(name, options);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** The active span as `traceparent` of what is sent now; undefined: none is recorded. */
export function carried(): string | undefined {
  const span = tracing.on ? trace.getActiveSpan() : undefined;
  return span && carriedBy(span);
}

/** A message with the active trace, which it keeps if it has one already. */
export function withTrace<M extends object>(message: M & { readonly trace?: string }): M {
  const parent = message.trace === undefined ? carried() : undefined;
  return parent === undefined ? message : { ...message, trace: parent };
}

/**
 * Spans of a batch: one for each message that carries a trace, from when the batch was taken to its commit. Steps
 * common to all of them are recorded in each of their traces.
 */
export class BatchSpans {
  private readonly spans: OpenSpan[] = [];

  /** `startedAt`: when the batch was taken (`performance.now()`); absent: a span begins when it is opened. */
  constructor(private readonly startedAt?: number) {}

  /** Begins the span of one message, and returns the trace context for messages that it causes. */
  open(parent: string, name: string, options: SpanOptions = {}): string {
    const span = spanBelow(parent, name, {
      kind: 'consumer',
      ...(this.startedAt === undefined ? {} : { startedAt: this.startedAt }),
      ...options,
    });
    if (span) this.spans.push(span);
    return span?.carried ?? parent;
  }

  /** Does what the whole batch waits for, a span of each trace. */
  async step<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const steps = this.spans.map((span) => span.run(() => childSpan(name, options)));
    const endSteps = (failure?: unknown): void => {
      for (const step of steps) step?.end(failure);
    };
    try {
      const result = await work();
      endSteps();
      return result;
    } catch (error) {
      endSteps(error);
      throw error;
    }
  }

  end(failure?: unknown): void {
    for (const span of this.spans.splice(0)) span.end(failure);
  }
}

function begin(name: string, parent: Context, { kind = 'internal', attributes, startedAt }: SpanOptions): OpenSpan {
  const span = trace.getTracer(TRACER).startSpan(
    name,
    // With an explicit start, the SDK expects the end from the same clock.
    { kind: KINDS[kind], startTime: startedAt ?? performance.now(), ...(attributes ? { attributes } : {}) },
    parent,
  );
  return new OpenSpan(span, parent);
}

function carriedBy(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : `00-${traceId}-${spanId}-01`;
}
