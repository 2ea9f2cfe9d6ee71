import type { RowOf } from '@bourse/contract';

/**
 * A deposit as operators see it (api §2.12): `user_id` is 0 for a payment without an owner, `lost` is 1 while it is in
 * no block.
 */
export type DepositRow = RowOf<'GET /api/admin/deposits'>;
/** A claim as operators see it; `account` is the transaction or the sender, in the person's words. */
export type ClaimRow = RowOf<'GET /api/admin/charge_reqs'>;

/**
 * Deposits that a claim may be linked to: in its coin, with the claimant as owner or without an owner. The claimed
 * transaction comes first, then deposits of the claimed amount. Amounts are compared as texts, because both have the
 * scale of the coin.
 */
export function candidatesOf(claim: ClaimRow, deposits: readonly DepositRow[]): readonly DepositRow[] {
  const rank = ({ tx_id: tx, amount }: DepositRow): number =>
    tx === claim.account ? 0 : amount === claim.amount ? 1 : 2;
  return deposits
    .filter(({ currency, user_id: id }) => currency === claim.currency && (id === 0 || id === claim.user_id))
    .toSorted((one, other) => rank(one) - rank(other));
}
