import { Module } from '@nestjs/common';
import { ReferenceModule } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { LedgerDatabaseModule } from '../database.module.js';
import { LedgerDatabase } from './adapters/persistence/ledger-database.js';
import { PostgresLedgerReader } from './adapters/persistence/ledger-reader.js';
import { PostgresLedgerUpkeep } from './adapters/persistence/upkeep.js';
import { CommandAnswers } from './application/command-answers.js';
import { Currencies } from './application/currencies.js';
import { LedgerReader, LedgerUpkeep } from './application/ports.js';
import { SecondPerson } from './application/second-person.js';
import { Statement } from './application/statement/statement.js';
import { TransferBetweenAccounts } from './application/transfer.js';
import { WalletDatabase } from './application/use-case-database.js';

const reference = ReferenceModule.forSchema(LedgerDatabase, 'ledger', [LedgerDatabaseModule]);

/**
 * The part of the ledger that the wallet is built on: the database with its stored answers, the catalog, committed
 * balances, statements, and transfers.
 */
@Module({
  imports: [LedgerDatabaseModule, reference],
  providers: [
    {
      provide: LedgerReader,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresLedgerReader(database),
    },
    {
      provide: LedgerUpkeep,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresLedgerUpkeep(database),
    },
    { provide: WalletDatabase, useExisting: LedgerDatabase },
    Currencies,
    CommandAnswers,
    SecondPerson,
    Statement,
    TransferBetweenAccounts,
  ],
  exports: [
    LedgerDatabaseModule,
    reference,
    LedgerReader,
    LedgerUpkeep,
    WalletDatabase,
    Currencies,
    CommandAnswers,
    SecondPerson,
    Statement,
    TransferBetweenAccounts,
  ],
})
export class LedgerCoreModule {}
