import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  Clock,
  Notice,
  prepareAnswer,
  RefusalAnswers,
  Refused,
  Reply,
  RouteTable,
  tracing,
  type DirectCall,
} from '@bourse/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Commands } from '../../application/commands.js';
import { Latency } from '../../application/latency.js';
import { timeLeft } from './deadline.interceptor.js';
import { Edge } from './edge.js';

/**
 * Answers calls whose handlers need nothing of Nest's pipeline: the same checks, deadline, envelope and refusals in the
 * same order, without its router, guard, interceptors and pipes, which cost more than the checks themselves. A traced
 * process runs all calls in Nest, whose spans name the steps [EDGE-040].
 */
@Injectable()
export class DirectDoor {
  private calls: ReadonlyMap<string, DirectCall> | undefined;

  constructor(
    host: HttpAdapterHost,
    private readonly routes: RouteTable,
    private readonly edge: Edge,
    private readonly commands: Commands,
    private readonly latency: Latency,
    private readonly refusals: RefusalAnswers,
    private readonly clock: Clock,
  ) {
    // Before Nest registers its routes: each keeps Nest's handler for a traced process.
    host.httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', (route) => {
      this.calls ??= this.routes.direct();
      const call = this.calls.get(`${String(route.method)} ${route.url}`);
      if (!call) return;
      const { handler } = route;
      route.handler = function (request, reply) {
        return tracing.on ? handler.call(this, request, reply) : answer(call, request, reply);
      };
    });
    const answer = (call: DirectCall, request: FastifyRequest, reply: FastifyReply): void => {
      this.run(call, request, reply).then(
        (result) => void reply.send(prepareAnswer(result, call.policy, request, reply)),
        (error: unknown) => {
          this.refusals.send(error, request, reply);
        },
      );
    };
  }

  private async run(call: DirectCall, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { policy } = call;
    await this.edge.admit(request, policy);
    const leftMs = timeLeft(reply, policy.deadlineMs);
    const commandId = policy.money ? (request.bourse?.commandId ?? null) : null;
    const leave = commandId === null ? null : this.commands.enter(commandId);
    const from = performance.now();
    try {
      const result = await within(leftMs, policy.money ? 'common.processing' : 'common.unavailable', () =>
        call.run(request),
      );
      if (policy.rate === 'order' && (result instanceof Notice || result instanceof Reply)) {
        const { id } = result.extra;
        if (typeof id === 'string') this.latency.acked(id, performance.now() - from, this.clock.real());
      }
      return result;
    } finally {
      leave?.();
    }
  }
}

/** The result of the work, or a refusal with this key after so long; the work itself goes on. */
function within(limitMs: number, lateKey: string, work: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Refused(lateKey));
    }, limitMs);
    const settle = <V>(end: (value: V) => void) => {
      return (value: V): void => {
        clearTimeout(timer);
        end(value);
      };
    };
    // A handler may also throw before it gives a promise.
    new Promise((begin) => {
      begin(work());
    }).then(settle(resolve), settle(reject));
  });
}
