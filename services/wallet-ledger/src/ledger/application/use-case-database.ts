import { Database } from '@bourse/persistence';

/**
 * The service's database, for use cases that decide and write in one transaction. The writer alone changes balances.
 */
export abstract class UseCaseDatabase extends Database {}
