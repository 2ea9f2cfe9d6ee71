import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { DepositController } from './http/deposit.controller.js';
import { DevChainController } from '../chains/http/dev-chain.controller.js';
import { PostgresClaimStore } from './persistence/claim-store.js';
import { PostgresDepositAddressStore } from './persistence/deposit-address-store.js';
import { PostgresDepositStore } from './persistence/deposit-store.js';
import { LedgerDatabase } from '../../ledger/adapters/persistence/ledger-database.js';
import { Claims } from './application/claims.js';
import { DepositAddresses } from './application/deposit-addresses.js';
import { DepositFacts } from './application/deposit-facts.js';
import { DepositList } from './application/deposit-list.js';
import { DepositRuntime } from './application/deposit-runtime.js';
import { ClaimStore, DepositAddressStore, DepositStore } from './application/ports.js';
import { ReturnDeposit } from './application/return-deposit.js';
import { UnownedDeposits } from './application/unowned-deposits.js';
import { UnownedDepositsController } from './messaging/unowned-deposits.controller.js';
import { ChainsModule } from '../chains/chains.module.js';
import { WithdrawalsModule } from '../withdrawals/withdrawals.module.js';
import { WalletCoreModule } from '../wallet-core.module.js';

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
