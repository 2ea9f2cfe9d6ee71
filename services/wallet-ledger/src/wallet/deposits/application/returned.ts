import type { NetworkRow } from '@bourse/contract';
import { toUnits, type Units } from '@bourse/money';
import type { Chain } from '../../chains/application/chain.js';
import { chargeOf, payableOf } from '../../withdrawals/domain/withdrawal.js';
import { FEE_RATE_SCALE } from '../../shared/application/settings.js';

/** Reference of a return's payment: each attempt has its own, so that a failed one cannot be mistaken for the next. */
export const returnReference = (id: string, attempt: number): string =>
  attempt === 1 ? `deposit:${id}` : `deposit:${id}:${attempt}`;

/** The amount of a deposit's return, less the fee of its network; null: nothing is left that its chain can carry. */
export function returnOf(
  amount: Units,
  network: Pick<NetworkRow, 'feeRate' | 'chainScale'>,
  scale: number,
  chain: Pick<Chain, 'leastPayment'> | undefined,
): { readonly onChain: bigint; readonly gone: Units; readonly fee: Units } | null {
  const rate = toUnits(network.feeRate, FEE_RATE_SCALE);
  const { fee, received } = chargeOf(amount, rate, FEE_RATE_SCALE, { scale, networkScale: network.chainScale });
  const { onChain, gone } = payableOf(received, scale, network.chainScale);
  return onChain < (chain?.leastPayment ?? 1n) ? null : { onChain, gone, fee };
}
