import { Injectable } from '@nestjs/common';
import type { Params, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { AppealStore, type AppealEvent, type AppealFilter, type Evidence } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';
import type { Appeal, AppealOpener, AppealSide, AppealState, EvidenceCount } from '../domain/appeal.js';
import type { Page } from '@bourse/platform';

interface AppealRow extends Record<string, unknown> {
  readonly id: string;
  readonly deal_id: string;
  readonly opened_by: AppealOpener;
  readonly state: AppealState;
  readonly with_escrow: boolean;
  readonly reason: string;
  readonly opened_at: Date;
  readonly due: Date;
  readonly ended_at: Date | null;
  readonly decision: string;
  readonly decided_by: string | null;
  readonly assigned_to: string | null;
  readonly proposed: AppealSide | null;
  readonly proposed_by: string | null;
  readonly proposed_at: Date | null;
}
const COLUMNS = `id::text, deal_id::text, opened_by, state, with_escrow, reason, opened_at, due, ended_at, decision,
  decided_by::text, assigned_to::text, proposed, proposed_by::text, proposed_at`;
const toId = (text: string | null): number | null => (text === null ? null : Number(text));
const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at));

function toAppeal(row: AppealRow): Appeal {
  const { proposed, proposed_by: by, proposed_at: at } = row;
  return {
    ...{ id: row.id, dealId: row.deal_id, openedBy: row.opened_by, state: row.state, withEscrow: row.with_escrow },
    reason: row.reason,
    openedAt: row.opened_at.getTime(),
    due: row.due.getTime(),
    endedAt: row.ended_at?.getTime() ?? null,
    decision: row.decision,
    decidedBy: toId(row.decided_by),
    assignedTo: toId(row.assigned_to),
    proposal: proposed && by && at ? { outcome: proposed, operatorId: Number(by), at: at.getTime() } : null,
  };
}

/** Groups rows by appeal. */
function groupByAppeal<R extends { readonly appeal_id: string }, T>(
  rows: readonly R[],
  of: (row: R) => T,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.appeal_id);
    if (group) group.push(of(row));
    else groups.set(row.appeal_id, [of(row)]);
  }
  return groups;
}

@Injectable()
export class PostgresAppeals extends AppealStore {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async insert(tx: Tx, appeal: Appeal): Promise<boolean> {
    const { id, dealId, openedBy, state, withEscrow, reason, openedAt, due } = appeal;
    const inserted = await tx.execute(
      `insert into appeal (id, deal_id, opened_by, state, with_escrow, reason, opened_at, due, decision)
       values ($1, $2, $3, $4, $5, $6, $7, $8, '')
       on conflict (deal_id) where state in ('waiting', 'open') do nothing`,
      [id, dealId, openedBy, state, withEscrow, reason, new Date(openedAt), new Date(due)],
    );
    return inserted === 1;
  }

  async lock(tx: Tx, id: string): Promise<Appeal | null> {
    const [row] = await tx.query<AppealRow>(`select ${COLUMNS} from appeal where id = $1 for update`, [id]);
    return row ? toAppeal(row) : null;
  }

  async drop(tx: Tx, id: string): Promise<void> {
    await tx.execute(`delete from appeal where id = $1 and state = 'waiting'`, [id]);
  }

  async lockOfDeal(tx: Tx, dealId: string): Promise<Appeal | null> {
    const [row] = await tx.query<AppealRow>(
      `select ${COLUMNS} from appeal where deal_id = $1 and state in ('waiting', 'open') for update`,
      [dealId],
    );
    return row ? toAppeal(row) : null;
  }

  async save(tx: Tx, appeal: Appeal): Promise<void> {
    const { id, state, withEscrow, endedAt, decision, decidedBy, assignedTo, proposal } = appeal;
    const saved = await tx.execute(
      `update appeal set state = $2, with_escrow = $3, ended_at = $4, decision = $5, decided_by = $6, assigned_to = $7,
         proposed = $8, proposed_by = $9, proposed_at = $10
       where id = $1`,
      [
        ...[id, state, withEscrow, toDate(endedAt), decision, decidedBy, assignedTo],
        ...[proposal?.outcome ?? null, proposal?.operatorId ?? null, toDate(proposal?.at ?? null)],
      ],
    );
    if (saved !== 1) throw new Error(`invariant: appeal ${id} is not there`);
  }

  async find(id: string): Promise<Appeal | null> {
    const [row] = await this.database.query<AppealRow>(
      `select ${COLUMNS} from appeal where id = $1 and state <> 'waiting'`,
      [id],
    );
    return row ? toAppeal(row) : null;
  }

  async listOfDeal(dealId: string): Promise<readonly Appeal[]> {
    const rows = await this.database.query<AppealRow>(
      `select ${COLUMNS} from appeal where deal_id = $1 and state <> 'waiting' order by opened_at desc, id`,
      [dealId],
    );
    return rows.map(toAppeal);
  }

  async countOfSide(tx: Tx, dealId: string, side: AppealSide): Promise<number> {
    const sql = 'select count(*)::int as appeals from appeal where deal_id = $1 and opened_by = $2';
    const [row] = await tx.query<{ appeals: number }>(sql, [dealId, side]);
    return row?.appeals ?? 0;
  }

  async list({ states, userId }: AppealFilter, page: Page): Promise<Rows<Appeal>> {
    const wanted = states ?? ['open', 'withdrawn', 'buyer', 'seller'];
    const onlyOpen = wanted.length === 1 && wanted[0] === 'open';
    const where = `state = any($1) and ($2::bigint is null or deal_id in
      (select id from deal where owner_id = $2 union all select id from deal where taker_id = $2))`;
    const [rows, [count]] = await Promise.all([
      this.database.query<AppealRow>(
        `select ${COLUMNS} from appeal where ${where} order by ${onlyOpen ? 'due, id' : 'opened_at desc, id'}
         limit $3 offset $4`,
        [wanted, userId ?? null, page.size, page.offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total from appeal where ${where}`, [
        wanted,
        userId ?? null,
      ]),
    ]);
    return { rows: rows.map(toAppeal), total: count?.total ?? 0 };
  }

  async addEvidence(tx: Tx, appealId: string, { by, text, picture, at }: Evidence): Promise<void> {
    await tx.execute('insert into appeal_evidence (appeal_id, by, text, picture, at) values ($1, $2, $3, $4, $5)', [
      ...[appealId, by, text, picture, new Date(at)],
    ]);
  }

  async countEvidence(tx: Tx, appealId: string, side: AppealSide): Promise<EvidenceCount> {
    const [row] = await tx.query<{ pieces: number; pictures: number }>(
      `select count(*)::int as pieces, (count(*) filter (where picture <> ''))::int as pictures
       from appeal_evidence where appeal_id = $1 and by = $2`,
      [appealId, side],
    );
    return row ?? { pieces: 0, pictures: 0 };
  }

  async addEvent(tx: Tx, appealId: string, event: AppealEvent): Promise<void> {
    const { at, key, params, note, operatorId, isShown } = event;
    await tx.execute(
      `insert into appeal_event (appeal_id, at, key, params, note, operator_id, is_shown)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [appealId, new Date(at), key, JSON.stringify(params), note, operatorId, isShown],
    );
  }

  async listEvidence(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Evidence[]>> {
    const rows = await this.database.query<{
      appeal_id: string;
      by: AppealSide;
      text: string;
      picture: string;
      at: Date;
    }>(
      `select appeal_id::text, by, text, picture, at from appeal_evidence
       where appeal_id = any($1::bigint[]) order by id`,
      [ids],
    );
    return groupByAppeal(rows, ({ by, text, picture, at }) => ({ by, text, picture, at: at.getTime() }));
  }

  async listEvents(ids: readonly string[]): Promise<ReadonlyMap<string, readonly AppealEvent[]>> {
    const rows = await this.database.query<{
      appeal_id: string;
      at: Date;
      key: string;
      params: Params;
      note: string;
      operator_id: string | null;
      is_shown: boolean;
    }>(
      `select appeal_id::text, at, key, params, note, operator_id::text, is_shown from appeal_event
       where appeal_id = any($1::bigint[]) order by id`,
      [ids],
    );
    return groupByAppeal(rows, ({ at, key, params, note, operator_id: operator, is_shown: isShown }) => ({
      ...{ key, params, note, isShown },
      at: at.getTime(),
      operatorId: toId(operator),
    }));
  }

  async countWork(now: number): Promise<{ readonly open: number; readonly overdue: number }> {
    const [row] = await this.database.query<{ open: number; overdue: number }>(
      `select count(*)::int as open, (count(*) filter (where due <= $1))::int as overdue from appeal
       where state = 'open'`,
      [new Date(now)],
    );
    return row ?? { open: 0, overdue: 0 };
  }
}
