// What the simulator runs of the ledger: its writer, the transfer and the evening of house purses, on ports it brings
// itself. Nobody else imports this.
export { Currencies } from './ledger/application/currencies.js';
export { hashOf, type PackedEntry } from './ledger/application/writer/entries.js';
export { HousePurses } from './ledger/application/house/house-purses.js';
export { HousePurseReads, type HousePurse } from './ledger/application/house/ports.js';
export * from './ledger/application/ports.js';
export { TransferBody } from './ledger/application/fields.js';
export { TransferBetweenAccounts } from './ledger/application/transfer.js';
export { LedgerWriter } from './ledger/application/writer/writer.js';
export { mayGoNegative, type AccountState, type HoldState } from './ledger/domain/index.js';
