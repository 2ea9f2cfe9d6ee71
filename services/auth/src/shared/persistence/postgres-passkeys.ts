import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import type { Sql } from '../application/ports/database.js';
import { Challenges, Passkeys, type Challenge, type Passkey } from '../application/ports/passkeys.js';
import { PASSKEY, type ChallengePurpose } from '../domain/passkey.js';
import { AccountEntity } from './entities/account.entity.js';
import { PasskeyEntity } from './entities/passkey.entity.js';

@Injectable()
export class PostgresPasskeys extends Passkeys {
  async count(tx: Tx, userId: number): Promise<number> {
    await tx.manager.findOne(AccountEntity, {
      select: { id: true },
      where: { id: userId },
      lock: { mode: 'for_no_key_update' },
    });
    return tx.manager.countBy(PasskeyEntity, { userId });
  }

  async add(tx: Tx, { transports, ...passkey }: Passkey): Promise<boolean> {
    const added = await tx.execute(
      `insert into passkey (id, user_id, public_key, counter, transports, label, created_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (id) do nothing`,
      [
        passkey.id,
        passkey.userId,
        passkey.publicKey,
        passkey.counter,
        transports,
        passkey.label,
        new Date(passkey.createdAt),
      ],
    );
    return added === 1;
  }

  list(sql: Sql, userId: number): Promise<Passkey[]> {
    return sql.manager.find(PasskeyEntity, { where: { userId }, order: { createdAt: 'DESC', id: 'ASC' } });
  }

  byId(sql: Sql, id: string): Promise<Passkey | null> {
    return sql.manager.findOneBy(PasskeyEntity, { id });
  }

  async use(sql: Sql, id: string, counter: number, now: number): Promise<boolean> {
    const used = await sql.execute(
      `update passkey
        set counter = $2, last_at = $3
        where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
      [id, counter, new Date(now)],
    );
    return used === 1;
  }

  async rename(sql: Sql, userId: number, id: string, label: string): Promise<boolean> {
    return (await sql.manager.update(PasskeyEntity, { userId, id }, { label })).affected === 1;
  }

  async remove(tx: Tx, userId: number, id: string): Promise<boolean> {
    return (await tx.manager.delete(PasskeyEntity, { userId, id })).affected === 1;
  }

  async removeAll(tx: Tx, userId: number): Promise<number> {
    return (await tx.manager.delete(PasskeyEntity, { userId })).affected ?? 0;
  }
}

/** A challenge is 32 random bytes: its plain hash cannot be reversed. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

@Injectable()
export class PostgresChallenges extends Challenges {
  async store(sql: Sql, text: string, { purpose, userId, device }: Challenge, now: number): Promise<void> {
    await sql.execute(
      `insert into passkey_challenge (hash, purpose, user_id, device, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6)`,
      [hashOf(text), purpose, userId, device, new Date(now), new Date(now + PASSKEY.challengeLifeMs)],
    );
  }

  async take(sql: Sql, text: string, now: number): Promise<Challenge | null> {
    // Of two answers to one challenge, the second waits here for the row and finds none.
    const [row] = await sql.query<{
      purpose: ChallengePurpose;
      user_id: string | null;
      device: string;
      expires_at: Date;
    }>('delete from passkey_challenge where hash = $1 returning purpose, user_id, device, expires_at', [hashOf(text)]);
    if (!row || row.expires_at.getTime() <= now) return null;
    return { purpose: row.purpose, userId: row.user_id === null ? null : Number(row.user_id), device: row.device };
  }
}
