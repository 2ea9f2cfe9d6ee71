/* Fiat shops (rules §6). */

export const SHOP_LEVELS = ['verified', 'advanced'] as const;
export type ShopLevel = (typeof SHOP_LEVELS)[number];
/**
 * `waiting`: the ledger has not held the deposit yet, and the shop is not visible. `closing`: the ledger has not
 * returned everything yet; nothing new begins, and the shop is shown as open.
 */
export type ShopState = 'waiting' | 'review' | 'open' | 'closing' | 'refused' | 'closed';

/** A shop. One per person and coin, apart from refused and closed ones. */
export interface Shop {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** The coin that the shop deals in. */
  readonly currencyId: number;
  readonly currencyName: string;
  readonly level: ShopLevel;
  readonly state: ShopState;
  /** Currency, scale and units of the held deposit; 0 after it went back. */
  readonly depositCurrencyId: number;
  readonly depositScale: number;
  readonly deposit: bigint;
  /** Business time, ms. */
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

/** Name of the deposit's hold in the ledger. */
export const shopHoldName = (id: number): string => `shop:${id}`;

/** The deposit is held: the shop is in review. */
export const submitForReview = (shop: Shop): Shop => ({ ...shop, state: 'review' });

/** A decision of support. `deposit`: the deposit that the level requires now. */
export type ShopDecision =
  | { readonly pass: false }
  | { readonly pass: true; readonly level: ShopLevel; readonly deposit: bigint };

/** The shop after a decision, and the part of its deposit that goes back. */
export interface DecidedShop {
  readonly shop: Shop;
  readonly back: bigint;
}

/**
 * Opens or refuses a shop. It may open at a lower level than requested, and the surplus of the deposit goes back; it
 * cannot open at a higher one, because the owner has not agreed to a larger hold.
 */
export function decideShop(shop: Shop, decision: ShopDecision, now: number): DecidedShop | 'decided' | 'level' {
  if (shop.state !== 'review') return 'decided';
  if (!decision.pass) return { shop: { ...shop, state: 'refused', deposit: 0n, decidedAt: now }, back: shop.deposit };
  const { level } = decision;
  if (SHOP_LEVELS.indexOf(level) > SHOP_LEVELS.indexOf(shop.level)) return 'level';
  // Settings never change what was agreed before: the requested level keeps its deposit (rules §15).
  const keeps = level === shop.level || decision.deposit > shop.deposit ? shop.deposit : decision.deposit;
  return {
    shop: { ...shop, state: 'open', level, deposit: keeps, decidedAt: now },
    back: shop.deposit - keeps,
  };
}

/** Begins the closing for the owner. `busy`: an ad is on the shelf, or a deal is unfinished. */
export function beginClosing(shop: Shop, busy: boolean): Shop | 'legal.notOpen' | 'legal.busy' {
  if (shop.state !== 'open') return 'legal.notOpen';
  return busy ? 'legal.busy' : { ...shop, state: 'closing' };
}
/** Closes the shop after the ledger has returned deposit and balance; final. */
export const closeShop = (shop: Shop, now: number): Shop => ({ ...shop, state: 'closed', deposit: 0n, decidedAt: now });

/** Why the bounds of an ad, or a number of a deal, are refused; the refusal names `limit` (rules §12.8). */
export type BoundsRefusal =
  | { readonly code: 'maxBelowMin'; readonly limit: bigint }
  | { readonly code: 'belowMin' | 'aboveMax' | 'aboveSurplus'; readonly limit: bigint };

/** Checks the bounds of a new ad; `most` is the limit per deal of the shop's level, in coins. */
export function checkAdBounds(
  { min, max, total }: { readonly min: bigint; readonly max: bigint; readonly total: bigint },
  most: bigint,
): BoundsRefusal | null {
  if (max < min) return { code: 'maxBelowMin', limit: min };
  if (max > most) return { code: 'aboveMax', limit: most };
  if (min > total) return { code: 'aboveSurplus', limit: total };
  return null;
}

/** Checks the number of a deal: within the ad's bounds, then within its surplus (rules §12.8). */
export function checkDealNumber(
  { min, max, surplus }: { readonly min: bigint; readonly max: bigint; readonly surplus: bigint },
  number: bigint,
): BoundsRefusal | null {
  if (number < min) return { code: 'belowMin', limit: min };
  if (number > max) return { code: 'aboveMax', limit: max };
  if (number > surplus) return { code: 'aboveSurplus', limit: surplus };
  return null;
}
