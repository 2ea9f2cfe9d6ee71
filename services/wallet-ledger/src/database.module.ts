import { Module } from '@nestjs/common';
import { AnswerStore, Databases, type Database } from '@bourse/persistence';
import { LedgerDatabase } from './ledger/adapters/persistence/ledger-database.js';
import { migrations } from './migrations.js';

/** Opens schema `ledger`, which the ledger and the wallet share. */
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
