import { keys, type ApiClient } from '@bourse/api-client';
import type { Notice } from '@bourse/contract';
import { inboxPage } from '../../../core/notifications/inbox.js';

export const noticeKey = (id: number, lang: string) => [...keys.notices, 'one', id, lang] as const;

/** One personal notice, which is read from then on. */
export const readNotice = async (api: ApiClient, id: number): Promise<Notice> =>
  (await api.post('/api/notice/detail', { id }, { quiet: true })).message;

/** Notices of one call, and the most calls: older notices stay unread until they are opened. */
const PAGE = 50;
const PAGES_MAX = 10;

/** Marks the newest unread notices as read, one after the other: the exchange has no call for all of them. */
export async function readAllNotices(api: ApiClient): Promise<void> {
  for (let page = 1, left = 1; left > 0 && page <= PAGES_MAX; page += 1) {
    const { list, unread, has_more: more } = await inboxPage(api, page, PAGE);
    const here = list.filter(({ is_read: read }) => read === 0);
    for (const { id } of here) await readNotice(api, id);
    left = more === 1 ? unread - here.length : 0;
  }
}
