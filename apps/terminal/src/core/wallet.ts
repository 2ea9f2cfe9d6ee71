import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { BalanceUpdatePush, CoinBalance, WalletList } from '@bourse/contract';
import { api, queryClient } from './api.js';
import { feed } from './feed.js';
import { patchQuery } from './patch-query.js';
import { useSignedIn } from './session.js';
import { patchWallet } from './wallet-patch.js';

/**
 * Balances of all accounts. Pushes patch them; the poll is the fallback. Never optimistic: a figure shown was confirmed
 * by the ledger.
 */
export function useWallet(): { wallet: WalletList | undefined; failed: boolean; retry: () => void } {
  const signedIn = useSignedIn();
  const { data, isError, refetch } = useQuery({
    queryKey: keys.wallet,
    enabled: signedIn,
    staleTime: 5_000,
    refetchInterval: 30_000,
    queryFn: async () => (await api.post('/api/wallet/list', {}, { quiet: true })).message,
  });
  return { wallet: signedIn ? data : undefined, failed: isError && data === undefined, retry: () => void refetch() };
}

/** One coin of the spot account, undefined until known. */
export const spotBalance = (wallet: WalletList | undefined, currencyId: number): CoinBalance | undefined =>
  wallet?.change_wallet.balance.find((coin) => coin.currency === currencyId);

/** Once at start: balance pushes patch what the screens show. A coin that is new to the person reads the list again. */
export function followBalances(): void {
  feed.on('balance_update', (push: BalanceUpdatePush) => {
    patchQuery<WalletList>(queryClient, keys.wallet, (held) => {
      const next = patchWallet(held, push);
      // Invalidated after this change is stored: storing data ends an invalidation.
      if (!next) void Promise.resolve().then(() => queryClient.invalidateQueries({ queryKey: keys.wallet }));
      return next ?? held;
    });
  });
}
