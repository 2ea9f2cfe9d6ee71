import { Injectable } from '@nestjs/common';
import type { OperatorAction as ActionEvent } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { Page } from '@bourse/platform';
import { AuditLog, type AuditLogFilter, type AuditLogLine } from '../../application/audit-log.js';
import { GatewayDatabase } from './gateway-database.js';

interface Row {
  readonly id: string;
  readonly time: Date;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly before: string;
  readonly after: string;
}
const COLUMNS = 'id, time, operator, action, target, reason, before, after';
/** Places $1 to $5, each empty when it narrows nothing. */
const NARROWED = `($1::text is null or operator = $1) and ($2::text is null or action = $2) and ($3::text is null or target = $3) and ($4::timestamptz is null or time >= $4) and ($5::timestamptz is null or time < $5)`;

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  async add(tx: Tx, actions: readonly ActionEvent[]): Promise<void> {
    await tx.execute(
      `insert into operator_action (event_id, time, operator_id, operator, action, target, reason, before, after)
       select event_id, to_timestamp(at / 1000.0), operator_id, operator, action, target, reason, before, after
       from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]) as a(event_id, at, operator_id, operator, action, target, reason, before, after)
       on conflict (event_id) do nothing`,
      [
        actions.map(({ id }) => id),
        actions.map(({ at }) => at),
        actions.map(({ operatorId }) => operatorId),
        ...(['operator', 'action', 'target', 'reason', 'before', 'after'] as const).map((name) =>
          actions.map((action) => action[name]),
        ),
      ],
    );
  }

  async list(filter: AuditLogFilter, { size, offset }: Page): Promise<{ lines: AuditLogLine[]; total: number }> {
    const values = valuesOf(filter);
    const [rows, [counted]] = await Promise.all([
      this.database.query<Row>(
        `select ${COLUMNS} from operator_action where ${NARROWED} order by id desc limit $6 offset $7`,
        [...values, size, offset],
      ),
      this.database.query<{ count: string }>(`select count(*) as count from operator_action where ${NARROWED}`, values),
    ]);
    return { lines: rows.map(lineOf), total: Number(counted?.count ?? 0) };
  }

  async since(at: number): Promise<number> {
    const [row] = await this.database.query<{ count: string }>(
      'select count(*) as count from operator_action where time >= $1',
      [new Date(at)],
    );
    return Number(row?.count ?? 0);
  }

  async after(filter: AuditLogFilter, id: number, limit: number): Promise<AuditLogLine[]> {
    return (
      await this.database.query<Row>(
        `select ${COLUMNS} from operator_action where ${NARROWED} and id > $6 order by id limit $7`,
        [...valuesOf(filter), id, limit],
      )
    ).map(lineOf);
  }
}

const valuesOf = ({ operator, action, target, from, to }: AuditLogFilter): unknown[] => [
  operator ?? null,
  action ?? null,
  target ?? null,
  from === undefined ? null : new Date(from),
  to === undefined ? null : new Date(to),
];
const lineOf = ({ id, time, ...line }: Row): AuditLogLine => ({ id: Number(id), at: time.getTime(), ...line });
