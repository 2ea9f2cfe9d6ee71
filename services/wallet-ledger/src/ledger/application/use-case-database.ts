import { Database } from '@bourse/persistence';

/** The service's database, for use cases that decide and write in one transaction. Balances are the writer's alone. */
export abstract class UseCaseDatabase extends Database {}
