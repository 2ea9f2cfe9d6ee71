import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { AddressController } from '../addresses/http/address.controller.js';
import { MiddlewareController } from '../addresses/http/middleware.controller.js';
import { WithdrawalController } from './http/withdrawal.controller.js';
import { WithdrawalsController } from './messaging/withdrawals.controller.js';
import { OpenWithdrawalFigures } from './metrics/open-withdrawals.js';
import { PostgresAddressStore } from '../addresses/persistence/address-store.js';
import { LedgerDatabase } from '../../ledger/adapters/persistence/ledger-database.js';
import { PostgresPayoutStore } from './persistence/payout-store.js';
import { PostgresRiskReader } from './persistence/risk-reader.js';
import { PostgresWithdrawalStore } from './persistence/withdrawal-store.js';
import { BoundAddresses } from '../addresses/application/bound-addresses.js';
import { AddressStore } from '../addresses/application/ports.js';
import { DecideWithdrawal } from './application/decide-withdrawal.js';
import { AuthorizeOutgoing } from './application/authorize-outgoing.js';
import { OpenWithdrawals } from './application/open-withdrawals.js';
import { PayoutRuntime } from './application/payout-runtime.js';
import { PayoutStops } from './application/payout-stops.js';
import { Payouts } from './application/payouts.js';
import { PlaceWithdrawal } from './application/place-withdrawal.js';
import { PayoutStore, RiskReader, WithdrawalStore } from './application/ports.js';
import { WithdrawalRisk } from './application/withdrawal-risk.js';
import { ChainsModule } from '../chains/chains.module.js';
import { WalletCoreModule } from '../wallet-core.module.js';

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
