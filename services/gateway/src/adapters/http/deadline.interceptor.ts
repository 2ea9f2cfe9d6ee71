import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CALL_DEADLINE_MS } from '@bourse/contract';
import { CALL_POLICY, Clock, Notice, Refused, Reply, type CallPolicy } from '@bourse/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, finalize, tap, timeout, TimeoutError, type Observable } from 'rxjs';
import { CommandKeys, outcomeOfError } from '../../application/command-keys.js';
import { Commands } from '../../application/commands.js';
import { Latency } from '../../application/latency.js';

/**
 * What is left of a call's time, counted from its arrival: its guards have used some of it. Throws `common.unavailable`
 * when nothing is, because nothing was done yet.
 */
export function timeLeft(reply: Pick<FastifyReply, 'elapsedTime'>, totalMs = CALL_DEADLINE_MS): number {
  const left = Math.floor(totalMs - reply.elapsedTime);
  if (left <= 0) throw new Refused('common.unavailable');
  return left;
}

/**
 * After 5 s, or what the call itself names, a money call answers 202 `pending`, every other 503; the same call is not
 * let in twice at a time. For handlers in this process [EDGE-023].
 */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly commands: Commands,
    private readonly keys: CommandKeys,
    private readonly latency: Latency,
    private readonly clock: Clock,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (!policy || policy.open || policy.auth === 'internal' || policy.auth === 'dev') return next.handle();
    const left = timeLeft(execution.switchToHttp().getResponse<FastifyReply>(), policy.deadlineMs);
    const { bourse: context, claimedKey } = execution.switchToHttp().getRequest<FastifyRequest>();
    const leave = policy.money && context?.commandId ? this.commands.enter(context.commandId) : () => false;
    const from = performance.now();
    return next.handle().pipe(
      timeout(left),
      tap((result) => {
        // Seen after the envelope or before it, as the modules were imported.
        const { id } = (result instanceof Notice || result instanceof Reply ? result.extra : (result ?? {})) as {
          id?: unknown;
        };
        if (policy.rate === 'order' && typeof id === 'string')
          this.latency.acked(id, performance.now() - from, this.clock.real());
      }),
      catchError(async (error: unknown) => {
        const refusal =
          error instanceof TimeoutError
            ? new Refused(policy.money ? 'common.processing' : 'common.unavailable')
            : error;
        if (claimedKey) await this.keys.settle(claimedKey, outcomeOfError(refusal));
        throw refusal;
      }),
      finalize(leave),
    );
  }
}
