// What the simulator runs of the ledger: its writer, its auditor and the transfer, on ports it brings itself. Nobody else imports this.
export { LedgerAudit } from './application/audit.js';
export { Currencies } from './application/currencies.js';
export * from './application/ports.js';
export { TransferBetweenAccounts } from './application/transfer.js';
export { LedgerWriter } from './application/writer.js';
export { mayGoNegative, type AccountState, type HoldState } from './domain/index.js';
