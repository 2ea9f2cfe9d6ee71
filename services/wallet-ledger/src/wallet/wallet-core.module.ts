import { Module } from '@nestjs/common';
import { askedFundGate, FundGate } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { SettingsModule } from '@bourse/settings';
import { LedgerDatabase } from '../ledger/adapters/persistence/ledger-database.js';
import { LedgerCoreModule } from '../ledger/ledger-core.module.js';
import { ProtocolAdminController } from './adapters/http/protocol-admin.controller.js';
import { loadNetworks } from './adapters/persistence/network-store.js';
import { ProtocolList } from './adapters/persistence/protocol-list.js';
import { Networks } from './application/networks.js';
import { Prices } from './application/prices.js';
import { WITHDRAWAL_RULES, WITHDRAWAL_SETTINGS } from './application/withdrawals/settings.js';
import { WalletView } from './application/wallet-view.js';

const settings = SettingsModule.forService({
  service: 'wallet-ledger',
  database: LedgerDatabase,
  imports: [LedgerCoreModule],
  settings: WITHDRAWAL_SETTINGS,
  rules: WITHDRAWAL_RULES,
});

/**
 * Dependencies of all parts of the wallet beside the ledger: networks, prices, the fund password and the view of
 * balances.
 */
@Module({
  imports: [LedgerCoreModule, settings],
  providers: [
    {
      provide: Networks,
      inject: [LedgerDatabase, Config],
      useFactory: (database: Database, config: Config) => loadNetworks(database, config),
    },
    ProtocolList,
    Prices,
    askedFundGate,
    WalletView,
  ],
  controllers: [ProtocolAdminController],
  exports: [LedgerCoreModule, settings, Networks, Prices, FundGate, WalletView],
})
export class WalletCoreModule {}
