import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { nextPage } from '@bourse/api-client';
import type { DataPage, Insurance, InsuranceClaim, InsuranceType } from '@bourse/contract';
import { api, queryClient } from '../../../core/api.js';
import { microKeys } from './micro.js';

export const useTypes = () =>
  useQuery({
    queryKey: microKeys.types,
    queryFn: async () => (await api.get<InsuranceType[]>('/api/insurance/types', {}, { quiet: true })).message,
  });

export const usePolicies = () =>
  useInfiniteQuery({
    queryKey: microKeys.policies,
    refetchInterval: 10_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) =>
      (await api.get<DataPage<Insurance>>('/api/insurance/my', { page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });

export const useClaims = () =>
  useInfiniteQuery({
    queryKey: microKeys.claims,
    refetchInterval: 30_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) =>
      (await api.get<DataPage<InsuranceClaim>>('/api/insurance/claims', { page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });

/** Buys a policy. @returns the words of the exchange */
export async function buyPolicy(
  command: { type_id: number; amount: string; password: string },
  intent: string,
): Promise<string> {
  return sent('/api/insurance/buy', command, intent);
}
export const claimPolicy = (id: string, intent: string): Promise<string> =>
  sent('/api/insurance/claim', { id }, intent);
export const cancelPolicy = (command: { id: string; password: string }, intent: string): Promise<string> =>
  sent('/api/insurance/cancel', command, intent);

async function sent(path: string, fields: Record<string, string | number>, intent: string): Promise<string> {
  const { message } = await api.post<string>(path, fields, { intent, quiet: true });
  void queryClient.invalidateQueries({ queryKey: microKeys.all });
  return message;
}
