import type { TypedNotice } from '@bourse/events';
import { formatTrimmed, formatUnits } from '@bourse/money';
import type { Ad } from '../domain/ad.js';
import { buyerOf, sellerOf, type Deal } from '../domain/deal.js';

/** Steps of a deal, as its chat names them. */
export type DealStep = 'opened' | 'paid' | 'cancelled' | 'expired' | 'confirmed' | 'reminder';

export const listParties = (deal: Deal): number[] => [buyerOf(deal), sellerOf(deal)];
/** The notice of each step and its recipients: the person who took the step gets none. */
const NOTICES_BY_STEP = {
  opened: { kind: 'dealOpened', recipientsOf: ({ ownerId }: Deal) => [ownerId] },
  paid: { kind: 'dealPaid', recipientsOf: (deal: Deal) => [sellerOf(deal)] },
  confirmed: { kind: 'dealReleased', recipientsOf: (deal: Deal) => [buyerOf(deal)] },
  cancelled: { kind: 'dealCancelled', recipientsOf: listParties },
  expired: { kind: 'dealExpired', recipientsOf: listParties },
} as const;

/** Parameters of a deal in notices; none is personal. */
export const toDealParams = (deal: Deal) => ({
  number: `${formatTrimmed(deal.number, deal.scale)} ${deal.currencyName}`,
  money: `${formatUnits(deal.money, deal.fiatScale)} ${deal.coinCode}`,
});
export const toDealLink = ({ id }: Deal): string => `/c2cDetail?id=${id}`;

/** Personal notices of a step; `minutes` is the time that a reminder leaves. */
export function toDealNotices(deal: Deal, step: DealStep, at: number, minutes: number): TypedNotice[] {
  if (step === 'reminder')
    return [
      {
        userId: buyerOf(deal),
        id: `deal:${deal.id}:reminder:${minutes}`,
        kind: 'dealReminder',
        params: { ...toDealParams(deal), minutes },
        link: toDealLink(deal),
        at,
      },
    ];
  const { kind, recipientsOf } = NOTICES_BY_STEP[step];
  return recipientsOf(deal).map((userId) => ({
    userId,
    id: `deal:${deal.id}:${step}`,
    kind,
    params: toDealParams(deal),
    link: toDealLink(deal),
    at,
  }));
}

/** Notice to the owner that an operator has removed an ad, with its remainder and the reason. */
export const toAdRemovedNotice = (
  { id, ownerId, kind, surplus, scale, currencyName }: Ad,
  reason: string,
  at: number,
) =>
  ({
    userId: ownerId,
    id: `ad:${id}:removed`,
    kind: 'adRemoved',
    params: { number: `${formatTrimmed(surplus, scale)} ${currencyName}`, reason },
    link: kind === 'shop' ? '/myLegalShops' : '/c2cOrder?tab=ads',
    at,
  }) satisfies TypedNotice;
