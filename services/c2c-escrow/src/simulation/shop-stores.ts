import type { Tx } from '@bourse/persistence';
import type { MemoryDatabase, MemoryTx } from '@bourse/persistence/memory';
import { CoinPrices } from '../shared/application/coin-prices.js';
import {
  MerchantBalances,
  ShopStore,
  type MerchantBalance,
  type ShopFigures,
  type ShopFilter,
} from '../shops/application/ports.js';
import type { Ad } from '../deals/domain/ad.js';
import { isUnfinished, type Deal } from '../deals/domain/deal.js';
import type { Shop } from '../shops/domain/shop.js';
import { AD, DEAL } from './deal-stores.js';
import type { Rows } from '@bourse/contract';
import type { Page } from '@bourse/platform';

export const SHOP = 'escrow.shop';
const NUMBER = 'escrow.shop_number';
/** Rows of the unique index over owners and coins. */
export const OWNER = 'escrow.shop_of_owner';
const toOwnerKey = ({ userId, currencyId }: Shop): string => `${userId} ${currencyId}`;

/** The tables of `PostgresShops` with their checks. */
export class SimulatedShops extends ShopStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  nextId(tx: Tx): Promise<number> {
    return (tx as MemoryTx).statement('next shop', async (at) => {
      await at.lock(NUMBER, 'last');
      const last = (at.get<{ last: number }>(NUMBER, 'last')?.last ?? 100) + 1;
      await at.put(NUMBER, 'last', { last });
      return last;
    });
  }

  insert(tx: Tx, shop: Shop): Promise<boolean> {
    return (tx as MemoryTx).statement('insert a shop', async (at) => {
      await at.lock(OWNER, toOwnerKey(shop));
      if (at.get(OWNER, toOwnerKey(shop))) return false;
      await at.put(OWNER, toOwnerKey(shop), { id: shop.id });
      await at.lock(SHOP, String(shop.id));
      await at.put(SHOP, String(shop.id), shop);
      return true;
    });
  }

  lock(tx: Tx, id: number): Promise<Shop | null> {
    return (tx as MemoryTx).statement('lock a shop', async (at) => {
      await at.lock(SHOP, String(id));
      return at.get<Shop>(SHOP, String(id)) ?? null;
    });
  }

  save(tx: Tx, shop: Shop): Promise<void> {
    return (tx as MemoryTx).statement('save a shop', async (at) => {
      await at.lock(SHOP, String(shop.id));
      if (shop.deposit < 0n) throw new Error('check shop: a deposit is not below nothing');
      await at.put(SHOP, String(shop.id), shop);
      if (shop.state !== 'refused' && shop.state !== 'closed') return;
      await at.lock(OWNER, toOwnerKey(shop));
      await at.put(OWNER, toOwnerKey(shop), null);
    });
  }

  isBusy(tx: Tx, id: number): Promise<boolean> {
    return (tx as MemoryTx).statement('ads and deals of a shop', (at) => {
      const isOf = ([, { shopId }]: readonly [string, Ad | Deal]): boolean => shopId === id;
      const hasAds = at
        .rows<Ad>(AD)
        .some((row) => isOf(row) && (row[1].state === 'waiting' || row[1].state === 'shelf'));
      return Promise.resolve(hasAds || at.rows<Deal>(DEAL).some((row) => isOf(row) && isUnfinished(row[1])));
    });
  }

  drop(tx: Tx, id: number): Promise<void> {
    return (tx as MemoryTx).statement('drop a shop', async (at) => {
      await at.lock(SHOP, String(id));
      const shop = at.get<Shop>(SHOP, String(id));
      if (shop?.state !== 'waiting') return;
      await at.put(SHOP, String(id), null);
      await at.lock(OWNER, toOwnerKey(shop));
      await at.put(OWNER, toOwnerKey(shop), null);
    });
  }

  async find(id: number): Promise<Shop | null> {
    return (await this.seen()).find((shop) => shop.id === id) ?? null;
  }
  async list({ userId, state }: ShopFilter, page?: Page): Promise<Rows<Shop>> {
    const rows = (await this.seen())
      .filter((shop) => userId === undefined || shop.userId === userId)
      .filter((shop) => state === undefined || shop.state === state)
      .sort((a, b) => b.id - a.id);
    return { rows: page ? rows.slice(page.offset, page.offset + page.size) : rows, total: rows.length };
  }
  listFigures(): Promise<ReadonlyMap<number, ShopFigures>> {
    return Promise.resolve(new Map());
  }
  private seen(): Promise<Shop[]> {
    return this.database.statement('read shops', (at) =>
      Promise.resolve(
        at
          .rows<Shop>(SHOP)
          .map(([, shop]) => shop)
          .filter(({ state }) => state !== 'waiting'),
      ),
    );
  }
}

/** Balances of zero, which no check of the simulator reads. */
export class NoBalances extends MerchantBalances {
  findBalances(): Promise<() => MerchantBalance> {
    return Promise.resolve(() => ({ available: 0n, held: 0n }));
  }
}
export class FixedPrices extends CoinPrices {
  findUsdtPrice(): string {
    return '50000';
  }
}
