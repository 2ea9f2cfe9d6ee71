// What the simulator runs of the ledger: its writer and the transfer, on ports it brings itself. Nobody else imports
// this.
export { Currencies } from './application/currencies.js';
export { hashOf, type PackedEntry } from './application/entries.js';
export * from './application/ports.js';
export { TransferBetweenAccounts } from './application/transfer.js';
export { LedgerWriter } from './application/writer.js';
export { mayGoNegative, type AccountState, type HoldState } from './domain/index.js';
