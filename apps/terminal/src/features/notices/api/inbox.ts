import { keys, type ApiClient } from '@bourse/api-client';
import type { Notice } from '@bourse/contract';

export const noticeKey = (id: number, lang: string) => [...keys.notices, 'one', id, lang] as const;

/** One personal notice, which is read from then on. */
export const readNotice = async (api: ApiClient, id: number): Promise<Notice> =>
  (await api.post<Notice>('/api/notice/detail', { id }, { quiet: true })).message;
