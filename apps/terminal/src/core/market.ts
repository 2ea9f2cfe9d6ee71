import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { readStored, writeStored } from '../prefs/storage.js';
import { api, queryClient } from './api.js';
import { tickers } from './feed.js';
import { referenceRates } from './reference.js';

const quotations = queryOptions({
  queryKey: keys.quotations,
  staleTime: 30_000,
  refetchInterval: 60_000,
  queryFn: async () => {
    const [{ message: groups }] = await Promise.all([
      api.get('/api/currency/quotation_new', {}, { quiet: true }),
      // Together with the prices: an approximate value that comes later moves what is beside it.
      queryClient.prefetchQuery(referenceRates),
    ]);
    for (const group of groups) for (const item of group.quotation) tickers.seed(item);
    return groups;
  },
});

/** Requests the quotations for a screen that is not drawn yet. */
export const preloadQuotations = (): void => void queryClient.prefetchQuery(quotations);

/**
 * Quotations by quote currency. Live prices come over the ticker stream; this list is read again each minute for modes
 * and listings.
 */
export function useQuotations(): { groups: QuotationGroup[] | undefined; failed: boolean; retry: () => void } {
  const { data, isError, refetch } = useQuery(quotations);
  return { groups: data, failed: isError && data === undefined, retry: () => void refetch() };
}

/** The displayed pairs open for spot, all groups in order. */
export const pairsOf = (groups: readonly QuotationGroup[] | undefined): QuotationItem[] =>
  groups?.flatMap((group) => group.quotation).filter((item) => item.is_display === 1) ?? [];

/** The pair that was shown last, by the ids that the contract's storage keys hold; 0 where nothing is stored. */
export const lastPair = (): { legalId: number; currencyId: number } => ({
  legalId: Number(readStored('legal_id') ?? 0),
  currencyId: Number(readStored('currency_id') ?? 0),
});

/** Stores a pair under the contract's keys: the default of an address without one. */
export function storePair(item: QuotationItem, groups: readonly QuotationGroup[]): void {
  const groupAt = groups.findIndex((group) => group.id === item.legal_id);
  const group = groups[groupAt];
  const values = {
    legal_id: item.legal_id,
    currency_id: item.currency_id,
    legal_name: item.legal_name,
    currency_name: item.currency_name,
    dealLegalId: item.legal_id,
    symbol: item.symbol,
    dealSymbol: item.symbol,
    dealPrice: tickers.get(item.symbol)?.price ?? item.now_price,
    fiat_convert_cny: group?.fiat_convert_cny ?? '',
    shareNum: item.lever_share_num,
    priceScale: 10 ** item.price_scale,
    dealIndex1: Math.max(0, groupAt),
    dealIndex2: Math.max(0, group?.quotation.indexOf(item) ?? 0),
  } as const;
  for (const [key, value] of Object.entries(values)) writeStored(key as keyof typeof values, String(value));
}
