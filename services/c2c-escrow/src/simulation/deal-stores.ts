import type { Tx } from '@bourse/persistence';
import type { MemoryDatabase, MemoryTx, Statement } from '@bourse/persistence/memory';
import { AdStore, DealStore, type AdFilter, type DealFilter, type Statistics } from '../deals/application/ports.js';
import type { Ad, DealKind } from '../deals/domain/ad.js';
import type { Deal } from '../deals/domain/deal.js';
import type { Rows } from '@bourse/contract';

export const AD = 'escrow.ad';
export const DEAL = 'escrow.deal';
export const TAKER = 'escrow.taker_count';
const CANCEL = 'escrow.cancel_count';
const NUMBER = 'escrow.ad_number';
const SHELF = 'escrow.shelf_count';

/** Unfinished deals of a taker. */
export interface TakerCount {
  readonly userId: number;
  readonly deals: number;
}
export const inTx = <T>(tx: Tx, what: string, work: (at: Statement) => Promise<T>): Promise<T> =>
  (tx as MemoryTx).statement(what, work);

/** The table of `PostgresAds` with its checks. */
export class SimulatedAds extends AdStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  nextId(tx: Tx): Promise<number> {
    return inTx(tx, 'next ad', async (at) => {
      await at.lock(NUMBER, 'last');
      const last = (at.get<{ last: number }>(NUMBER, 'last')?.last ?? 1_000) + 1;
      await at.put(NUMBER, 'last', { last });
      return last;
    });
  }
  countOnShelf(tx: Tx, ownerId: number, kind: DealKind): Promise<number> {
    return inTx(tx, 'count ads', async (at) => {
      await at.lock(SHELF, `${kind} ${ownerId}`);
      const ads = at.rows<Ad>(AD).map(([, ad]) => ad);
      return ads.filter(
        (ad) => ad.ownerId === ownerId && ad.kind === kind && (ad.state === 'waiting' || ad.state === 'shelf'),
      ).length;
    });
  }
  insert(tx: Tx, ad: Ad): Promise<void> {
    return inTx(tx, 'insert an ad', async (at) => {
      await at.lock(AD, String(ad.id));
      await at.put(AD, String(ad.id), checkAd(ad));
    });
  }
  lock(tx: Tx, id: number): Promise<Ad | null> {
    return inTx(tx, 'lock an ad', async (at) => {
      await at.lock(AD, String(id));
      return at.get<Ad>(AD, String(id)) ?? null;
    });
  }
  listShopOwners(): Promise<readonly number[]> {
    return this.database.statement('owners of shop ads', (at) => {
      const ads = at.rows<Ad>(AD).map(([, ad]) => ad);
      return Promise.resolve([
        ...new Set(ads.filter(({ kind, state }) => kind === 'shop' && state === 'shelf').map(({ ownerId }) => ownerId)),
      ]);
    });
  }
  save(tx: Tx, ad: Ad): Promise<void> {
    return this.insert(tx, ad);
  }
  drop(tx: Tx, id: number): Promise<void> {
    return inTx(tx, 'drop an ad', async (at) => {
      await at.lock(AD, String(id));
      await at.put(AD, String(id), null);
    });
  }
  find(id: number): Promise<Ad | null> {
    return this.database.statement('find an ad', (at) => Promise.resolve(at.get<Ad>(AD, String(id)) ?? null));
  }
  async list({ states, ownerId }: AdFilter): Promise<Rows<Ad>> {
    const rows = await this.database.statement('list ads', (at) =>
      Promise.resolve(
        at
          .rows<Ad>(AD)
          .map(([, ad]) => ad)
          .filter((ad) => states?.includes(ad.state) ?? ad.state !== 'waiting')
          .filter((ad) => ownerId === undefined || ad.ownerId === ownerId)
          .sort((a, b) => a.id - b.id),
      ),
    );
    return { rows, total: rows.length };
  }
}

function checkAd(ad: Ad): Ad {
  if (ad.surplus < 0n || ad.surplusFee < 0n || ad.finished < 0n || ad.returned < 0n || ad.open < 0)
    throw new Error(`check ad: something of ${ad.id} is below nothing`);
  return ad;
}

/** The tables of `PostgresDeals` with their checks. */
export class SimulatedDeals extends DealStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  insert(tx: Tx, deal: Deal): Promise<void> {
    return inTx(tx, 'insert a deal', async (at) => {
      await at.lock(DEAL, deal.id);
      if (at.get(DEAL, deal.id)) throw new Error(`check deal: there are two of ${deal.id}`);
      await at.put(DEAL, deal.id, deal);
    });
  }
  lock(tx: Tx, dealId: string): Promise<Deal | null> {
    return inTx(tx, 'lock a deal', async (at) => {
      await at.lock(DEAL, dealId);
      return at.get<Deal>(DEAL, dealId) ?? null;
    });
  }
  save(tx: Tx, deal: Deal): Promise<void> {
    return inTx(tx, 'save a deal', async (at) => {
      await at.lock(DEAL, deal.id);
      await at.put(DEAL, deal.id, deal);
    });
  }
  drop(tx: Tx, dealId: string): Promise<void> {
    return inTx(tx, 'drop a deal', async (at) => {
      await at.lock(DEAL, dealId);
      await at.put(DEAL, dealId, null);
    });
  }
  find(dealId: string, tx?: Tx): Promise<Deal | null> {
    return ((tx as MemoryTx | undefined) ?? this.database).statement('find a deal', (at) =>
      Promise.resolve(at.get<Deal>(DEAL, dealId) ?? null),
    );
  }
  async list({ states }: DealFilter): Promise<Rows<Deal>> {
    const rows = await this.database.statement('list deals', (at) =>
      Promise.resolve(
        at
          .rows<Deal>(DEAL)
          .map(([, deal]) => deal)
          .filter((deal) => states?.includes(deal.state) ?? deal.state !== 'waiting')
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      ),
    );
    return { rows, total: rows.length };
  }

  reserveOpenDeal(tx: Tx, takerId: number, most: number): Promise<boolean> {
    return this.count(tx, takerId, 1, most);
  }
  async addOpenDeal(tx: Tx, takerId: number): Promise<void> {
    await this.count(tx, takerId, 1, Number.POSITIVE_INFINITY);
  }
  async releaseOpenDeal(tx: Tx, takerId: number): Promise<void> {
    await this.count(tx, takerId, -1, Number.POSITIVE_INFINITY);
  }
  private count(tx: Tx, userId: number, change: 1 | -1, most: number): Promise<boolean> {
    return inTx(tx, 'count deals of a taker', async (at) => {
      await at.lock(TAKER, String(userId));
      const deals = (at.get<TakerCount>(TAKER, String(userId))?.deals ?? 0) + change;
      if (deals > most) return false;
      if (deals < 0) throw new Error(`check taker_count: ${userId} has fewer deals than none`);
      await at.put(TAKER, String(userId), { userId, deals } satisfies TakerCount);
      return true;
    });
  }

  countCancels(userId: number, day: number): Promise<number> {
    return this.database.statement('cancels of a day', (at) =>
      Promise.resolve(at.get<{ cancels: number }>(CANCEL, `${userId} ${day}`)?.cancels ?? 0),
    );
  }
  addCancel(tx: Tx, userId: number, day: number): Promise<void> {
    return inTx(tx, 'count a cancel', async (at) => {
      const key = `${userId} ${day}`;
      await at.lock(CANCEL, key);
      await at.put(CANCEL, key, { cancels: (at.get<{ cancels: number }>(CANCEL, key)?.cancels ?? 0) + 1 });
    });
  }
  removeCancel(tx: Tx, userId: number, day: number): Promise<void> {
    return inTx(tx, 'take a cancel back', async (at) => {
      const key = `${userId} ${day}`;
      await at.lock(CANCEL, key);
      const cancels = at.get<{ cancels: number }>(CANCEL, key)?.cancels ?? 0;
      if (cancels > 0) await at.put(CANCEL, key, { cancels: cancels - 1 });
    });
  }
  listStatistics(): Promise<ReadonlyMap<number, Statistics>> {
    return Promise.resolve(new Map());
  }
}
