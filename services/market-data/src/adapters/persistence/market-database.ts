import { Module } from '@nestjs/common';
import { Database, Databases } from '@bourse/persistence';
import { MARKET_ENTITIES } from './entities/index.js';
import { MIGRATIONS } from './migrations.js';

/** Schema `market`; its own token, so that it cannot be confused with another service's in one process. */
export abstract class MarketDatabase extends Database {}

@Module({
  providers: [
    {
      provide: MarketDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) =>
        databases.open({ schema: 'market', migrations: MIGRATIONS, entities: MARKET_ENTITIES }),
    },
  ],
  exports: [MarketDatabase],
})
export class MarketDatabaseModule {}
