import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { accepted } from './answers.js';
import { CALL_POLICY, type CallPolicy } from './call.js';
import { tracing } from '../observability/tracing.js';
import { Raw } from './refused.js';
import { tracedHandler } from './traced-requests.js';

/** Puts what handlers return into the envelope of api §1.3. API answers are never cached. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (!policy) return next.handle();
    const http = execution.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const handled = tracing.on ? tracedHandler(execution, next) : next.handle();
    return handled.pipe(map((result: unknown) => prepareAnswer(result, policy, request, reply)));
  }
}

/** Sets status and headers of an accepted call, and returns its body: the result in its envelope unless it is raw. */
export function prepareAnswer(
  result: unknown,
  policy: CallPolicy,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  reply.code(200).header('cache-control', 'no-store');
  if (result instanceof Raw) {
    const { status, contentType, headers } = result.options;
    if (status) reply.code(status);
    reply.header('content-type', contentType ?? 'application/json; charset=utf-8');
    if (headers) reply.headers({ ...headers });
    return result.body;
  }
  if (policy.raw) return result;
  const context = request.bourse;
  return accepted(result, {
    requestId: context?.requestId ?? request.id,
    lang: context?.lang ?? 'en',
    commandId: policy.money ? (context?.commandId ?? null) : null,
  });
}
