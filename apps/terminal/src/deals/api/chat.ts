import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import { nextPage } from '@bourse/api-client';
import type { ChatLine, ListPage } from '@bourse/contract';
import { api, queryClient } from '../../core/api.js';
import { feed } from '../../core/feed.js';
import { inOrder } from '../model/chat.js';
import { dealKeys } from './keys.js';

/** Addresses of pictures hold for five minutes: lines are read again before that. */
const REFRESH_MS = 60_000;
type Pages = InfiniteData<ListPage<ChatLine>, number>;

/** The conversation of a deal, oldest line first. A read marks it as read at the exchange. */
export function useChat(id: string, enabled: boolean) {
  const query = useInfiniteQuery({
    queryKey: dealKeys.chat(id),
    enabled,
    refetchInterval: REFRESH_MS,
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => (await api.get('/api/c2c/chat', { id, page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });
  return { query, lines: query.data && inOrder(query.data.pages.flatMap(({ list }) => list)) };
}

/** A sent line is in the conversation at once. */
function added(id: string, line: ChatLine): void {
  queryClient.setQueryData<Pages>(dealKeys.chat(id), (held) => {
    const [first, ...rest] = held?.pages ?? [];
    if (!held || !first) return held;
    return { ...held, pages: [{ ...first, list: [line, ...first.list.filter((one) => one.id !== line.id)] }, ...rest] };
  });
}

/** New lines come by push. A hidden page reads them, and so marks them as read, once it is shown. */
export function useChatPushes(id: string): void {
  useEffect(() => {
    const read = (): void => {
      if (!document.hidden) void queryClient.invalidateQueries({ queryKey: dealKeys.chat(id) });
    };
    const off = feed.on('c2c_chat', ({ deal_id: of, line }) => {
      if (of !== id) return;
      added(id, line);
      read();
    });
    document.addEventListener('visibilitychange', read);
    return () => {
      off();
      document.removeEventListener('visibilitychange', read);
    };
  }, [id]);
}

/** Says something: a text, or a picture by its address. */
export async function sendChatLine(id: string, fields: { text: string } | { image: string }): Promise<void> {
  const { message } = await api.post('/api/c2c/chat', { id, ...fields }, { quiet: true });
  added(id, message);
}
