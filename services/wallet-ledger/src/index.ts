export { SERVICE, WalletLedgerModule } from './wallet-ledger.module.js';
