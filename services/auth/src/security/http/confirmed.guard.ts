import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CALL_POLICY, type CallPolicy } from '@bourse/platform';
import type { FastifyRequest } from 'fastify';
import { Confirmation } from '../application/confirmation.js';

/**
 * Requires a confirmed session if a call's policy says so: after the gates of the edge, before the call's fields are
 * read (api §1.4, §6.16).
 */
@Injectable()
export class ConfirmedGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly confirmation: Confirmation,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (policy?.confirmed !== 'always') return true;
    const caller = execution.switchToHttp().getRequest<FastifyRequest>().bourse?.caller;
    if (!caller) throw new Error('invariant: a signed-in call has a caller');
    await this.confirmation.require(caller);
    return true;
  }
}
