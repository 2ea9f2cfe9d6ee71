import type { Withdrawal } from '@bourse/contract';

/** A withdrawal as operators see it (api §2.12). */
export interface WithdrawalRow extends Withdrawal {
  readonly user_id: number;
  /** In USD, decimal text. */
  readonly value: string;
  readonly approvals: number;
  readonly approvals_needed: number;
  /** The reason that keeps it waiting although its turn may have come. */
  readonly held: '' | 'frozen' | 'brake';
}

/** An approval, as the audit trail has it. */
export interface Approval {
  readonly time: string;
  readonly operator: string;
  readonly reason: string;
}

/** Whether one operator has approved it and another one has to. */
export const waitsForSecond = ({ state, approvals, approvals_needed: needed }: WithdrawalRow): boolean =>
  state === 'review' && approvals > 0 && approvals < needed;

/** Whether this operator may give an approval: nobody gives two, and nothing of a frozen person's is approved. */
export const mayApprove = (
  { state, held }: WithdrawalRow,
  given: readonly Approval[],
  operator: string | undefined,
): boolean => state === 'review' && held !== 'frozen' && !given.some((one) => one.operator === operator);

const MINUTE_MS = 60_000;
/** Whole hours and minutes between two times in milliseconds; never less than nothing. */
export function ageOf(since: number, now: number): { readonly hours: number; readonly minutes: number } {
  const minutes = Math.max(0, Math.floor((now - since) / MINUTE_MS));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}
