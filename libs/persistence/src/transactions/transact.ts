import { CommitUncertain, isRefusedByServer } from '../errors.js';
import type { OutgoingTx } from '../outbox/outgoing.js';
import type { OutboxRow, TransactionOptions, Tx } from '../ports.js';

/** A connection on which one transaction runs. */
export interface Session {
  readonly tx: OutgoingTx;
  begin(options: TransactionOptions): Promise<void>;
  commit(): Promise<void>;
  /** Rolls the transaction back and releases the connection; a broken one is closed. Never fails. */
  rollBack(reason: unknown): Promise<void>;
  /** The commit got no answer, or a refusal: the connection is thrown away. */
  discard(): Promise<void>;
  release(): Promise<void>;
}

/** Receives the ends of transactions. */
export interface DatabaseEvents {
  rows(rows: readonly OutboxRow[]): void;
  uncertain(): void;
  error(error: unknown, what: string): void;
}

/** A relaxed commit may be undone by a crash: no reader may have seen messages of it. */
export function mustBeSilent({ relaxed }: TransactionOptions, rows: readonly OutboxRow[]): void {
  if (relaxed && rows.length > 0)
    throw new Error('invariant: a transaction that does not wait for the disk sends nothing');
}

/** Runs a transaction to its end, whatever database it is on: work, outbox, commit, then what waits for the commit. */
export async function transact<T>(
  session: Session,
  schema: string,
  events: DatabaseEvents,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  let rows: readonly OutboxRow[];
  let result: T;
  try {
    await session.begin(options);
    result = await work(session.tx);
    rows = await session.tx.writeOutbox();
    mustBeSilent(options, rows);
  } catch (error) {
    session.tx.end();
    await session.rollBack(error);
    throw error;
  }
  session.tx.end();
  try {
    await session.commit();
  } catch (error) {
    await session.discard();
    // A constraint checked at commit is a plain refusal; a lost connection leaves the outcome open.
    if (isRefusedByServer(error)) throw error;
    events.uncertain();
    throw new CommitUncertain(`commit on ${schema} got no answer`, { cause: error });
  }
  await session.release();
  session.tx.committed((error) => events.error(error, `callback after a commit on ${schema}`));
  if (rows.length > 0) events.rows(rows);
  return result;
}
