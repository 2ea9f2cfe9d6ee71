import { Module } from '@nestjs/common';
import { askedFundGate, FundGate } from '@bourse/messaging';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { SettingsModule } from '@bourse/settings';
import { LedgerDatabase } from '../ledger/adapters/persistence/ledger-database.js';
import { LedgerCoreModule } from '../ledger/ledger-core.module.js';
import { ProtocolAdminController } from './shared/http/protocol-admin.controller.js';
import { loadNetworks } from './shared/persistence/network-store.js';
import { ProtocolList } from './shared/persistence/protocol-list.js';
import { Networks } from './shared/application/networks.js';
import { Prices } from './shared/application/prices.js';
import { WITHDRAWAL_RULES, WITHDRAWAL_SETTINGS } from './shared/application/settings.js';
import { WalletView } from './balances/application/wallet-view.js';

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
