import { dealFee, dealMoney } from '@bourse/formulas';
import type { Units } from '@bourse/money';

/* Ads: offers of coins for fiat, and of fiat for coins (rules §6). */

/** Decimals of prices in every fiat currency. */
export const PRICE_SCALE = 2;

export type DealKind = 'c2c' | 'shop';
/** The side of the ad's owner. */
export type AdType = 'buy' | 'sell';
export type PayWay = 'ali_pay' | 'we_chat' | 'bank';
export type Fiat = 'CNY' | 'USD' | 'JPY';
/** The owner's account that pays for a sell ad and gets its remainder back. */
export type OwnerAccount = 'legal' | 'merchant';
/**
 * `waiting`: the ledger has not held its coins yet, and it is not visible; `sold`: no surplus and no deal under way.
 */
export type AdState = 'waiting' | 'shelf' | 'off' | 'sold';

/** Terms of an ad. They never change, whatever operators change (rules §15). */
export interface AdTerms {
  readonly kind: DealKind;
  readonly type: AdType;
  readonly ownerId: number;
  readonly ownerAccount: OwnerAccount;
  /** Masked, as everybody may see it. */
  readonly ownerName: string;
  readonly shopId: number | null;
  /** Level of the shop; empty: not an ad of a shop. */
  readonly level: '' | 'verified' | 'advanced';
  readonly currencyId: number;
  readonly currencyName: string;
  /** Decimals of the coin; all amounts of coins here have them. */
  readonly scale: number;
  readonly coinCode: Fiat;
  /** Decimals of amounts in the fiat currency. */
  readonly fiatScale: number;
  /** Fiat per coin, at PRICE_SCALE. */
  readonly price: bigint;
  readonly way: PayWay;
  readonly total: bigint;
  /** Bounds of one deal, in coins. */
  readonly min: bigint;
  readonly max: bigint;
  /** Percent that the coin seller pays on top, at PERCENT_SCALE. */
  readonly feeRate: bigint;
  /** Minutes in which a deal must be paid. */
  readonly limitMinutes: number;
  /** Business time, ms. */
  readonly createdAt: number;
}

/** An ad. Always: total = surplus + numbers of its unfinished deals + finished + returned. */
export interface Ad extends AdTerms {
  readonly id: number;
  readonly state: AdState;
  /** Coins still on offer. */
  readonly surplus: bigint;
  /** Fee that the owner of a sell ad holds for the surplus. */
  readonly surplusFee: bigint;
  /** Coins of finished deals. */
  readonly finished: bigint;
  /** Coins that went back to the owner: withdrawn, or of deals cancelled while the ad was off the shelf. */
  readonly returned: bigint;
  /** Number of unfinished deals. */
  readonly open: number;
}

/** Fee for an amount, rounded up; the coin seller pays it on top. */
export const calculateFee = (amount: bigint, rate: bigint): bigint => dealFee(amount as Units, rate);

/** Fiat for a number of coins: two decimals half up, none in JPY. */
export const calculateMoney = (ad: Pick<AdTerms, 'scale' | 'price' | 'fiatScale'>, number: bigint): bigint =>
  dealMoney(number as Units, ad.scale, ad.price as Units, PRICE_SCALE, ad.fiatScale);

/** A new ad; a sell ad waits for the ledger. */
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

/** Coins and fee that a sell ad holds for its surplus. */
export const surplusHold = ({ surplus, surplusFee }: Ad): bigint => surplus + surplusFee;

/** Puts an ad on the shelf after its coins are held. */
export const publishAd = (ad: Ad): Ad => ({ ...ad, state: 'shelf' });

/**
 * Bounds of the next deal. A remainder below the minimum can only be taken as a whole; otherwise it could never be
 * sold.
 */
export function dealBounds(ad: Ad): { readonly min: bigint; readonly max: bigint } {
  const max = ad.max < ad.surplus ? ad.max : ad.surplus;
  return { min: ad.min < max ? ad.min : max, max };
}

/** An ad after a deal has taken a part of it, and the fee of that part. */
export interface TakenShare {
  readonly ad: Ad;
  readonly fee: bigint;
}

/**
 * Takes a number off the surplus. The fee of a sell ad comes out of the fee held at publishing, by the rounded sum of
 * everything taken: no deal pays for the rounding of others, and all deals together cost what was held.
 */
export function takeFromAd(ad: Ad, number: bigint): TakenShare {
  if (number <= 0n || number > ad.surplus) throw new Error(`invariant: ad ${ad.id} cannot give ${number}`);
  const surplus = ad.surplus - number;
  if (ad.type === 'buy') return { ad: { ...ad, surplus, open: ad.open + 1 }, fee: calculateFee(number, ad.feeRate) };
  const paid = calculateFee(ad.total, ad.feeRate) - ad.surplusFee;
  const due = calculateFee(ad.total - surplus, ad.feeRate) - paid;
  // Cancelled deals may have left the remaining ones with more than their share.
  const fee = due > 0n ? due : 0n;
  return { ad: { ...ad, surplus, surplusFee: ad.surplusFee - fee, open: ad.open + 1 }, fee };
}

/** The part of an ad that a deal has; `inAd`: its coins are counted in the ad's numbers. */
export interface DealShare {
  readonly number: bigint;
  readonly fee: bigint;
  readonly inAd: boolean;
}

/** Cancels a deal: its coins return to the shelf, or to their holder when the ad is off the shelf. */
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

/** Finishes a deal. */
export function finishDealInAd(ad: Ad, { number, inAd }: DealShare): Ad {
  const after = { ...ad, open: ad.open - 1, finished: inAd ? ad.finished + number : ad.finished };
  return { ...after, ...stateAfterDeal(after) };
}

const stateAfterDeal = (ad: Ad): Pick<Ad, 'state'> =>
  ad.state === 'shelf' && ad.surplus === 0n && ad.open === 0 ? { state: 'sold' } : { state: ad.state };

/**
 * Reopens a cancelled deal (an appeal after a cancel by deadline). Its coins come out of the surplus if the ad still
 * offers them, otherwise from the seller.
 */
export function reopenDealInAd(ad: Ad, number: bigint): { readonly ad: Ad; readonly fee: bigint | null } {
  const fits = ad.state === 'shelf' && ad.surplus >= number;
  return fits ? takeFromAd(ad, number) : { ad: reopenOutsideAd(ad), fee: null };
}

/**
 * Reopens a cancelled deal whose coins are the seller's, outside the numbers of the ad. A sold-out ad has no deal under
 * way: it is on the shelf until the deal ends.
 */
export const reopenOutsideAd = (ad: Ad): Ad => ({
  ...ad,
  state: ad.state === 'sold' ? 'shelf' : ad.state,
  open: ad.open + 1,
});

/** A withdrawn ad, and the coins that go back to its owner. */
export interface WithdrawnAd {
  readonly ad: Ad;
  /** Coins and fee; 0 for a buy ad. */
  readonly back: bigint;
}

/** An owner withdraws an ad only without deals under way; an operator at any time, and its deals continue. */
export function withdrawAd(ad: Ad, byOwner: boolean): WithdrawnAd | 'c2c.hasDeals' | 'c2c.state' {
  if (byOwner && ad.open > 0) return 'c2c.hasDeals';
  if (ad.state !== 'shelf') return 'c2c.state';
  const back = ad.type === 'sell' ? surplusHold(ad) : 0n;
  return { ad: { ...ad, state: 'off', returned: ad.returned + ad.surplus, surplus: 0n, surplusFee: 0n }, back };
}
