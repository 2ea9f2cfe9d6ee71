import { useEffect, useMemo } from 'react';
import type { QuotationItem } from '@bourse/contract';
import { frames } from '../../core/feed.js';
import { useFocusSymbol } from '../../core/focus-symbol.js';
import { useMarketSource } from './market-source.js';
import { PairStream } from './pair-stream.js';

/** The book and tape of a pair while its screen is shown. On a live screen the status bar shows the same pair. */
export function usePairStream({
  symbol,
  legal_id,
  currency_id,
}: Pick<QuotationItem, 'symbol' | 'legal_id' | 'currency_id'>): PairStream {
  const source = useMarketSource();
  const stream = useMemo(() => {
    const ids = { symbol, legal_id, currency_id };
    return new PairStream(ids, source.feed, frames, () => source.readBook(ids));
  }, [symbol, legal_id, currency_id, source]);
  useEffect(() => {
    stream.open();
    if (source.isLive) useFocusSymbol.setState({ symbol });
    return () => {
      stream.close();
      useFocusSymbol.setState({ symbol: '' });
    };
  }, [stream, symbol, source]);
  return stream;
}
