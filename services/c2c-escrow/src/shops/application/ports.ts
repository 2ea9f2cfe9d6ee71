import type { Tx } from '@bourse/persistence';
import type { Shop, ShopState } from '../domain/shop.js';
import type { Statistics } from '../../deals/application/ports.js';
import type { Page, Rows } from '../../shared/application/pages.js';

export interface ShopFilter {
  readonly userId?: number | undefined;
  readonly state?: Exclude<ShopState, 'waiting' | 'closing'> | undefined;
}
/** What a shop has done in 30 days, and its ads on the shelf. */
export interface ShopFigures extends Statistics {
  readonly ads: number;
}

/** Shops. Those that wait for their deposit are found by `lock` alone. */
export abstract class ShopStore {
  /** An id that was never used; a hold of the ledger bears it for ever. */
  abstract nextId(tx: Tx): Promise<number>;
  /** False when its owner has one of this coin already that was not refused or closed. */
  abstract insert(tx: Tx, shop: Shop): Promise<boolean>;
  abstract lock(tx: Tx, id: number): Promise<Shop | null>;
  /** Stores level, state and deposit of a shop that is locked. */
  abstract save(tx: Tx, shop: Shop): Promise<void>;
  /** Whether an ad of it is on the shelf or waits for the ledger, or a deal of it is unfinished. */
  abstract isBusy(tx: Tx, id: number): Promise<boolean>;
  /** Forgets a shop whose deposit the ledger has refused. */
  abstract drop(tx: Tx, id: number): Promise<void>;
  abstract find(id: number): Promise<Shop | null>;
  /** The newest first. */
  abstract list(filter: ShopFilter, page: Page): Promise<Rows<Shop>>;
  /** By id; `since` is business time, ms. Shops without deals and ads are left out. */
  abstract listFigures(shops: readonly Shop[], since: number): Promise<ReadonlyMap<number, ShopFigures>>;
}

/** What a person has in the merchant account, in units of the coin. */
export interface MerchantBalance {
  readonly available: bigint;
  readonly held: bigint;
}
/** What the ledger says of a person's merchant account. */
export abstract class MerchantBalances {
  /** By currency; what is not there is nothing. Throws `AskUnavailable`. */
  abstract findBalances(userId: number): Promise<(currencyId: number, scale: number) => MerchantBalance>;
}
