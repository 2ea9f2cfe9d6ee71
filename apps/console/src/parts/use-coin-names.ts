import { useAdminQuery } from '../core/calls.js';

interface Coin {
  readonly id: number;
  readonly name: string;
}

/** Names of currencies by their id; the id itself until they are here, and for one that is not listed. */
export function useCoinNames(): (id: number) => string {
  const coins = useCoins();
  return (id) => coins.find((coin) => coin.id === id)?.name ?? String(id);
}

/** All currencies there are, each once. */
export function useCoins(): readonly Coin[] {
  const { data } = useAdminQuery<{ readonly legal: readonly Coin[]; readonly list: readonly Coin[] }>(
    '/api/currency/list',
  );
  return [...new Map([...(data?.list ?? []), ...(data?.legal ?? [])].map((coin) => [coin.id, coin])).values()];
}
