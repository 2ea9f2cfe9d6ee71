import type { RowOf } from '@bourse/contract';

/** A withdrawal as operators see it (api §2.12): `value` in USD; `held`: what keeps it in review. */
export type WithdrawalRow = RowOf<'GET /api/admin/withdrawals'>;

/** A hint that follows from the facts of a withdrawal under review. */
export type RiskHint = NonNullable<WithdrawalRow['risk']>['hints'][number];

/** An approval, as the audit trail has it. */
export type Approval = Pick<RowOf<'GET /api/admin/audit'>, 'time' | 'operator' | 'reason' | 'before'>;

/** How the audit trail begins to describe a withdrawal that nobody has approved. */
const UNAPPROVED = 'review, 0 of ';

/**
 * The approvals that count now, oldest first. A withdrawal that has returned to review is approved again from the first
 * on, so those before do not count. `trail` is all of them, oldest first; it may be a moment late.
 */
export function approvalsInForce({ approvals }: Pick<WithdrawalRow, 'approvals'>, trail: readonly Approval[]) {
  const round = trail.slice(
    Math.max(
      0,
      trail.findLastIndex(({ before }) => before.startsWith(UNAPPROVED)),
    ),
  );
  return round.length > approvals ? [] : round;
}

/** Whether one operator has approved it and a second one must. */
export const waitsForSecond = ({ state, approvals, approvals_needed: needed }: WithdrawalRow): boolean =>
  state === 'review' && approvals > 0 && approvals < needed;

/** Whether this operator may approve: each operator once, and nothing of a frozen person. */
export const mayApprove = (
  { state, held }: WithdrawalRow,
  given: readonly Approval[],
  operator: string | undefined,
): boolean => state === 'review' && held !== 'frozen' && !given.some((one) => one.operator === operator);

const MINUTE_MS = 60_000;
/** Whole hours and minutes between two times in milliseconds; never negative. */
export function ageOf(since: number, now: number): { readonly hours: number; readonly minutes: number } {
  const minutes = Math.max(0, Math.floor((now - since) / MINUTE_MS));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}
