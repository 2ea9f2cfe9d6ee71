import type { NoticeKind, ToldNotice } from '@bourse/events';
import { formatTrimmed, formatUnits } from '@bourse/money';
import type { Ad } from '../domain/ad.js';
import { buyerOf, sellerOf, type Deal } from '../domain/deal.js';
import { CASH_SCALE, type AcceptorAction, type AcceptorDeal } from '../../acceptors/domain/acceptor-deal.js';
import type { Shop } from '../../shops/domain/shop.js';
import { COIN } from '../../acceptors/application/catalog.js';

/** What has happened to a deal, as its chat says it. */
export type DealStep = 'opened' | 'paid' | 'cancelled' | 'expired' | 'confirmed' | 'reminder';

const both = (deal: Deal): number[] => [buyerOf(deal), sellerOf(deal)];
/** Each step with its kind, and whom it concerns: who has done it knows. */
const STEPS = {
  opened: { kind: 'dealOpened', whom: ({ ownerId }: Deal) => [ownerId] },
  paid: { kind: 'dealPaid', whom: (deal: Deal) => [sellerOf(deal)] },
  confirmed: { kind: 'dealReleased', whom: (deal: Deal) => [buyerOf(deal)] },
  cancelled: { kind: 'dealCancelled', whom: both },
  expired: { kind: 'dealExpired', whom: both },
} as const;

/** What of a deal its notices show: nothing personal. */
const shown = (deal: Deal) => ({
  number: `${formatTrimmed(deal.number, deal.scale)} ${deal.currencyName}`,
  money: `${formatUnits(deal.money, deal.fiatScale)} ${deal.coinCode}`,
});
const linkOf = ({ id }: Deal): string => `/c2cDetail?id=${id}`;

/** Personal notices of a step of a deal; `minutes` that a reminder leaves. */
export function dealNotices(deal: Deal, step: DealStep, at: number, minutes: number): ToldNotice[] {
  if (step === 'reminder')
    return [
      {
        userId: buyerOf(deal),
        id: `deal:${deal.id}:reminder:${minutes}`,
        kind: 'dealReminder',
        params: { ...shown(deal), minutes },
        link: linkOf(deal),
        at,
      },
    ];
  const { kind, whom } = STEPS[step];
  return whom(deal).map((userId) => ({
    userId,
    id: `deal:${deal.id}:${step}`,
    kind,
    params: shown(deal),
    link: linkOf(deal),
    at,
  }));
}

/** To its owner: an operator has taken an ad off the shelf, with what it still offered and why. */
export const adNotice = ({ id, ownerId, kind, surplus, scale, currencyName }: Ad, reason: string, at: number) =>
  ({
    userId: ownerId,
    id: `ad:${id}:removed`,
    kind: 'adRemoved',
    params: { number: `${formatTrimmed(surplus, scale)} ${currencyName}`, reason },
    link: kind === 'shop' ? '/myLegalShops' : '/c2cOrder?tab=ads',
    at,
  }) satisfies ToldNotice;

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

const ACCEPTOR_LINK = '/account/aceite';
type AcceptorKind = Extract<NoticeKind, `acceptor${string}`>;
/** What a deal with an acceptor has become: the kind that its notices have. */
function kindOf({ state, stage }: AcceptorDeal): AcceptorKind | null {
  if (state === 'confirmed') return 'acceptorDone';
  if (state === 'rejected') return 'acceptorRejected';
  if (stage === 'objected') return 'acceptorObjected';
  if (stage === 'transferred') return 'acceptorTransferred';
  return state === 'open' ? 'acceptorPlaced' : null;
}
/** The coins that change hands. */
const coinsOf = ({ type, money, received, scale }: AcceptorDeal): string =>
  `${type === 'buy' ? formatTrimmed(received, scale) : formatTrimmed(money, CASH_SCALE)} ${COIN}`;
/** Who has taken a step, and so need not be told of it. */
const DOER: Readonly<Record<AcceptorAction, 'person' | 'acceptor' | 'finance'>> = {
  confirm: 'acceptor',
  reject: 'acceptor',
  transfer: 'acceptor',
  cancel: 'person',
  receive: 'person',
  object: 'person',
  decideConfirm: 'finance',
  decideReject: 'finance',
};

/** Personal notices of what a deal with an acceptor has become; `action` null: by time. */
export function acceptorNotices(deal: AcceptorDeal, action: AcceptorAction | 'place' | null): ToldNotice[] {
  const kind = kindOf(deal);
  if (kind === null) return [];
  const doer = action === 'place' ? 'person' : action === null ? null : DOER[action];
  const whom = [...(doer === 'person' ? [] : [deal.userId]), ...(doer === 'acceptor' ? [] : [deal.acceptorId])];
  return whom.map((userId) => ({
    userId,
    id: `acceptor:${deal.id}:${kind}`,
    kind,
    params: { amount: coinsOf(deal) },
    link: ACCEPTOR_LINK,
    at: deal.updatedAt,
  }));
}

/** The personal notice that a shop is decided. */
export const shopNotice = ({ id, userId, name }: Shop, pass: boolean, reason: string, at: number): ToldNotice => {
  const about = { userId, id: `shop:${id}:decided`, link: '/myLegalShops', at };
  return pass
    ? { ...about, kind: 'shopPassed', params: { shop: name } }
    : { ...about, kind: 'shopRejected', params: { shop: name, reason } };
};
