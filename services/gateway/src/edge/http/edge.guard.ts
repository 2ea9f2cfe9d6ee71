import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CALL_POLICY, Refused, type CallPolicy } from '@bourse/platform';
import type { FastifyRequest } from 'fastify';
import { Edge } from './edge.js';

/** The one guard of the public process. A handler without a policy is not served. */
@Injectable()
export class EdgeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly edge: Edge,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    // The sender of a socket's frames was checked at the handshake.
    if (execution.getType() === 'ws') return true;
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (!policy) throw new Refused('common.noRoute');
    if (policy.open) return true;
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    if (policy.auth === 'internal') {
      if (!request.signed) throw new Refused('common.noRoute');
      return true;
    }
    await this.edge.admit(request, policy);
    return true;
  }
}
