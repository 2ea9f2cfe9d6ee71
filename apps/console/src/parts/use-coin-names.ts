import type { MessageOf } from '@bourse/contract';
import { useAdminQuery } from '../core/calls.js';

type Coin = MessageOf<'GET /api/currency/list'>['list'][number];

/** Names of currencies by their id; the id itself until they are here, and for one that is not listed. */
export function useCoinNames(): (id: number) => string {
  const coins = useCoins();
  return (id) => coins.find((coin) => coin.id === id)?.name ?? String(id);
}

/** All currencies there are, each once. */
export function useCoins(): readonly Coin[] {
  const { data } = useAdminQuery('/api/currency/list', {});
  return [...new Map([...(data?.list ?? []), ...(data?.legal ?? [])].map((coin) => [coin.id, coin])).values()];
}
