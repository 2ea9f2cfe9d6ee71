import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Config, Readiness } from '@bourse/platform';
import { NoticeStore } from '../application/notice-ports.js';
import { NoticesDatabase } from '../application/ports.js';
import { seedNotices } from './seed-notices.js';

const READY = 'notices.personal';

/** Brings the first personal notices to a demo install. */
@Injectable()
export class DemoNotices implements OnApplicationBootstrap {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly store: NoticeStore,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly readiness: Readiness,
  ) {
    readiness.set(READY, false);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.dev) await seedNotices(this.database, this.store, this.clock.now());
    this.readiness.set(READY, true);
  }
}
