import { useQuery } from '@tanstack/react-query';
import { keys } from '@bourse/api-client';
import type { News } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { newest } from '../api/news.js';

/**
 * News of a category in the reader's language; undefined while loading, empty when there is none or it cannot be had.
 */
export function useNews(category: number, limit = 5): News[] | undefined {
  const list = useQuery({
    queryKey: [...keys.news(category), 'home', limit, current()],
    staleTime: 60_000,
    queryFn: () => newest(api, category, limit),
  });
  return list.isError ? [] : list.data;
}
