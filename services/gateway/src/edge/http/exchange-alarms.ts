import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OUT_BREAKER } from '@bourse/contract';
import { Alarms, callService, waitsForAuditors, type CallPolicy } from '@bourse/platform';
import { RaisedAlarms } from '../../reconciliation/application/audit.js';
import type { SilentProducts } from '../../outages/application/outages.js';
import { Descriptions } from '../../shared/application/descriptions.js';
import { Routes } from './routes.js';

const POLL_INTERVAL_MS = 2_000;
const TIMEOUT_MS = 2_000;

/** Alarms of all processes: our own, and in the distributed run those that each service reports at `/readyz`. */
@Injectable()
export class ExchangeAlarms
  extends RaisedAlarms
  implements SilentProducts, OnApplicationBootstrap, OnApplicationShutdown
{
  private readonly log = new Logger('Alarms');
  private readonly told = new Map<string, readonly string[]>();
  /** Services whose last answer was not that they are ready. */
  private readonly silent = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly own: Alarms,
    private readonly routes: Routes,
    private readonly descriptions: Descriptions,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    if (this.routes.distributed)
      this.timer = setInterval(() => {
        for (const { service, base } of this.routes.services()) void this.ask(service, base);
      }, POLL_INTERVAL_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  names(): readonly string[] {
    return [...this.own.list().map(({ name }) => name), ...[...this.told.values()].flat()];
  }

  /**
   * Whether a call must wait until the auditors' alarms end and the streams that carry money flow: calls that move
   * money must (invariants §3). Cancels and reads continue.
   */
  stops(policy: CallPolicy): boolean {
    return waitsForAuditors(policy) && this.names().some((name) => this.descriptions.isStopping(name));
  }

  /** Products whose service does not answer or is not ready; in one process all answer. */
  silentProducts(): ReadonlySet<string> {
    const isSilent = ({ service }: { readonly service: string | null }): boolean => this.silent.has(service ?? '');
    const calls = this.routes.moneyCalls().filter(isSilent);
    return new Set(
      [
        ...(this.descriptions.makers().some(isSilent) ? ['spot'] : []),
        ...calls.flatMap(({ policy: { breaker, rate } }) => [breaker, rate === 'withdraw' ? OUT_BREAKER : undefined]),
      ].filter((product) => product !== undefined),
    );
  }

  /** A service that does not answer keeps its last reported alarms: silence is no all-clear. */
  private async ask(service: string, base: string): Promise<void> {
    try {
      const { status, body } = await callService(new URL(`${base}/readyz`), {
        method: 'GET',
        headers: {},
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { alarms } = JSON.parse(body.toString('utf8')) as { alarms?: readonly string[] };
      if (alarms) this.told.set(service, alarms);
      if (status === 200) this.silent.delete(service);
      else this.silent.add(service);
    } catch (error) {
      this.silent.add(service);
      this.log.debug(`alarms of ${service}: ${String(error)}`);
    }
  }
}
