import { dealFee, dealMoney } from '@bourse/formulas';
import type { Units } from '@bourse/money';

/* Offers of coins for fiat, and of fiat for coins (rules §6). */

/** Prices have as many decimals in every fiat currency. */
export const PRICE_SCALE = 2;

export type DealKind = 'c2c' | 'shop';
/** What the ad's owner does. */
export type AdType = 'buy' | 'sell';
export type PayWay = 'ali_pay' | 'we_chat' | 'bank';
export type Fiat = 'CNY' | 'USD' | 'JPY';
/** Account of the owner that coins for a sell ad are taken from, and given back to. */
export type OwnerAccount = 'legal' | 'merchant';
/** `waiting`: the ledger has not taken its coins yet, nobody sees it; `sold`: nothing left, no deal under way. */
export type AdState = 'waiting' | 'shelf' | 'off' | 'sold';

/** What an ad offers. Nothing of it changes afterwards, whatever operators change (rules §15). */
export interface AdTerms {
  readonly kind: DealKind;
  readonly type: AdType;
  readonly ownerId: number;
  readonly ownerAccount: OwnerAccount;
  /** As everybody may see it: masked. */
  readonly ownerName: string;
  readonly shopId: number | null;
  /** Level of the shop; empty: no shop. */
  readonly level: '' | 'verified' | 'advanced';
  readonly currencyId: number;
  readonly currencyName: string;
  /** Decimals of the coin: of all its amounts here. */
  readonly scale: number;
  readonly coinCode: Fiat;
  /** Decimals of amounts in the fiat currency. */
  readonly fiatScale: number;
  /** Fiat for one coin, at PRICE_SCALE. */
  readonly price: bigint;
  readonly way: PayWay;
  readonly total: bigint;
  /** Bounds of one deal, in coins. */
  readonly min: bigint;
  readonly max: bigint;
  /** Percent on top for the coin seller, at PERCENT_SCALE. */
  readonly feeRate: bigint;
  /** A deal is to be paid within so many minutes. */
  readonly limitMinutes: number;
  /** Business time, ms. */
  readonly createdAt: number;
}

/** An ad as it is. Always: total = surplus + numbers of its unfinished deals + finished + returned. */
export interface Ad extends AdTerms {
  readonly id: number;
  readonly state: AdState;
  /** What is still offered. */
  readonly surplus: bigint;
  /** What the owner of a sell ad has put up as fee for the surplus. */
  readonly surplusFee: bigint;
  /** What finished deals have sold. */
  readonly finished: bigint;
  /** What went back to the owner: withdrawn, or of deals that were cancelled when the ad was off the shelf. */
  readonly returned: bigint;
  /** Deals that are not at an end. */
  readonly open: number;
}

/** Fee for an amount, up: it comes on top for the coin seller. */
export const calculateFee = (amount: bigint, rate: bigint): bigint => dealFee(amount as Units, rate);

/** Fiat for a number of coins: two decimals half up, none in JPY. */
export const calculateMoney = (ad: Pick<AdTerms, 'scale' | 'price' | 'fiatScale'>, number: bigint): bigint =>
  dealMoney(number as Units, ad.scale, ad.price as Units, PRICE_SCALE, ad.fiatScale);

/** An ad before anything was taken of it. */
export const createAd = (id: number, terms: AdTerms): Ad => ({
  ...terms,
  id,
  state: terms.type === 'sell' ? 'waiting' : 'shelf',
  surplus: terms.total,
  surplusFee: terms.type === 'sell' ? calculateFee(terms.total, terms.feeRate) : 0n,
  finished: 0n,
  returned: 0n,
  open: 0,
});

/** What a sell ad holds of its owner for what is still offered. */
export const surplusHold = ({ surplus, surplusFee }: Ad): bigint => surplus + surplusFee;

/** The owner's coins are held: it is on the shelf. */
export const publishAd = (ad: Ad): Ad => ({ ...ad, state: 'shelf' });

/** Bounds of what can be taken. A rest below the least is taken as a whole, or nobody could ever take it. */
export function dealBounds(ad: Ad): { readonly min: bigint; readonly max: bigint } {
  const max = ad.max < ad.surplus ? ad.max : ad.surplus;
  return { min: ad.min < max ? ad.min : max, max };
}

/** What a deal takes of an ad. */
export interface TakenShare {
  readonly ad: Ad;
  readonly fee: bigint;
}

/**
 * Takes a number off the surplus. The fee of a sell ad comes out of what its owner has put up for it, by the rounded
 * sum of all that is taken: no deal pays for the rounding of others, and all of them together cost what was held at
 * publishing.
 */
export function takeFromAd(ad: Ad, number: bigint): TakenShare {
  if (number <= 0n || number > ad.surplus) throw new Error(`invariant: ad ${ad.id} cannot give ${number}`);
  const surplus = ad.surplus - number;
  if (ad.type === 'buy') return { ad: { ...ad, surplus, open: ad.open + 1 }, fee: calculateFee(number, ad.feeRate) };
  const paid = calculateFee(ad.total, ad.feeRate) - ad.surplusFee;
  const due = calculateFee(ad.total - surplus, ad.feeRate) - paid;
  // Deals that were cancelled may have left those that stay with more than their share.
  const fee = due > 0n ? due : 0n;
  return { ad: { ...ad, surplus, surplusFee: ad.surplusFee - fee, open: ad.open + 1 }, fee };
}

/** What a deal has of its ad: whether its coins were counted in the ad's numbers, and how many. */
export interface DealShare {
  readonly number: bigint;
  readonly fee: bigint;
  readonly inAd: boolean;
}

/** A deal was cancelled: it rises again on the shelf; off the shelf it goes back to whoever held it. */
export function cancelDealInAd(
  ad: Ad,
  { number, fee, inAd }: DealShare,
): { readonly ad: Ad; readonly goesBack: boolean } {
  const open = ad.open - 1;
  if (!inAd) return { ad: { ...ad, open, ...stateAfterDeal({ ...ad, open }) }, goesBack: true };
  if (ad.state !== 'shelf') return { ad: { ...ad, open, returned: ad.returned + number }, goesBack: true };
  const feeBack = ad.type === 'sell' ? fee : 0n;
  return {
    ad: { ...ad, open, surplus: ad.surplus + number, surplusFee: ad.surplusFee + feeBack },
    goesBack: ad.type === 'buy',
  };
}

/** A deal was finished. */
export function finishDealInAd(ad: Ad, { number, inAd }: DealShare): Ad {
  const after = { ...ad, open: ad.open - 1, finished: inAd ? ad.finished + number : ad.finished };
  return { ...after, ...stateAfterDeal(after) };
}

const stateAfterDeal = (ad: Ad): Pick<Ad, 'state'> =>
  ad.state === 'shelf' && ad.surplus === 0n && ad.open === 0 ? { state: 'sold' } : { state: ad.state };

/**
 * A cancelled deal is under way again (an appeal after a cancel by deadline). Its coins come out of the surplus where
 * the ad still offers so many, else from the seller.
 */
export function reopenDealInAd(ad: Ad, number: bigint): { readonly ad: Ad; readonly fee: bigint | null } {
  const fits = ad.state === 'shelf' && ad.surplus >= number;
  // Sold out is an ad without a deal under way; this one comes back to it with the deal's end.
  if (!fits) return { ad: { ...ad, state: ad.state === 'sold' ? 'shelf' : ad.state, open: ad.open + 1 }, fee: null };
  return takeFromAd(ad, number);
}

/** What an ad comes to when it is taken off the shelf: what is left of it goes back to its owner. */
export interface WithdrawnAd {
  readonly ad: Ad;
  /** Coins and their fee; 0 for a buy ad. */
  readonly back: bigint;
}

/** `byOwner`: only while none of its deals is under way; an operator may at any time, and the deals go on. */
export function withdrawAd(ad: Ad, byOwner: boolean): WithdrawnAd | 'c2c.hasDeals' | 'c2c.state' {
  if (byOwner && ad.open > 0) return 'c2c.hasDeals';
  if (ad.state !== 'shelf') return 'c2c.state';
  const back = ad.type === 'sell' ? surplusHold(ad) : 0n;
  return { ad: { ...ad, state: 'off', returned: ad.returned + ad.surplus, surplus: 0n, surplusFee: 0n }, back };
}
