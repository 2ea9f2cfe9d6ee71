export * from './journal.js';
export { checkRights, mayGoNegative, type PartitionScope } from './rights.js';
export type { Ledger } from './ledger.js';
export { HotLedger } from './hot-ledger.js';
