import type { Database } from '@bourse/persistence';

/** The database in which the writers commit. */
export class WriterDatabase {
  constructor(readonly value: Database) {}
}
