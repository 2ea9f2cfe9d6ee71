import type { Tx } from '@bourse/persistence';
import type { Ad, AdState, AdType, DealKind, Fiat, PayWay } from '../domain/ad.js';
import type { Deal, DealState } from '../domain/deal.js';
import type { Page, Rows } from '../../shared/application/pages.js';

export interface AdFilter {
  readonly kind?: DealKind | undefined;
  readonly type?: AdType | undefined;
  readonly states?: readonly AdState[] | undefined;
  readonly ownerId?: number | undefined;
  readonly shopId?: number | undefined;
  /** None of these people's. */
  readonly exceptOwners?: readonly number[] | undefined;
  readonly currencyId?: number | undefined;
  readonly coinCode?: Fiat | undefined;
  readonly way?: PayWay | undefined;
  /** Only ads that still offer something. */
  readonly hasSurplus?: boolean | undefined;
  /** Only ads that a deal over so much fiat can be made with, decimal text. */
  readonly money?: string | undefined;
  /** The best price first; else the newest. */
  readonly byPrice?: boolean | undefined;
}

/** Ads. `lock` and what is saved belong to one transaction; a deal is locked before its ad, never after it. */
export abstract class AdStore {
  /** An id that was never used; a hold of the ledger bears it for ever. */
  abstract nextId(tx: Tx): Promise<number>;
  /**
   * How many ads of a kind a person has on the shelf, or waiting for the ledger; until `tx` ends nobody else counts
   * them for another one.
   */
  abstract countOnShelf(tx: Tx, ownerId: number, kind: DealKind): Promise<number>;
  abstract insert(tx: Tx, ad: Ad): Promise<void>;
  abstract lock(tx: Tx, id: number): Promise<Ad | null>;
  /** Stores state, surplus and counters of an ad that is locked. Terms do not change. */
  abstract save(tx: Tx, ad: Ad): Promise<void>;
  /** Forgets an ad whose coins the ledger has refused. */
  abstract drop(tx: Tx, id: number): Promise<void>;
  abstract find(id: number): Promise<Ad | null>;
  abstract list(filter: AdFilter, page: Page): Promise<Rows<Ad>>;
  /** Who has ads of shops on the shelf. */
  abstract listShopOwners(): Promise<readonly number[]>;
}

export interface DealFilter {
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

/** Deals of the owner's ads that have come to their end. */
export interface Statistics {
  readonly finished: number;
  readonly ended: number;
  /** From payment to release of what the owner has sold, on average, in whole seconds; 0: nothing yet. */
  readonly releaseSeconds: number;
}
export const NO_STATISTICS: Statistics = { finished: 0, ended: 0, releaseSeconds: 0 };

/** Deals, with what counts how many of them a person has. */
export abstract class DealStore {
  abstract insert(tx: Tx, deal: Deal): Promise<void>;
  abstract lock(tx: Tx, dealId: string): Promise<Deal | null>;
  /** Stores a deal that is locked; what was agreed does not change. */
  abstract save(tx: Tx, deal: Deal): Promise<void>;
  /** Forgets a deal whose coins the ledger has refused. */
  abstract drop(tx: Tx, dealId: string): Promise<void>;
  /** Within `tx` as it is there, without a lock. */
  abstract find(dealId: string, tx?: Tx): Promise<Deal | null>;
  abstract list(filter: DealFilter, page: Page): Promise<Rows<Deal>>;
  /** Counts one more unfinished deal of a taker; false when there are `most` already. */
  abstract reserveOpenDeal(tx: Tx, takerId: number, most: number): Promise<boolean>;
  /** The same without a bound: a deal is under way again. */
  abstract addOpenDeal(tx: Tx, takerId: number): Promise<void>;
  abstract releaseOpenDeal(tx: Tx, takerId: number): Promise<void>;
  /** How often a buyer has cancelled on a day (UTC, days since 1970). */
  abstract countCancels(userId: number, day: number): Promise<number>;
  abstract addCancel(tx: Tx, userId: number, day: number): Promise<void>;
  /** Takes one of them back, where one was counted. */
  abstract removeCancel(tx: Tx, userId: number, day: number): Promise<void>;
  /** By owner, since a time. Owners without deals are left out. */
  abstract statistics(ownerIds: readonly number[], since: number): Promise<ReadonlyMap<number, Statistics>>;
}
