import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Databases } from '@bourse/persistence';
import { Clock, Config, Readiness } from '@bourse/platform';
import { NewsController } from './adapters/http/news.controller.js';
import { NoticesAsksController } from './adapters/messaging/asks.controller.js';
import { NOTICES_ENTITIES } from './adapters/persistence/entities/index.js';
import { NOTICES_MIGRATIONS } from './adapters/persistence/migrations.js';
import { PostgresNews } from './adapters/persistence/postgres-news.js';
import { News, NoticesDatabase } from './application/ports.js';
import { seedNews } from './seed/seed-news.js';

/** Name of this service and of its schema. */
export const SERVICE = 'notices';

/** Brings the seeded news to a demo install. */
@Injectable()
class NoticesRuntime implements OnApplicationBootstrap {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly news: News,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly readiness: Readiness,
  ) {
    readiness.set(SERVICE, false);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.dev) await seedNews(this.database, this.news, this.clock.now());
    this.readiness.set(SERVICE, true);
  }
}

@Module({
  controllers: [NewsController, NoticesAsksController],
  providers: [
    {
      provide: NoticesDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) =>
        databases.open({
          schema: SERVICE,
          migrations: NOTICES_MIGRATIONS,
          entities: NOTICES_ENTITIES,
          poolMax: 2,
        }),
    },
    { provide: News, useClass: PostgresNews },
    NoticesRuntime,
  ],
})
export class NoticesModule {}
