import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { Shop, ShopPage, ShopTerms } from '@bourse/contract';
import { api, queryClient } from '../../../core/api.js';

/** Names of this feature's answers in the query cache. */
const KEYS = {
  mine: [...keys.user, 'shops'],
  terms: ['shop', 'terms'],
  page: (id: number) => ['shop', id],
} as const;
const REFRESH_MS = 10_000;

/**
 * One's shops with their balances. They are for sellers, and for who has applied for one: others are refused, and are
 * not asked again.
 */
export function useMyShops(enabled = true): {
  shops: readonly Shop[] | undefined;
  failed: boolean;
  retry: () => void;
} {
  const { data, isError, refetch } = useQuery({
    queryKey: KEYS.mine,
    enabled,
    refetchInterval: ({ state }) => (state.status === 'error' ? false : REFRESH_MS),
    queryFn: async () => (await api.get('/api/legal/my_shops', {}, { quiet: true })).message,
  });
  return { shops: data, failed: isError && !data, retry: () => void refetch() };
}

/** A shop as everybody sees it. */
export function useShop(id: number): { shop: ShopPage | undefined; failed: boolean; retry: () => void } {
  const { data, isError, refetch } = useQuery({
    queryKey: KEYS.page(id),
    queryFn: async () => (await api.get('/api/legal/shop', { id }, { quiet: true })).message,
  });
  return { shop: data, failed: isError && !data, retry: () => void refetch() };
}

/** The costs and rights of a shop, before the application. */
export function useShopTerms(): ShopTerms | undefined {
  return useQuery({
    queryKey: KEYS.terms,
    staleTime: 60_000,
    queryFn: async () => (await api.get('/api/legal/terms', {}, { quiet: true })).message,
  }).data;
}

/** Applies for a shop; its deposit is held. @returns the words of the exchange */
export async function applyForShop(
  fields: { name: string; currency_id: number; level: Shop['level']; password: string },
  intent: string,
): Promise<string> {
  const { message } = await api.post(
    '/api/legal/shop_apply',
    { ...fields, name: fields.name.trim() },
    { intent, quiet: true },
  );
  shopsChanged();
  return message;
}

/** Moves coins between the fiat account and a shop's merchant balance. @returns the words of the exchange */
export async function moveMerchant(
  fields: { shop_id: number; number: string; direction: 'in' | 'out'; password: string },
  intent: string,
): Promise<string> {
  const { message } = await api.post('/api/legal/merchant_transfer', fields, {
    intent,
    quiet: true,
  });
  shopsChanged();
  return message;
}

/** Closes a shop; its deposit and the merchant balance come back. @returns the words of the exchange */
export async function closeShop(fields: { shop_id: number; password: string }, intent: string): Promise<string> {
  const { message } = await api.post('/api/legal/shop_close', fields, { intent, quiet: true });
  shopsChanged();
  return message;
}

/** Merchant balances and the wallet are read again. */
export function shopsChanged(): void {
  for (const queryKey of [KEYS.mine, keys.wallet]) void queryClient.invalidateQueries({ queryKey, exact: true });
}
