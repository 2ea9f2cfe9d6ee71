import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { keys, nextPage, type FieldsAt } from '@bourse/api-client';
import type { Ad, Coin, Deal } from '@bourse/contract';
import { api, queryClient } from '../../core/api.js';
import { collectRows } from '../../parts/collect-rows.js';
import { dealKeys, type MarketFilter, type MarketPath } from './keys.js';
import { tookPlace, type ListFields } from './deals.js';

const REFRESH_MS = 10_000;

/** Coins that people deal in with each other. */
export function useLegalCoins(): { coins: readonly Coin[] | undefined; failed: boolean; retry: () => void } {
  const query = useQuery({
    queryKey: [...keys.currencies, 'legal'],
    staleTime: 300_000,
    queryFn: async () => (await api.get('/api/currency/list', {}, { quiet: true })).message.legal,
  });
  return { coins: query.data, failed: query.isError && !query.data, retry: () => void query.refetch() };
}

/** Ads of a market, best price first. */
export function useMarket(path: MarketPath, filter: MarketFilter, enabled = true) {
  const query = useInfiniteQuery({
    queryKey: dealKeys.market(path, filter),
    enabled,
    refetchInterval: REFRESH_MS,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => (await api.get(path, { ...filter, page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });
  return { query, rows: collectRows(query.data, ({ data }) => data) };
}

/** One's own ads: of C2C, or of a shop. */
export function useMyAds(path: '/api/c2c/seller_trade' | '/api/legal/my_ads', fields: ListFields) {
  const query = useInfiniteQuery({
    queryKey: dealKeys.list(path, fields),
    refetchInterval: REFRESH_MS,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => (await api.get(path, { ...fields, page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });
  return { query, rows: collectRows(query.data, ({ data }) => data) };
}

/** Publishes an ad. @returns the words of the exchange */
export const publishAd = (fields: FieldsAt<'POST', '/api/c2c_send'>, intent: string): Promise<string> =>
  published(api.post('/api/c2c_send', fields, { intent, quiet: true }));
/** As `publishAd`, for a shop. */
export const publishShopAd = (fields: FieldsAt<'POST', '/api/legal/send'>, intent: string): Promise<string> =>
  published(api.post('/api/legal/send', fields, { intent, quiet: true }));

async function published(call: Promise<{ readonly message: string }>): Promise<string> {
  const { message } = await call;
  adsChanged();
  return message;
}

/** Takes an ad off the shelf. */
export async function withdrawAd(
  path: '/api/c2c/back_send' | '/api/legal/back_send',
  fields: { id: number; password: string },
  intent: string,
): Promise<string> {
  const { message } = await api.post(path, fields, { intent, quiet: true });
  adsChanged();
  return message;
}

/** Takes an ad, or a part of it. */
export async function takeAd(
  { kind, id }: Pick<Ad, 'kind' | 'id'>,
  fields: { number: string; password: string },
  intent: string,
): Promise<{ message: string; deal: Deal }> {
  const path = kind === 'shop' ? '/api/legal/do_deal' : '/api/c2c/do_legal_deal';
  const { message, deal } = await api.post(path, { id, ...fields }, { intent, quiet: true });
  tookPlace(deal);
  return { message, deal };
}

function adsChanged(): void {
  for (const queryKey of [dealKeys.ads, dealKeys.lists, keys.wallet]) void queryClient.invalidateQueries({ queryKey });
}
