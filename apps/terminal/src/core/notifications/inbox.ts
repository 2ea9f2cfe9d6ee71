import { useQuery } from '@tanstack/react-query';
import { keys, type ApiClient } from '@bourse/api-client';
import type { ListPage, Notice } from '@bourse/contract';
import { api } from '../api.js';
import { current } from '../i18n.js';
import { useSignedIn } from '../session.js';

/** Lists of personal notices, and how many are unread. */
export const INBOX = [...keys.notices, 'list'] as const;

/** One page of the person's notices, newest first, and how many of all are unread. */
export async function inboxPage(
  client: ApiClient,
  page: number,
  limit: number,
): Promise<ListPage<Notice> & { readonly unread: number }> {
  const answer = await client.post('/api/notice/list', { page, limit }, { quiet: true });
  return { ...answer.message, unread: answer.unread };
}

const SHOWN = 5;
/** The newest notices of the person and how many are unread: what the badge of the header shows. */
export function useInbox(): { readonly latest: readonly Notice[]; readonly unread: number } {
  const signedIn = useSignedIn();
  const { data } = useQuery({
    queryKey: [...INBOX, 'newest', current()],
    staleTime: 60_000,
    enabled: signedIn,
    queryFn: () => inboxPage(api, 1, SHOWN),
  });
  return signedIn && data ? { latest: data.list, unread: data.unread } : { latest: [], unread: 0 };
}
