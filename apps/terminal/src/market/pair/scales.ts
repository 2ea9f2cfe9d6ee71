import { useCallback, useMemo } from 'react';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { pairsOf, useQuotations } from '../../core/market.js';
import { useWorth } from '../../core/reference.js';
import { times } from '../../core/worth.js';

/** Decimals of any pair by its symbol; undefined for one that is not listed. */
export type PairScales = (symbol: string) => Pick<QuotationItem, 'price_scale' | 'number_scale'> | undefined;

export function usePairScales(groups: readonly QuotationGroup[]): PairScales {
  const bySymbol = useMemo(() => new Map(pairsOf(groups).map((item) => [item.symbol, item])), [groups]);
  return useCallback((symbol) => bySymbol.get(symbol), [bySymbol]);
}

/** A price of the pair's group in the reference currency, as it is shown beside it; empty where it is not known. */
export function useApprox(groups: readonly QuotationGroup[], legalId: number): (price: string) => string {
  const quote = groups.find((group) => group.id === legalId)?.usdt_price ?? '';
  const worth = useWorth();
  return useCallback((price) => (/[1-9]/.test(quote) ? worth(times(price, quote)) : ''), [quote, worth]);
}

/** An amount in the quote coin of a pair in the reference currency; empty where the pair or a price is not known. */
export function usePairWorth(): (symbol: string, amount: string) => string {
  const { groups } = useQuotations();
  const worth = useWorth();
  return useCallback(
    (symbol, amount) => {
      const quote = groups?.find(({ quotation }) => quotation.some((item) => item.symbol === symbol))?.usdt_price ?? '';
      return amount !== '' && /[1-9]/.test(quote) ? worth(times(amount, quote)) : '';
    },
    [groups, worth],
  );
}
