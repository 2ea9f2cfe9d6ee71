import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { translate } from '@bourse/i18n';
import { MarkPrices } from '@bourse/messaging';
import { compareDecimals } from '@bourse/money';
import type { PushMessage } from '../domain/push.js';
import { NoticeReaders } from './notice-readers.js';
import { NoticesDatabase } from './ports.js';
import { PushQueue } from './push-queue.js';
import { PushStore, type PriceRange } from './push-ports.js';

/** Watches the recorded prices, and queues a message for each alert that is reached. */
@Injectable()
export class PushAlerts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('PushAlerts');
  /** Prices since the last check. */
  private ranges = new Map<string, PriceRange>();
  private unsubscribe: () => void = () => undefined;
  private isChecking = false;

  constructor(
    private readonly database: NoticesDatabase,
    private readonly store: PushStore,
    private readonly queue: PushQueue,
    private readonly readers: NoticeReaders,
    private readonly marks: MarkPrices,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.marks.onTicks((ticks) => {
      for (const { symbol, price } of ticks) this.noteRange(symbol, { low: price, high: price });
      this.check().catch((error: unknown) => this.logger.warn(`price alerts wait: ${String(error)}`));
    });
  }
  beforeApplicationShutdown(): void {
    this.unsubscribe();
  }

  private noteRange(symbol: string, { low, high }: PriceRange): void {
    const known = this.ranges.get(symbol) ?? { low, high };
    this.ranges.set(symbol, {
      low: compareDecimals(low, known.low) < 0 ? low : known.low,
      high: compareDecimals(high, known.high) > 0 ? high : known.high,
    });
  }

  /**
   * Checks the prices since the last check. Prices that arrive meanwhile, or during a failed check, are checked by the
   * next one.
   */
  private async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    const ranges = this.ranges;
    this.ranges = new Map();
    try {
      await this.queueReached(ranges);
    } catch (error) {
      for (const [symbol, range] of ranges) this.noteRange(symbol, range);
      throw error;
    } finally {
      this.isChecking = false;
    }
  }

  /** Queues the messages of all alerts that these prices reach; beyond the rate of a person for a later minute. */
  async queueReached(ranges: ReadonlyMap<string, PriceRange>): Promise<void> {
    if (!(await this.store.hasReached(ranges))) return;
    await this.database.transaction(async (tx) => {
      const reached = await this.store.takeReached(tx, ranges);
      const langOf = await this.readers.languages([...new Set(reached.map(({ userId }) => userId))]);
      for (const { id, deviceId, userId, symbol, price, link } of reached) {
        const words = { symbol, price };
        const message: PushMessage = {
          title: translate(langOf(userId), 'push.priceReached.title', words),
          body: translate(langOf(userId), 'push.priceReached.content', words),
          link,
          tag: `alert:${id}`,
        };
        await this.store.queueFor(tx, deviceId, JSON.stringify(message), this.queue.countLater(userId));
      }
    });
  }
}
