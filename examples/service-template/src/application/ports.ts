import type { NeededHolds } from '@bourse/messaging';
import { Database, type Tx } from '@bourse/persistence';
import type { Box } from '../domain/box.js';

/** The database of this service: schema `template`. */
export abstract class TemplateDatabase extends Database {}

/** Boxes, and how many each person has. */
export abstract class BoxStore {
  /** Counts one more box of a person; false when there are `most` already. */
  abstract take(tx: Tx, userId: number, most: number): Promise<boolean>;
  /** Counts one less. */
  abstract giveBack(tx: Tx, userId: number): Promise<void>;
  /** Stores a box that waits for the ledger. Returns its id. */
  abstract insert(tx: Tx, box: Pick<Box, 'userId' | 'currency' | 'amount'> & { seconds: number }): Promise<string>;
  /** Opens a waiting box. @throws Error if it does not wait. */
  abstract open(tx: Tx, id: string, closesAt: number): Promise<Box>;
  /** Forgets a box that the ledger has refused. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** Closes an open box that is due by then, or that is this person's; null when there is none. */
  abstract close(
    tx: Tx,
    id: string,
    which: { readonly dueAt: number } | { readonly userId: number },
  ): Promise<Box | null>;
  /** Open boxes of a person, the newest first. */
  abstract list(userId: number): Promise<readonly Box[]>;
  /** For the auditor: holds that open boxes need, by bucket; see `HoldReads` of `@bourse/messaging`. */
  abstract holdDigests(): Promise<readonly string[]>;
  abstract holdLines(buckets: readonly number[]): Promise<NeededHolds>;
  /** For the auditor: users whose counter differs from the number of their boxes. */
  abstract miscounted(): Promise<readonly number[]>;
}
