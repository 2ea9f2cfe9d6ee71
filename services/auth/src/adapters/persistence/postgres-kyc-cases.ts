import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { KycCases, Seal, type KycCase, type KycDocuments, type Sql } from '../../application/ports.js';
import { nameOf, sealedName } from './sealed-rows.js';

interface CaseRow {
  id: string;
  account_number: string;
  email: string;
  phone: string;
  nationality: string;
  name: string;
  name_sealed: string;
  card_sealed: string;
  review_status: 0 | 1 | 2;
  review_reason: string;
  front_pic: string;
  reverse_pic: string;
  hand_pic: string;
  submitted_at: Date | null;
  decided_at: Date | null;
}

@Injectable()
export class PostgresKycCases extends KycCases {
  constructor(private readonly seal: Seal) {
    super();
  }

  async submit(
    tx: Tx,
    userId: number,
    { name, cardSealed, frontPic, reversePic, handPic }: KycDocuments & { name: string; cardSealed: string },
    now: number,
  ): Promise<boolean> {
    const { sealed, marks } = sealedName(this.seal, userId, name);
    if (
      (await tx.execute(
        `update account set review_status = 1, review_reason = '', name = '', name_sealed = $2, name_marks = $3, card_sealed = $4 where id = $1 and review_status = 0`,
        [userId, sealed, marks, cardSealed],
      )) === 0
    )
      return false;
    await tx.execute(
      `insert into identity (user_id, front_pic, reverse_pic, hand_pic, submitted_at) values ($1, $2, $3, $4, $5)
       on conflict (user_id) do update set front_pic = excluded.front_pic, reverse_pic = excluded.reverse_pic, hand_pic = excluded.hand_pic, submitted_at = excluded.submitted_at, decided_at = null`,
      [userId, frontPic, reversePic, handPic, new Date(now)],
    );
    return true;
  }

  async decide(
    tx: Tx,
    userId: number,
    { pass, reason }: { pass: boolean; reason: string },
    now: number,
  ): Promise<boolean> {
    if (
      (await tx.execute(
        'update account set review_status = $2, review_reason = $3 where id = $1 and review_status = 1',
        [userId, pass ? 2 : 0, pass ? '' : reason],
      )) === 0
    )
      return false;
    await tx.execute('update identity set decided_at = $2 where user_id = $1', [userId, new Date(now)]);
    return true;
  }

  async list(
    sql: Sql,
    reviewStatus: 0 | 1 | 2 | undefined,
    { size, offset }: { size: number; offset: number },
  ): Promise<{ total: number; rows: KycCase[] }> {
    const from = 'from identity i join account a on a.id = i.user_id where ($1::int is null or a.review_status = $1)';
    const [[count], rows] = await Promise.all([
      sql.query<{ count: string }>(`select count(*) as count ${from}`, [reviewStatus ?? null]),
      sql.query<CaseRow>(
        `select a.id, a.account_number, a.email, a.phone, a.nationality, a.name, a.name_sealed, a.card_sealed, a.review_status, a.review_reason, i.front_pic, i.reverse_pic, i.hand_pic, i.submitted_at, i.decided_at ${from}
         order by i.decided_at is not null, i.decided_at desc, i.submitted_at, a.id limit $2 offset $3`,
        [reviewStatus ?? null, size, offset],
      ),
    ]);
    return { total: Number(count?.count ?? 0), rows: rows.map((row) => caseOf(row, nameOf(this.seal, row))) };
  }
}

const caseOf = (row: CaseRow, name: string): KycCase => ({
  userId: Number(row.id),
  accountNumber: row.account_number,
  email: row.email,
  phone: row.phone,
  nationality: row.nationality,
  name,
  cardSealed: row.card_sealed,
  reviewStatus: row.review_status,
  reviewReason: row.review_reason,
  frontPic: row.front_pic,
  reversePic: row.reverse_pic,
  handPic: row.hand_pic,
  submittedAt: row.submitted_at?.getTime() ?? null,
  decidedAt: row.decided_at?.getTime() ?? null,
});
