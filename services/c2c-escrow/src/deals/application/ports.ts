import type { Tx } from '@bourse/persistence';
import type { Ad, AdState, AdType, DealKind, Fiat, PayWay } from '../domain/ad.js';
import type { Deal, DealState } from '../domain/deal.js';
import type { Page } from '@bourse/platform';
import type { Rows } from '@bourse/contract';

export interface AdFilter {
  readonly kind?: DealKind | undefined;
  readonly type?: AdType | undefined;
  readonly states?: readonly AdState[] | undefined;
  readonly ownerId?: number | undefined;
  readonly shopId?: number | undefined;
  /** Leaves out the ads of these users. */
  readonly exceptOwners?: readonly number[] | undefined;
  readonly currencyId?: number | undefined;
  readonly coinCode?: Fiat | undefined;
  readonly way?: PayWay | undefined;
  /** Only ads with a surplus. */
  readonly hasSurplus?: boolean | undefined;
  /** Only ads that a deal over this amount of fiat fits, decimal text. */
  readonly money?: string | undefined;
  /** Best price first; otherwise newest first. */
  readonly byPrice?: boolean | undefined;
}

/** Ads. `lock` and `save` belong to one transaction; a deal is locked before its ad, never after it. */
export abstract class AdStore {
  /** A new id; ids are never reused, because a hold of the ledger bears them. */
  abstract nextId(tx: Tx): Promise<number>;
  /**
   * Counts a person's ads of a kind that are on the shelf or wait for the ledger; no other transaction counts them for
   * a new ad before `tx` ends.
   */
  abstract countOnShelf(tx: Tx, ownerId: number, kind: DealKind): Promise<number>;
  abstract insert(tx: Tx, ad: Ad): Promise<void>;
  abstract lock(tx: Tx, id: number): Promise<Ad | null>;
  /** Stores state, surplus and counters of a locked ad. Terms do not change. */
  abstract save(tx: Tx, ad: Ad): Promise<void>;
  /** Deletes an ad whose coins the ledger has refused to hold. */
  abstract drop(tx: Tx, id: number): Promise<void>;
  abstract find(id: number): Promise<Ad | null>;
  abstract list(filter: AdFilter, page: Page): Promise<Rows<Ad>>;
  /** Owners of shop ads on the shelf. */
  abstract listShopOwners(): Promise<readonly number[]>;
}

export interface DealFilter {
  readonly id?: string | undefined;
  readonly kind?: DealKind | undefined;
  readonly type?: AdType | undefined;
  readonly takerId?: number | undefined;
  readonly ownerId?: number | undefined;
  readonly adId?: number | undefined;
  readonly shopId?: number | undefined;
  readonly currencyId?: number | undefined;
  readonly states?: readonly DealState[] | undefined;
  readonly userId?: number | undefined;
}

/** Ended deals on the owner's ads. */
export interface Statistics {
  readonly finished: number;
  readonly ended: number;
  /** Average time from payment to release of the owner's sales, in whole seconds; 0: no sale yet. */
  readonly releaseSeconds: number;
}
export const NO_STATISTICS: Statistics = { finished: 0, ended: 0, releaseSeconds: 0 };

/** Deals, and the counters of deals per person. */
export abstract class DealStore {
  abstract insert(tx: Tx, deal: Deal): Promise<void>;
  abstract lock(tx: Tx, dealId: string): Promise<Deal | null>;
  /** Stores a locked deal; its terms do not change. */
  abstract save(tx: Tx, deal: Deal): Promise<void>;
  /** Deletes a deal whose coins the ledger has refused to hold. */
  abstract drop(tx: Tx, dealId: string): Promise<void>;
  /** With `tx` it reads in that transaction, without a lock. */
  abstract find(dealId: string, tx?: Tx): Promise<Deal | null>;
  abstract list(filter: DealFilter, page: Page): Promise<Rows<Deal>>;
  /** Counts one more unfinished deal of a taker; false when there are `most` already. */
  abstract reserveOpenDeal(tx: Tx, takerId: number, most: number): Promise<boolean>;
  /** Counts one more without a bound, for a deal that an appeal reopens. */
  abstract addOpenDeal(tx: Tx, takerId: number): Promise<void>;
  abstract releaseOpenDeal(tx: Tx, takerId: number): Promise<void>;
  /** Cancels of a buyer on a day (UTC, days since 1970). */
  abstract countCancels(userId: number, day: number): Promise<number>;
  abstract addCancel(tx: Tx, userId: number, day: number): Promise<void>;
  /** Removes one cancel of that day if there is one. */
  abstract removeCancel(tx: Tx, userId: number, day: number): Promise<void>;
  /** By owner, since a business time. Owners without deals are left out. */
  abstract listStatistics(ownerIds: readonly number[], since: number): Promise<ReadonlyMap<number, Statistics>>;
}
