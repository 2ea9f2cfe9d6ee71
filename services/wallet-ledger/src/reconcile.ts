import type { SqlReader } from '@bourse/persistence';

export interface OpenPayments {
  /** References that return to review. */ readonly review: readonly string[];
  /** Signed: the same bytes are sent again, which moves nothing twice. */ readonly signed: readonly string[];
  /** Payments without a review: sweeps and returns. */ readonly others: readonly string[];
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
  const isWithdrawal = ({ reference }: { reference: string }): boolean => reference.startsWith('withdrawal:');
  return {
    review: of((row) => row.state === 'waiting' && isWithdrawal(row)),
    signed: of((row) => row.state === 'signed'),
    others: of((row) => row.state === 'waiting' && !isWithdrawal(row)),
  };
}

/**
 * `bourse reconcile`: returns withdrawals that were approved and not signed to review, for operators who check the
 * chain first [WITHDRAW-024]. Runs in one transaction with all other repairs. The money stays held.
 */
export async function returnToReview(reader: SqlReader): Promise<void> {
  const { review } = await openPayments(reader);
  const ids = review.map((reference) => reference.slice('withdrawal:'.length));
  await reader.query(`delete from ledger.payout where reference = any($1) and state = 'waiting'`, [review]);
  await reader.query('delete from ledger.withdrawal_approval where withdrawal_id = any($1::bigint[])', [ids]);
  await reader.query(
    `update ledger.withdrawal
      set state = 'review', approvals_needed = greatest(approvals_needed, 1), updated_at = now()
      where id = any($1::bigint[]) and state = 'sending'`,
    [ids],
  );
}
