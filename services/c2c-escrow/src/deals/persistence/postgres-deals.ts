import { Injectable } from '@nestjs/common';
import { Conditions, readPage, type Tx } from '@bourse/persistence';
import { DealStore, type DealFilter, type Statistics } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';
import type { Deal } from '../domain/deal.js';
import {
  createAssignments,
  toTimestamp,
  toDealChanges,
  DEAL_COLUMNS,
  toDeal,
  createInsert,
  RELEASE_SECONDS,
  toDealValues,
  type DealRow,
} from './rows.js';
import type { Page } from '@bourse/platform';
import type { Rows } from '@bourse/contract';

@Injectable()
export class PostgresDeals extends DealStore {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async insert(tx: Tx, deal: Deal): Promise<void> {
    await tx.execute(...createInsert('deal', toDealValues(deal)));
  }

  async lock(tx: Tx, dealId: string): Promise<Deal | null> {
    const [row] = await tx.query<DealRow>(`select ${DEAL_COLUMNS} from deal d where id = $1 for update`, [dealId]);
    return row ? toDeal(row) : null;
  }

  async save(tx: Tx, deal: Deal): Promise<void> {
    const changes = toDealChanges(deal);
    await tx.execute(`update deal set ${createAssignments(changes)} where id = $1`, [
      deal.id,
      ...Object.values(changes),
    ]);
  }

  async drop(tx: Tx, dealId: string): Promise<void> {
    await tx.execute(`delete from deal where id = $1 and state = 'waiting'`, [dealId]);
  }

  async find(dealId: string, tx?: Tx): Promise<Deal | null> {
    const sql = `select ${DEAL_COLUMNS} from deal d where id = $1`;
    const [row] = await (tx ?? this.database).query<DealRow>(sql, [dealId]);
    return row ? toDeal(row) : null;
  }

  async list(filter: DealFilter, page: Page): Promise<Rows<Deal>> {
    const { params, where } = new Conditions()
      .add('d.id = ?', filter.id)
      .add('d.kind = ?', filter.kind)
      .add('d.type = ?', filter.type)
      .add('d.taker_id = ?', filter.takerId)
      .add('d.owner_id = ?', filter.ownerId)
      .add('(d.taker_id = ? or d.owner_id = ?)', filter.userId)
      .add('d.ad_id = ?', filter.adId)
      .add('d.shop_id = ?', filter.shopId)
      .add('d.currency_id = ?::bigint', filter.currencyId)
      .add('d.state = any(?)', filter.states ?? ['unpaid', 'paid', 'finished', 'cancelled']);
    const list = { columns: DEAL_COLUMNS, from: 'deal d', where, params, orderBy: 'd.created_at desc, d.id desc' };
    const { rows, total } = await readPage<DealRow>(this.database, list, page);
    return { rows: rows.map(toDeal), total };
  }

  async reserveOpenDeal(tx: Tx, takerId: number, most: number): Promise<boolean> {
    await tx.execute('insert into taker_count (user_id, deals) values ($1, 0) on conflict do nothing', [takerId]);
    const sql = 'update taker_count set deals = deals + 1 where user_id = $1 and deals < $2';
    return (await tx.execute(sql, [takerId, most])) === 1;
  }
  async addOpenDeal(tx: Tx, takerId: number): Promise<void> {
    await tx.execute(
      `insert into taker_count (user_id, deals) values ($1, 1)
       on conflict (user_id) do update set deals = taker_count.deals + 1`,
      [takerId],
    );
  }
  async releaseOpenDeal(tx: Tx, takerId: number): Promise<void> {
    await tx.execute('update taker_count set deals = deals - 1 where user_id = $1', [takerId]);
  }

  async countCancels(userId: number, day: number): Promise<number> {
    const sql = 'select cancels from cancel_count where user_id = $1 and day = $2';
    const [row] = await this.database.query<{ cancels: number }>(sql, [userId, day]);
    return row?.cancels ?? 0;
  }
  async addCancel(tx: Tx, userId: number, day: number): Promise<void> {
    await tx.execute(
      `insert into cancel_count (user_id, day, cancels) values ($1, $2, 1)
       on conflict (user_id, day) do update set cancels = cancel_count.cancels + 1`,
      [userId, day],
    );
  }

  async removeCancel(tx: Tx, userId: number, day: number): Promise<void> {
    await tx.execute('update cancel_count set cancels = cancels - 1 where user_id = $1 and day = $2 and cancels > 0', [
      userId,
      day,
    ]);
  }

  async listStatistics(ownerIds: readonly number[], since: number): Promise<ReadonlyMap<number, Statistics>> {
    if (ownerIds.length === 0) return new Map();
    const rows = await this.database.query<{ owner_id: string; finished: number; ended: number; release: number }>(
      `select owner_id::text, count(*) filter (where state = 'finished')::int as finished, count(*)::int as ended,
         ${RELEASE_SECONDS}
       from deal where owner_id = any($1::bigint[]) and state in ('finished', 'cancelled')
         and ended_at >= ${toTimestamp('$2')}
       group by 1`,
      [ownerIds, since],
    );
    return new Map(
      rows.map(({ owner_id, finished, ended, release }) => [
        Number(owner_id),
        { finished, ended, releaseSeconds: release },
      ]),
    );
  }
}
