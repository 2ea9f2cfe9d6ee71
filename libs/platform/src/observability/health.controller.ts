import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Health } from './health.js';
import { Call } from '../http/call.js';
import { Raw, Refused } from '../http/refused.js';
import { RouteTable } from '../http/route-table.js';
import { OpenApi } from '../http/open-api.js';

/** Probes and metrics of a process, and its routes for our own processes. */
@Controller()
export class HealthController {
  constructor(
    private readonly health: Health,
    private readonly routes: RouteTable,
    private readonly openApi: OpenApi,
  ) {}

  @Call({ method: 'GET', path: '/healthz', auth: 'public', raw: true, open: true })
  healthz(): Raw {
    return new Raw({ status: 'ok' });
  }

  /**
   * The public gets only whether the process is ready; the missing conditions and the alarms are for operators
   * [HARD-308].
   */
  @Call({ method: 'GET', path: '/readyz', auth: 'public', raw: true, open: true })
  readyz(@Req() { raw }: FastifyRequest): Raw {
    const { ready, ...state } = this.health.state(this.health.mayLook(raw));
    return ready ? new Raw(state) : new Raw(state, { status: 503, headers: { 'retry-after': '1' } });
  }

  @Call({ method: 'GET', path: '/metrics', auth: 'public', raw: true, open: true })
  async text(@Req() { raw }: FastifyRequest): Promise<Raw> {
    if (!this.health.mayLook(raw)) throw new Refused('common.noRoute');
    const { text, contentType } = await this.health.metrics();
    return new Raw(text, { contentType });
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
