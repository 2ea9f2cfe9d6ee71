import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { StatementController } from './adapters/http/statement.controller.js';
import { WalletController } from './adapters/http/wallet.controller.js';
import { LedgerAsks } from './adapters/messaging/asks.js';
import { PostgresAuditReads } from './adapters/persistence/audit-reads.js';
import { LedgerDatabase } from './adapters/persistence/ledger-database.js';
import { PostgresLedgerUpkeep } from './adapters/persistence/upkeep.js';
import { PostgresWriterStore } from './adapters/persistence/writer-store.js';
import { LedgerAudit } from './application/audit.js';
import { Currencies } from './application/currencies.js';
import { LedgerAuditor } from './application/ledger-auditor.js';
import { LedgerRuntime } from './application/ledger-runtime.js';
import { AuditReads, LedgerUpkeep, WriterStore } from './application/ports.js';
import { Statement } from './application/statement.js';
import { TransferBetweenAccounts } from './application/transfer.js';
import { WriterDatabase } from './application/writer-database.js';
import { LedgerCoreModule } from './core.module.js';
import { DepositsModule } from './deposits.module.js';
import { RecordsModule } from './records.module.js';
import { TreasuryModule } from './treasury.module.js';
import { WithdrawalsModule } from './withdrawals.module.js';

/** Name of the service. */
export const SERVICE = 'wallet-ledger';

/** Every balance, the journal under it, and what people see of it (schema `ledger`). */
@Module({
  imports: [LedgerCoreModule, DepositsModule, RecordsModule, WithdrawalsModule, TreasuryModule],
  controllers: [WalletController, StatementController],
  providers: [
    {
      provide: WriterDatabase,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new WriterDatabase(database),
    },
    {
      provide: WriterStore,
      inject: [LedgerDatabase, Currencies],
      useFactory: (database: Database, currencies: Currencies) =>
        new PostgresWriterStore(database, (id) => {
          const scale = currencies.scaleOf(id);
          if (scale === undefined)
            throw new Error(`invariant: currency ${id} has an account and is not in the catalog`);
          return scale;
        }),
    },
    {
      provide: LedgerUpkeep,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresLedgerUpkeep(database),
    },
    {
      provide: AuditReads,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresAuditReads(database),
    },
    {
      provide: LedgerAudit,
      inject: [AuditReads, Config],
      useFactory: (reads: AuditReads, config: Config) => new LedgerAudit(reads, config.ledgerPartitions),
    },
    Statement,
    TransferBetweenAccounts,
    LedgerRuntime,
    LedgerAuditor,
    LedgerAsks,
  ],
})
export class WalletLedgerModule {}
