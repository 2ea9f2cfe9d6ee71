import { Injectable } from '@nestjs/common';
import { formatTrimmed, toUnits } from '@bourse/money';
import { Conditions, readPage, type Tx } from '@bourse/persistence';
import { C2cDatabase } from '../../shared/application/database.js';
import { ShopStore, type ShopFigures, type ShopFilter } from '../application/ports.js';
import type { Shop, ShopLevel, ShopState } from '../domain/shop.js';
import { RELEASE_SECONDS, toTimestamp } from '../../deals/persistence/rows.js';
import type { Page } from '@bourse/platform';
import type { Rows } from '@bourse/contract';

const toMs = (column: string): string => `round(extract(epoch from ${column}) * 1000)::bigint as ${column}`;
const COLUMNS = `id::text, user_id::text, name, currency_id, currency_name, level, state, deposit_currency_id,
  deposit_scale, deposit::text, ${toMs('created_at')}, ${toMs('decided_at')}`;

interface StoredShop extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly currency_id: number;
  readonly currency_name: string;
  readonly level: ShopLevel;
  readonly state: ShopState;
  readonly deposit_currency_id: number;
  readonly deposit_scale: number;
  readonly deposit: string;
  readonly created_at: string;
  readonly decided_at: string | null;
}
const toShop = (row: StoredShop): Shop => ({
  id: Number(row.id),
  userId: Number(row.user_id),
  name: row.name,
  currencyId: row.currency_id,
  currencyName: row.currency_name,
  level: row.level,
  state: row.state,
  depositCurrencyId: row.deposit_currency_id,
  depositScale: row.deposit_scale,
  deposit: toUnits(row.deposit, row.deposit_scale),
  createdAt: Number(row.created_at),
  decidedAt: row.decided_at === null ? null : Number(row.decided_at),
});
const toDeposit = ({ deposit, depositScale }: Shop): string => formatTrimmed(deposit, depositScale);

@Injectable()
export class PostgresShops extends ShopStore {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async nextId(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ id: string }>(`select nextval('shop_id')::text as id`);
    return Number(row?.id);
  }

  async insert(tx: Tx, shop: Shop): Promise<boolean> {
    const stored = await tx.execute(
      `insert into shop (id, user_id, name, currency_id, currency_name, level, state, deposit_currency_id,
         deposit_scale, deposit, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${toTimestamp('$11')})
       on conflict (user_id, currency_id) where state not in ('refused', 'closed') do nothing`,
      [
        shop.id,
        shop.userId,
        shop.name,
        shop.currencyId,
        shop.currencyName,
        shop.level,
        shop.state,
        shop.depositCurrencyId,
        shop.depositScale,
        toDeposit(shop),
        shop.createdAt,
      ],
    );
    return stored === 1;
  }

  async lock(tx: Tx, id: number): Promise<Shop | null> {
    const [row] = await tx.query<StoredShop>(`select ${COLUMNS} from shop where shop.id = $1 for update`, [id]);
    return row ? toShop(row) : null;
  }

  async save(tx: Tx, shop: Shop): Promise<void> {
    await tx.execute(
      `update shop set level = $2, state = $3, deposit = $4, decided_at = ${toTimestamp('$5')} where id = $1`,
      [shop.id, shop.level, shop.state, toDeposit(shop), shop.decidedAt],
    );
  }

  async isBusy(tx: Tx, id: number): Promise<boolean> {
    const [row] = await tx.query<{ busy: boolean }>(
      `select exists (select from ad where shop_id = $1 and state in ('waiting', 'shelf'))
         or exists (select from deal where shop_id = $1 and state in ('waiting', 'unpaid', 'paid')) as busy`,
      [id],
    );
    return row?.busy ?? false;
  }

  async drop(tx: Tx, id: number): Promise<void> {
    await tx.execute(`delete from shop where id = $1 and state = 'waiting'`, [id]);
  }

  async find(id: number): Promise<Shop | null> {
    const [row] = await this.database.query<StoredShop>(
      `select ${COLUMNS} from shop where shop.id = $1 and state <> 'waiting'`,
      [id],
    );
    return row ? toShop(row) : null;
  }

  async list({ userId, state }: ShopFilter, page: Page): Promise<Rows<Shop>> {
    const { params, where } = new Conditions()
      .addText("state <> 'waiting'")
      .add('user_id = ?', userId)
      .add('state = ?', state);
    const list = { columns: COLUMNS, from: 'shop', where, params, orderBy: 'shop.id desc' };
    const { rows, total } = await readPage<StoredShop>(this.database, list, page);
    return { rows: rows.map(toShop), total };
  }

  async listFigures(shops: readonly Shop[], since: number): Promise<ReadonlyMap<number, ShopFigures>> {
    const rows = await this.database.query<{
      id: string;
      finished: number;
      ended: number;
      release: number;
      ads: number;
    }>(
      `select s.id::text, coalesce(d.finished, 0)::int as finished, coalesce(d.ended, 0)::int as ended,
         coalesce(d.release, 0) as release, coalesce(a.ads, 0)::int as ads
       from unnest($1::bigint[]) s (id)
       left join (
         select shop_id, count(*) filter (where state = 'finished') as finished, count(*) as ended,
           ${RELEASE_SECONDS}
         from deal
         where owner_id = any($2::bigint[]) and state in ('finished', 'cancelled') and ended_at >= ${toTimestamp('$3')}
         group by shop_id
       ) d on d.shop_id = s.id
       left join (
         select shop_id, count(*) as ads from ad
         where shop_id = any($1::bigint[]) and state = 'shelf' group by shop_id
       ) a on a.shop_id = s.id
       where d.ended > 0 or a.ads > 0`,
      [shops.map(({ id }) => id), [...new Set(shops.map(({ userId }) => userId))], since],
    );
    return new Map(rows.map(({ id, release, ...figures }) => [Number(id), { ...figures, releaseSeconds: release }]));
  }
}
