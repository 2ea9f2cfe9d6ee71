import type { Product } from '@bourse/events';
import type { CallContext } from '@bourse/platform';
import { defineAsk, shape } from '../define.js';

/** An amount to be taken from a lever account; the context carries the id of the command. */
export interface LeverOutgoing {
  readonly userId: number;
  readonly currency: number;
  /** Decimal text. */
  readonly amount: string;
  readonly context: CallContext;
}

/**
 * The positions of a user that were open in one pair, summed at each of some moments; decimal texts, of short positions
 * negative. Number × price of the base − cost × price of the quote is the unrealized profit, to the unit to which costs
 * are rounded.
 */
export interface Exposure {
  readonly base: number;
  readonly quote: number;
  readonly numbers: readonly string[];
  /** Price × number at the opening. */
  readonly costs: readonly string[];
}

/** Questions that lever-risk answers: only it decides what leaves a lever account (architecture §7). */
export const leverRiskAsks = {
  /** A transfer out of lever, which the wallet has checked. */
  transfer: defineAsk('lever-risk.transfer', {
    question: shape<LeverOutgoing & { readonly to: Product }>(),
    answer: shape<{ readonly id: string }>(),
    askedBy: ['wallet-ledger'],
  }),
  /** A correction that takes from lever, which two operators have decided. */
  correct: defineAsk('lever-risk.correct', {
    question: shape<LeverOutgoing & { readonly journal: string; readonly cause: string }>(),
    answer: shape<{ readonly id: string }>(),
    askedBy: ['wallet-ledger'],
  }),
  /** The positions of a user that were open at these moments, ms, rising. */
  exposures: defineAsk('lever-risk.exposures', {
    question: shape<{ readonly userId: number; readonly ends: readonly number[] }>(),
    answer: shape<readonly Exposure[]>(),
    askedBy: ['wallet-ledger'],
  }),
};
