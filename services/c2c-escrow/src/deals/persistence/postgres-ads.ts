import { Injectable } from '@nestjs/common';
import { Conditions, readPage, type Tx } from '@bourse/persistence';
import { AdStore, type AdFilter } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';
import type { Ad, DealKind } from '../domain/ad.js';
import { AD_COLUMNS, toAd, toAdChanges, createInsert, toAdValues, type AdRow } from './rows.js';
import type { Page } from '@bourse/platform';
import type { Rows } from '@bourse/contract';

@Injectable()
export class PostgresAds extends AdStore {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async nextId(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ id: string }>(`select nextval('ad_id')::text as id`);
    return Number(row!.id);
  }

  async countOnShelf(tx: Tx, ownerId: number, kind: DealKind): Promise<number> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`ads ${kind} ${ownerId}`]);
    const [row] = await tx.query<{ ads: number }>(
      `select count(*)::int as ads from ad where owner_id = $1 and kind = $2 and state in ('waiting', 'shelf')`,
      [ownerId, kind],
    );
    return row?.ads ?? 0;
  }

  async insert(tx: Tx, ad: Ad): Promise<void> {
    await tx.execute(...createInsert('ad', toAdValues(ad)));
  }

  async lock(tx: Tx, id: number): Promise<Ad | null> {
    const [row] = await tx.query<AdRow>(`select ${AD_COLUMNS} from ad a where id = $1 for update`, [id]);
    return row ? toAd(row) : null;
  }

  async save(tx: Tx, ad: Ad): Promise<void> {
    await tx.execute(
      `update ad set state = $2, surplus = $3, surplus_fee = $4, finished = $5, returned = $6, open_deals = $7
       where id = $1`,
      [ad.id, ...toAdChanges(ad)],
    );
  }

  async drop(tx: Tx, id: number): Promise<void> {
    await tx.execute(`delete from ad where id = $1 and state = 'waiting'`, [id]);
  }

  async find(id: number): Promise<Ad | null> {
    const [row] = await this.database.query<AdRow>(`select ${AD_COLUMNS} from ad a where id = $1`, [id]);
    return row ? toAd(row) : null;
  }

  async listShopOwners(): Promise<readonly number[]> {
    const rows = await this.database.query<{ owner_id: string }>(
      `select distinct owner_id::text from ad where kind = 'shop' and state = 'shelf'`,
    );
    return rows.map(({ owner_id: id }) => Number(id));
  }

  async list(filter: AdFilter, page: Page): Promise<Rows<Ad>> {
    const most = 'least(a.max_number, a.surplus)';
    // On C2C a remainder below the minimum is taken as a whole; the remainder of a shop's ad cannot be taken.
    const least = `case a.kind when 'shop' then a.min_number else least(a.min_number, ${most}) end`;
    const fiat = (number: string): string => `round(a.price * ${number}, a.fiat_scale)`;
    const { params, where } = new Conditions()
      .add('a.kind = ?', filter.kind)
      .add('a.type = ?', filter.type)
      .add('a.state = any(?)', filter.states ?? ['shelf', 'off', 'sold'])
      .add('a.owner_id = ?', filter.ownerId)
      .add('a.shop_id = ?', filter.shopId)
      .add('a.owner_id <> all(?::bigint[])', filter.exceptOwners)
      .add('a.currency_id = ?::bigint', filter.currencyId)
      .add('a.coin_code = ?', filter.coinCode)
      .add('a.way = ?', filter.way)
      .add(
        `(a.surplus > 0 and (a.kind <> 'shop' or a.surplus >= a.min_number) and ${fiat(most)} > 0) = ?`,
        filter.hasSurplus,
      )
      .add(`?::numeric between ${fiat(least)} and ${fiat(most)}`, filter.money);
    // The reader of a buy ad sells, so the highest price is the best.
    const price = filter.type === 'buy' ? 'a.price desc' : 'a.price';
    const orderBy = filter.byPrice ? `${price}, a.id` : 'a.id desc';
    const list = { columns: AD_COLUMNS, from: 'ad a', where, params, orderBy };
    const { rows, total } = await readPage<AdRow>(this.database, list, page);
    return { rows: rows.map(toAd), total };
  }
}
