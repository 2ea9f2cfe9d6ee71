import { Module } from '@nestjs/common';
import { Commands, LedgerAnswers, LedgerClient, Sagas, sagasOf } from '@bourse/ledger-client';
import { ReferenceModule, TimersModule, SecondPerson } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { LedgerDatabaseModule } from '../database.module.js';
import { LedgerDatabase } from './adapters/persistence/ledger-database.js';
import { PostgresLedgerReader } from './adapters/persistence/ledger-reader.js';
import { PostgresLedgerMaintenance } from './adapters/persistence/ledger-maintenance.js';
import { CommandAnswers } from './application/command-answers.js';
import { Currencies } from './application/currencies.js';
import { AskedLeverHandOver, LeverHandOver } from './application/lever-hand-over.js';
import { LedgerReader, LedgerMaintenance } from './application/ports.js';
import { Statement } from './application/statement/statement.js';
import { TransferBetweenAccounts } from './application/transfer.js';
import { UseCaseDatabase } from './application/use-case-database.js';

const reference = ReferenceModule.forSchema(LedgerDatabase, 'ledger', [LedgerDatabaseModule]);
const timers = TimersModule.forSchema(LedgerDatabase, [LedgerDatabaseModule]);

/**
 * The part of the ledger that the wallet depends on: the database with its stored answers, the catalog, committed
 * balances, statements, and transfers.
 */
@Module({
  imports: [LedgerDatabaseModule, reference, timers],
  providers: [
    {
      provide: LedgerReader,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresLedgerReader(database),
    },
    {
      provide: LedgerMaintenance,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresLedgerMaintenance(database),
    },
    { provide: UseCaseDatabase, useExisting: LedgerDatabase },
    Currencies,
    { provide: LedgerAnswers, useExisting: LedgerReader },
    LedgerClient,
    ...sagasOf('wallet-ledger', LedgerDatabase),
    CommandAnswers,
    SecondPerson,
    Statement,
    { provide: LeverHandOver, useClass: AskedLeverHandOver },
    TransferBetweenAccounts,
  ],
  exports: [
    LedgerDatabaseModule,
    reference,
    timers,
    LedgerReader,
    LedgerClient,
    Sagas,
    Commands,
    LedgerMaintenance,
    UseCaseDatabase,
    Currencies,
    CommandAnswers,
    SecondPerson,
    Statement,
    LeverHandOver,
    TransferBetweenAccounts,
  ],
})
export class LedgerCoreModule {}
