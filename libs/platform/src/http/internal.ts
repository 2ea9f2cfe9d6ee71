import { createHash, createHmac, randomBytes, type KeyObject } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { sameText } from '../security/same-text.js';
import type { ServiceKeys } from '../security/service-keys.js';
import { EDGE_SERVICE } from '../config/services.js';
import { CALL_POLICY, type CallPolicy } from './call.js';
import type { CallContext } from './context.js';
import { Refused } from './refused.js';
import { ReplayWindow } from './replay-window.js';

/** Header in which the gateway sends a service the caller; also the authentication of one service that asks another. */
export const CONTEXT_HEADER = 'x-bourse-context';
const PURPOSE = 'call';
/** How far the clocks of two processes may differ, with the time a request is under way. Ms. */
const VALID_MS = 30_000;
/** No honest header is longer: contexts are short, and an address has at most 8 kB. */
const HEADER_MAX = 16_384;

/**
 * One request between services. `url` is path and query as they are sent; `body` the text that is sent, empty without
 * one.
 */
export interface InternalCall {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** The claims of a verified header. */
export interface SignedCall {
  /** The service that has signed it. */
  readonly from: string;
  /** SHA-256 of the body, base64url. */
  readonly body: string;
  readonly context: CallContext | null;
}

interface Claims extends SignedCall {
  readonly to: string;
  readonly at: number;
  /** Number of the request among those of the sending process: each is taken once. */
  readonly once: readonly [string, number];
  readonly method: string;
  readonly url: string;
}

/**
 * Signs requests to other services and checks theirs: caller, callee, method, address, body and context, each request
 * once.
 */
export class InternalCalls {
  private readonly session = randomBytes(12).toString('base64url');
  private count = 0;
  private readonly seen = new ReplayWindow(2 * VALID_MS);

  /** `keys` is called at the first use: the embedded run has no other process, and needs none. */
  constructor(private readonly keys: () => ServiceKeys) {}

  /**
   * The header of one request; a second try needs another one. `context` is null between services. `at` is real time,
   * ms.
   */
  sign(
    to: string,
    { method, url, body = '' }: InternalCall,
    at: number,
    context: CallContext | null = null,
  ): Readonly<Record<string, string>> {
    const keys = this.keys();
    const key = keys.with(to, PURPOSE);
    if (!key) throw new Error(`no public key of ${to} is known`);
    const claims: Claims = {
      from: keys.service,
      to,
      at,
      once: [this.session, (this.count += 1)],
      method,
      url,
      body: bodyHash(body),
      context,
    };
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return { [CONTEXT_HEADER]: `${text}.${mac(key, text)}` };
  }

  /**
   * Returns the claims that a service has signed for this very request, the first time they are seen; else null. The
   * body is checked when it was read.
   */
  verify(header: unknown, { method, url }: Omit<InternalCall, 'body'>, now: number): SignedCall | null {
    if (typeof header !== 'string' || header.length > HEADER_MAX) return null;
    const [text = '', given = ''] = header.split('.');
    const claims = claimsOf(text);
    const keys = this.keys();
    if (!claims || claims.to !== keys.service) return null;
    const key = keys.with(claims.from, PURPOSE);
    if (!key || !sameText(mac(key, text), given)) return null;
    if (claims.method !== method || claims.url !== url || !(Math.abs(now - claims.at) <= VALID_MS)) return null;
    // Only the gateway authenticates external callers, so only the gateway may state who they are.
    if (claims.context !== null && claims.from !== EDGE_SERVICE) return null;
    const [session, number] = claims.once;
    if (!this.seen.take(`${claims.from} ${session}`, number)) return null;
    return { from: claims.from, body: claims.body, context: claims.context };
  }
}

/** SHA-256 of a body, base64url. */
export const bodyHash = (body: string | Buffer): string => createHash('sha256').update(body).digest('base64url');

const mac = (key: KeyObject, claims: string): string => createHmac('sha256', key).update(claims).digest('base64url');

/**
 * Claims that are not verified yet: their types are checked, their values must not be used before the signature is
 * checked.
 */
function claimsOf(text: string): Claims | null {
  let read: Partial<Claims> | null;
  try {
    read = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Partial<Claims> | null;
  } catch {
    return null; // it is no JSON: no service of ours has written it
  }
  if (typeof read !== 'object' || read === null) return null;
  const { from, to, body, once } = read;
  const [session, number] = Array.isArray(once) ? (once as unknown[]) : [];
  const isWhole =
    typeof from === 'string' &&
    typeof to === 'string' &&
    typeof body === 'string' &&
    typeof session === 'string' &&
    Number.isSafeInteger(number);
  return isWhole ? ({ ...read, context: read.context ?? null } as Claims) : null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The claims that another service of ours has signed for this request; absent: none. */
    signed?: SignedCall;
  }
}

/**
 * Admits a request to a service process: only the gateway and other services may call, and the gateway's context of the
 * caller becomes `request.bourse`.
 * @throws Refused `common.forbidden`.
 */
export function admitInternal(request: FastifyRequest, { auth }: Pick<CallPolicy, 'auth'>): void {
  const { signed } = request;
  if (!signed || (auth !== 'internal' && !signed.context)) throw new Refused('common.forbidden');
  if (signed.context) request.bourse = signed.context;
}

/** Guard of a service process. A handler without a policy is not served. */
@Injectable()
export class InternalGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): boolean {
    const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, execution.getHandler());
    if (!policy) throw new Refused('common.noRoute');
    if (!policy.open) admitInternal(execution.switchToHttp().getRequest<FastifyRequest>(), policy);
    return true;
  }
}
