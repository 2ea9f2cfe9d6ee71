import type { Language } from '@bourse/contract';
import {
  calculateMoney,
  type Ad,
  type AdType,
  type DealKind,
  type Fiat,
  type OwnerAccount,
  type PayWay,
} from './ad.js';

/* Deals on ads (rules §6). */

/** After a cancel by deadline the buyer may appeal for so long. */
export const EXPIRED_APPEAL_WINDOW_MS = 48 * 3_600_000;
/** A seller who is silent for so long after the payment: an appeal opens by itself. */
export const SELLER_RESPONSE_MS = 24 * 3_600_000;
/** The buyer is reminded so many minutes before the deadline. */
export const REMINDER_MINUTES = [30, 10, 2] as const;

export type Side = 'buyer' | 'seller';
/** `waiting`: the ledger has not taken the taker's coins yet, nobody sees it. */
export type DealState = 'waiting' | 'unpaid' | 'paid' | 'finished' | 'cancelled';
/** `none` again after an appeal was withdrawn; the last two: decided. */
export type AppealState = 'none' | 'open' | 'buyer' | 'seller';

/** A deal as it is. Times are business time, ms; null where it has not happened. */
export interface Deal {
  readonly id: string;
  readonly adId: number;
  readonly kind: DealKind;
  /** Of the ad. */
  readonly type: AdType;
  readonly ownerId: number;
  readonly takerId: number;
  /** The ad's owner as everybody may see it: masked. */
  readonly ownerName: string;
  readonly takerName: string;
  /** What pushes to them are written in. */
  readonly ownerLang: Language;
  readonly takerLang: Language;
  readonly shopId: number | null;
  /** Account of the coin seller that the coins came from, and go back to. */
  readonly sellerAccount: OwnerAccount;
  readonly currencyId: number;
  readonly currencyName: string;
  readonly scale: number;
  readonly coinCode: Fiat;
  readonly fiatScale: number;
  readonly price: bigint;
  readonly way: PayWay;
  readonly number: bigint;
  readonly money: bigint;
  /** On top for the coin seller. */
  readonly fee: bigint;
  /** Counted in the numbers of its ad; only where an appeal has reopened it, it may be beside them. */
  readonly inAd: boolean;
  readonly state: DealState;
  readonly appeal: AppealState;
  readonly appealBy: Side | 'system' | null;
  /** By when an open appeal is decided. */
  readonly decisionDue: number | null;
  readonly createdAt: number;
  readonly deadline: number;
  readonly paidAt: number | null;
  /** Since when the seller's answer is waited for: the payment, or an appeal that was taken back after it. */
  readonly silentSince: number | null;
  readonly endedAt: number | null;
  readonly cancelledBy: 'buyer' | 'deadline' | 'decision' | null;
  /** Name of the picture that proves the payment. */
  readonly proof: string | null;
  /** Names, phones and payment details of both, copied at opening and sealed. */
  readonly facts: string;
}

/** What a taker brings to an ad. */
export interface DealTaking {
  readonly id: string;
  readonly takerId: number;
  readonly takerName: string;
  readonly ownerLang: Language;
  readonly takerLang: Language;
  readonly number: bigint;
  readonly fee: bigint;
  readonly now: number;
  readonly facts: string;
}

/** A new deal: of a buy ad it waits for the taker's coins. */
export function openDeal(
  ad: Ad,
  { id, takerId, takerName, ownerLang, takerLang, number, fee, now, facts }: DealTaking,
): Deal {
  const { id: adId, kind, type, ownerId, ownerName, shopId, currencyId, currencyName, scale } = ad;
  const { coinCode, fiatScale, price, way } = ad;
  return {
    ...{ ownerLang, takerLang, shopId },
    ...{ id, adId, kind, type, ownerId, takerId, ownerName, takerName, currencyId, currencyName, scale },
    ...{ coinCode, fiatScale, price, way, number, fee, facts },
    money: calculateMoney(ad, number),
    sellerAccount: type === 'sell' ? ad.ownerAccount : 'legal',
    inAd: true,
    state: type === 'sell' ? 'unpaid' : 'waiting',
    appeal: 'none',
    appealBy: null,
    decisionDue: null,
    createdAt: now,
    deadline: now + ad.limitMinutes * 60_000,
    paidAt: null,
    silentSince: null,
    endedAt: null,
    cancelledBy: null,
    proof: null,
  };
}
/** The taker's coins are held. */
export const acceptDeal = (deal: Deal): Deal => ({ ...deal, state: 'unpaid' });

/** Who buys the coins: the taker of a sell ad, the owner of a buy ad. */
export const buyerOf = ({ type, ownerId, takerId }: Pick<Deal, 'type' | 'ownerId' | 'takerId'>): number =>
  type === 'sell' ? takerId : ownerId;
export const sellerOf = ({ type, ownerId, takerId }: Pick<Deal, 'type' | 'ownerId' | 'takerId'>): number =>
  type === 'sell' ? ownerId : takerId;
/** Which side a person is on; null: neither, the deal does not exist for them. */
export function sideOf(deal: Deal, userId: number): Side | null {
  if (deal.state === 'waiting') return null;
  return userId === buyerOf(deal) ? 'buyer' : userId === sellerOf(deal) ? 'seller' : null;
}
/** Not at an end: coins are held for it. */
export const isUnfinished = ({ state }: Pick<Deal, 'state'>): boolean =>
  state === 'waiting' || state === 'unpaid' || state === 'paid';
/** Whether the person's side may be told what the other's name, phone and payment details are. */
export const isUnderWay = ({ state, appeal }: Pick<Deal, 'state' | 'appeal'>): boolean =>
  state === 'unpaid' || state === 'paid' || appeal === 'open';

/**
 * Whether each side sees the name and the payment details of the other. Not after a cancel: otherwise deals could be
 * used to collect personal data.
 */
export const showsParties = (deal: Pick<Deal, 'state' | 'appeal'>): boolean =>
  isUnderWay(deal) || deal.state === 'finished';

/** Coins and fee that are held for a deal. */
export const dealHoldAmount = ({ number, fee }: Pick<Deal, 'number' | 'fee'>): bigint => number + fee;
/** Name of the ledger's hold that a deal is paid from: its ad's, as long as it counts there, else its own. */
export const dealHoldName = ({ id, adId, type, inAd }: Pick<Deal, 'id' | 'adId' | 'type' | 'inAd'>): string =>
  type === 'sell' && inAd ? adHoldName(adId) : `deal:${id}`;
export const adHoldName = (adId: number): string => `ad:${adId}`;

/** Why a person cannot do it; texts are keys of the contract. */
export type DealRefusal = 'common.notFound' | 'c2c.state' | 'c2c.appealOpen' | 'c2c.appealWindow';
/** The deal as it is afterwards, or why not. */
export type DealOutcome = Deal | DealRefusal;

/** 0→3, by the coin buyer, before the deadline. */
export function payDeal(deal: Deal, userId: number, now: number, proof: string | null): DealOutcome {
  if (sideOf(deal, userId) !== 'buyer') return 'common.notFound';
  if (deal.state !== 'unpaid' || now >= deal.deadline) return 'c2c.state';
  return { ...deal, state: 'paid', paidAt: now, silentSince: now, proof };
}

/** 0→2, by the coin buyer. */
export function cancelDeal(deal: Deal, userId: number, now: number): DealOutcome {
  if (sideOf(deal, userId) !== 'buyer') return 'common.notFound';
  if (deal.state !== 'unpaid' || now >= deal.deadline) return 'c2c.state';
  return { ...deal, state: 'cancelled', endedAt: now, cancelledBy: 'buyer' };
}

/** 0→2, by the system at the deadline; null when it is not awaiting a payment that is due. */
export function expireDeal(deal: Deal, now: number): Deal | null {
  if (deal.state !== 'unpaid' || now < deal.deadline) return null;
  return { ...deal, state: 'cancelled', endedAt: now, cancelledBy: 'deadline' };
}

/** 3→1, by the coin seller. */
export function confirmDeal(deal: Deal, userId: number, now: number): DealOutcome {
  if (sideOf(deal, userId) !== 'seller') return 'common.notFound';
  if (deal.appeal === 'open') return 'c2c.appealOpen';
  if (deal.state !== 'paid') return 'c2c.state';
  return { ...deal, state: 'finished', endedAt: now };
}

/** Whether a cancel by deadline can still be appealed against. */
export const canAppealExpiry = (deal: Deal, now: number): boolean =>
  deal.state === 'cancelled' &&
  deal.cancelledBy === 'deadline' &&
  deal.appeal === 'none' &&
  now < (deal.endedAt ?? 0) + EXPIRED_APPEAL_WINDOW_MS;

/** An appeal opens: either side at 3, or the buyer after a cancel by deadline; `system` where the seller is silent. */
export function openDealAppeal(deal: Deal, by: Side | 'system', now: number, decisionDue: number): DealOutcome {
  if (deal.appeal === 'open') return 'c2c.appealOpen';
  const may = deal.state === 'paid' || (by === 'buyer' && canAppealExpiry(deal, now));
  return may ? { ...deal, appeal: 'open', appealBy: by, decisionDue } : 'c2c.appealWindow';
}
/** The coins of a deal that was cancelled by deadline are held again: 2→3. `fee`: of the ad's; null: as it was. */
export const reopenDeal = (deal: Deal, now: number, inAd: boolean, fee: bigint | null): Deal => ({
  ...deal,
  state: 'paid',
  paidAt: now,
  silentSince: now,
  endedAt: null,
  cancelledBy: null,
  inAd,
  fee: fee ?? deal.fee,
});
/** An appeal after the deadline has brought it to `paid`: nobody pays after the deadline by any other way. */
export const isReopened = ({ state, paidAt, deadline }: Pick<Deal, 'state' | 'paidAt' | 'deadline'>): boolean =>
  state === 'paid' && paidAt !== null && paidAt >= deadline;
/**
 * The opener withdraws the appeal. The seller of a paid deal has as long to answer as after the payment; a deal that
 * the appeal has reopened is cancelled by its deadline again (3→2).
 */
export function withdrawDealAppeal(deal: Deal, now: number): Deal {
  const without = { ...deal, appeal: 'none', appealBy: null, decisionDue: null } as const;
  if (isReopened(deal))
    return {
      ...without,
      ...{ state: 'cancelled', cancelledBy: 'deadline', endedAt: deal.deadline, paidAt: null, silentSince: null },
    };
  return { ...without, silentSince: deal.state === 'paid' ? now : deal.silentSince };
}
const DAY_MS = 86_400_000;
/** The day (UTC, days since 1970) on which the cancel by deadline counted for the buyer. */
export const expiryDay = ({ deadline }: Pick<Deal, 'deadline'>): number => Math.floor(deadline / DAY_MS);
/** Whether a decision for the buyer takes the count of the cancel by deadline back: its appeal came after it. */
export const hasExpired = (deal: Deal): boolean =>
  isReopened(deal) || (deal.state === 'cancelled' && deal.cancelledBy === 'deadline');
/** 3→1 for the buyer, 3→2 for the seller; a record without escrow stays cancelled. */
export function decideDeal(deal: Deal, outcome: Side, now: number): Deal {
  const over = { ...deal, appeal: outcome, decisionDue: null };
  if (deal.state !== 'paid') return over;
  return outcome === 'buyer'
    ? { ...over, state: 'finished', endedAt: now }
    : { ...over, state: 'cancelled', endedAt: now, cancelledBy: 'decision' };
}

export type DealAction = 'pay' | 'cancel' | 'confirm' | 'appeal' | 'appeal_cancel';
/** What a side can do now. */
export function dealActions(deal: Deal, side: Side, now: number): DealAction[] {
  const { state, appeal, appealBy, deadline } = deal;
  if (appeal === 'open') return appealBy === side ? ['appeal_cancel'] : [];
  if (state === 'unpaid') return side === 'buyer' && now < deadline ? ['pay', 'cancel'] : [];
  if (state === 'paid') return side === 'seller' ? ['confirm', 'appeal'] : ['appeal'];
  return side === 'buyer' && canAppealExpiry(deal, now) ? ['appeal'] : [];
}
