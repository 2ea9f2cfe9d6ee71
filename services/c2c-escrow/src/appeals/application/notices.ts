import type { NoticeKind, TypedNotice } from '@bourse/events';
import { listParties, toDealLink, toDealParams } from '../../deals/application/notices.js';
import type { Deal } from '../../deals/domain/deal.js';

/** Personal notices about an appeal, to both sides. */
export function toAppealNotices(
  appealId: string,
  deal: Deal,
  kind: Extract<NoticeKind, 'appealOpened' | 'appealWithdrawn' | 'appealDecided'>,
  at: number,
): TypedNotice[] {
  return listParties(deal).map((userId) => ({
    userId,
    id: `appeal:${appealId}:${kind}`,
    kind,
    params: toDealParams(deal),
    link: toDealLink(deal),
    at,
  }));
}
