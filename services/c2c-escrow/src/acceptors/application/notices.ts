import type { NoticeKind, TypedNotice } from '@bourse/events';
import { formatTrimmed } from '@bourse/money';
import { CASH_SCALE, type AcceptorAction, type AcceptorDeal } from '../domain/acceptor-deal.js';
import { COIN } from './catalog.js';

const ACCEPTOR_LINK = '/account/aceite';
type AcceptorKind = Extract<NoticeKind, `acceptor${string}`>;
/** The kind of the notices about a deal in its current state. */
function toNoticeKind({ state, stage, dispute }: AcceptorDeal): AcceptorKind | null {
  if (dispute === 'open') return 'acceptorObjected';
  if (dispute === 'returned') return 'acceptorReturned';
  if (state === 'confirmed') return 'acceptorDone';
  if (state === 'rejected') return 'acceptorRejected';
  if (stage === 'objected') return 'acceptorObjected';
  if (stage === 'transferred') return 'acceptorTransferred';
  return state === 'open' ? 'acceptorPlaced' : null;
}
/** The coins of the deal. */
const formatCoins = ({ type, money, received, scale }: AcceptorDeal): string =>
  `${type === 'buy' ? formatTrimmed(received, scale) : formatTrimmed(money, CASH_SCALE)} ${COIN}`;
/** The actor of each action, who gets no notice of it. */
const ACTOR_OF_ACTION: Readonly<Record<AcceptorAction, 'person' | 'acceptor' | 'finance'>> = {
  confirm: 'acceptor',
  reject: 'acceptor',
  transfer: 'acceptor',
  cancel: 'person',
  receive: 'person',
  object: 'person',
  decideConfirm: 'finance',
  decideReject: 'finance',
};

/** Personal notices about the new state of a deal; `action` null: changed by time. */
export function toAcceptorNotices(deal: AcceptorDeal, action: AcceptorAction | 'place' | null): TypedNotice[] {
  const kind = toNoticeKind(deal);
  if (kind === null) return [];
  const actor = action === 'place' ? 'person' : action === null ? null : ACTOR_OF_ACTION[action];
  const recipients = [...(actor === 'person' ? [] : [deal.userId]), ...(actor === 'acceptor' ? [] : [deal.acceptorId])];
  return recipients.map((userId) => ({
    userId,
    // A deal that stays confirmed after a late objection is done a second time: both parties get another notice.
    id: `acceptor:${deal.id}:${deal.dispute === 'kept' ? 'kept' : kind}`,
    kind,
    params: { amount: formatCoins(deal) },
    link: ACCEPTOR_LINK,
    at: deal.updatedAt,
  }));
}
