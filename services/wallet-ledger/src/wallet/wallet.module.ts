import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { LedgerDatabase } from '../ledger/adapters/persistence/ledger-database.js';
import { FurtherChecks } from '../ledger/application/audit/ports.js';
import { Assets } from '../ledger/application/solvency/ports.js';
import { ReportsController } from './adapters/http/reports.controller.js';
import { WalletController } from './adapters/http/wallet.controller.js';
import { WalletAsksController } from './adapters/messaging/asks.controller.js';
import { PostgresReportReader } from './adapters/persistence/report-reader.js';
import { PostgresWalletAuditReads } from './adapters/persistence/wallet-audit-reads.js';
import { EquityHistories } from './application/equity-history.js';
import { ChainAssets } from './application/chain/chain-assets.js';
import { ReportReader } from './application/reports/ports.js';
import { AccountingReports } from './application/reports/accounting-reports.js';
import { WalletAuditReads } from './application/wallet-audit/ports.js';
import { WalletAudit } from './application/wallet-audit/wallet-audit.js';
import { ChainsModule } from './chains.module.js';
import { DepositsModule } from './deposits.module.js';
import { TreasuryModule } from './treasury.module.js';
import { WalletCoreModule } from './wallet-core.module.js';
import { WithdrawalsModule } from './withdrawals.module.js';

/**
 * The coin wallet: deposits, withdrawals, the house's own wallets, and their views for people and operators. For the
 * ledger it provides the assets on chains and the audit of the wallet's own tables.
 */
@Module({
  imports: [WalletCoreModule, ChainsModule, DepositsModule, WithdrawalsModule, TreasuryModule],
  controllers: [WalletController, ReportsController, WalletAsksController],
  providers: [
    { provide: Assets, useClass: ChainAssets },
    {
      provide: WalletAuditReads,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresWalletAuditReads(database),
    },
    { provide: FurtherChecks, useClass: WalletAudit },
    {
      provide: ReportReader,
      inject: [LedgerDatabase, Config],
      useFactory: (database: Database, config: Config) => new PostgresReportReader(database, config.ledgerPartitions),
    },
    AccountingReports,
    EquityHistories,
  ],
  exports: [Assets, FurtherChecks],
})
export class WalletModule {}
