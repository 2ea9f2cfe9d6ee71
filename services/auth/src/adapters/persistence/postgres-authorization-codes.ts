import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { AuthorizationCodes } from '../../application/ports.js';

@Injectable()
export class PostgresAuthorizationCodes extends AuthorizationCodes {
  async current(
    tx: Tx,
    userId: number,
    now: number,
  ): Promise<{ sealed: string; expiresAt: number; sessionCreatedAt: number } | null> {
    // Two screens that ask at once must show one code.
    await tx.query('select 1 from account where id = $1 for no key update', [userId]);
    const [row] = await tx.query<{ sealed: string; expires_at: Date; session_created_at: Date }>(
      'select sealed, expires_at, session_created_at from authorization_code where user_id = $1 and used_at is null and expires_at > $2',
      [userId, new Date(now)],
    );
    return row
      ? {
          sealed: row.sealed,
          expiresAt: row.expires_at.getTime(),
          sessionCreatedAt: row.session_created_at.getTime(),
        }
      : null;
  }

  async store(
    tx: Tx,
    userId: number,
    { sealed, expiresAt, sessionCreatedAt }: { sealed: string; expiresAt: number; sessionCreatedAt: number },
    now: number,
  ): Promise<void> {
    await tx.execute(
      `insert into authorization_code (user_id, sealed, created_at, expires_at, session_created_at) values ($1, $2, $3, $4, $5)
       on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at, expires_at = excluded.expires_at,
         session_created_at = excluded.session_created_at, used_at = null`,
      [userId, sealed, new Date(now), new Date(expiresAt), new Date(sessionCreatedAt)],
    );
  }

  async shownTo(tx: Tx, userId: number, sessionCreatedAt: number): Promise<void> {
    await tx.execute(
      'update authorization_code set session_created_at = least(session_created_at, $2) where user_id = $1',
      [userId, new Date(sessionCreatedAt)],
    );
  }

  async use(tx: Tx, userId: number, sealed: string, now: number): Promise<boolean> {
    return (
      (await tx.execute(
        'update authorization_code set used_at = $3 where user_id = $1 and sealed = $2 and used_at is null and expires_at > $3',
        [userId, sealed, new Date(now)],
      )) === 1
    );
  }

  async drop(tx: Tx, userId: number): Promise<void> {
    await tx.execute('delete from authorization_code where user_id = $1', [userId]);
  }
}
