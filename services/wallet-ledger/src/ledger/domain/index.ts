export * from './journal.js';
export { mayGoNegative, type PartitionScope } from './rights.js';
export { HotLedger } from './hot-ledger.js';
