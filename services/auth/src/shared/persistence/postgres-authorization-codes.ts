import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import type { Tx } from '@bourse/persistence';
import { AuthorizationCodes } from '../application/ports/authorization-codes.js';
import { AccountEntity } from './entities/account.entity.js';
import { AuthorizationCodeEntity } from './entities/authorization-code.entity.js';

@Injectable()
export class PostgresAuthorizationCodes extends AuthorizationCodes {
  async current(
    tx: Tx,
    userId: number,
    now: number,
  ): Promise<{ sealed: string; expiresAt: number; sessionCreatedAt: number } | null> {
    // Two screens that request a code at once must show the same code.
    await tx.manager.findOne(AccountEntity, {
      select: { id: true },
      where: { id: userId },
      lock: { mode: 'for_no_key_update' },
    });
    return tx.manager.findOneBy(AuthorizationCodeEntity, { userId, usedAt: IsNull(), expiresAt: MoreThan(now) });
  }

  async store(
    tx: Tx,
    userId: number,
    { sealed, expiresAt, sessionCreatedAt }: { sealed: string; expiresAt: number; sessionCreatedAt: number },
    now: number,
  ): Promise<void> {
    await tx.manager.upsert(
      AuthorizationCodeEntity,
      { userId, sealed, createdAt: now, expiresAt, sessionCreatedAt, usedAt: null },
      ['userId'],
    );
  }

  async shownTo(tx: Tx, userId: number, sessionCreatedAt: number): Promise<void> {
    const shownToLater = { userId, sessionCreatedAt: MoreThan(sessionCreatedAt) };
    await tx.manager.update(AuthorizationCodeEntity, shownToLater, { sessionCreatedAt });
  }

  async use(tx: Tx, userId: number, sealed: string, now: number): Promise<boolean> {
    const { affected } = await tx.manager.update(
      AuthorizationCodeEntity,
      { userId, sealed, usedAt: IsNull(), expiresAt: MoreThan(now) },
      { usedAt: now },
    );
    return affected === 1;
  }

  async drop(tx: Tx, userId: number): Promise<void> {
    await tx.manager.delete(AuthorizationCodeEntity, { userId });
  }
}
