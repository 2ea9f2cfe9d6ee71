import type { Deal, PrivatePayload } from '@bourse/contract';
import { api } from '../api.js';
import { feed } from '../feed.js';
import { markSession, useSession } from '../session.js';
import { chime, isChimeOn } from './chime.js';
import { dealNews, messageNews } from './deal-news.js';
import { notify, useNotifications } from './store.js';
import { badgeTitle } from './title-badge.js';

/** The side of the person in each known deal; of the person who is signed in. */
const roles = new Map<string, Deal['role']>();

function onUpdate({ deal }: PrivatePayload<'c2c_update'>): void {
  roles.set(deal.id, deal.role);
  const news = dealNews(deal);
  // A deal is pushed for more than its steps: the same step is reported once.
  const told = useNotifications.getState().entries.some(({ id, key }) => id === news?.id && key === news.key);
  if (news && !told) notify(news);
}

async function roleIn(id: string): Promise<Deal['role']> {
  const isSame = markSession();
  const known = roles.get(id) ?? (await api.get('/api/c2c_deal', { id }, { quiet: true })).message.role;
  if (isSame()) roles.set(id, known);
  return known;
}

/** Whether the person sees the conversation: then a toast would repeat the message. */
const isSeen = (id: string): boolean =>
  !document.hidden && location.pathname === '/c2cDetail' && new URLSearchParams(location.search).get('id') === id;

async function onLine({ deal_id: id, line }: PrivatePayload<'c2c_chat'>): Promise<void> {
  if (line.from === 'system') return;
  const isSame = markSession();
  try {
    if (line.from === (await roleIn(id))) return;
  } catch (error) {
    // The author of the line is unknown: a notification too many is better than one too few.
    console.debug('deal of a message not read', error);
  }
  if (!isSame()) return;
  if (isChimeOn()) {
    void chime();
    badgeTitle();
  }
  if (!isSeen(id)) notify(messageNews(id, line.text));
}

/** Every page reports steps of deals and messages. */
export function followDeals(): void {
  isChimeOn();
  useSession.subscribe(({ left }, before) => {
    if (left !== before.left) roles.clear();
  });
  feed.on('c2c_update', onUpdate);
  feed.on('c2c_chat', (push) => void onLine(push));
}
