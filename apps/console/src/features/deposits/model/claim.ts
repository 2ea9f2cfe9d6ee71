import type { RowOf } from '@bourse/contract';

/** A deposit as operators see it (api §2.12): `user_id` 0 for a payment that names nobody; `lost` while in no block. */
export type DepositRow = RowOf<'GET /api/admin/deposits'>;
/** A claim as operators see it; `account` is the transaction or the sender, in the person's words. */
export type ClaimRow = RowOf<'GET /api/admin/charge_reqs'>;

/**
 * Deposits that a claim may be linked to: of its coin, the claimant's own or nobody's. The claimed transaction stands
 * first, the claimed amount next. Amounts are compared as the texts they are: both have the scale of the coin.
 */
export function candidatesOf(claim: ClaimRow, deposits: readonly DepositRow[]): readonly DepositRow[] {
  const rank = ({ tx_id: tx, amount }: DepositRow): number =>
    tx === claim.account ? 0 : amount === claim.amount ? 1 : 2;
  return deposits
    .filter(({ currency, user_id: id }) => currency === claim.currency && (id === 0 || id === claim.user_id))
    .toSorted((one, other) => rank(one) - rank(other));
}
