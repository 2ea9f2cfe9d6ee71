import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { AdjustmentsController } from './adapters/http/adjustments.controller.js';
import { BooksController } from './adapters/http/books.controller.js';
import { SolvencyController } from './adapters/http/solvency.controller.js';
import { BooksAsks } from './adapters/messaging/books-asks.js';
import { PostgresAdjustmentStore } from './adapters/persistence/adjustment-store.js';
import { PostgresBooksReader } from './adapters/persistence/books-reader.js';
import { LedgerDatabase } from './adapters/persistence/ledger-database.js';
import { PostgresSolvencyStore } from './adapters/persistence/solvency-store.js';
import { PostgresWalletAuditReads } from './adapters/persistence/wallet-audit-reads.js';
import { PostgresLedgerUpkeep } from './adapters/persistence/upkeep.js';
import { AdjustmentRuntime } from './application/adjustments/adjustment-runtime.js';
import { SecondPerson } from './application/second-person.js';
import { Adjustments } from './application/adjustments/adjustments.js';
import { PostAdjustment } from './application/adjustments/post-adjustment.js';
import { AdjustmentStore } from './application/adjustments/ports.js';
import { Books } from './application/books/books.js';
import { BooksReader } from './application/books/ports.js';
import { LedgerUpkeep } from './application/ports.js';
import { WalletAudit } from './application/wallet-audit/wallet-audit.js';
import { WalletAuditReads } from './application/wallet-audit/ports.js';
import { ChainAssets } from './application/solvency/assets.js';
import { Assets, SolvencyStore } from './application/solvency/ports.js';
import { SolvencyProofs } from './application/solvency/proofs.js';
import { SolvencyRuntime } from './application/solvency/solvency-runtime.js';
import { TakeSnapshot } from './application/solvency/take-snapshot.js';
import { ChainsModule } from './chains.module.js';
import { LedgerCoreModule } from './core.module.js';

/** What the ledger proves to everybody, and what operators book by hand. */
@Module({
  imports: [LedgerCoreModule, ChainsModule],
  controllers: [SolvencyController, AdjustmentsController, BooksController],
  providers: [
    {
      provide: SolvencyStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresSolvencyStore(database),
    },
    {
      provide: LedgerUpkeep,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresLedgerUpkeep(database),
    },
    { provide: Assets, useClass: ChainAssets },
    TakeSnapshot,
    SolvencyRuntime,
    SolvencyProofs,
    {
      provide: AdjustmentStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresAdjustmentStore(database),
    },
    PostAdjustment,
    Adjustments,
    SecondPerson,
    AdjustmentRuntime,
    {
      provide: BooksReader,
      inject: [LedgerDatabase, Config],
      useFactory: (database: Database, config: Config) => new PostgresBooksReader(database, config.ledgerPartitions),
    },
    Books,
    BooksAsks,
    {
      provide: WalletAuditReads,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresWalletAuditReads(database),
    },
    WalletAudit,
  ],
  exports: [WalletAudit],
})
export class RecordsModule {}
