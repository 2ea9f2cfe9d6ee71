import { Controller } from '@nestjs/common';
import { Call } from './http/call.js';
import { Raw } from './http/refused.js';
import { RouteTable } from './http/route-table.js';
import { OpenApi } from './http/open-api.js';
import { Alarms } from './alarms.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

/** What machines ask a process: alive, ready, figures; and between our own processes, its routes. */
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly alarms: Alarms,
    private readonly metrics: Metrics,
    private readonly routes: RouteTable,
    private readonly openApi: OpenApi,
  ) {
    metrics.gauge('bourse_alarms', 'Alarms raised now', [], (gauge) => gauge.set(alarms.list().length));
    metrics.gauge('bourse_ready', 'Whether this process is ready', [], (gauge) => gauge.set(readiness.ready() ? 1 : 0));
  }

  @Call({ method: 'GET', path: '/healthz', auth: 'public', raw: true, open: true })
  healthz(): Raw {
    return new Raw({ status: 'ok' });
  }

  @Call({ method: 'GET', path: '/readyz', auth: 'public', raw: true, open: true })
  readyz(): Raw {
    const missing = this.readiness.missing();
    return missing.length === 0
      ? new Raw({ status: 'ok', alarms: this.alarms.list().map(({ name }) => name) })
      : new Raw(
          { status: 'waiting', missing, alarms: this.alarms.list().map(({ name }) => name) },
          { status: 503, headers: { 'retry-after': '1' } },
        );
  }

  @Call({ method: 'GET', path: '/metrics', auth: 'public', raw: true, open: true })
  async text(): Promise<Raw> {
    return new Raw(await this.metrics.text(), { contentType: this.metrics.registry.contentType });
  }

  @Call({ method: 'GET', path: '/internal/routes', auth: 'internal', raw: true })
  internalRoutes(): Raw {
    return new Raw(this.routes.forwarded());
  }

  @Call({ method: 'GET', path: '/internal/openapi', auth: 'internal', raw: true })
  internalOpenApi(): Raw {
    return new Raw(this.openApi.document());
  }
}
