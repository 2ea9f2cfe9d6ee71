import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { keys, nextPage } from '@bourse/api-client';
import { api, queryClient } from '../../../core/api.js';
import { useSignedIn } from '../../../core/session.js';

/** Rows of a page of orders (rules §16). */
const PAGE = 20;
/** Orders change at midnight and by the person alone. */
const REFRESH_MS = 30_000;

const savingsKeys = {
  all: [...keys.user, 'savings'],
  currencies: (signedIn: boolean) => [...keys.user, 'savings', 'currencies', signedIn],
  orders: [...keys.user, 'savings', 'orders'],
  terms: (currency: number) => ['savings', 'terms', currency],
} as const;

/** Coins that savings are open in, with what the person has of them; a guest has nothing. */
export const useSavingsCurrencies = () => {
  const signedIn = useSignedIn();
  return useQuery({
    queryKey: savingsKeys.currencies(signedIn),
    staleTime: 30_000,
    queryFn: async () => (await api.get('/api/currency/lhDepositLists', {}, { quiet: true })).message.currency,
  });
};

/** Terms of a coin, the shortest first. */
export const useSavingsTerms = (currency: number | undefined) =>
  useQuery({
    queryKey: savingsKeys.terms(currency ?? 0),
    enabled: currency !== undefined,
    staleTime: 30_000,
    queryFn: async () =>
      (await api.get('/api/currency/deposit/config', { currency_id: currency ?? 0 }, { quiet: true })).message.toSorted(
        (a, b) => a.day - b.day,
      ),
  });

/** The person's orders, newest first, page after page. */
export const useSavingsOrders = () =>
  useInfiniteQuery({
    queryKey: savingsKeys.orders,
    refetchInterval: REFRESH_MS,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) =>
      (await api.get('/api/currency/deposit/lhDepositOrderList', { page, limit: PAGE }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });

/** Subscribes. @returns the words of the exchange */
export const subscribe = (
  command: { config_id: number; currency_id: number; amount: string; password: string },
  intent: string,
): Promise<string> => answered(api.post('/api/currency/lhDeposit', command, { intent, quiet: true }));

/** Ends an order before its time. @returns the words of the exchange */
export const cancelOrder = (command: { id: string; password: string }, intent: string): Promise<string> =>
  answered(api.post('/api/currency/deposit/cancel', command, { intent, quiet: true }));

async function answered(call: Promise<{ readonly message: string }>): Promise<string> {
  const { message } = await call;
  void queryClient.invalidateQueries({ queryKey: savingsKeys.all });
  void queryClient.invalidateQueries({ queryKey: keys.wallet });
  return message;
}
