import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessLog } from '../observability/access-log.js';
import { EDGE } from '../observability/health.js';
import { Metrics } from '../observability/metrics.js';
import type { CallPolicy } from './call.js';
import { isInternalCall } from './internal-port.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The call that was found for a request, wherever it is served. */
    call?: CallPolicy;
    /** Key of the refusal that is its answer. */
    refusal?: string;
  }
}

/** Seconds; the goals of performance are between 5 ms and 100 ms, the deadline of a call is 5 s. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);
/** Label of requests that are no calls: files of the terminal, unknown paths. */
const NO_CALL = 'none';
/** Probes; the gateway sends one to each service every two seconds. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
/** A refusal has its key in its first lines; an answer of data is not searched. */
const KEY_WITHIN = 2_000;
const SERVER_FAULT = 500;
const KEY = /"key":"([\w.]{1,60})"/;

/** Counts of people's calls since the start of this process. */
export interface TrafficTotals {
  readonly calls: number;
  /** Answered with a key of the catalog. */
  readonly refused: number;
  /** Answered with a status of 500 and above. */
  readonly failed: number;
}

/**
 * How long HTTP calls take and how they end, for Prometheus. A call of a person is counted once, at the edge; requests
 * between our own processes, forwarded calls and probes among them, have figures of their own. Labels are bounded: a
 * route is the path of a call as it is declared, never the requested path; a key is one of the exchange's.
 */
@Injectable()
export class Traffic {
  private readonly seconds;
  private readonly refusals;
  private readonly internalSeconds;
  private readonly internalRefusals;
  private readonly orders;
  private readonly cancels;
  private calls = 0;
  private refused = 0;
  private failed = 0;

  constructor(
    metrics: Metrics,
    private readonly access: AccessLog,
    @Inject(EDGE) private readonly edge: boolean,
  ) {
    this.seconds = metrics.histogram(
      'bourse_http_request_seconds',
      'Time from a request at the edge to its whole answer, by route, method and status',
      ['route', 'method', 'status'],
      BUCKETS,
    );
    this.refusals = metrics.counter('bourse_http_refusals_total', 'Calls that the edge refused, by route and key', [
      'route',
      'key',
    ]);
    this.internalSeconds = metrics.histogram(
      'bourse_internal_request_seconds',
      'Time of requests between processes, forwarded calls and probes included, by route, method and status',
      ['route', 'method', 'status'],
      BUCKETS,
    );
    this.internalRefusals = metrics.counter(
      'bourse_internal_refusals_total',
      'Requests between processes that were refused, by route and key',
      ['route', 'key'],
    );
    this.orders = metrics.counter('bourse_orders_total', 'Calls that place orders: ok, or the key of the refusal', [
      'outcome',
    ]);
    this.cancels = metrics.counter('bourse_cancels_total', 'Calls that cancel orders: ok, or the key of the refusal', [
      'outcome',
    ]);
  }

  totals(): TrafficTotals {
    return { calls: this.calls, refused: this.refused, failed: this.failed };
  }

  /** `forwards`: answers of other processes pass through, whose refusals have to be read from them. */
  install(fastify: FastifyInstance, { forwards }: { readonly forwards: boolean }): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      this.count(request, reply);
      done();
    });
    if (forwards)
      fastify.addHook('onSend', (request, _reply, payload, done) => {
        if (request.refusal === undefined && Buffer.isBuffer(payload)) {
          const key = keyIn(payload);
          if (key !== undefined) request.refusal = key;
        }
        done(null, payload);
      });
  }

  private count(request: FastifyRequest, reply: FastifyReply): void {
    const { statusCode, elapsedTime } = reply;
    const { call, refusal } = request;
    const method = METHODS.has(request.method) ? request.method : 'other';
    const seconds = elapsedTime / 1_000;
    const url = request.routeOptions.url;
    if (!this.edge || request.signed !== undefined || (url !== undefined && PROBES.has(url))) {
      const route = url ?? NO_CALL;
      this.internalSeconds.observe({ route, method, status: statusCode }, seconds);
      if (refusal !== undefined) this.internalRefusals.inc({ route, key: refusal });
      return;
    }
    // An internal call that is not signed has no route, whichever client makes it.
    const isNone = url === undefined || url === '/*' || isInternalCall(url);
    const route = call?.path ?? (isNone ? NO_CALL : url);
    this.access.record(request, reply, route);
    this.seconds.observe({ route, method, status: statusCode }, seconds);
    this.calls++;
    if (statusCode >= SERVER_FAULT) this.failed++;
    if (refusal !== undefined) {
      this.refused++;
      this.refusals.inc({ route, key: refusal });
    }
    if (call?.rate === 'order') this.orders.inc({ outcome: refusal ?? 'ok' });
    else if (call?.rate === 'cancel') this.cancels.inc({ outcome: refusal ?? 'ok' });
  }
}

function keyIn(payload: Buffer): string | undefined {
  const start = payload.subarray(0, KEY_WITHIN).toString('utf8');
  return start.startsWith('{"type":') && !start.startsWith('{"type":"ok"') ? KEY.exec(start)?.[1] : undefined;
}
