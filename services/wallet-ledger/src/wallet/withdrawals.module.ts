import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { AddressController } from './adapters/http/address.controller.js';
import { MiddlewareController } from './adapters/http/middleware.controller.js';
import { WithdrawalController } from './adapters/http/withdrawal.controller.js';
import { WithdrawalsController } from './adapters/messaging/withdrawals.controller.js';
import { OpenWithdrawalFigures } from './adapters/metrics/open-withdrawals.js';
import { PostgresAddressStore } from './adapters/persistence/address-store.js';
import { LedgerDatabase } from '../ledger/adapters/persistence/ledger-database.js';
import { PostgresPayoutStore } from './adapters/persistence/payout-store.js';
import { PostgresRiskReader } from './adapters/persistence/risk-reader.js';
import { PostgresWithdrawalStore } from './adapters/persistence/withdrawal-store.js';
import { BoundAddresses } from './application/addresses/bound-addresses.js';
import { AddressStore } from './application/addresses/ports.js';
import { DecideWithdrawal } from './application/withdrawals/decide-withdrawal.js';
import { AuthorizeOutgoing } from './application/withdrawals/authorize-outgoing.js';
import { OpenWithdrawals } from './application/withdrawals/open-withdrawals.js';
import { PayoutRuntime } from './application/withdrawals/payout-runtime.js';
import { PayoutStops } from './application/withdrawals/payout-stops.js';
import { Payouts } from './application/withdrawals/payouts.js';
import { PlaceWithdrawal } from './application/withdrawals/place-withdrawal.js';
import { PayoutStore, RiskReader, WithdrawalStore } from './application/withdrawals/ports.js';
import { WithdrawalRisk } from './application/withdrawals/withdrawal-risk.js';
import { ChainsModule } from './chains.module.js';
import { WalletCoreModule } from './wallet-core.module.js';

/** Withdrawals, payouts on the chains, and people's bound addresses. */
@Module({
  imports: [WalletCoreModule, ChainsModule],
  controllers: [WithdrawalController, AddressController, MiddlewareController, WithdrawalsController],
  providers: [
    {
      provide: WithdrawalStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresWithdrawalStore(database),
    },
    {
      provide: PayoutStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresPayoutStore(database),
    },
    {
      provide: AddressStore,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresAddressStore(database),
    },
    {
      provide: RiskReader,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresRiskReader(database),
    },
    WithdrawalRisk,
    PayoutRuntime,
    { provide: Payouts, useExisting: PayoutRuntime },
    PayoutStops,
    AuthorizeOutgoing,
    PlaceWithdrawal,
    OpenWithdrawals,
    DecideWithdrawal,
    BoundAddresses,
    OpenWithdrawalFigures,
  ],
  exports: [Payouts, PayoutStore, WithdrawalStore, AuthorizeOutgoing, PayoutStops],
})
export class WithdrawalsModule {}
