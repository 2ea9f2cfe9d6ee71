import type { RowOf } from '@bourse/contract';

/** Papers as operators read them (api §2.12); the three pictures are signed addresses, good for five minutes. */
export type Papers = RowOf<'GET /api/admin/kyc'>;

/** The call that lists papers. */
export const PAPERS_PATH = '/api/admin/kyc';
/** Message keys of the states of a review. */
export const STATES = {
  '1': 'console.kyc.waiting',
  '2': 'console.kyc.certified',
  '0': 'console.kyc.sentBack',
} as const;
export type PapersState = keyof typeof STATES;

/** Signed addresses are requested again before they expire. */
export const PICTURES_GOOD_MS = 240_000;

/** The shown case: the wanted one if the list has it, else the first. */
export const chosenOf = <Row extends { readonly user_id: number }>(
  rows: readonly Row[],
  wanted: number | undefined,
): Row | undefined => rows.find(({ user_id: id }) => id === wanted) ?? rows[0];

/** The person `step` places further in the list; at the ends of the list, the same person. */
export function neighbourOf(
  rows: readonly { readonly user_id: number }[],
  current: number | undefined,
  step: 1 | -1,
): number | undefined {
  const at = rows.findIndex(({ user_id: id }) => id === current);
  if (at < 0) return rows[0]?.user_id;
  return rows[at + step]?.user_id ?? current;
}

/** The next case once this one leaves the list: the one below it, else the one above. */
export function afterDecision(rows: readonly { readonly user_id: number }[], decided: number): number | undefined {
  const at = rows.findIndex(({ user_id: id }) => id === decided);
  return rows[at + 1]?.user_id ?? rows[at - 1]?.user_id;
}
