import { Module } from '@nestjs/common';
import { AnswerStore, Database, Databases } from '@bourse/persistence';
import { migrations } from './migrations.js';

/** The database of this service: schema `ledger`. */
export abstract class LedgerDatabase extends Database {}

@Module({
  providers: [
    {
      provide: LedgerDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: 'ledger', migrations, poolMax: 10 }),
    },
    { provide: AnswerStore, inject: [LedgerDatabase], useFactory: (database: Database) => new AnswerStore(database) },
  ],
  exports: [LedgerDatabase, AnswerStore],
})
export class LedgerDatabaseModule {}
