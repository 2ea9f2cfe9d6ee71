import { Injectable } from '@nestjs/common';
import type { ComplaintKind, Language, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { ComplaintStore, type ComplaintFilter, type NewMessage } from '../../application/complaint-ports.js';
import { NoticesDatabase } from '../../application/ports.js';
import type { Complaint, ComplaintMessage, ComplaintState } from '../../domain/complaint.js';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: string;
  readonly lang: Language;
  readonly kind: ComplaintKind;
  readonly subject: string;
  readonly about: string;
  readonly state: ComplaintState;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly closed_at: Date | null;
  readonly unread: number;
  readonly length: number;
}
const COLUMNS = `id::text, user_id::text, lang, kind, subject, about, state, created_at, updated_at, closed_at,
  unread, length`;

@Injectable()
export class PostgresComplaints extends ComplaintStore {
  constructor(private readonly database: NoticesDatabase) {
    super();
  }

  async openOf(tx: Tx, userId: number): Promise<number> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`complaints ${userId}`]);
    const [row] = await tx.query<{ count: number }>(
      `select count(*)::int as count from complaint where user_id = $1::bigint and state <> 'closed'`,
      [userId],
    );
    return row?.count ?? 0;
  }

  async insert(tx: Tx, complaint: Complaint): Promise<void> {
    const { id, userId, lang, kind, subject, about, state, createdAt, updatedAt, unread, length } = complaint;
    await tx.execute(
      `insert into complaint (id, user_id, lang, kind, subject, about, state, created_at, updated_at, unread, length)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [id, userId, lang, kind, subject, about, state, new Date(createdAt), new Date(updatedAt), unread, length],
    );
  }

  async save(tx: Tx, { id, state, updatedAt, closedAt, unread, length }: Complaint): Promise<void> {
    const saved = await tx.execute(
      `update complaint set state = $2, updated_at = $3, closed_at = $4, unread = $5, length = $6
       where id = $1::bigint`,
      [id, state, new Date(updatedAt), closedAt === null ? null : new Date(closedAt), unread, length],
    );
    if (saved !== 1) throw new Error(`invariant: complaint ${id} is not there`);
  }

  async addMessage(tx: Tx, id: number, { from, text, images, at, operatorId }: NewMessage): Promise<void> {
    await tx.execute(
      `insert into complaint_message (complaint_id, id, sender, text, images, at, operator_id)
       select $1::bigint, coalesce(max(id), 0) + 1, $2, $3, $4, $5, $6
       from complaint_message where complaint_id = $1::bigint`,
      [id, from, text, images, new Date(at), operatorId],
    );
  }

  async lock(tx: Tx, id: number): Promise<Complaint | null> {
    const [row] = await tx.query<Row>(`select ${COLUMNS} from complaint where id = $1::bigint for update`, [id]);
    return row ? complaintOf(row) : null;
  }

  async find(id: number): Promise<Complaint | null> {
    const [row] = await this.database.query<Row>(`select ${COLUMNS} from complaint where id = $1::bigint`, [id]);
    return row ? complaintOf(row) : null;
  }

  ofUser(userId: number, page: { offset: number; size: number }): Promise<Rows<Complaint>> {
    return this.page('user_id = $1::bigint', [userId], 'updated_at desc, id', page);
  }

  list({ state, userId }: ComplaintFilter, page: { offset: number; size: number }): Promise<Rows<Complaint>> {
    const where = `${state === undefined ? '$1::text is null' : 'state = $1'} and ${
      userId === undefined ? '$2::bigint is null' : 'user_id = $2::bigint'
    }`;
    return this.page(
      where,
      [state ?? null, userId ?? null],
      state === 'open' ? 'updated_at, id' : 'updated_at desc, id',
      page,
    );
  }

  async messages(id: number): Promise<readonly ComplaintMessage[]> {
    const rows = await this.database.query<{ sender: 'user' | 'support'; text: string; images: string[]; at: Date }>(
      'select sender, text, images, at from complaint_message where complaint_id = $1::bigint order by id',
      [id],
    );
    return rows.map(({ sender, text, images, at }) => ({ from: sender, text, images, at: at.getTime() }));
  }

  async waiting(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from complaint where state = 'open'`,
    );
    return row?.count ?? 0;
  }

  private async page(
    where: string,
    values: readonly unknown[],
    order: string,
    { offset, size }: { offset: number; size: number },
  ): Promise<Rows<Complaint>> {
    const rows = await this.database.query<Row & { total: number }>(
      `select ${COLUMNS} from complaint where ${where} order by ${order} limit ${size} offset ${offset}`,
      [...values],
    );
    const [counted] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from complaint where ${where}`,
      [...values],
    );
    return { rows: rows.map(complaintOf), total: counted?.count ?? 0 };
  }
}

function complaintOf(row: Row): Complaint {
  const { lang, kind, subject, about, state, unread, length } = row;
  return {
    ...{ id: Number(row.id), userId: Number(row.user_id), lang, kind, subject, about, state, unread, length },
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    closedAt: row.closed_at?.getTime() ?? null,
  };
}
