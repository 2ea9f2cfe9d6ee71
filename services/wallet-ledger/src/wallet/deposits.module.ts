import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { DepositController } from './adapters/http/deposit.controller.js';
import { DevChainController } from './adapters/http/dev-chain.controller.js';
import { PostgresClaimStore } from './adapters/persistence/claim-store.js';
import { PostgresDepositAddressStore } from './adapters/persistence/deposit-address-store.js';
import { PostgresDepositStore } from './adapters/persistence/deposit-store.js';
import { LedgerDatabase } from '../ledger/adapters/persistence/ledger-database.js';
import { Claims } from './application/deposits/claims.js';
import { DepositAddresses } from './application/deposits/deposit-addresses.js';
import { DepositFacts } from './application/deposits/deposit-facts.js';
import { DepositList } from './application/deposits/deposit-list.js';
import { DepositRuntime } from './application/deposits/deposit-runtime.js';
import { ClaimStore, DepositAddressStore, DepositStore } from './application/deposits/ports.js';
import { ReturnDeposit } from './application/deposits/return-deposit.js';
import { UnownedDeposits } from './application/deposits/unowned-deposits.js';
import { UnownedDepositsController } from './adapters/messaging/unowned-deposits.controller.js';
import { ChainsModule } from './chains.module.js';
import { WithdrawalsModule } from './withdrawals.module.js';
import { WalletCoreModule } from './wallet-core.module.js';

/** Deposits: addresses, the watcher, the list and claims. */
@Module({
  imports: [WalletCoreModule, ChainsModule, WithdrawalsModule],
  controllers: [DepositController, DevChainController, UnownedDepositsController],
  providers: [
    {
      provide: DepositStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresDepositStore(database),
    },
    {
      provide: DepositAddressStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresDepositAddressStore(database),
    },
    {
      provide: ClaimStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresClaimStore(database),
    },
    DepositAddresses,
    DepositList,
    ReturnDeposit,
    UnownedDeposits,
    Claims,
    DepositFacts,
    DepositRuntime,
  ],
  exports: [DepositStore],
})
export class DepositsModule {}
