import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Alarms } from './alarms.js';
import { Config } from '../config/index.js';
import { fromThisMachine } from '../http/addresses.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

/** Whether this process faces the outside. */
export const EDGE = Symbol('edge');

export interface HealthState {
  readonly ready: boolean;
  readonly status: 'ok' | 'waiting';
  /** Names of the unmet conditions, and of the raised alarms. */
  readonly missing?: readonly string[];
  readonly alarms?: readonly string[];
}

/** The health of a process, and the access to its details. */
@Injectable()
export class Health {
  constructor(
    private readonly config: Config,
    private readonly readiness: Readiness,
    private readonly alarms: Alarms,
    private readonly figures: Metrics,
    @Inject(EDGE) private readonly edge: boolean,
  ) {
    figures.gauge('bourse_alarms', 'Alarms raised now', [], (gauge) => gauge.set(alarms.list().length));
    figures.gauge('bourse_alarms_raised', 'Alarms raised now, by kind', ['kind'], (gauge) => {
      gauge.reset();
      for (const { name } of alarms.list()) gauge.inc({ kind: kindOf(name) });
    });
    figures.gauge('bourse_ready', 'Whether this process is ready', [], (gauge) => gauge.set(readiness.ready() ? 1 : 0));
  }

  /**
   * Whether a request may read more than whether the process is ready. The port of a service is not public. At the edge
   * it is, so metrics have a port of their own (`METRICS_PORT`); without one, and on a demo install, requests from this
   * very machine may read them on the main port [HARD-308].
   */
  mayLook(request: IncomingMessage): boolean {
    if (!this.edge) return true;
    return (this.config.dev || this.config.metricsPort === 0) && fromThisMachine(request);
  }

  state(inDetail: boolean): HealthState {
    const missing = this.readiness.missing();
    const ready = missing.length === 0;
    return {
      ready,
      status: ready ? 'ok' : 'waiting',
      ...(inDetail ? { ...(ready ? {} : { missing }), alarms: this.alarms.list().map(({ name }) => name) } : {}),
    };
  }

  async metrics(): Promise<{ readonly text: string; readonly contentType: string }> {
    return { text: await this.figures.text(), contentType: this.figures.registry.contentType };
  }
}

/** The edge's port for operators: `/metrics`, `/healthz`, and `/readyz` in detail. Not for the ingress [HARD-308]. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Metrics');
  private server: Server | undefined;

  constructor(
    private readonly config: Config,
    private readonly health: Health,
    @Inject(EDGE) private readonly edge: boolean,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, metricsHost } = this.config;
    if (!this.edge || metricsPort === 0) return;
    const server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        this.log.error(`metrics were not answered: ${String(error)}`);
        response.writeHead(500).end();
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => {
      // The failure is logged and the exchange continues, because it can run without monitoring.
      server.once('error', (error: Error) => {
        this.log.error(
          `no metrics on ${metricsHost}:${metricsPort} (${error.message}); set METRICS_PORT to a free port`,
        );
        resolve();
      });
      server.listen(metricsPort, metricsHost, resolve);
    });
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url.split('?')[0];
    if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET' }).end();
    if (path === '/metrics') {
      const { text, contentType } = await this.health.metrics();
      return void response.writeHead(200, { 'content-type': contentType }).end(text);
    }
    if (path !== '/healthz' && path !== '/readyz') return void response.writeHead(404).end();
    const { ready, ...state } = this.health.state(true);
    const shown = path === '/healthz' ? { status: 'ok' } : state;
    response
      .writeHead(path === '/readyz' && !ready ? 503 : 200, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(shown));
  }
}

/**
 * The kind of an alarm, of which there are few: the part of its name before its subject. Alarms of auditors are
 * distinguished by the service, which is one of few too.
 */
const kindOf = (name: string): string => (name.startsWith('audit:') ? name : (/^[a-z.-]+/i.exec(name)?.[0] ?? 'other'));
