import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { prepareAnswer, RefusalAnswers, RouteTable, tracing, type DirectCall } from '@bourse/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BoundedCalls } from './bounded-calls.js';
import { Edge } from './edge.js';

/**
 * Answers calls whose handlers need nothing of Nest's pipeline: the same checks, deadline, envelope and refusals in the
 * same order, without its router, guard, interceptors and pipes, which cost more than the checks themselves. A traced
 * process runs all calls in Nest, whose spans name the steps [EDGE-040].
 */
@Injectable()
export class DirectDoor {
  private direct: ReadonlyMap<string, DirectCall> | undefined;

  constructor(
    host: HttpAdapterHost,
    private readonly routes: RouteTable,
    private readonly edge: Edge,
    private readonly calls: BoundedCalls,
    private readonly refusals: RefusalAnswers,
  ) {
    // Runs before Nest registers its routes: each keeps Nest's handler for a traced process.
    host.httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', (route) => {
      this.direct ??= this.routes.direct();
      const call = this.direct.get(`${String(route.method)} ${route.url}`);
      if (!call) return;
      const { handler } = route;
      route.handler = function (request, reply) {
        return tracing.on ? handler.call(this, request, reply) : answer(call, request, reply);
      };
    });
    const answer = (call: DirectCall, request: FastifyRequest, reply: FastifyReply): void => {
      this.run(call, request, reply)
        .then((result) => {
          void reply.send(prepareAnswer(result, call.policy, request, reply));
        })
        .catch((error: unknown) => {
          this.refusals.send(error, request, reply);
        });
    };
  }

  private async run(call: DirectCall, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    await this.edge.admit(request, call.policy);
    return this.calls.run(call.policy, request, reply, () => call.run(request));
  }
}
