import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Config } from '../config/index.js';
import { EDGE } from '../observability/health.js';

/** Calls on a connection from another service, before it must choose a copy again: seconds under load. */
export const INTERNAL_REQUESTS_MAX = 500;
/** Keep-alive time, longer than callers keep an idle connection. Ms. */
const KEEP_ALIVE_MS = 65_000;
const REQUEST_MS_MAX = 30_000;

/** Whether a request is one between our own processes. */
export const isInternalCall = (url: string): boolean => url.startsWith('/internal/');

/**
 * The port at which the edge answers only the other services: the public one has no internal call, however it is
 * signed. A service that is no edge has one port, which is this one [EDGE-047].
 */
@Injectable()
export class InternalPort implements OnApplicationShutdown {
  private server: Server | undefined;
  private readonly arrived = new WeakSet<IncomingMessage>();

  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    @Inject(EDGE) private readonly edge: boolean,
  ) {}

  /** Whether a request came in by the port of our own processes. */
  hasTaken(request: IncomingMessage): boolean {
    return !this.edge || this.arrived.has(request);
  }

  /** Call it once the application listens: from then on its routes are complete. */
  async listen(): Promise<void> {
    const { servicePort, host } = this.config;
    if (!this.edge) return;
    const fastify = this.host.httpAdapter.getInstance();
    const server = createServer((request, response) => {
      if (!isInternalCall(request.url ?? '')) return void response.writeHead(404).end();
      this.arrived.add(request);
      fastify.routing(request, response);
    });
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.requestTimeout = REQUEST_MS_MAX;
    server.maxRequestsPerSocket = INTERNAL_REQUESTS_MAX;
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(servicePort, host, resolve);
    });
  }

  /** Called after everything has drained, so that asks of other services are answered as long as possible. */
  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
