import { useEffect, useMemo } from 'react';
import type { QuotationItem } from '@bourse/contract';
import { api } from '../../core/api.js';
import { feed, frames } from '../../core/feed.js';
import { useFocusSymbol } from '../../core/focus-symbol.js';
import { PairStream } from './pair-stream.js';

/** The live book and tape of a pair while its screen is shown; the status bar looks at the same pair. */
export function usePairStream({
  symbol,
  legal_id,
  currency_id,
}: Pick<QuotationItem, 'symbol' | 'legal_id' | 'currency_id'>): PairStream {
  const stream = useMemo(
    () =>
      new PairStream(
        { symbol, legal_id, currency_id },
        feed,
        frames,
        async () => (await api.post('/api/transaction/deal', { legal_id, currency_id }, { quiet: true })).message,
      ),
    [symbol, legal_id, currency_id],
  );
  useEffect(() => {
    stream.open();
    useFocusSymbol.setState({ symbol });
    return () => {
      stream.close();
      useFocusSymbol.setState({ symbol: '' });
    };
  }, [stream, symbol]);
  return stream;
}
