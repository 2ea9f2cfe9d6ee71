import { rescale, type Units } from '@bourse/money';

/** States of a deposit (rules §8.3). `returning` is being returned to a person; lists show it as returned. */
export type DepositState = 'seen' | 'held' | 'credited' | 'returning' | 'returned';

/**
 * The ledger's units of an amount of the chain: rounded down to the ledger's scale. The remainder stays with the house.
 */
export const creditOf = (onChain: bigint, chainScale: number, ledgerScale: number): Units =>
  rescale(onChain, chainScale, ledgerScale, 'down') as Units;

/** Confirmations of a payment, its own block included; 0 while no block has it. */
export const confirmationsOf = (height: number | null, tip: number): number =>
  height === null ? 0 : Math.max(0, tip - height + 1);

export interface Confirmed {
  readonly amount: Units;
  readonly minDeposit: Units;
  /** Sum of the person's held deposits in this coin. */
  readonly heldBefore: Units;
  /** Whether the deposit has an owner. */
  readonly owned: boolean;
}
/** `credit`: this deposit alone; `creditAll`: with all held ones; `hold`: kept in suspense. */
export type Verdict = 'credit' | 'creditAll' | 'hold';

/**
 * Decides a deposit that has its confirmations (rules §8.3): one below the minimum is held until the person's held
 * deposits reach it together.
 */
export function decideDeposit({ amount, minDeposit, heldBefore, owned }: Confirmed): Verdict {
  if (!owned) return 'hold';
  if (amount >= minDeposit) return 'credit';
  return heldBefore + amount >= minDeposit ? 'creditAll' : 'hold';
}
