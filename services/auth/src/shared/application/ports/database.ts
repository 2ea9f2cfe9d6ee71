import { Database, type Tx } from '@bourse/persistence';

/** The database of this service; also its token. */
export abstract class AuthDatabase extends Database {}
/** Access of a store: in a transaction, or outside of one. */
export type Sql = Pick<Tx, 'query' | 'execute' | 'manager'>;
