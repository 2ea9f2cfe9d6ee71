import { Database, type Tx } from '@bourse/persistence';

/** The database of this service; also its token. */
export abstract class AuthDatabase extends Database {}
/** Where a store may read: in a transaction, or outside of one. */
export type Sql = Pick<Tx, 'query' | 'execute' | 'manager'>;
