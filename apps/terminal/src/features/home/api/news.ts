import type { ApiClient } from '@bourse/api-client';
import type { ListPage, News } from '@bourse/contract';

/** The newest items of a category. */
export const newest = async (api: ApiClient, category: number, limit: number): Promise<News[]> =>
  (await api.post<ListPage<News>>('/api/news/list', { c_id: category, page: 1, limit }, { quiet: true })).message.list;
