import { Injectable } from '@nestjs/common';
import {
  And,
  ArrayContains,
  Equal,
  LessThan,
  Like,
  MoreThan,
  MoreThanOrEqual,
  type FindOperator,
  type FindOptionsWhere,
} from 'typeorm';
import type { OperatorAction as ActionEvent } from '@bourse/events';
import { insertMissing, type Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';
import { AuditLog, type AuditLogFilter, type AuditLogLine } from '../application/audit-log.js';
import { OperatorActionEntity } from './operator-action.entity.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  async add(tx: Tx, actions: readonly ActionEvent[]): Promise<void> {
    const rows = actions.map(({ id, subjects = [], ...action }) => ({ ...action, subjects, eventId: id }));
    await insertMissing(tx.manager, OperatorActionEntity, rows);
  }

  async list(filter: AuditLogFilter, { size, offset }: Page): Promise<{ lines: AuditLogLine[]; total: number }> {
    const [rows, total] = await this.database.manager.findAndCount(OperatorActionEntity, {
      where: narrowedBy(filter),
      order: { id: 'DESC' },
      take: size,
      skip: offset,
    });
    return { lines: rows.map(lineOf), total };
  }

  since(at: number): Promise<number> {
    return this.database.manager.countBy(OperatorActionEntity, { at: MoreThanOrEqual(at) });
  }

  async after(filter: AuditLogFilter, id: number, limit: number): Promise<AuditLogLine[]> {
    const rows = await this.database.manager.find(OperatorActionEntity, {
      where: narrowedBy(filter).map((where) => ({ ...where, id: MoreThan(id) })),
      order: { id: 'ASC' },
      take: limit,
    });
    return rows.map(lineOf);
  }
}

/** Alternatives of which one must hold. A filter by person matches the target or the subjects. */
function narrowedBy({ from, to, userId, ...names }: AuditLogFilter): FindOptionsWhere<OperatorActionEntity>[] {
  const bounds = [...(from === undefined ? [] : [MoreThanOrEqual(from)]), ...(to === undefined ? [] : [LessThan(to)])];
  const common = {
    ...Object.fromEntries(
      Object.entries(names).flatMap(([name, value]) => (value === undefined ? [] : [[name, named(value)]])),
    ),
    ...(bounds.length > 0 ? { at: And(...bounds) } : {}),
  };
  if (userId === undefined) return [common];
  const asked = names.target === undefined ? [] : [named(names.target)];
  return [
    { ...common, subjects: ArrayContains([userId]) },
    { ...common, target: And(Equal(`user:${userId}`), ...asked) },
  ];
}

/** A word with a final star matches as a prefix; LIKE's own wildcards are escaped. */
const named = (word: string): FindOperator<string> =>
  word.endsWith('*') ? Like(`${word.slice(0, -1).replace(/[\\%_]/g, '\\$&')}%`) : Equal(word);

const lineOf = ({ id, at, operator, action, target, reason, before, after }: OperatorActionEntity): AuditLogLine => ({
  id,
  at,
  operator,
  action,
  target,
  reason,
  before,
  after,
});
