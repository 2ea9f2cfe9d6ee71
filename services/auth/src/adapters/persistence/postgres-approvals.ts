import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import {
  ApprovalStore,
  type Approval,
  type ApprovalState,
  type NewApproval,
  type Shown,
} from '../../application/approvals/ports.js';
import type { Sql } from '../../application/ports.js';
import type { Sponsorship } from '../../domain/second-person.js';

interface Row {
  id: string;
  call: string;
  target: string;
  reason: string;
  before: Shown;
  after: Shown;
  payload: unknown;
  state: ApprovalState;
  created_by: string;
  created_by_name: string;
  decided_by_name: string | null;
  created_at: Date;
}
/** `$1` is the time now: what was not decided in time counts as rejected before anybody has written so. */
const STATE = `case when a.state = 'waiting' and a.expires_at <= $1 then 'rejected' else a.state end`;
const SELECT = `select a.id, a.call, a.target, a.reason, a.before, a.after, a.payload, ${STATE} as state, a.created_by, a.created_at,
  c.username as created_by_name, d.username as decided_by_name
  from approval a join operator c on c.id = a.created_by left join operator d on d.id = a.decided_by`;

@Injectable()
export class PostgresApprovals extends ApprovalStore {
  async add(tx: Tx, approval: NewApproval, now: number, expiresAt: number): Promise<number> {
    const { call, target, reason, before, after, payload, createdBy } = approval;
    const [row] = await tx.query<{ id: string }>(
      `insert into approval (call, target, reason, before, after, payload, created_by, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
      [
        call,
        target,
        reason,
        JSON.stringify(before),
        JSON.stringify(after),
        JSON.stringify(payload),
        createdBy,
        new Date(now),
        new Date(expiresAt),
      ],
    );
    return Number(row?.id);
  }

  async lock(tx: Tx, id: number, now: number): Promise<Approval | null> {
    const [row] = await tx.query<Row>(`${SELECT} where a.id = $2 for no key update of a`, [new Date(now), id]);
    return row ? approvalOf(row) : null;
  }

  async decide(
    tx: Tx,
    id: number,
    { state, by, reason }: Parameters<ApprovalStore['decide']>[2],
    now: number,
  ): Promise<void> {
    await tx.execute(
      'update approval set state = $2, decided_by = $3, decision_reason = $4, decided_at = $5, payload = null where id = $1',
      [id, state, by, reason, new Date(now)],
    );
  }

  async list(
    sql: Sql,
    { calls, state }: Parameters<ApprovalStore['list']>[1],
    { size, offset }: Parameters<ApprovalStore['list']>[2],
    now: number,
  ): Promise<{ rows: Approval[]; total: number }> {
    const values = [new Date(now), [...calls], state ?? null];
    const where = `where a.call = any($2) and ($3::text is null or ${STATE} = $3)`;
    const [counted] = await sql.query<{ count: string }>(`select count(*) from approval a ${where}`, values);
    const rows = await sql.query<Row>(`${SELECT} ${where} order by a.id desc limit $4 offset $5`, [
      ...values,
      size,
      offset,
    ]);
    return { rows: rows.map(approvalOf), total: Number(counted?.count ?? 0) };
  }

  expire(sql: Sql, now: number): Promise<number> {
    return sql.execute(
      `update approval set state = 'rejected', decided_at = expires_at, payload = null where state = 'waiting' and expires_at <= $1`,
      [new Date(now)],
    );
  }

  async sponsor(tx: Tx, operatorId: number, sponsorIds: readonly number[], now: number): Promise<void> {
    await tx.execute(
      `insert into operator_sponsor (operator_id, sponsor_id, at) select $1, sponsor, $3 from unnest($2::bigint[]) as sponsor
       on conflict (operator_id, sponsor_id) do update set at = excluded.at`,
      [operatorId, [...new Set(sponsorIds)], new Date(now)],
    );
  }

  async sponsorships(sql: Sql, after: number): Promise<Sponsorship[]> {
    const rows = await sql.query<{ operator_id: string; sponsor_id: string }>(
      'select operator_id, sponsor_id from operator_sponsor where at > $1',
      [new Date(after)],
    );
    return rows.map((row) => ({ operatorId: Number(row.operator_id), sponsorId: Number(row.sponsor_id) }));
  }
}

const approvalOf = (row: Row): Approval => ({
  id: Number(row.id),
  call: row.call,
  target: row.target,
  reason: row.reason,
  before: row.before,
  after: row.after,
  payload: row.payload,
  state: row.state,
  createdBy: Number(row.created_by),
  createdByName: row.created_by_name,
  decidedByName: row.decided_by_name ?? '',
  createdAt: row.created_at.getTime(),
});
