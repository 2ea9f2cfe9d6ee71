import type { Tx } from '@bourse/persistence';
import type { Sql } from './database.js';

/** A key of a program, with its secret sealed. */
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
/** Keys by which programs sign calls. A deleted key is gone for every call but the trail. */
export abstract class ApiKeys {
  /** Serialises the keys of one person until the transaction ends, and counts them. */
  abstract count(tx: Tx, userId: number): Promise<number>;
  abstract add(tx: Tx, key: ApiKey): Promise<void>;
  abstract list(sql: Sql, userId: number): Promise<ApiKey[]>;
  abstract byKey(sql: Sql, key: string): Promise<ApiKey | null>;
  /** Writes that the key was used, unless it was within the last `everyMs`. */
  abstract touch(sql: Sql, key: string, now: number, everyMs: number): Promise<void>;
  /** Deletes an own key; false when there is none. */
  abstract remove(tx: Tx, userId: number, key: string, now: number): Promise<boolean>;
  /** Deletes all keys of a person; answers how many there were. */
  abstract removeAll(tx: Tx, userId: number, now: number): Promise<number>;
}
