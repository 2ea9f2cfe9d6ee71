import { Module } from '@nestjs/common';
import { Database, Databases } from '@bourse/persistence';
import { migrations } from './migrations.js';

/** The database of this service: schema `ledger`. */
export abstract class LedgerDatabase extends Database {}

@Module({
  providers: [{ provide: LedgerDatabase, inject: [Databases], useFactory: (databases: Databases) => databases.open({ schema: 'ledger', migrations, poolMax: 10 }) }],
  exports: [LedgerDatabase],
})
export class LedgerDatabaseModule {}
