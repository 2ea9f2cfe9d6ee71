import type { Tx } from '@bourse/persistence';

/**
 * Open notional by quote, for the cover of the house. What opens and closes at once in one quote must not wait for one
 * another: each transaction adds in a slot, which others hardly ever hold, and what is open is the sum of the slots. A
 * slot alone means nothing, and may be below zero.
 */
const SLOTS = 16n;
/** Transactions that are not seen together take less than one of so many parts of the limit. */
const PARTS = 10n;

/** The slot is that of the connection: a transaction that adds more than once still holds one only. */
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
  /** Units of the quote; below zero where something closes. */
  readonly notional: bigint;
  /** What may be open in the quote, in the same units; null: whatever it comes to. */
  readonly most: bigint | null;
}

/** Adds to what is open, where that stays within `most`. False when it does not, and nothing is done then. */
export async function expose(tx: Tx, { quote, notional, most }: Change): Promise<boolean> {
  const add = (): Promise<unknown> => tx.execute(ADD, [quote, String(notional)]);
  const sum = async (sql: string): Promise<bigint> =>
    BigInt((await tx.query<Sum & Record<string, unknown>>(sql, [quote]))[0]?.notional ?? '0');
  if (most === null) await add();
  else if (!(await exposeBeside({ tx, add, sum, notional, most }))) {
    // Much at once, or near the limit: all slots are held, in their order, so that nothing is unseen.
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
 * Adds beside others. Whoever holds a slot and has not committed is not seen. There are never more of them than slots,
 * and each is small: all of them together do not take what is kept free here. False when there is too little room.
 */
async function exposeBeside({ tx, add, sum, notional, most }: Parts): Promise<boolean> {
  if (notional * SLOTS * PARTS > most) return false;
  try {
    await tx.savepoint(async () => {
      await add();
      // A statement of its own: it sees what was committed while the slot was waited for.
      if ((await sum(SUM)) * PARTS > most * (PARTS - 1n)) throw new Crowded();
    });
    return true;
  } catch (error) {
    if (error instanceof Crowded) return false;
    throw error;
  }
}

/** What is open comes near the limit. */
class Crowded extends Error {}

/** What is open in a quote, in its units. */
export async function exposed(database: Pick<Tx, 'query'>, quote: number): Promise<bigint> {
  const [row] = await database.query<Sum & Record<string, unknown>>(SUM, [quote]);
  return BigInt(row?.notional ?? '0');
}
