import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, Or } from 'typeorm';
import type { Tx } from '@bourse/persistence';
import { ApiKeys, type ApiKey } from '../application/ports/api-keys.js';
import type { Sql } from '../application/ports/database.js';
import { AccountEntity } from './entities/account.entity.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';

/** Deleted keys are kept for the audit log, and are ignored otherwise. */
const living = { deletedAt: IsNull() };

@Injectable()
export class PostgresApiKeys extends ApiKeys {
  async count(tx: Tx, userId: number): Promise<number> {
    await tx.manager.findOne(AccountEntity, {
      select: { id: true },
      where: { id: userId },
      lock: { mode: 'for_no_key_update' },
    });
    return tx.manager.countBy(ApiKeyEntity, { userId, ...living });
  }

  async add(tx: Tx, { permissions, ips, ...key }: ApiKey): Promise<void> {
    await tx.manager.insert(ApiKeyEntity, { ...key, permissions: [...permissions], ips: [...ips] });
  }

  list(sql: Sql, userId: number): Promise<ApiKey[]> {
    return sql.manager.find(ApiKeyEntity, { where: { userId, ...living }, order: { createdAt: 'DESC', key: 'ASC' } });
  }

  byKey(sql: Sql, key: string): Promise<ApiKey | null> {
    return sql.manager.findOneBy(ApiKeyEntity, { key, ...living });
  }

  async touch(sql: Sql, key: string, now: number, everyMs: number): Promise<void> {
    const isOld = Or(IsNull(), LessThanOrEqual(now - everyMs));
    await sql.manager.update(ApiKeyEntity, { key, lastAt: isOld }, { lastAt: now });
  }

  async remove(tx: Tx, userId: number, key: string, now: number): Promise<boolean> {
    const { affected } = await tx.manager.update(ApiKeyEntity, { userId, key, ...living }, { deletedAt: now });
    return affected === 1;
  }

  async removeAll(tx: Tx, userId: number, now: number): Promise<number> {
    const { affected } = await tx.manager.update(ApiKeyEntity, { userId, ...living }, { deletedAt: now });
    return affected ?? 0;
  }
}
