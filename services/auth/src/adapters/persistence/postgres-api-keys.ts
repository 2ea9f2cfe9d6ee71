import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { ApiKeys, type ApiKey, type Sql } from '../../application/ports.js';

interface KeyRow {
  key: string;
  user_id: string;
  label: string;
  secret_sealed: string;
  permissions: ('read' | 'trade')[];
  ips: string[];
  created_at: Date;
  last_at: Date | null;
}
const COLUMNS = 'key, user_id, label, secret_sealed, permissions, ips, created_at, last_at';

@Injectable()
export class PostgresApiKeys extends ApiKeys {
  async count(tx: Tx, userId: number): Promise<number> {
    await tx.query('select 1 from account where id = $1 for no key update', [userId]);
    const [row] = await tx.query<{ count: string }>(
      'select count(*) as count from api_key where user_id = $1 and deleted_at is null',
      [userId],
    );
    return Number(row?.count ?? 0);
  }

  async add(tx: Tx, { key, userId, label, secretSealed, permissions, ips, createdAt }: ApiKey): Promise<void> {
    await tx.execute(
      'insert into api_key (key, user_id, label, secret_sealed, permissions, ips, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
      [key, userId, label, secretSealed, [...permissions], [...ips], new Date(createdAt)],
    );
  }

  async list(sql: Sql, userId: number): Promise<ApiKey[]> {
    return (
      await sql.query<KeyRow>(
        `select ${COLUMNS} from api_key where user_id = $1 and deleted_at is null order by created_at desc, key`,
        [userId],
      )
    ).map(keyOf);
  }

  async byKey(sql: Sql, key: string): Promise<ApiKey | null> {
    const [row] = await sql.query<KeyRow>(`select ${COLUMNS} from api_key where key = $1 and deleted_at is null`, [
      key,
    ]);
    return row ? keyOf(row) : null;
  }

  async touch(sql: Sql, key: string, now: number, everyMs: number): Promise<void> {
    await sql.execute('update api_key set last_at = $2 where key = $1 and (last_at is null or last_at <= $3)', [
      key,
      new Date(now),
      new Date(now - everyMs),
    ]);
  }

  async remove(tx: Tx, userId: number, key: string, now: number): Promise<boolean> {
    return (
      (await tx.execute('update api_key set deleted_at = $3 where user_id = $1 and key = $2 and deleted_at is null', [
        userId,
        key,
        new Date(now),
      ])) === 1
    );
  }

  async removeAll(tx: Tx, userId: number, now: number): Promise<number> {
    return tx.execute('update api_key set deleted_at = $2 where user_id = $1 and deleted_at is null', [
      userId,
      new Date(now),
    ]);
  }
}

const keyOf = (row: KeyRow): ApiKey => ({
  key: row.key,
  userId: Number(row.user_id),
  label: row.label,
  secretSealed: row.secret_sealed,
  permissions: row.permissions,
  ips: row.ips,
  createdAt: row.created_at.getTime(),
  lastAt: row.last_at?.getTime() ?? null,
});
