import { useMemo } from 'react';
import type { QuotationItem } from '@bourse/contract';
import { pairsOf, useQuotations } from '../../../core/market.js';

/** Pairs by symbol, for the decimals and the kind of price of a row. */
export function usePairs(): ReadonlyMap<string, QuotationItem> {
  const { groups } = useQuotations();
  return useMemo(() => new Map(pairsOf(groups).map((item) => [item.symbol, item])), [groups]);
}
/** Decimals of a pair that is no longer listed. */
export const scalesOfRow = (pair: QuotationItem | undefined): { price_scale: number; number_scale: number } =>
  pair ?? { price_scale: 8, number_scale: 8 };
