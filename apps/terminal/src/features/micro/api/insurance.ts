import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { nextPage } from '@bourse/api-client';
import { api, queryClient } from '../../../core/api.js';
import { microKeys } from './micro.js';

export const useTypes = () =>
  useQuery({
    queryKey: microKeys.types,
    queryFn: async () => (await api.get('/api/insurance/types', {}, { quiet: true })).message,
  });

export const usePolicies = () =>
  useInfiniteQuery({
    queryKey: microKeys.policies,
    refetchInterval: 10_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => (await api.get('/api/insurance/my', { page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });

export const useClaims = () =>
  useInfiniteQuery({
    queryKey: microKeys.claims,
    refetchInterval: 30_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => (await api.get('/api/insurance/claims', { page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });

/** Buys a policy. @returns the words of the exchange */
export async function buyPolicy(
  command: { type_id: number; amount: string; password: string },
  intent: string,
): Promise<string> {
  return answered(api.post('/api/insurance/buy', command, { intent, quiet: true }));
}
export const claimPolicy = (id: string, intent: string): Promise<string> =>
  answered(api.post('/api/insurance/claim', { id }, { intent, quiet: true }));
export const cancelPolicy = (command: { id: string; password: string }, intent: string): Promise<string> =>
  answered(api.post('/api/insurance/cancel', command, { intent, quiet: true }));

async function answered(call: Promise<{ readonly message: string }>): Promise<string> {
  const { message } = await call;
  void queryClient.invalidateQueries({ queryKey: microKeys.all });
  return message;
}
