import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Config, Readiness } from '@bourse/platform';
import { News, NoticesDatabase } from '../application/ports.js';
import { seedNews } from './seed-news.js';

const READY = 'notices';

/** Brings the seeded news to a demo install. */
@Injectable()
export class DemoNews implements OnApplicationBootstrap {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly news: News,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly readiness: Readiness,
  ) {
    readiness.set(READY, false);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.dev) await seedNews(this.database, this.news, this.clock.now());
    this.readiness.set(READY, true);
  }
}
