import type { SpotOrder } from '@bourse/contract';
import { defineAsk, shape } from '../define.js';

/** Questions that spot-matching answers about the orders of the market makers' accounts, and about no other account. */
export const spotMatchingAsks = {
  /** Open orders. */
  open: defineAsk('spot-matching.open', {
    question: shape<{ readonly userId: number }>(),
    answer: shape<readonly SpotOrder[]>(),
    askedBy: ['market-data'],
  }),
  /** Places an order; fields as in `POST /api/coin/trade`. */
  place: defineAsk('spot-matching.place', {
    question: shape<{ readonly userId: number; readonly fields: Readonly<Record<string, string>> }>(),
    answer: shape<{ readonly id: string; readonly order: SpotOrder }>(),
    askedBy: ['market-data'],
  }),
  /** Cancels an order. */
  cancel: defineAsk('spot-matching.cancel', {
    question: shape<{ readonly userId: number; readonly orderId: string }>(),
    answer: shape<{ readonly id: string; readonly remaining: string; readonly order: SpotOrder }>(),
    askedBy: ['market-data'],
  }),
};
