import type { Deal } from '@bourse/contract';
import { atMost, grouped } from '@bourse/ui';
import type { News } from './entries.js';

const APPEAL_OPEN = 1;
type DealSummary = Pick<
  Deal,
  'id' | 'type' | 'role' | 'is_sure' | 'appeal' | 'number' | 'currency_name' | 'deal_money' | 'coin_code'
>;

/** The message about a deal for the side that did not act; undefined for the side that did, or without news. */
function keyOf({ type, role, is_sure: sure, appeal }: DealSummary): string | undefined {
  if (appeal === APPEAL_OPEN) return 'told.deal.appeal';
  if (appeal !== 0) return 'told.deal.decided';
  const takes = (type === 'sell') === (role === 'buyer');
  if (sure === 0) return takes ? undefined : 'told.deal.taken';
  if (sure === 3) return role === 'seller' ? 'told.deal.paid' : undefined;
  if (sure === 1) return role === 'buyer' ? 'told.deal.done' : undefined;
  return 'told.deal.cancelled';
}

/** News of a deal with another person. */
export function dealNews(deal: DealSummary): News | undefined {
  const key = keyOf(deal);
  if (!key) return undefined;
  const coins = `${grouped(atMost(deal.number, 8))} ${deal.currency_name}`;
  return {
    id: `deal ${deal.id}`,
    key,
    params: { what: `\u2066${coins} · ${grouped(deal.deal_money)} ${deal.coin_code}\u2069` },
    tone: key === 'told.deal.done' ? 'done' : 'info',
    to: `/c2cDetail?id=${deal.id}`,
  };
}

/** A new message in the chat of a deal. */
export const messageNews = (dealId: string, text: string): News => ({
  id: `chat ${dealId}`,
  key: 'told.message',
  params: {},
  ...(text === '' ? {} : { detail: { key: 'told.messageText', params: { text } } }),
  tone: 'info',
  to: `/c2cDetail?id=${dealId}`,
});
