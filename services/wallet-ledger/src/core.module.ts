import { Module } from '@nestjs/common';
import { ReferenceModule } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { LedgerDatabase, LedgerDatabaseModule } from './adapters/persistence/ledger-database.js';
import { PostgresLedgerReader } from './adapters/persistence/ledger-reader.js';
import { loadNetworks } from './adapters/persistence/network-store.js';
import { CommandAnswers } from './application/command-answers.js';
import { Currencies } from './application/currencies.js';
import { FundGate } from './application/fund-gate.js';
import { Networks } from './application/networks.js';
import { LedgerReader } from './application/ports.js';
import { Prices } from './application/prices.js';
import { WalletDatabase } from './application/wallet-database.js';
import { WalletView } from './application/wallet-view.js';

const reference = ReferenceModule.forSchema(LedgerDatabase, 'ledger', [LedgerDatabaseModule]);

/**
 * What every part of the service stands on: its database with the answers kept there, the catalog, prices, and the
 * committed balances.
 */
@Module({
  imports: [LedgerDatabaseModule, reference],
  providers: [
    {
      provide: LedgerReader,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresLedgerReader(database),
    },
    { provide: WalletDatabase, useExisting: LedgerDatabase },
    {
      provide: Networks,
      inject: [LedgerDatabase, Config],
      useFactory: (database: Database, config: Config) => loadNetworks(database, config),
    },
    Currencies,
    Prices,
    CommandAnswers,
    FundGate,
    WalletView,
  ],
  exports: [
    LedgerDatabaseModule,
    reference,
    LedgerReader,
    WalletDatabase,
    Networks,
    Currencies,
    Prices,
    CommandAnswers,
    FundGate,
    WalletView,
  ],
})
export class LedgerCoreModule {}
