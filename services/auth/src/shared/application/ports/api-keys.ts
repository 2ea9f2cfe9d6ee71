import type { Tx } from '@bourse/persistence';
import type { Sql } from './database.js';

/** An API key, with its secret sealed. */
export interface ApiKey {
  readonly key: string;
  readonly userId: number;
  readonly label: string;
  readonly secretSealed: string;
  readonly permissions: readonly ('read' | 'trade')[];
  readonly ips: readonly string[];
  readonly createdAt: number;
  readonly lastAt: number | null;
}
/** Keys by which programs sign calls. Only the audit trail sees a deleted key. */
export abstract class ApiKeys {
  /** Serialises the keys of one person until the transaction ends, and counts them. */
  abstract count(tx: Tx, userId: number): Promise<number>;
  abstract add(tx: Tx, key: ApiKey): Promise<void>;
  abstract list(sql: Sql, userId: number): Promise<ApiKey[]>;
  abstract byKey(sql: Sql, key: string): Promise<ApiKey | null>;
  /** Records that the key was used, unless a use within the last `everyMs` is recorded. */
  abstract touch(sql: Sql, key: string, now: number, everyMs: number): Promise<void>;
  /** Deletes the person's own key; false if it does not exist. */
  abstract remove(tx: Tx, userId: number, key: string, now: number): Promise<boolean>;
  /** Deletes all keys of a person; returns their number. */
  abstract removeAll(tx: Tx, userId: number, now: number): Promise<number>;
}
