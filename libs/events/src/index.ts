export * from './define.js';
export * from './ledger/accounts.js';
export * from './ledger/command.v1.js';
export * from './ledger/issuers.js';
export * from './ledger/leg-account.js';
export * from './ledger/result.v1.js';
export * from './spot/commands.v1.js';
export * from './spot/events.v1.js';
export * from './market/tick.v1.js';
export * from './user/event.v1.js';
export * from './user/notices.v1.js';
export {
  balanceUpdate,
  orderUpdate,
  readUserEvent,
  UserBalancesV1,
  UserOrderV1,
  type EventForm,
} from './user/packed.v1.js';
export * from './people/fact.v1.js';
export * from './ledger/facts.v1.js';
export * from './reference/row.v1.js';
export * from './views.js';
export * from './topics.js';
export * from './operator/action.v1.js';
export * from './wallet/commands.v1.js';
