import { createContext, useContext } from 'react';
import type { BookAnswer, Period, QuotationItem } from '@bourse/contract';
import type { Feed } from '@bourse/realtime';
import { api } from '../../core/api.js';
import { feed } from '../../core/feed.js';
import { serverNow } from '../../core/server-time.js';
import { historySpan } from '../chart/intervals.js';
import type { BarHistory } from '../chart/simulated.js';

type Ids = Pick<QuotationItem, 'legal_id' | 'currency_id'>;

/** The source of all data of a market's panels: the live exchange, or a recorded day. */
export interface MarketSource {
  readonly feed: Pick<Feed, 'subscribe' | 'status' | 'ageOf'>;
  readonly readBook: (ids: Ids) => Promise<BookAnswer>;
  readonly readHistory: (symbol: string, period: Period, signal?: AbortSignal) => Promise<BarHistory>;
  /** Price alerts and the status bar follow it. */
  readonly isLive: boolean;
}

const LIVE: MarketSource = {
  feed,
  isLive: true,
  readBook: async ({ legal_id, currency_id }) =>
    (await api.post('/api/transaction/deal', { legal_id, currency_id }, { quiet: true })).message,
  readHistory: async (symbol, period, signal) => {
    const { from, to } = historySpan(await serverNow(), period);
    const answer = await api.get(
      '/api/currency/new_timeshar',
      { symbol, period, from, to },
      { quiet: true, ...(signal && { signal }) },
    );
    return { bars: answer.data, simulatedBefore: answer.simulated_before, recordedBefore: answer.recorded_before };
  },
};

const Source = createContext(LIVE);
export const MarketSourceProvider = Source.Provider;
export const useMarketSource = (): MarketSource => useContext(Source);
