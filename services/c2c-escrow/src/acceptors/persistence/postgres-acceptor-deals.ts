import { Injectable } from '@nestjs/common';
import type { Rows } from '@bourse/contract';
import { formatTrimmed, rescale, toUnits } from '@bourse/money';
import { Conditions, readPage, type Tx } from '@bourse/persistence';
import { AcceptorDealStore, type AcceptorDealFilter } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';
import {
  CASH_SCALE,
  cashOf,
  coinsOf,
  type AcceptorDeal,
  type AcceptorDispute,
  type AcceptorDealStage,
  type AcceptorDealState,
  type AcceptorDealType,
  type AcceptorWay,
} from '../domain/acceptor-deal.js';
import { FACTS } from './postgres-sealed-acceptor-deals.js';

interface AcceptorDealRow extends Record<string, unknown> {
  readonly id: string;
  readonly type: AcceptorDealType;
  readonly user_id: string;
  readonly acceptor_id: string;
  readonly acceptor_name: string;
  readonly currency_id: number;
  readonly scale: number;
  readonly coins: string;
  readonly cash: string;
  readonly way: AcceptorWay;
  readonly facts: string;
  readonly silent_ms: string;
  readonly auto_ms: string;
  readonly state: AcceptorDealState;
  readonly stage: AcceptorDealStage;
  readonly proof: string;
  readonly evidence: string;
  readonly reason: string;
  readonly reason_key: string;
  readonly auto_at: string | null;
  readonly dispute: AcceptorDispute;
  readonly missing: string;
  readonly due_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}
const toTimestamp = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
const toMs = (column: string): string => `round(extract(epoch from ${column}) * 1000)::bigint::text as ${column}`;
const COLUMNS = `id::text, type, user_id::text, acceptor_id::text, acceptor_name, currency_id, scale,
  trim_scale(coins)::text as coins, trim_scale(cash)::text as cash, way, ${FACTS} as facts,
  silent_ms::text, auto_ms::text, state, stage, proof, evidence, reason, reason_key, dispute,
  trim_scale(missing)::text as missing, ${['auto_at', 'due_at', 'created_at', 'updated_at'].map(toMs).join(', ')}`;

function toDeal(stored: AcceptorDealRow): AcceptorDeal {
  const { type, scale } = stored;
  const [coins, cash] = [toUnits(stored.coins, scale), toUnits(stored.cash, CASH_SCALE)];
  return {
    id: stored.id,
    type,
    userId: Number(stored.user_id),
    acceptorId: Number(stored.acceptor_id),
    acceptorName: stored.acceptor_name,
    currencyId: stored.currency_id,
    scale,
    money: type === 'buy' ? cash : rescale(coins, scale, CASH_SCALE, 'down'),
    received: type === 'buy' ? coins : cash,
    way: stored.way,
    facts: stored.facts,
    silentMs: Number(stored.silent_ms),
    autoMs: Number(stored.auto_ms),
    state: stored.state,
    stage: stored.stage,
    proof: stored.proof,
    evidence: stored.evidence,
    reason: stored.reason,
    reasonKey: stored.reason_key,
    autoAt: stored.auto_at === null ? null : Number(stored.auto_at),
    dispute: stored.dispute,
    missing: toUnits(stored.missing, scale),
    dueAt: stored.due_at === null ? null : Number(stored.due_at),
    createdAt: Number(stored.created_at),
    updatedAt: Number(stored.updated_at),
  };
}

/** States of `is_sure` in the contract. */
const SURE: readonly AcceptorDealState[] = ['open', 'confirmed', 'rejected'];

@Injectable()
export class PostgresAcceptorDeals extends AcceptorDealStore {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async insert(tx: Tx, deal: AcceptorDeal): Promise<void> {
    await tx.execute(
      `insert into acceptor_deal (id, type, user_id, acceptor_id, acceptor_name, currency_id, scale, coins, cash, way,
         facts, silent_ms, auto_ms, state, created_at, updated_at, acceptor_account, mobile, account)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
         ${toTimestamp('$15')}, ${toTimestamp('$15')}, '', '', '')`,
      [
        deal.id,
        deal.type,
        deal.userId,
        deal.acceptorId,
        deal.acceptorName,
        deal.currencyId,
        deal.scale,
        formatTrimmed(coinsOf(deal), deal.scale),
        formatTrimmed(cashOf(deal), CASH_SCALE),
        deal.way,
        deal.facts,
        deal.silentMs,
        deal.autoMs,
        deal.state,
        deal.createdAt,
      ],
    );
  }

  async countOpenDeposits(tx: Tx, userId: number): Promise<number> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`acceptor deposits ${userId}`]);
    const [row] = await tx.query<{ deals: number }>(
      `select count(*)::int as deals from acceptor_deal
       where user_id = $1 and type = 'buy' and state in ('asking', 'open')`,
      [userId],
    );
    return row?.deals ?? 0;
  }

  async sumReserved(userId: number, acceptorId: number, tx?: Tx): Promise<bigint> {
    const [row] = await (tx ?? this.database).query<{ coins: string; scale: number }>(
      `select coalesce(sum(coins), 0)::text as coins, coalesce(max(scale), 0) as scale from acceptor_deal
       where user_id = $1 and acceptor_id = $2 and type = 'buy' and state in ('asking', 'open')`,
      [userId, acceptorId],
    );
    return row ? toUnits(row.coins, row.scale) : 0n;
  }
  async listDecidedAgainst(userId: number, since: number): Promise<readonly number[]> {
    const rows = await this.database.query<{ updated_at: string }>(
      `select ${toMs('updated_at')} from acceptor_deal
       where user_id = $1 and type = 'buy' and state = 'rejected' and stage = 'objected' and evidence <> ''
         and acceptor_deal.updated_at >= ${toTimestamp('$2')}`,
      [userId, since],
    );
    return rows.map(({ updated_at: at }) => Number(at));
  }

  async lock(tx: Tx, id: string): Promise<AcceptorDeal | null> {
    const [found] = await tx.query<AcceptorDealRow>(
      `select ${COLUMNS} from acceptor_deal where acceptor_deal.id = $1 for update`,
      [id],
    );
    return found ? toDeal(found) : null;
  }

  async find(id: string): Promise<AcceptorDeal | null> {
    const sql = `select ${COLUMNS} from acceptor_deal where acceptor_deal.id = $1`;
    const [found] = await this.database.query<AcceptorDealRow>(sql, [id]);
    return found ? toDeal(found) : null;
  }

  async save(tx: Tx, deal: AcceptorDeal): Promise<void> {
    await tx.execute(
      `update acceptor_deal set state = $2, stage = $3, proof = $4, evidence = $5, reason = $6, reason_key = $7,
         due_at = ${toTimestamp('$8')}, created_at = ${toTimestamp('$9')}, updated_at = ${toTimestamp('$10')},
         auto_at = ${toTimestamp('$11')},
         dispute = $12, missing = $13 where id = $1`,
      [
        deal.id,
        deal.state,
        deal.stage,
        deal.proof,
        deal.evidence,
        deal.reason,
        deal.reasonKey,
        deal.dueAt,
        deal.createdAt,
        deal.updatedAt,
        deal.autoAt,
        deal.dispute,
        formatTrimmed(deal.missing, deal.scale),
      ],
    );
  }
  async drop(tx: Tx, id: string): Promise<void> {
    await tx.execute(`delete from acceptor_deal where id = $1 and state in ('asking', 'holding')`, [id]);
  }

  async list(
    filter: AcceptorDealFilter,
    { size, offset }: { readonly size: number; readonly offset: number },
  ): Promise<Rows<AcceptorDeal>> {
    const { where, params } = new Conditions()
      .addText(`state in ('open', 'confirmed', 'rejected')`)
      .add('user_id = ?', filter.userId)
      .add('acceptor_id = ?', filter.acceptorId)
      .add('type = ?', filter.type)
      .add('way = ?', filter.way)
      .add('state = ?', filter.isSure === undefined ? undefined : SURE[filter.isSure])
      .add(`((state = 'open' and stage = 'objected') or dispute in ('open', 'returning')) = ?`, filter.isObjected)
      .add('? in (user_id, acceptor_id)', filter.partyId);
    const orderBy = 'acceptor_deal.created_at desc, acceptor_deal.id desc';
    const list = { columns: COLUMNS, from: 'acceptor_deal', where, params, orderBy };
    const { rows, total } = await readPage<AcceptorDealRow>(this.database, list, { size, offset });
    return { rows: rows.map(toDeal), total };
  }
}
