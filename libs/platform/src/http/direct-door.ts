import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tracing } from '../observability/tracing.js';
import type { DirectCall } from './direct-calls.js';
import { prepareAnswer } from './envelope.interceptor.js';
import type { RefusalAnswers } from './refusal.filter.js';
import type { RouteTable } from './route-table.js';

/** Admits the caller of a direct call and runs it. Rejects with the refusal of either. */
export type RunDirectCall = (call: DirectCall, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Answers calls whose handlers need nothing of Nest's pipeline: the same checks, envelope and refusals in the same
 * order, without its router, guard, interceptors and pipes, which cost more than the checks themselves. A traced
 * process runs all calls in Nest, whose spans name the steps [EDGE-040]. To be called before Nest registers its routes.
 */
export function installDirectDoor(
  fastify: FastifyInstance,
  routes: RouteTable,
  refusals: RefusalAnswers,
  run: RunDirectCall,
): void {
  let direct: ReadonlyMap<string, DirectCall> | undefined;
  const answer = (call: DirectCall, request: FastifyRequest, reply: FastifyReply): void => {
    run(call, request, reply)
      .then((result) => {
        void reply.send(prepareAnswer(result, call.policy, request, reply));
      })
      .catch((error: unknown) => {
        refusals.send(error, request, reply);
      });
  };
  fastify.addHook('onRoute', (route) => {
    direct ??= routes.direct();
    const call = direct.get(`${String(route.method)} ${route.url}`);
    if (!call) return;
    // Kept for a traced process.
    const { handler } = route;
    route.handler = function (request, reply) {
      return tracing.on ? handler.call(this, request, reply) : answer(call, request, reply);
    };
  });
}
