import type { ApiClient } from '@bourse/api-client';
import type { ListPage, News } from '@bourse/contract';

/** One page of a news category (contract: `c_id`), newest first. */
export const newsPage = async (api: ApiClient, category: number, page = 1, limit = 20): Promise<ListPage<News>> =>
  (await api.post('/api/news/list', { c_id: category, page, limit }, { quiet: true })).message;

export const newsItem = async (api: ApiClient, id: number): Promise<News> =>
  (await api.post('/api/news/detail', { id }, { quiet: true })).message;
