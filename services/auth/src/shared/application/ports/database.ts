import { Database, type Tx } from '@bourse/persistence';

/** The database of this service; also its token. */
export abstract class AuthDatabase extends Database {}
/** Access of a store: in a transaction, or outside of one. */
export type Sql = Pick<Tx, 'query' | 'execute' | 'manager'>;
/** A person or an operator whose password and authenticator were checked as they were read. */
export interface CheckedAccess {
  readonly id: number;
  readonly passwordHash: string;
  readonly totpSealed: string | null;
}
