import { Controller } from '@nestjs/common';
import { Asks, serviceAsks } from '@bourse/messaging';
import { Call, Clock, message, timeText } from '@bourse/platform';
import { dashboard } from './answers.js';
import type * as z from 'zod/mini';
import { Breakers } from '../../breakers/application/breakers.js';
import { Descriptions } from '../../shared/application/descriptions.js';
import { Latency } from '../../shared/application/latency.js';
import { AuditLog } from '../application/audit-log.js';
import { MarketViews } from '../../shared/application/market-views.js';
import { TrafficHistory } from '../application/traffic-history.js';
import { ExchangeAlarms } from '../../edge/http/exchange-alarms.js';

const ASK_TIMEOUT_MS = 1_000;
const DAY_MS = 86_400_000;
/** Open work by name, such as `kyc` or `withdrawals`. */
type Counts = Readonly<Record<string, number>>;

/**
 * An overview of the exchange (api §2.12). Parts that could not be read are left out and named in `missing`, never
 * shown as nothing.
 */
@Controller()
export class DashboardController {
  constructor(
    private readonly asks: Asks,
    private readonly trail: AuditLog,
    private readonly markets: MarketViews,
    private readonly breakers: Breakers,
    private readonly alarms: ExchangeAlarms,
    private readonly latency: Latency,
    private readonly history: TrafficHistory,
    private readonly clock: Clock,
    private readonly descriptions: Descriptions,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/dashboard', auth: 'operator', role: 'support' },
    { summary: 'The state of the exchange at a glance', answer: message(dashboard) },
  )
  async dashboard(): Promise<z.output<typeof dashboard>> {
    const { found, missing } = await this.gather(this.descriptions.working());
    return {
      time: timeText(this.clock.now()),
      work: found,
      counts: {
        markets: Object.keys(this.markets.modes()).length,
        operator_actions_24h: await this.trail.since(this.clock.now() - DAY_MS),
      },
      volumes: this.markets.volumes(),
      feed_age_ms: this.markets.feedAgeMs(),
      latency_ms: this.latency.report(),
      history: this.history.all(),
      alarms: this.alarms.names(),
      breakers: this.breakers.list(),
      missing,
    };
  }

  private async gather(services: readonly string[]): Promise<{ found: Counts; missing: string[] }> {
    const asks = services.map(serviceAsks.work);
    const answers = await Promise.allSettled(asks.map((ask) => this.asks.ask(ask, {}, ASK_TIMEOUT_MS)));
    return {
      found: Object.assign(
        {},
        ...answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : {})),
      ) as Counts,
      missing: asks.flatMap(({ name }, at) => (answers[at]?.status === 'rejected' ? [name] : [])),
    };
  }
}
