import type { Product } from '@bourse/events';
import type { CallContext } from '@bourse/platform';
import { defineAsk, shape } from '../define.js';

/** An amount that is to leave a lever account; the context carries the id of the command. */
export interface LeverOutgoing {
  readonly userId: number;
  readonly currency: number;
  /** Decimal text. */
  readonly amount: string;
  readonly context: CallContext;
}

/**
 * What the open positions of a user add to the worth of a currency at the end of each period, as decimal text by the id
 * of the currency. A long position adds its number of the base and takes from the quote what it was opened for; a short
 * one the reverse. At the prices of such a moment the sum is the unrealized profit.
 */
export type Exposures = Readonly<Record<string, readonly string[]>>;

/** Questions that lever-risk answers: it decides alone what leaves a lever account (architecture §7). */
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
  /** `ends` are moments, ms, rising. */
  exposures: defineAsk('lever-risk.exposures', {
    question: shape<{ readonly userId: number; readonly ends: readonly number[] }>(),
    answer: shape<Exposures>(),
    askedBy: ['wallet-ledger'],
  }),
};
