import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';
import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Sql } from '../application/ports/database.js';
import { KycCases, type KycCase, type KycDocuments, type KycFilter } from '../application/ports/kyc-cases.js';
import { Seal } from '../application/ports/seal.js';
import { AccountEntity } from './entities/account.entity.js';
import { IdentityEntity } from './entities/identity.entity.js';
import { cardMarks, nameOf, sealedCard, sealedName } from './sealed-rows.js';

/** Maximum number of accounts with one id number that an operator is shown. */
const SAME_MAX = 100;

@Injectable()
export class PostgresKycCases extends KycCases {
  constructor(private readonly seal: Seal) {
    super();
  }

  async submit(
    tx: Tx,
    userId: number,
    { name, cardId, frontPic, reversePic, handPic }: KycDocuments & { name: string; cardId: string },
    now: number,
  ): Promise<boolean> {
    const { affected } = await tx.manager.update(
      AccountEntity,
      { id: userId, reviewStatus: 0 },
      {
        reviewStatus: 1,
        reviewReason: '',
        name: '',
        ...sealedName(this.seal, userId, name),
        ...sealedCard(this.seal, cardId),
      },
    );
    if (affected === 0) return false;
    await tx.manager.upsert(
      IdentityEntity,
      { userId, frontPic, reversePic, handPic, submittedAt: now, decidedAt: null },
      ['userId'],
    );
    return true;
  }

  async sameCard(sql: Sql, userId: number, cardId: string): Promise<readonly number[]> {
    if (cardId === '') return [];
    const rows = await sql.manager.find(AccountEntity, {
      select: { id: true },
      where: { cardMark: In(cardMarks(this.seal, cardId)), id: Not(userId) },
      order: { id: 'ASC' },
      take: SAME_MAX,
    });
    return rows.map(({ id }) => id);
  }

  async decide(
    tx: Tx,
    userId: number,
    { pass, reason }: { pass: boolean; reason: string },
    now: number,
  ): Promise<boolean> {
    const { affected } = await tx.manager.update(
      AccountEntity,
      { id: userId, reviewStatus: 1 },
      { reviewStatus: pass ? 2 : 0, reviewReason: pass ? '' : reason },
    );
    if (affected === 0) return false;
    await tx.manager.update(IdentityEntity, { userId }, { decidedAt: now });
    return true;
  }

  async submittedAt(sql: Sql, userId: number): Promise<number | null> {
    const row = await sql.manager.findOneBy(IdentityEntity, { userId });
    return row && row.submittedAt;
  }

  async list(
    sql: Sql,
    { reviewStatus, userId }: KycFilter,
    { size, offset }: { size: number; offset: number },
  ): Promise<Rows<KycCase>> {
    const [rows, total] = await sql.manager.findAndCount(IdentityEntity, {
      where: {
        ...(reviewStatus === undefined ? {} : { account: { reviewStatus } }),
        ...(userId === undefined ? {} : { userId }),
      },
      relations: { account: true },
      order: { decidedAt: { direction: 'DESC', nulls: 'FIRST' }, submittedAt: 'ASC', userId: 'ASC' },
      take: size,
      skip: offset,
    });
    return { total, rows: rows.map((row) => caseOf(row, nameOf(this.seal, row.account))) };
  }
}

const caseOf = ({ account, ...row }: IdentityEntity, name: string): KycCase => ({
  userId: account.id,
  accountNumber: account.accountNumber,
  email: account.email,
  phone: account.phone,
  nationality: account.nationality,
  name,
  cardSealed: account.cardSealed,
  reviewStatus: account.reviewStatus,
  reviewReason: account.reviewReason,
  frontPic: row.frontPic,
  reversePic: row.reversePic,
  handPic: row.handPic,
  submittedAt: row.submittedAt,
  decidedAt: row.decidedAt,
});
