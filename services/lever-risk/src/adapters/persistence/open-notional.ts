import type { Tx } from '@bourse/persistence';

/**
 * Open notional by quote, for the cover of the house. Transactions that open and close in one quote at once must not
 * wait for each other: each adds to a slot that others rarely lock, and the open notional is the sum of the slots. A
 * single slot has no meaning of its own and may be negative.
 */
const SLOTS = 16n;
/** All concurrent, unseen transactions together take less than one of this many parts of the limit. */
const PARTS = 10n;

/** The slot of the connection: a transaction that adds more than once still locks only one. */
export const OWN_SLOT = `pg_backend_pid() % ${SLOTS}`;
const ADD = `insert into exposure (quote, slot, notional) values ($1, ${OWN_SLOT}, $2::numeric)
  on conflict (quote, slot) do update set notional = exposure.notional + excluded.notional`;
const SUM = 'select coalesce(sum(notional), 0)::text as notional from exposure where quote = $1';
const FILL = `insert into exposure (quote, slot, notional)
  select $1, slot, 0 from generate_series(0, ${SLOTS - 1n}) as slot
  on conflict do nothing`;
const HOLD = `with held as (select notional from exposure where quote = $1 order by slot for update)
  select sum(notional)::text as notional from held`;

interface Sum {
  readonly notional: string;
}
interface Change {
  readonly quote: number;
  /** Units of the quote; negative for a close. */
  readonly notional: bigint;
  /** Limit of the open notional, in the same units; null: none. */
  readonly most: bigint | null;
}

/** Adds to the open notional. False, without effect, if that would exceed `most`. */
export async function addOpenNotional(tx: Tx, { quote, notional, most }: Change): Promise<boolean> {
  const add = (): Promise<unknown> => tx.execute(ADD, [quote, String(notional)]);
  const sum = async (sql: string): Promise<bigint> =>
    BigInt((await tx.query<Sum & Record<string, unknown>>(sql, [quote]))[0]?.notional ?? '0');
  if (most === null) await add();
  else if (!(await addBesideOthers({ tx, add, sum, notional, most }))) {
    // A large amount or near the limit: all slots are locked, in order, so that no transaction is unseen.
    await tx.execute(FILL, [quote]);
    if ((await sum(HOLD)) + notional > most) return false;
    await add();
  }
  return true;
}

interface Parts {
  readonly tx: Tx;
  readonly add: () => Promise<unknown>;
  readonly sum: (sql: string) => Promise<bigint>;
  readonly notional: bigint;
  readonly most: bigint;
}

/**
 * Adds without locking the other slots. Uncommitted additions of others are not seen, but there are at most as many as
 * slots and each is small: together they stay within the part of the limit that is kept free. False if too little is
 * free.
 */
async function addBesideOthers({ tx, add, sum, notional, most }: Parts): Promise<boolean> {
  if (notional * SLOTS * PARTS > most) return false;
  try {
    await tx.savepoint(async () => {
      await add();
      // A separate statement sees what others committed while this one waited for the slot.
      if ((await sum(SUM)) * PARTS > most * (PARTS - 1n)) throw new NearLimitError();
    });
    return true;
  } catch (error) {
    if (error instanceof NearLimitError) return false;
    throw error;
  }
}

/** The open notional is near its limit. */
class NearLimitError extends Error {}

/** Open notional of a quote, in its units. */
export async function openNotional(database: Pick<Tx, 'query'>, quote: number): Promise<bigint> {
  const [row] = await database.query<Sum & Record<string, unknown>>(SUM, [quote]);
  return BigInt(row?.notional ?? '0');
}
