import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { NoticeStore } from './notice-ports.js';
import { NOTICE_DAYS, NOTICE_MAX } from './notice-settings.js';
import { NoticesDatabase } from './ports.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Deletes notices older than the longest time kept, and the oldest notices of people who have too many. */
@Injectable()
export class NoticeUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('NoticeUpkeep');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: NoticesDatabase,
    private readonly store: NoticeStore,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.run().catch((error: unknown) => this.logger.warn(`old notices could not be deleted: ${String(error)}`));
    }, EVERY_MS).unref();
  }
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes in batches, each in its own transaction. */
  async run(): Promise<void> {
    const before = this.clock.now() - this.settings.get(NOTICE_DAYS) * DAY_MS;
    while ((await this.database.transaction((tx) => this.store.forget(tx, before))) > 0);
    const most = this.settings.get(NOTICE_MAX);
    for (;;) {
      const crowded = await this.store.crowded(most);
      if (crowded.length === 0) return;
      await this.database.transaction((tx) => this.store.keep(tx, crowded, most));
    }
  }
}
