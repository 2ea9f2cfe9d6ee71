import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { LedgerDatabase } from './adapters/persistence/ledger-database.js';
import { PostgresTreasuryStore } from './adapters/persistence/treasury-store.js';
import { TreasuryRuntime } from './application/chain/treasury-runtime.js';
import { TreasuryStore } from './application/chain/treasury-ports.js';
import { ChainsModule } from './chains.module.js';
import { LedgerCoreModule } from './core.module.js';
import { WithdrawalsModule } from './withdrawals.module.js';

/** Order between the wallets of the house: deposit addresses, the hot wallets, the cold ones. */
@Module({
  imports: [LedgerCoreModule, ChainsModule, WithdrawalsModule],
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
