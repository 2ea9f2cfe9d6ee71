import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { installDirectDoor, RefusalAnswers, RouteTable } from '@bourse/platform';
import type { FastifyInstance } from 'fastify';
import { BoundedCalls } from './bounded-calls.js';
import { Edge } from './edge.js';

/** Answers direct calls at the edge, with its checks and deadlines. */
@Injectable()
export class DirectDoor {
  constructor(host: HttpAdapterHost, routes: RouteTable, edge: Edge, calls: BoundedCalls, refusals: RefusalAnswers) {
    installDirectDoor(
      host.httpAdapter.getInstance<FastifyInstance>(),
      routes,
      refusals,
      async (call, request, reply) => {
        await edge.admit(request, call.policy);
        return calls.run(call.policy, request, reply, () => call.run(request));
      },
    );
  }
}
