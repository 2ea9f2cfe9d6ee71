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

/** How long a buyer may appeal after a cancel by deadline, from the moment it was decided. */
export const EXPIRED_APPEAL_WINDOW_MS = 48 * 3_600_000;
/** How long a seller has to answer after the payment; then an appeal opens by itself. */
export const SELLER_RESPONSE_MS = 24 * 3_600_000;
/**
 * Maximum number of appeals of one side of a deal: each new one has a new due time, and a withdrawn one gives the
 * seller of a paid deal the time to answer again.
 */
const APPEALS_MAX = 5;
/** Minutes before the deadline at which the buyer is reminded. */
export const REMINDER_MINUTES = [30, 10, 2] as const;

export type Side = 'buyer' | 'seller';
/** `waiting`: the ledger has not held the taker's coins yet, and the deal is not visible. */
export type DealState = 'waiting' | 'unpaid' | 'paid' | 'finished' | 'cancelled';
/** `none` also after a withdrawn appeal; the last two are decisions. */
export type AppealState = 'none' | 'open' | 'buyer' | 'seller';

/** A deal. Times are business time, ms; null: has not happened. */
export interface Deal {
  readonly id: string;
  readonly adId: number;
  readonly kind: DealKind;
  /** Type of the ad. */
  readonly type: AdType;
  readonly ownerId: number;
  readonly takerId: number;
  /** Masked, as everybody may see it. */
  readonly ownerName: string;
  readonly takerName: string;
  /** Languages of pushes to the two. */
  readonly ownerLang: Language;
  readonly takerLang: Language;
  readonly shopId: number | null;
  /** The coin seller's account that pays the coins and gets them back. */
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
  /** The coin seller pays it on top. */
  readonly fee: bigint;
  /** Whether the ad counts the deal in its numbers; only a deal reopened by an appeal may be outside them. */
  readonly inAd: boolean;
  readonly state: DealState;
  readonly appeal: AppealState;
  readonly appealBy: Side | 'system' | null;
  /** When an open appeal is due. */
  readonly decisionDue: number | null;
  /** Appeals that each side has opened, without one that waits for the ledger. */
  readonly appealsBy: Readonly<Record<Side, number>>;
  /** An operator has proposed a decision of the open appeal, and a second one has to agree. */
  readonly isProposed: boolean;
  readonly createdAt: number;
  readonly deadline: number;
  readonly paidAt: number | null;
  /** When the seller's time to answer began: at the payment, or when an appeal was withdrawn after it. */
  readonly silentSince: number | null;
  readonly endedAt: number | null;
  /** When the cancel by deadline was decided: after an outage later than the deadline, which stays its end. */
  readonly expiredAt: number | null;
  readonly cancelledBy: 'buyer' | 'deadline' | 'decision' | null;
  /** Name of the picture of the payment. */
  readonly proof: string | null;
  /** Names, phones and payment details of both sides at the opening, sealed. */
  readonly facts: string;
}

/** The taker's part of a new deal. */
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

/** Opens a deal; on a buy ad it waits until the taker's coins are held. */
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
    appealsBy: { buyer: 0, seller: 0 },
    isProposed: false,
    createdAt: now,
    deadline: now + ad.limitMinutes * 60_000,
    paidAt: null,
    silentSince: null,
    endedAt: null,
    expiredAt: null,
    cancelledBy: null,
    proof: null,
  };
}
/** The ledger holds the taker's coins. */
export const acceptDeal = (deal: Deal): Deal => ({ ...deal, state: 'unpaid' });

/** The coin buyer: the taker of a sell ad, the owner of a buy ad. */
export const buyerOf = ({ type, ownerId, takerId }: Pick<Deal, 'type' | 'ownerId' | 'takerId'>): number =>
  type === 'sell' ? takerId : ownerId;
export const sellerOf = ({ type, ownerId, takerId }: Pick<Deal, 'type' | 'ownerId' | 'takerId'>): number =>
  type === 'sell' ? ownerId : takerId;
/** The side of a person; null: the person is no party, and the deal does not exist for them. */
export function sideOf(deal: Deal, userId: number): Side | null {
  if (deal.state === 'waiting') return null;
  return userId === buyerOf(deal) ? 'buyer' : userId === sellerOf(deal) ? 'seller' : null;
}
/** Whether coins are still held for the deal. */
export const isUnfinished = ({ state }: Pick<Deal, 'state'>): boolean =>
  state === 'waiting' || state === 'unpaid' || state === 'paid';
/** Whether either party still has to act. */
export const isUnderWay = ({ state, appeal }: Pick<Deal, 'state' | 'appeal'>): boolean =>
  state === 'unpaid' || state === 'paid' || appeal === 'open';

/**
 * Whether each side sees name and payment details of the other. Not after a cancel: otherwise deals could be used to
 * collect personal data.
 */
export const showsParties = (deal: Pick<Deal, 'state' | 'appeal'>): boolean =>
  isUnderWay(deal) || deal.state === 'finished';

/** Coins and fee held for a deal. */
export const dealHoldAmount = ({ number, fee }: Pick<Deal, 'number' | 'fee'>): bigint => number + fee;
/** The ledger's hold that pays a deal: its ad's while the ad counts it, otherwise its own. */
export const dealHoldName = ({ id, adId, type, inAd }: Pick<Deal, 'id' | 'adId' | 'type' | 'inAd'>): string =>
  type === 'sell' && inAd ? adHoldName(adId) : `deal:${id}`;
export const adHoldName = (adId: number): string => `ad:${adId}`;

/** Why a command is refused; a key of the contract. */
type DealRefusal = 'common.notFound' | 'c2c.state' | 'c2c.appealOpen' | 'c2c.appealWindow';
/** The deal after a command, or the refusal. */
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

/**
 * 0→2, by the system at the deadline; null when the deal is not unpaid or not due. `at` is the time of the deadline,
 * `decidedAt` the present.
 */
export function expireDeal(deal: Deal, at: number, decidedAt: number): Deal | null {
  if (deal.state !== 'unpaid' || at < deal.deadline) return null;
  return { ...deal, state: 'cancelled', endedAt: at, expiredAt: Math.max(at, decidedAt), cancelledBy: 'deadline' };
}

/** 3→1, by the coin seller. */
export function confirmDeal(deal: Deal, userId: number, now: number): DealOutcome {
  if (sideOf(deal, userId) !== 'seller') return 'common.notFound';
  if (deal.appeal === 'open') return 'c2c.appealOpen';
  if (deal.state !== 'paid') return 'c2c.state';
  return { ...deal, state: 'finished', endedAt: now };
}

/** Until when the buyer can appeal against a cancel by deadline. A release before stored no time of the decision. */
export const expiryAppealUntil = ({ expiredAt, endedAt }: Pick<Deal, 'expiredAt' | 'endedAt'>): number =>
  (expiredAt ?? endedAt ?? 0) + EXPIRED_APPEAL_WINDOW_MS;
/** Whether a side that has opened `opened` appeals on a deal may open one more. */
export const checkAppealCount = (opened: number): 'ok' | 'c2c.appealWindow' =>
  opened < APPEALS_MAX ? 'ok' : 'c2c.appealWindow';
/** Whether the buyer can still appeal against a cancel by deadline. */
export const canAppealExpiry = (deal: Deal, now: number): boolean =>
  deal.state === 'cancelled' &&
  deal.cancelledBy === 'deadline' &&
  deal.appeal === 'none' &&
  checkAppealCount(deal.appealsBy.buyer) === 'ok' &&
  now < expiryAppealUntil(deal);

/**
 * Opens an appeal: by either side at 3, by the buyer after a cancel by deadline, or by the `system` when the seller
 * does not answer.
 */
export function openDealAppeal(deal: Deal, by: Side | 'system', now: number, decisionDue: number): DealOutcome {
  if (deal.appeal === 'open') return 'c2c.appealOpen';
  const may = deal.state === 'paid' || (by === 'buyer' && canAppealExpiry(deal, now));
  if (!may) return 'c2c.appealWindow';
  const opened = { ...deal, appeal: 'open', appealBy: by, decisionDue, isProposed: false } as const;
  if (by === 'system') return opened;
  if (checkAppealCount(deal.appealsBy[by]) !== 'ok') return 'c2c.appealWindow';
  return { ...opened, appealsBy: { ...deal.appealsBy, [by]: deal.appealsBy[by] + 1 } };
}
/** An operator proposes a decision of the open appeal. */
export const proposeDecision = (deal: Deal): Deal => ({ ...deal, isProposed: true });
/**
 * Whether a side may withdraw the open appeal: only its opener can, nobody an appeal of the system. Not while a
 * proposed decision waits: a new appeal would begin without it, and no second operator could ever agree to it.
 */
export const mayWithdraw = (openedBy: Side | 'system' | null, isProposed: boolean, side: Side): boolean =>
  openedBy === side && !isProposed;
/** Holds the coins of a deal cancelled by deadline again: 2→3. `fee`: the fee out of the ad; null: unchanged. */
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
/** Whether an appeal after the deadline has made the deal `paid`; nothing else does after the deadline. */
export const isReopened = ({ state, paidAt, deadline }: Pick<Deal, 'state' | 'paidAt' | 'deadline'>): boolean =>
  state === 'paid' && paidAt !== null && paidAt >= deadline;
/**
 * Withdraws the appeal. The seller of a paid deal gets the full time to answer again; a deal that the appeal has
 * reopened is cancelled by its deadline again (3→2).
 */
export function withdrawDealAppeal(deal: Deal, now: number): Deal {
  const without = { ...deal, appeal: 'none', appealBy: null, decisionDue: null, isProposed: false } as const;
  if (isReopened(deal))
    return {
      ...without,
      ...{ state: 'cancelled', cancelledBy: 'deadline', endedAt: deal.deadline, paidAt: null, silentSince: null },
    };
  return { ...without, silentSince: deal.state === 'paid' ? now : deal.silentSince };
}
const DAY_MS = 86_400_000;
/** The day (UTC, days since 1970) whose cancels of the buyer include the cancel by deadline. */
export const expiryDay = ({ deadline }: Pick<Deal, 'deadline'>): number => Math.floor(deadline / DAY_MS);
/** Whether a decision for the buyer removes the counted cancel by deadline: the appeal came after it. */
export const hasExpired = (deal: Deal): boolean =>
  isReopened(deal) || (deal.state === 'cancelled' && deal.cancelledBy === 'deadline');
/** Decides the appeal: 3→1 for the buyer, 3→2 for the seller; a record without escrow stays cancelled. */
export function decideDeal(deal: Deal, outcome: Side, now: number): Deal {
  const over = { ...deal, appeal: outcome, decisionDue: null, isProposed: false };
  if (deal.state !== 'paid') return over;
  return outcome === 'buyer'
    ? { ...over, state: 'finished', endedAt: now }
    : { ...over, state: 'cancelled', endedAt: now, cancelledBy: 'decision' };
}

export type DealAction = 'pay' | 'cancel' | 'confirm' | 'appeal' | 'appeal_cancel';
/** Actions that a side can take now: those whose commands are not refused. */
export function dealActions(deal: Deal, side: Side, now: number): DealAction[] {
  const userId = side === 'buyer' ? buyerOf(deal) : sellerOf(deal);
  const isAccepted = (outcome: DealOutcome): boolean => typeof outcome !== 'string';
  const accepted: Readonly<Record<DealAction, boolean>> = {
    pay: isAccepted(payDeal(deal, userId, now, null)),
    cancel: isAccepted(cancelDeal(deal, userId, now)),
    confirm: isAccepted(confirmDeal(deal, userId, now)),
    appeal: isAccepted(openDealAppeal(deal, side, now, now)),
    appeal_cancel: deal.appeal === 'open' && mayWithdraw(deal.appealBy, deal.isProposed, side),
  };
  return ACTIONS.filter((action) => accepted[action]);
}
const ACTIONS: readonly DealAction[] = ['pay', 'cancel', 'confirm', 'appeal', 'appeal_cancel'];
