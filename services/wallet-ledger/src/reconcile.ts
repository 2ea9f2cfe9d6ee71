import type { SqlReader } from '@bourse/persistence';

export interface OpenPayments {
  /** Withdrawals that return to review. */ readonly review: readonly string[];
  /** Returns of deposits that are held again. */ readonly returns: readonly string[];
  /** Movements of the house that are removed: the treasury orders what is needed. */ readonly house: readonly string[];
  /** Signed: the same bytes are sent again, which moves nothing twice. */ readonly signed: readonly string[];
}

/**
 * Payments that were open when the database was set back. Payments sent after that moment are not known here: a payment
 * that looks unsigned may have been made.
 */
export async function openPayments(reader: SqlReader): Promise<OpenPayments> {
  const rows = await reader.query<{ reference: string; state: string }>(
    `select reference, state from ledger.payout where state in ('waiting', 'signed') order by created_at, reference`,
  );
  const of = (pick: (row: { reference: string; state: string }) => boolean): string[] =>
    rows.filter(pick).map(({ reference }) => reference);
  const waiting = (...kinds: readonly string[]): string[] =>
    of(({ reference, state }) => state === 'waiting' && kinds.includes(reference.split(':')[0] ?? ''));
  return {
    review: waiting('withdrawal'),
    returns: waiting('deposit'),
    house: waiting('gas', 'cold'),
    signed: of(({ state }) => state === 'signed'),
  };
}

/**
 * `bourse reconcile`: takes back every payment that was not signed, because it may have been made since. Withdrawals
 * return to review, for operators who check the chain first; deposits that were being returned are held, and no longer
 * count against the day of their people [WITHDRAW-024]. Runs in one transaction with all other repairs. The money stays
 * held.
 */
export async function takeBackUnsigned(reader: SqlReader): Promise<void> {
  const { review, returns, house } = await openPayments(reader);
  const idsOf = (references: readonly string[]): string[] => references.map((one) => one.split(':')[1] ?? '');
  await reader.query(`delete from ledger.payout where reference = any($1) and state = 'waiting'`, [
    [...review, ...returns, ...house],
  ]);
  await reader.query('delete from ledger.withdrawal_approval where withdrawal_id = any($1::bigint[])', [idsOf(review)]);
  await reader.query(
    `update ledger.withdrawal
      set state = 'review', approvals_needed = greatest(approvals_needed, 1), updated_at = now()
      where id = any($1::bigint[]) and state = 'sending'`,
    [idsOf(review)],
  );
  await reader.query(
    `with held as (
       update ledger.deposit set state = 'held', updated_at = now()
        where id = any($1::bigint[]) and state = 'returning'
        returning user_id, return_day, return_value),
     given as (select user_id, return_day as day, sum(return_value) as value from held group by user_id, return_day)
     update ledger.withdrawal_day d set used = greatest(d.used - g.value, 0)
      from given g where d.user_id = g.user_id and d.day = g.day`,
    [idsOf(returns)],
  );
}
