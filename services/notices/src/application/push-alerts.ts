import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { translate } from '@bourse/i18n';
import { MarkPrices } from '@bourse/messaging';
import type { PushMessage } from '../domain/push.js';
import { NoticeReaders } from './notice-readers.js';
import { NoticesDatabase } from './ports.js';
import { PushQueue } from './push-queue.js';
import { PushStore } from './push-ports.js';

/** Watches the recorded prices, and queues a message for each alert that is reached. */
@Injectable()
export class PushAlerts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('PushAlerts');
  private readonly prices = new Map<string, string>();
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
      for (const { symbol, price } of ticks) this.prices.set(symbol, price);
      this.check().catch((error: unknown) => this.logger.warn(`price alerts wait: ${String(error)}`));
    });
  }
  beforeApplicationShutdown(): void {
    this.unsubscribe();
  }

  /** Checks the newest prices; while a check runs the next prices wait for the one after it. */
  private async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      await this.queueReached(new Map(this.prices));
    } finally {
      this.isChecking = false;
    }
  }

  /** Queues the messages of all alerts that these prices reach. */
  async queueReached(prices: ReadonlyMap<string, string>): Promise<void> {
    if (!(await this.store.hasReached(prices))) return;
    await this.database.transaction(async (tx) => {
      const reached = await this.store.takeReached(tx, prices);
      const langOf = await this.readers.languages([...new Set(reached.map(({ userId }) => userId))]);
      for (const { id, deviceId, userId, symbol, price, link } of reached) {
        if (!this.queue.countPush(userId)) continue;
        const words = { symbol, price };
        const message: PushMessage = {
          title: translate(langOf(userId), 'push.priceReached.title', words),
          body: translate(langOf(userId), 'push.priceReached.content', words),
          link,
          tag: `alert:${id}`,
        };
        await this.store.queueFor(tx, deviceId, JSON.stringify(message));
      }
    });
  }
}
