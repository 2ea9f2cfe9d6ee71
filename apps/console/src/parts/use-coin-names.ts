import type { MessageOf } from '@bourse/contract';
import { useAdminQuery } from '../core/calls.js';

type Coin = MessageOf<'GET /api/currency/list'>['list'][number];

/** Names of currencies by id; the id itself while they load, and for an unlisted currency. */
export function useCoinNames(): (id: number) => string {
  const coins = useCoins();
  return (id) => coins.find((coin) => coin.id === id)?.name ?? String(id);
}

/** All currencies, each once. */
export function useCoins(): readonly Coin[] {
  const { data } = useAdminQuery('/api/currency/list', {});
  return [...new Map([...(data?.list ?? []), ...(data?.legal ?? [])].map((coin) => [coin.id, coin])).values()];
}
