import { Module } from '@nestjs/common';
import { LedgerModule } from './ledger/ledger.module.js';
import { WalletModule } from './wallet/wallet.module.js';

/** Name of the service. */
export const SERVICE = 'wallet-ledger';

/** The ledger and the coin wallet that is built on it, in one process and one database schema (`ledger`). */
@Module({ imports: [LedgerModule.over(WalletModule), WalletModule] })
export class WalletLedgerModule {}
