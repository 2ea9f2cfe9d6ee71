import { useCallback, useMemo } from 'react';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { grouped } from '@bourse/ui';
import { pairsOf } from '../../core/market.js';
import { approxValue } from './approx.js';

/** Decimals of any pair by its symbol; undefined for one that is not listed. */
export type PairScales = (symbol: string) => Pick<QuotationItem, 'price_scale' | 'number_scale'> | undefined;

export function usePairScales(groups: readonly QuotationGroup[]): PairScales {
  const bySymbol = useMemo(() => new Map(pairsOf(groups).map((item) => [item.symbol, item])), [groups]);
  return useCallback((symbol) => bySymbol.get(symbol), [bySymbol]);
}

/** A price of the pair's group in yuan as it is shown beside it; empty where the rate is not known. */
export function useApprox(groups: readonly QuotationGroup[], legalId: number): (price: string) => string {
  const rate = groups.find((group) => group.id === legalId)?.fiat_convert_cny ?? '';
  return useCallback(
    (price) => {
      const value = approxValue(price, rate);
      return value === '' ? '' : `≈ ¥${grouped(value)}`;
    },
    [rate],
  );
}
