import { Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { decode, MarketTickV1, TOPICS, type MarketTick, type Message } from '@bourse/events';
import { Clock } from '@bourse/platform';
import { Log } from '../ports.js';

/**
 * The latest recorded price of each market (rules §3, §4), known to every process of a service: each reads the whole
 * topic. After a start no price is known until the recorder's next second. Consumers that must not miss a tick use
 * `@EventPattern(TOPICS.marketTicks, batches(…))`; both see the same ticks, not at the same moment.
 */
export class MarkPrices implements OnApplicationShutdown {
  private readonly logger = new Logger('MarkPrices');
  private readonly known = new Map<string, MarketTick>();
  private readonly listeners = new Set<(ticks: readonly MarketTick[]) => void>();
  private readonly watching: { stop(): Promise<void> };

  /** `service` names the watcher (`<service>.marks`). */
  constructor(
    log: Pick<Log, 'watch'>,
    private readonly clock: Pick<Clock, 'now'>,
    service: string,
  ) {
    this.watching = log.watch({
      consumer: `${service}.marks`,
      topic: TOPICS.marketTicks,
      take: (messages) => this.take(messages),
    });
  }

  /** The last tick of a market however old; undefined while none came. */
  latest(symbol: string): MarketTick | undefined {
    return this.known.get(symbol);
  }

  /** The last tick of a market whose price the feed gave at most so long ago by the business clock. */
  fresh(symbol: string, maxAgeMs: number): MarketTick | undefined {
    const tick = this.known.get(symbol);
    return tick && this.clock.now() - tick.at <= maxAgeMs ? tick : undefined;
  }

  /** How long ago the feed gave the last price of a market, ms of business time; Infinity while none came. */
  ageMs(symbol: string): number {
    const tick = this.known.get(symbol);
    return tick ? Math.max(0, this.clock.now() - tick.at) : Infinity;
  }

  /**
   * Calls the listener with ticks as they come, each market's in their order; returns the unsubscribe. Some may be
   * skipped.
   */
  onTicks(listener: (ticks: readonly MarketTick[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watching.stop();
  }

  private take(messages: readonly Message[]): void {
    const news: MarketTick[] = [];
    for (const message of messages) {
      const decoded = decode(MarketTickV1, message);
      if (!decoded.ok) {
        this.logger.error(`a tick was left out: ${decoded.error}`);
        continue;
      }
      const { symbol, time } = decoded.body;
      if (time <= (this.known.get(symbol)?.time ?? -Infinity)) continue; // a repeat
      this.known.set(symbol, decoded.body);
      news.push(decoded.body);
    }
    if (news.length === 0) return;
    for (const listener of this.listeners) {
      try {
        listener(news);
      } catch (error) {
        this.logger.error(`a listener to ticks failed: ${(error as Error).stack ?? String(error)}`);
      }
    }
  }
}

/** Provides `MarkPrices` inside a service's module: `imports: [MarkPricesModule.forService('lever-risk')]`. */
@Module({})
export class MarkPricesModule {
  static forService(service: string): DynamicModule {
    return {
      module: MarkPricesModule,
      providers: [
        {
          provide: MarkPrices,
          inject: [Log, Clock],
          useFactory: (log: Log, clock: Clock) => new MarkPrices(log, clock, service),
        },
      ],
      exports: [MarkPrices],
    };
  }
}
