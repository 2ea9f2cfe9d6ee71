export * from './ledger-client.js';
export * from './ledger-client.module.js';
export * from './replies.js';
export * from './sagas.js';
export * from './split-journal.js';
export type * from './simulated-clients.js';
export type * from './simulated-host.js';
export type * from './simulated-service.js';
