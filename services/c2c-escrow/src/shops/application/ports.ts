import type { Tx } from '@bourse/persistence';
import type { Shop, ShopState } from '../domain/shop.js';
import type { Statistics } from '../../deals/application/ports.js';
import type { Page } from '@bourse/platform';
import type { Rows } from '@bourse/contract';

export interface ShopFilter {
  readonly userId?: number | undefined;
  readonly state?: Exclude<ShopState, 'waiting'> | undefined;
}
/** Statistics of a shop over 30 days, and its ads on the shelf. */
export interface ShopFigures extends Statistics {
  readonly ads: number;
}

/** Shops. Only `lock` finds one that waits for its deposit. */
export abstract class ShopStore {
  /** A new id; ids are never reused, because a hold of the ledger bears them. */
  abstract nextId(tx: Tx): Promise<number>;
  /** False when the owner already has a shop of this coin that was not refused or closed. */
  abstract insert(tx: Tx, shop: Shop): Promise<boolean>;
  abstract lock(tx: Tx, id: number): Promise<Shop | null>;
  /** Stores level, state and deposit of a locked shop. */
  abstract save(tx: Tx, shop: Shop): Promise<void>;
  /** Whether it has an ad on the shelf, an ad that waits for the ledger, or an unfinished deal. */
  abstract isBusy(tx: Tx, id: number): Promise<boolean>;
  /** Deletes a shop whose deposit the ledger has refused to hold. */
  abstract drop(tx: Tx, id: number): Promise<void>;
  abstract find(id: number): Promise<Shop | null>;
  /** Newest first. */
  abstract list(filter: ShopFilter, page: Page): Promise<Rows<Shop>>;
  /** By id; `since` is business time, ms. Shops without deals and ads are left out. */
  abstract listFigures(shops: readonly Shop[], since: number): Promise<ReadonlyMap<number, ShopFigures>>;
}

/** Balance of the merchant account, in units of the coin. */
export interface MerchantBalance {
  readonly available: bigint;
  readonly held: bigint;
}
/** Balances of merchant accounts in the ledger. */
export abstract class MerchantBalances {
  /** By currency; 0 without a balance. @throws AskUnavailable */
  abstract findBalances(userId: number): Promise<(currencyId: number, scale: number) => MerchantBalance>;
}
