import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Currencies } from '../currencies.js';
import { PostAdjustment } from './post-adjustment.js';
import { AdjustmentStore } from './ports.js';

const POLL_INTERVAL_MS = 5_000;

/** Settles adjustments whose approval got no answer in time or was interrupted by a crash. */
@Injectable()
export class AdjustmentRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Adjustments');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly store: AdjustmentStore,
    private readonly post: PostAdjustment,
    private readonly currencies: Currencies,
  ) {}

  onApplicationBootstrap(): void {
    void this.currencies.ready().then(() => this.runAndSchedule());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Settles every adjustment that is approved and not known to be booked. */
  async round(): Promise<void> {
    for (const id of await this.store.posting()) {
      if (this.stopped) return;
      const settled = await this.post.settle(id);
      if (settled.state === 'refused')
        this.logger.warn(
          `adjustment ${id} was approved and the ledger refuses it (${settled.key}); it waits to be decided again`,
        );
    }
  }

  private runAndSchedule(): void {
    if (this.stopped) return;
    this.running = this.round().catch((error: unknown) => {
      if (!this.stopped) this.logger.warn(`adjustments are retried later: ${String(error)}`);
    });
    void this.running.then(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.runAndSchedule(), POLL_INTERVAL_MS).unref();
    });
  }
}
