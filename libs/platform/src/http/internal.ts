import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../clock.js';
import { Config } from '../config.js';
import { CALL_POLICY, type CallPolicy } from './call.js';
import type { CallContext } from './context.js';
import { Refused } from './refused.js';

/** Header in which the gateway tells a service who calls; also what one service shows another that asks it. */
export const CONTEXT_HEADER = 'x-bourse-context';
/** How far the clocks of two processes may differ, with the time a request is under way. Ms. */
const VALID_MS = 30_000;

interface Claims {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly context: CallContext | null;
}

/** Signs one internal request; `context` is null between services. `path` without query. `at` is real time, ms. */
export function signInternal(
  secret: string,
  at: number,
  method: string,
  path: string,
  context: CallContext | null = null,
): string {
  const claims = Buffer.from(JSON.stringify({ at, method, path, context } satisfies Claims)).toString('base64url');
  return `${claims}.${mac(secret, claims)}`;
}

/** The claims of a header that this exchange's secret has signed for this request, or null. */
export function verifyInternal(
  secret: string,
  now: number,
  header: unknown,
  method: string,
  path: string,
): { readonly context: CallContext | null } | null {
  if (typeof header !== 'string') return null;
  const [claims = '', signature = ''] = header.split('.');
  const expected = Buffer.from(mac(secret, claims));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Claims;
  return read.method === method && read.path === path && Math.abs(now - read.at) <= VALID_MS
    ? { context: read.context }
    : null;
}

const mac = (secret: string, claims: string): string =>
  createHmac('sha256', secret).update(`bourse-internal:${claims}`).digest('base64url');

/** Guard of a service process: only the gateway and other services may call, and what the gateway found out about the caller becomes `request.bourse`. */
@Injectable()
export class InternalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  canActivate(execution: ExecutionContext): boolean {
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (!policy) throw new Refused('common.noRoute');
    if (policy.open) return true;
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const verified = verifyInternal(
      this.config.internalSecret,
      this.clock.real(),
      request.headers[CONTEXT_HEADER],
      request.method,
      request.url.split('?')[0] ?? '',
    );
    if (!verified || (policy.auth !== 'internal' && !verified.context)) throw new Refused('common.forbidden');
    if (verified.context) request.bourse = verified.context;
    return true;
  }
}
