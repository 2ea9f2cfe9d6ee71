import { Module } from '@nestjs/common';
import { AnswerStore, Database, Databases } from '@bourse/persistence';
import { MIGRATIONS } from './migrations.js';

/** The database of this service: schema `spot`. */
export abstract class SpotDatabase extends Database {}

@Module({
  providers: [
    {
      provide: SpotDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'spot', migrations: MIGRATIONS, poolMax: 8 }),
    },
    { provide: AnswerStore, inject: [SpotDatabase], useFactory: (database: Database) => new AnswerStore(database) },
  ],
  exports: [SpotDatabase, AnswerStore],
})
export class SpotDatabaseModule {}
