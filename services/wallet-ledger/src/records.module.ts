import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { SolvencyController } from './adapters/http/solvency.controller.js';
import { LedgerDatabase } from './adapters/persistence/ledger-database.js';
import { PostgresSolvencyStore } from './adapters/persistence/solvency-store.js';
import { PostgresLedgerUpkeep } from './adapters/persistence/upkeep.js';
import { LedgerUpkeep } from './application/ports.js';
import { ChainAssets } from './application/solvency/assets.js';
import { Assets, SolvencyStore } from './application/solvency/ports.js';
import { SolvencyProofs } from './application/solvency/proofs.js';
import { SolvencyRuntime } from './application/solvency/solvency-runtime.js';
import { TakeSnapshot } from './application/solvency/take-snapshot.js';
import { LedgerCoreModule } from './core.module.js';

/** What the ledger proves to everybody, and what operators book by hand. */
@Module({
  imports: [LedgerCoreModule],
  controllers: [SolvencyController],
  providers: [
    { provide: SolvencyStore, inject: [LedgerDatabase], useFactory: (database: Database) => new PostgresSolvencyStore(database) },
    { provide: LedgerUpkeep, inject: [LedgerDatabase], useFactory: (database: Database) => new PostgresLedgerUpkeep(database) },
    { provide: Assets, useClass: ChainAssets },
    TakeSnapshot, SolvencyRuntime, SolvencyProofs,
  ],
})
export class RecordsModule {}
