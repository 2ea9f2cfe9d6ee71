import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { LedgerDatabase } from '../../ledger/adapters/persistence/ledger-database.js';
import { PostgresTreasuryStore } from './persistence/treasury-store.js';
import { TreasuryRuntime } from './application/treasury-runtime.js';
import { TreasuryStore } from './application/ports.js';
import { ChainsModule } from '../chains/chains.module.js';
import { WithdrawalsModule } from '../withdrawals/withdrawals.module.js';
import { WalletCoreModule } from '../wallet-core.module.js';

/** The treasury of the house's wallets: deposit addresses, hot wallets, cold wallets. */
@Module({
  imports: [WalletCoreModule, ChainsModule, WithdrawalsModule],
  providers: [
    {
      provide: TreasuryStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresTreasuryStore(database),
    },
    TreasuryRuntime,
  ],
})
export class TreasuryModule {}
