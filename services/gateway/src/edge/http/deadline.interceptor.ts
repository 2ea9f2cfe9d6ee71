import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CALL_POLICY, type CallPolicy } from '@bourse/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { BoundedCalls } from './bounded-calls.js';

/** Bounds the handlers that run in Nest; the others are bounded by `DirectDoor`. */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly calls: BoundedCalls,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (!policy || policy.open || policy.auth === 'internal' || policy.auth === 'dev') return next.handle();
    const http = execution.switchToHttp();
    return from(
      this.calls.run(policy, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), () =>
        firstValueFrom(next.handle()),
      ),
    );
  }
}
