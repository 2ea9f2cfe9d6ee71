import type { ChargeReq, Deposit } from '@bourse/contract';

/** A deposit as operators see it (api §2.12). */
export interface DepositRow extends Deposit {
  /** 0 for a payment that names nobody. */
  readonly user_id: number;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  readonly contract_address: string;
  readonly output: number;
  /** 1 while no block has it. */
  readonly lost: 0 | 1;
  readonly return_address: string;
  readonly return_fee: string;
  readonly return_tx_id: string;
}
/** A claim as operators see it; `account` is the transaction or the sender, in the person's words. */
export interface ClaimRow extends ChargeReq {
  readonly user_id: number;
  readonly deposit_id: string;
  readonly reason: string;
}

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
