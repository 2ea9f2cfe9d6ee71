export { SERVICE, WalletLedgerModule } from './wallet-ledger.module.js';
/** For `bourse migrate`. */
export { migrations as MIGRATIONS } from './migrations.js';
