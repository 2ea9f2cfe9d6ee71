import { rescale, type Units } from '@bourse/money';

/** States of a deposit (rules §8.3). `returning` is on its way back to a person, who sees it as returned. */
export type DepositState = 'seen' | 'held' | 'credited' | 'returning' | 'returned';

/**
 * What the ledger counts of an amount of the chain: rounded down to its own scale. What is lost stays on the chain with
 * the house.
 */
export const creditOf = (onChain: bigint, chainScale: number, ledgerScale: number): Units =>
  rescale(onChain, chainScale, ledgerScale, 'down') as Units;

/** Blocks that stand on a payment, its own included; 0 while no block has it. */
export const confirmationsOf = (height: number | null, tip: number): number =>
  height === null ? 0 : Math.max(0, tip - height + 1);

export interface Confirmed {
  readonly amount: Units;
  readonly minDeposit: Units;
  /** Sum of what is held of the person's deposits of this coin already. */
  readonly heldBefore: Units;
  /** Whether somebody is known to whom it belongs. */
  readonly owned: boolean;
}
/** `credit`: it alone; `creditAll`: with everything held before; `hold`: kept in suspense. */
export type Verdict = 'credit' | 'creditAll' | 'hold';

/**
 * What becomes of a deposit that has its confirmations (rules §8.3): one below the minimum waits until what is held of
 * the person's reaches it together.
 */
export function decideDeposit({ amount, minDeposit, heldBefore, owned }: Confirmed): Verdict {
  if (!owned) return 'hold';
  if (amount >= minDeposit) return 'credit';
  return heldBefore + amount >= minDeposit ? 'creditAll' : 'hold';
}
