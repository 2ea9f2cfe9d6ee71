import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { LedgerDatabase } from '../ledger/adapters/persistence/ledger-database.js';
import { FurtherChecks } from '../ledger/application/audit/ports.js';
import { Assets } from '../ledger/application/solvency/ports.js';
import { ReportsController } from './reports/http/reports.controller.js';
import { WalletController } from './balances/http/wallet.controller.js';
import { WalletAsksController } from './reports/messaging/asks.controller.js';
import { PostgresReportReader } from './reports/persistence/report-reader.js';
import { PostgresWalletAuditReads } from './audit/persistence/wallet-audit-reads.js';
import { EquityHistories } from './balances/application/equity-history.js';
import { ChainAssets } from './chains/application/chain-assets.js';
import { ReportReader } from './reports/application/ports.js';
import { AccountingReports } from './reports/application/accounting-reports.js';
import { WalletAuditReads } from './audit/application/ports.js';
import { WalletAudit } from './audit/application/wallet-audit.js';
import { ChainsModule } from './chains/chains.module.js';
import { DepositsModule } from './deposits/deposits.module.js';
import { TreasuryModule } from './treasury/treasury.module.js';
import { WalletCoreModule } from './wallet-core.module.js';
import { WithdrawalsModule } from './withdrawals/withdrawals.module.js';

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
