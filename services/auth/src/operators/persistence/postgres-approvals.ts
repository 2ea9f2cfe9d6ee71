import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { ApprovalStore, type Approval, type NewApproval } from '../application/approval-ports.js';
import type { Sql } from '../../shared/application/ports/database.js';
import type { Sponsorship } from '../domain/second-person.js';
import { ApprovalEntity } from '../../shared/persistence/entities/approval.entity.js';
import { OperatorSponsorEntity } from '../../shared/persistence/entities/operator-sponsor.entity.js';
import type { ApprovalState } from '../../shared/application/ports/approval-state.js';

const OPERATORS = { creator: true, decider: true, sender: true };
/** A call whose outcome is known. */
const NOT_SENT = { sentBy: () => 'null', sentAt: () => 'null', sentTries: 0 };

@Injectable()
export class PostgresApprovals extends ApprovalStore {
  async add(tx: Tx, approval: NewApproval, now: number, expiresAt: number): Promise<number> {
    const { id } = await tx.manager.save(ApprovalEntity, { ...approval, createdAt: now, expiresAt });
    return id;
  }

  async lock(tx: Tx, id: number, now: number): Promise<Approval | null> {
    await tx.manager.findOne(ApprovalEntity, {
      select: { id: true },
      where: { id },
      lock: { mode: 'for_no_key_update' },
    });
    const row = await tx.manager.findOne(ApprovalEntity, { where: { id }, relations: OPERATORS });
    return row && approvalOf(row, now);
  }

  async decide(
    tx: Tx,
    id: number,
    { state, by, reason }: Parameters<ApprovalStore['decide']>[2],
    now: number,
  ): Promise<void> {
    await tx.manager.update(
      ApprovalEntity,
      { id },
      {
        state,
        decidedBy: by,
        decisionReason: reason,
        decidedAt: now,
        inForceAt: () => 'null',
        payload: () => 'null',
        heldPayload: () => 'null',
        ...NOT_SENT,
      },
    );
  }

  async hold(
    tx: Tx,
    id: number,
    { by, reason, inForceAt }: Parameters<ApprovalStore['hold']>[2],
    now: number,
  ): Promise<void> {
    await tx.manager.update(
      ApprovalEntity,
      { id },
      {
        state: 'approved',
        decidedBy: by,
        decisionReason: reason,
        decidedAt: now,
        ...(inForceAt === null ? {} : { inForceAt }),
        heldPayload: () => 'payload',
        payload: () => 'null',
      },
    );
  }

  async send(tx: Tx, id: number, by: number, now: number): Promise<void> {
    await tx.manager.update(ApprovalEntity, { id }, { sentBy: by, sentAt: now, sentTries: 0 });
  }

  async countTry(tx: Tx, id: number): Promise<void> {
    await tx.manager.increment(ApprovalEntity, { id }, 'sentTries', 1);
  }

  async unsend(tx: Tx, id: number): Promise<void> {
    await tx.manager.update(ApprovalEntity, { id }, NOT_SENT);
  }

  async reopen(tx: Tx, id: number): Promise<void> {
    await tx.manager.update(
      ApprovalEntity,
      { id },
      {
        state: 'waiting',
        decidedBy: () => 'null',
        decisionReason: '',
        decidedAt: () => 'null',
        payload: () => 'held_payload',
        heldPayload: () => 'null',
        ...NOT_SENT,
      },
    );
  }

  async release(tx: Tx, id: number, inForceAt: number | null): Promise<void> {
    await tx.manager.update(
      ApprovalEntity,
      { id },
      { ...(inForceAt === null ? {} : { inForceAt }), heldPayload: () => 'null', ...NOT_SENT },
    );
  }

  async pending(sql: Sql, calls: readonly string[], now: number): Promise<readonly Approval[]> {
    const call = In([...calls]);
    const rows = await sql.manager.find(ApprovalEntity, {
      where: [...inState('waiting', now), HELD].map((where) => ({ ...where, call })),
      relations: OPERATORS,
      order: { id: 'ASC' },
    });
    return rows.map((row) => approvalOf(row, now));
  }

  async list(
    sql: Sql,
    { calls, state }: Parameters<ApprovalStore['list']>[1],
    { size, offset }: Parameters<ApprovalStore['list']>[2],
    now: number,
  ): Promise<Rows<Approval>> {
    const call = In([...calls]);
    const [rows, total] = await sql.manager.findAndCount(ApprovalEntity, {
      where: inState(state, now).map((where) => ({ ...where, call })),
      relations: OPERATORS,
      order: { id: 'DESC' },
      take: size,
      skip: offset,
    });
    return { rows: rows.map((row) => approvalOf(row, now)), total };
  }

  async waiting(sql: Sql, now: number): Promise<{ waiting: number; held: number }> {
    const [waiting, held] = await Promise.all([
      sql.manager.countBy(ApprovalEntity, inState('waiting', now)),
      sql.manager.countBy(ApprovalEntity, HELD),
    ]);
    return { waiting, held };
  }

  async expire(sql: Sql, now: number): Promise<number> {
    const { affected } = await sql.manager.update(
      ApprovalEntity,
      { state: 'waiting', expiresAt: LessThanOrEqual(now) },
      { state: 'rejected', decidedAt: () => 'expires_at', payload: () => 'null' },
    );
    return affected ?? 0;
  }

  async sponsor(tx: Tx, operatorId: number, sponsorIds: readonly number[], now: number): Promise<void> {
    await tx.manager.upsert(
      OperatorSponsorEntity,
      [...new Set(sponsorIds)].map((sponsorId) => ({ operatorId, sponsorId, at: now })),
      ['operatorId', 'sponsorId'],
    );
  }

  sponsorships(sql: Sql, after: number): Promise<Sponsorship[]> {
    return sql.manager.findBy(OperatorSponsorEntity, { at: MoreThan(after) });
  }
}

/** Approved and not in force yet: the payload is kept until then. */
const HELD: FindOptionsWhere<ApprovalEntity> = { heldPayload: Not(IsNull()) };

/** A call that was not decided in time counts as rejected before its row says so. */
function inState(state: ApprovalState | undefined, now: number): FindOptionsWhere<ApprovalEntity>[] {
  if (state === undefined) return [{}];
  if (state === 'waiting') return [{ state, expiresAt: MoreThan(now) }];
  if (state === 'rejected') return [{ state }, { state: 'waiting', expiresAt: LessThanOrEqual(now) }];
  return [{ state }];
}

const approvalOf = (row: ApprovalEntity, now: number): Approval => ({
  id: row.id,
  call: row.call,
  target: row.target,
  reason: row.reason,
  before: row.before,
  after: row.after,
  payload: row.payload ?? row.heldPayload,
  state: row.state === 'waiting' && row.expiresAt <= now ? 'rejected' : row.state,
  createdBy: row.createdBy,
  createdByName: row.creator.username,
  decidedBy: row.decidedBy,
  decidedByName: row.decider?.username ?? '',
  decisionReason: row.decisionReason,
  createdAt: row.createdAt,
  inForceAt: row.inForceAt,
  isHeld: row.heldPayload !== null,
  sent:
    row.sentBy === null || row.sentAt === null
      ? null
      : { by: { id: row.sentBy, name: row.sender?.username ?? '' }, at: row.sentAt, tries: row.sentTries },
});
