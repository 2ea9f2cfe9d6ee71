import type { NoticeKind, ToldNotice } from '@bourse/events';
import { both, linkOf, shown } from '../../deals/application/notices.js';
import type { Deal } from '../../deals/domain/deal.js';

/** Personal notices of an appeal, to both sides. */
export function appealNotices(
  appealId: string,
  deal: Deal,
  kind: Extract<NoticeKind, 'appealOpened' | 'appealWithdrawn' | 'appealDecided'>,
  at: number,
): ToldNotice[] {
  return both(deal).map((userId) => ({
    userId,
    id: `appeal:${appealId}:${kind}`,
    kind,
    params: shown(deal),
    link: linkOf(deal),
    at,
  }));
}
