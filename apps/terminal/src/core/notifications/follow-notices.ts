import type { PrivatePayload } from '@bourse/contract';
import { queryClient } from '../api.js';
import { feed } from '../feed.js';
import { withPush } from '../with-push.js';
import { showToast } from '@bourse/web';
import { hasOwnToast } from './notice-news.js';
import { INBOX } from './inbox.js';

/** How long the toast of a notice is shown, ms. */
const SHOWN_MS = 8_000;

function onNotice({ id, title, kind }: PrivatePayload<'notice'>): void {
  void queryClient.invalidateQueries({ queryKey: INBOX });
  if (!hasOwnToast(kind)) showToast({ id: `notice ${id}`, tone: 'info', text: title, leavesAfterMs: SHOWN_MS });
}

/** Personal notices reach the badge and the lists at once. */
export function followNotices(): void {
  feed.on('notice', onNotice);
  void withPush(({ renewPush }) => renewPush());
}
