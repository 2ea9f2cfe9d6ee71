import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { keys } from '@bourse/api-client';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { readStored, writeStored } from '../prefs/storage.js';
import { api } from './api.js';
import { tickers } from './feed.js';

/**
 * Quotations by quote currency. Live prices come over the ticker stream; this list is read again each minute for modes
 * and listings.
 */
export function useQuotations(): { groups: QuotationGroup[] | undefined; failed: boolean; retry: () => void } {
  const { data, isError, refetch } = useQuery({
    queryKey: keys.quotations,
    staleTime: 30_000,
    refetchInterval: 60_000,
    queryFn: async () => {
      const { message: groups } = await api.get<QuotationGroup[]>('/api/currency/quotation_new', {}, { quiet: true });
      for (const group of groups) for (const item of group.quotation) tickers.seed(item);
      return groups;
    },
  });
  return { groups: data, failed: isError && data === undefined, retry: () => void refetch() };
}

/** The displayed pairs open for spot, all groups in order. */
export const pairsOf = (groups: readonly QuotationGroup[] | undefined): QuotationItem[] =>
  groups?.flatMap((group) => group.quotation).filter((item) => item.is_display === 1) ?? [];

/** The chosen pair, by the ids that the contract's storage keys hold. */
export const useChosenPair = create<{ legalId: number; currencyId: number }>()(() => ({
  legalId: Number(readStored('legal_id') ?? 0),
  currencyId: Number(readStored('currency_id') ?? 0),
}));

/** Stores a pair under the contract's keys and shows it in place; a reload lands on the same one. */
export function choosePair(item: QuotationItem, groups: readonly QuotationGroup[]): void {
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
  useChosenPair.setState({ legalId: item.legal_id, currencyId: item.currency_id });
}

/** The pair to show: the stored one, else the first of the list (which is then stored). */
export function usePair(): {
  pair: QuotationItem | undefined;
  groups: QuotationGroup[] | undefined;
  failed: boolean;
  retry: () => void;
} {
  const { groups, failed, retry } = useQuotations();
  const { legalId, currencyId } = useChosenPair();
  const pairs = pairsOf(groups);
  const pair = pairs.find((item) => item.legal_id === legalId && item.currency_id === currencyId) ?? pairs[0];
  const unstored = pair !== undefined && (pair.legal_id !== legalId || pair.currency_id !== currencyId);
  useEffect(() => {
    if (unstored && pair && groups) choosePair(pair, groups);
  }, [unstored, pair, groups]);
  return { pair, groups, failed, retry };
}
