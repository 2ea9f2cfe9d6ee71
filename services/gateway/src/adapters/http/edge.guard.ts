import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CALL_POLICY, Clock, Config, CONTEXT_HEADER, Refused, verifyInternal, type CallPolicy } from '@bourse/platform';
import type { FastifyRequest } from 'fastify';
import { Edge } from './edge.js';

/** The one guard of the process that faces the outside. A handler without a policy is not served. */
@Injectable()
export class EdgeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly edge: Edge,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (!policy) throw new Refused('common.noRoute');
    if (policy.open) return true;
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    if (policy.auth === 'internal') {
      const path = request.url.split('?')[0] ?? '';
      if (
        !verifyInternal(
          this.config.internalSecret,
          this.clock.real(),
          request.headers[CONTEXT_HEADER],
          request.method,
          path,
        )
      )
        throw new Refused('common.noRoute');
      return true;
    }
    await this.edge.admit(request, policy);
    return true;
  }
}
