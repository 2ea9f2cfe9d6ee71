import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CALL_PATHS } from '@bourse/contract';
import { memoize, OwnOrigins, Refused } from '@bourse/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { installCompression } from './compression.js';
import { DemoCalls } from './demo-calls.js';
import { ForwardedWatch } from './forwarded-watch.js';
import { Forwarder } from './forwarder.js';
import { Multipart } from './multipart.js';
import { Routes } from './routes.js';
import { Terminal } from './terminal.js';

const ALLOWED_HEADERS =
  'authorization, content-type, idempotency-key, lang, x-device-id, x-api-key, x-api-timestamp, x-api-signature';

const EXPOSED_HEADERS =
  'retry-after, x-request-id, traceresponse, ratelimit-class, ratelimit-limit, ratelimit-remaining, ratelimit-reset';

/**
 * Everything around the calls: security headers, CORS, compression, and requests without a handler in this process
 * (other services' calls, the terminal's files, 404 and 405).
 */
@Injectable()
export class FrontDoor implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly routes: Routes,
    private readonly forwarder: Forwarder,
    private readonly terminal: Terminal,
    private readonly multipart: Multipart,
    private readonly origins: OwnOrigins,
    private readonly demo: DemoCalls,
    private readonly forwarded: ForwardedWatch,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const headers = securityHeaders((host) => this.socketOrigins(host));
    fastify.addHook('onRequest', ({ raw }, reply, done) => {
      for (const [name, value] of headers(raw.headers.host)) reply.raw.setHeader(name, value);
      done();
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      // The router decodes escapes, but rules, logs and other services see the path as written: it has one spelling
      // [EDGE-022].
      const path = request.url.split('?')[0] ?? '';
      if (isDisguised(path)) return done(new Refused('common.noRoute'));
      if (path.startsWith('/dev/') && !this.demo.admits(request)) return done(new Refused('common.noRoute'));
      this.forwarded.see(request.raw);
      if (this.cors(request, reply)) return void reply.code(204).send();
      done();
    });
    fastify.addHook('onSend', ({ rateStatus }, reply, payload, done) => {
      if (rateStatus)
        reply
          .header('ratelimit-class', rateStatus.name)
          .header('ratelimit-limit', String(rateStatus.limit))
          .header('ratelimit-remaining', String(rateStatus.remaining))
          .header('ratelimit-reset', String(rateStatus.resetSeconds));
      done(null, payload);
    });
    installCompression(fastify);
    this.multipart.install(fastify);
    fastify.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url: '/*',
      handler: (request, reply) => this.rest(request, reply),
    });
  }

  private async rest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?')[0] ?? '/';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = this.routes.find(method, path);
    if (route) {
      await this.forwarder.forward(request, reply, route);
      return reply;
    }
    const methods = this.routes.methodsOf(path);
    if (methods.length > 0) {
      reply.header('allow', methods.join(', '));
      throw new Refused('common.noMethod');
    }
    // After a restart while a service is unavailable its calls are not known yet, which does not mean that they do not
    // exist.
    if (!this.routes.complete && CALL_PATHS.test(path)) throw new Refused('common.unavailable');
    if (method !== 'GET') throw new Refused('common.noRoute');
    await this.terminal.serve(request, reply);
    return reply;
  }

  /**
   * Sets the headers that a browser on a listed origin needs. True: the request was a preflight and is answered. There
   * are no cookies, so no credentials [EDGE-008].
   */
  private cors(request: FastifyRequest, reply: FastifyReply): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return false;
    reply.header('vary', 'origin');
    const known = this.origins.isKnown(origin, request.headers.host);
    const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (known) {
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED_HEADERS);
      if (preflight)
        reply
          .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
          .header('access-control-allow-headers', ALLOWED_HEADERS)
          .header('access-control-max-age', '600');
    }
    return preflight;
  }

  /** The second port of the socket server, on our own host names. */
  private socketOrigins(host: string | undefined): string {
    return ["'self'", ...this.origins.socketOrigins(host)].join(' ');
  }
}

/** Limit of hosts whose headers are cached: a client may name any host. */
const HOSTS_MAX = 100;

/**
 * The security headers of an answer by the host that the request names: helmet's, cached per host. `socketOrigins`
 * returns the sources of its connections.
 */
export function securityHeaders(
  socketOrigins: (host: string | undefined) => string,
): (host: string | undefined) => readonly (readonly [name: string, value: string])[] {
  return memoize((host: string | undefined) => {
    const headers: [string, string][] = [];
    const reply = {
      setHeader: (name: string, value: string) => headers.push([name, value]),
      removeHeader: () => undefined,
    };
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'", 'data:'],
          connectSrc: [socketOrigins(host)],
          workerSrc: ["'self'", 'blob:'],
          objectSrc: ["'none'"],
          baseUri: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      crossOriginEmbedderPolicy: false,
    })({} as IncomingMessage, reply as unknown as ServerResponse, (error) => {
      if (error) throw error as Error;
    });
    return headers;
  }, HOSTS_MAX);
}

/** Whether a path is that of a call, but written with escapes (api §1.1: paths are matched exactly). */
function isDisguised(path: string): boolean {
  if (!path.includes('%')) return false;
  try {
    return CALL_PATHS.test(decodeURIComponent(path));
  } catch {
    // The router refuses broken escapes.
    return false;
  }
}
