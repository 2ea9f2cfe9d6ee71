/* Fiat shops (rules §6). */

export const SHOP_LEVELS = ['verified', 'advanced'] as const;
export type ShopLevel = (typeof SHOP_LEVELS)[number];
/**
 * `waiting`: the ledger has not held its deposit yet, nobody sees it. `closing`: the ledger is asked to give everything
 * back; nothing new begins, and it is shown as open.
 */
export type ShopState = 'waiting' | 'review' | 'open' | 'closing' | 'refused' | 'closed';

/** A shop as it is: one per person and coin, but for those that were refused or closed. */
export interface Shop {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** The coin that it deals in. */
  readonly currencyId: number;
  readonly currencyName: string;
  readonly level: ShopLevel;
  readonly state: ShopState;
  /** What is held of its owner: of this coin, in its units. 0 when it went back. */
  readonly depositCurrencyId: number;
  readonly depositScale: number;
  readonly deposit: bigint;
  /** Business time, ms. */
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

/** Name of the hold of its deposit in the ledger. */
export const shopHoldName = (id: number): string => `shop:${id}`;

/** The deposit is held: support may look at it. */
export const submitForReview = (shop: Shop): Shop => ({ ...shop, state: 'review' });

/** What support says of a shop in review. `deposit`: what the level that it opens at demands now. */
export type ShopDecision =
  | { readonly pass: false }
  | { readonly pass: true; readonly level: ShopLevel; readonly deposit: bigint };

/** The shop afterwards, and what goes back of its deposit. */
export interface DecidedShop {
  readonly shop: Shop;
  readonly back: bigint;
}

/**
 * Opens or refuses a shop. It may open at a lower level than it asked for, and what the lower one does not need goes
 * back; at a higher one it cannot: nothing more is held than its owner has agreed to.
 */
export function decideShop(shop: Shop, decision: ShopDecision, now: number): DecidedShop | 'decided' | 'level' {
  if (shop.state !== 'review') return 'decided';
  if (!decision.pass) return { shop: { ...shop, state: 'refused', deposit: 0n, decidedAt: now }, back: shop.deposit };
  const { level } = decision;
  if (SHOP_LEVELS.indexOf(level) > SHOP_LEVELS.indexOf(shop.level)) return 'level';
  // A change of the settings never touches what was agreed before it: the own level keeps its deposit (rules §15).
  const keeps = level === shop.level || decision.deposit > shop.deposit ? shop.deposit : decision.deposit;
  return {
    shop: { ...shop, state: 'open', level, deposit: keeps, decidedAt: now },
    back: shop.deposit - keeps,
  };
}

/** Its owner closes it. `busy`: an ad of it is on the shelf, or a deal of it is unfinished. */
export function beginClosing(shop: Shop, busy: boolean): Shop | 'legal.notOpen' | 'legal.busy' {
  if (shop.state !== 'open') return 'legal.notOpen';
  return busy ? 'legal.busy' : { ...shop, state: 'closing' };
}
/** The ledger has given back what was held and what was left: it is an end. */
export const closeShop = (shop: Shop, now: number): Shop => ({ ...shop, state: 'closed', deposit: 0n, decidedAt: now });

/** Why an ad of a shop does not fit, or a number its ad; `limit` is named in the refusal (rules §12.8). */
export type BoundsRefusal =
  | { readonly code: 'maxBelowMin'; readonly limit: bigint }
  | { readonly code: 'belowMin' | 'aboveMax' | 'aboveSurplus'; readonly limit: bigint };

/** Bounds of the deals of a new ad; `most` is the limit per deal of the shop's level, in coins. */
export function checkAdBounds(
  { min, max, total }: { readonly min: bigint; readonly max: bigint; readonly total: bigint },
  most: bigint,
): BoundsRefusal | null {
  if (max < min) return { code: 'maxBelowMin', limit: min };
  if (max > most) return { code: 'aboveMax', limit: most };
  if (min > total) return { code: 'aboveSurplus', limit: total };
  return null;
}

/** A number that somebody wants of an ad: within its bounds, then within what is left (rules §12.8). */
export function checkDealNumber(
  { min, max, surplus }: { readonly min: bigint; readonly max: bigint; readonly surplus: bigint },
  number: bigint,
): BoundsRefusal | null {
  if (number < min) return { code: 'belowMin', limit: min };
  if (number > max) return { code: 'aboveMax', limit: max };
  if (number > surplus) return { code: 'aboveSurplus', limit: surplus };
  return null;
}
