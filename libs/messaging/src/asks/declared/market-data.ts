import type { PricesView } from '@bourse/events';
import { defineAsk, shape, type NoQuestion } from '../define.js';

/** Questions that market-data answers. */
export const marketDataAsks = {
  /** Prices as the feed has them now, for a service whose published prices are stale. */
  prices: defineAsk('market-data.prices', {
    question: shape<NoQuestion>(),
    answer: shape<PricesView>(),
    askedBy: ['wallet-ledger'],
  }),
};
