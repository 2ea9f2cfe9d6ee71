import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { News } from '@bourse/contract';
import { api, queryClient } from '../core/api.js';
import { current } from '../core/i18n.js';

const newest = (category: number, limit: number) =>
  queryOptions({
    queryKey: [...keys.news(category), 'newest', limit, current()],
    staleTime: 60_000,
    queryFn: async () =>
      (await api.post('/api/news/list', { c_id: category, page: 1, limit }, { quiet: true })).message.list,
  });

/** Requests the news of a category for a screen that is not drawn yet. */
export const preloadNews = (category: number, limit = 5): void =>
  void queryClient.prefetchQuery(newest(category, limit));

/**
 * The newest news of a category in the reader's language; undefined while loading, empty when there is none or it
 * cannot be had.
 */
export function useNews(category: number, limit = 5): News[] | undefined {
  const list = useQuery(newest(category, limit));
  return list.isError ? [] : list.data;
}
