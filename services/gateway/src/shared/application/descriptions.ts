import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Asks, serviceAsks, type OwnedHolds, type ServiceDescription } from '@bourse/messaging';
import { Config, Readiness, SERVICE_NAMES } from '@bourse/platform';

const RETRY_MS = 500;
const REFRESH_MS = 30_000;

/**
 * The descriptions of all services. Each service is queried repeatedly, because it may be newer than this process; its
 * last description is valid while it does not answer. The gateway iterates over them and knows no service by name
 * [SERVICE-005].
 */
@Injectable()
export class Descriptions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Descriptions');
  private readonly known = new Map<string, ServiceDescription>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private stopped = false;

  constructor(
    private readonly asks: Asks,
    private readonly config: Config,
    private readonly readiness: Readiness,
  ) {}

  onApplicationBootstrap(): void {
    for (const service of this.expected()) {
      // A separate gateway process must not check calls before it knows which alarms stop them.
      if (this.config.run === 'distributed') this.readiness.set(`description of ${service}`, false);
      void this.learn(service);
    }
  }
  onApplicationShutdown(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  all(): readonly ServiceDescription[] {
    return [...this.known.values()];
  }

  /** Services that have not described themselves yet. */
  missing(): readonly string[] {
    return this.expected().filter((service) => !this.known.has(service));
  }

  /** Services that store answers of commands, those that store everybody's first. */
  answering(): readonly ServiceDescription[] {
    const all = this.all().filter(({ answers }) => answers !== undefined);
    return all.sort((one, other) => Number(other.answers === 'all') - Number(one.answers === 'all'));
  }

  /** Available exports, by the service that owns them. */
  exports(): ReadonlyMap<string, string> {
    return new Map(this.all().flatMap(({ service, exports = [] }) => exports.map((name) => [name, service] as const)));
  }

  /** Services that report open work. */
  working(): readonly string[] {
    return this.all().flatMap(({ service, work }) => (work ? [service] : []));
  }

  /** Services with things that operators can search. */
  finding(): readonly string[] {
    return this.all().flatMap(({ service, finds }) => (finds ? [service] : []));
  }

  /** Services with products whose counterparty is the house. */
  againstHouse(): readonly string[] {
    return this.all().flatMap(({ service, againstHouse }) => (againstHouse ? [service] : []));
  }

  /** Scopes of breakers that services have named. */
  breakers(): readonly string[] {
    return [...new Set(this.all().flatMap(({ breakers = [] }) => breakers))];
  }

  /**
   * Services with an auditor, those that make trades first: the services queried later must have settled the trades
   * that the former counted.
   */
  audited(): readonly string[] {
    const all = this.all().filter(({ audits }) => audits);
    return all
      .sort((one, other) => Number(Boolean(other.trades?.makes)) - Number(Boolean(one.trades?.makes)))
      .map(({ service }) => service);
  }

  /** The service that keeps all holds. */
  holdKeeper(): string | undefined {
    return this.all().find(({ keepsHolds }) => keepsHolds)?.service;
  }

  /** Every prefix of holds with the service that owns the objects. */
  ownedHolds(): readonly (OwnedHolds & { readonly service: string })[] {
    return this.all().flatMap(({ service, holds = [] }) => holds.map((one) => ({ ...one, service })));
  }

  /** Services that make trades, with the topics on which they publish them. */
  makers(): readonly { readonly service: string; readonly settledOn: string; readonly shownOn: string }[] {
    return this.all().flatMap(({ service, trades }) => (trades?.makes ? [{ service, ...trades.makes }] : []));
  }

  /** The service that settles, or shows, the trades of a topic. */
  traders(duty: 'settles' | 'shows', topic: string): string | undefined {
    return this.all().find(({ trades }) => trades?.[duty] === topic)?.service;
  }

  /** Whether no money may move while an alarm of this name is raised. */
  isStopping(alarm: string): boolean {
    return (
      alarm.startsWith('audit:') || this.all().some(({ stops = [] }) => stops.some((start) => alarm.startsWith(start)))
    );
  }

  private expected(): readonly string[] {
    return this.config.run === 'distributed'
      ? Object.keys(this.config.services)
      : [...SERVICE_NAMES, ...this.config.examples];
  }

  private async learn(service: string): Promise<void> {
    let again = REFRESH_MS;
    try {
      this.known.set(service, await this.asks.ask(serviceAsks.describe(service), {}));
      if (this.config.run === 'distributed') this.readiness.set(`description of ${service}`, true);
    } catch (error) {
      if (!this.known.has(service)) again = RETRY_MS;
      this.log.debug(`description of ${service}: ${String(error)}`);
    }
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.learn(service);
    }, again);
    this.timers.add(timer.unref());
  }
}
