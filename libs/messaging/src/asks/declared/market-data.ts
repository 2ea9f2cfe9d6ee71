import type { PricesView } from '@bourse/events';
import { defineAsk, shape, type NoQuestion } from '../define.js';

/** Decimal texts by the id of a currency, one for each day; empty where no price was known yet. */
export type DayCloses = Readonly<Record<string, readonly string[]>>;

/** Questions that market-data answers. */
export const marketDataAsks = {
  /** Prices as the feed has them now, for a service whose published prices are stale. */
  prices: defineAsk('market-data.prices', {
    question: shape<NoQuestion>(),
    answer: shape<PricesView>(),
    askedBy: ['wallet-ledger'],
  }),
  /** The value in USDT of one unit of each currency at the end of each day (UTC), from one day to another, ms. */
  dayCloses: defineAsk('market-data.day-closes', {
    question: shape<{ readonly from: number; readonly to: number }>(),
    answer: shape<DayCloses>(),
    askedBy: ['wallet-ledger'],
  }),
};
