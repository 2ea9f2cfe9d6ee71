import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { CALL_PATHS } from '@bourse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { childSpan, rootSpan, spanBelow, tracing, type OpenSpan } from '../observability/tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request, where it is traced. */
    span?: OpenSpan;
  }
}

/** Header in which our own processes carry a trace to one another. */
const TRACE_HEADER = 'traceparent';
/** Header that returns the trace id of the call to the caller. */
const TOLD_HEADER = 'traceresponse';

/**
 * Spans of the requests of a process; without tracing nothing is installed. A trace begins at the edge, whatever
 * headers a client sends: clients have no say in what is recorded here. Behind the edge a request belongs to the trace
 * that it carries.
 */
export function traceRequests(fastify: FastifyInstance, { edge }: { readonly edge: boolean }): void {
  if (!tracing.on) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    const span = edge ? spanOfCall(request) : spanBelow(carriedBy(request), request.method, { kind: 'server' });
    if (!span) return done();
    request.span = span;
    if (edge && span.carried !== undefined) reply.header(TOLD_HEADER, span.carried);
    span.run(done);
  });
  // The reader of the body continues in the turn of its connection.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.span) request.span.run(done);
    else done();
  });
  fastify.addHook('onResponse', (request, { statusCode }, done) => {
    const { span, call, refusal } = request;
    if (span) {
      const route = call?.path ?? request.routeOptions.url ?? '';
      span.rename(`${request.method} ${route}`);
      span.addAttributes({
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': statusCode,
        'bourse.request_id': request.bourse?.requestId ?? request.id,
        ...(refusal === undefined ? {} : { 'bourse.refusal': refusal }),
      });
      span.end(statusCode >= 500 ? new Error('failed') : undefined);
    }
    done();
  });
}

/** The handler of a call, below the span of its request. */
export function tracedHandler(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
  const span = childSpan(`${execution.getClass().name}.${execution.getHandler().name}`);
  return span ? span.run(() => next.handle()).pipe(finalize(() => span.end())) : next.handle();
}

const spanOfCall = ({ method, url }: FastifyRequest): OpenSpan | undefined =>
  CALL_PATHS.test(url.split('?')[0] ?? '') ? rootSpan(method, { kind: 'server' }) : undefined;

function carriedBy({ headers }: FastifyRequest): string | undefined {
  const given = headers[TRACE_HEADER];
  return typeof given === 'string' ? given : undefined;
}
