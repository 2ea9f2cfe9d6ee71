export * from './journal.js';
export { judgeRights, mayGoNegative, type PartitionScope } from './rights.js';
export type { Ledger } from './ledger.js';
export { HotLedger } from './hot-ledger.js';
