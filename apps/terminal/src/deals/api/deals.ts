import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys, nextPage } from '@bourse/api-client';
import type { Deal, DealAction } from '@bourse/contract';
import { api, queryClient } from '../../core/api.js';
import { feed } from '../../core/feed.js';
import { withPush } from '../model/deal.js';
import { dealKeys, SURE_OF, type Stage } from './keys.js';
import { collectRows } from '../../parts/collect-rows.js';

/** Pushes move deals; these are asked for again as a fallback (rules §16). */
const REFRESH_MS = 10_000;

/** One deal as the person sees it. */
export function useDeal(id: string) {
  const { data, error, refetch } = useQuery({
    queryKey: dealKeys.deal(id),
    enabled: id !== '',
    refetchInterval: REFRESH_MS,
    queryFn: async () => (await api.get('/api/c2c_deal', { id }, { quiet: true })).message,
  });
  return { deal: data, error: data ? null : error, retry: () => void refetch() };
}

/** Lists of deals: those that the person took, on the person's ads, on one ad, of the person's shop. */
export type DealsPath =
  | '/api/c2c_user_deal'
  | '/api/c2c_seller_deal'
  | '/api/c2c/legal_send_deal_list'
  | '/api/legal/my_deals';
export type ListFields = Readonly<Record<string, string | number | undefined>>;

export function useDeals(path: DealsPath, stage: Stage | undefined, fields: ListFields = {}) {
  const query = useInfiniteQuery({
    queryKey: dealKeys.list(path, { ...fields, stage }),
    refetchInterval: REFRESH_MS,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) =>
      (await api.get(path, { ...fields, is_sure: stage && SURE_OF[stage], page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });
  return { query, rows: collectRows(query.data, ({ data }) => data) };
}

/** The acts of a person on a deal. */
export type Act = Exclude<DealAction, 'appeal' | 'appeal_cancel'>;
/** The way of an act: who confirms depends on whose ad it is (api §2.7). */
const pathOf = (act: Act, type: Deal['type']) =>
  ({
    pay: '/api/c2c/user_legal_pay' as const,
    cancel: '/api/c2c/user_legal_pay_cancel' as const,
    confirm: type === 'sell' ? ('/api/c2c/legal_deal_sure' as const) : ('/api/c2c/legal_deal_user_sure' as const),
  })[act];

/** Pays, cancels or confirms. @returns the words of the exchange */
export async function actOn(
  deal: Pick<Deal, 'id' | 'type'>,
  act: Act,
  fields: { password: string; proof?: string },
  intent: string,
): Promise<string> {
  const { message, deal: now } = await api.post(
    pathOf(act, deal.type),
    { id: deal.id, ...fields },
    { intent, quiet: true },
  );
  tookPlace(now);
  return message;
}

/** A deal changed: its page shows it at once, lists and ads are read again. */
export function tookPlace(deal: Deal): void {
  queryClient.setQueryData<Deal>(dealKeys.deal(deal.id), deal);
  for (const queryKey of [dealKeys.lists, dealKeys.ads, dealKeys.appeal(deal.id), keys.wallet])
    void queryClient.invalidateQueries({ queryKey });
}

/** A push has the state of a deal and nothing personal: that stays as it was read, and is read again. */
function onPush(pushed: Deal): void {
  queryClient.setQueryData<Deal>(dealKeys.deal(pushed.id), (held) => held && withPush(held, pushed));
  for (const queryKey of [dealKeys.deal(pushed.id), dealKeys.lists, dealKeys.ads, dealKeys.appeal(pushed.id)])
    void queryClient.invalidateQueries({ queryKey });
}

/** The pushes of deals move what is shown of them while one of their screens is open. */
export function useDealPushes(): void {
  useEffect(() => feed.on('c2c_update', ({ deal }) => onPush(deal)), []);
}
