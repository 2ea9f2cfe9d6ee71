import { bootService } from '@bourse/messaging';
import { SERVICE, WalletLedgerModule } from './wallet-ledger.module.js';

void bootService({ name: SERVICE, module: WalletLedgerModule });
