import { Database } from '@bourse/persistence';

/** The database of this service: schema `ledger`. */
export abstract class LedgerDatabase extends Database {}
