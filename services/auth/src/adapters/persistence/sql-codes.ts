import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { Codes, type CodeVerdict, type Sql } from '../../application/ports.js';
import { CODE, DAY_MS, HOUR_MS, type Scene, type Sent } from '../../domain/code.js';

@Injectable()
export class SqlCodes extends Codes {
  constructor(private readonly config: Config) {
    super();
  }

  async lock(tx: Tx, key: string): Promise<void> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`code ${key}`]);
  }

  async sent(tx: Tx, nameKey: string, scene: Scene, ip: string, now: number): Promise<Sent> {
    const [row] = await tx.query<{ last_at: Date | null; hour: string; day: string; network: string }>(
      `select (select max(created_at) from code where name_key = $1 and scene = $2) as last_at,
              (select count(*) from code where name_key = $1 and created_at > $4) as hour,
              (select count(*) from code where name_key = $1 and created_at > $5) as day,
              (select count(*) from code where ip = $3 and created_at > $4) as network`,
      [nameKey, scene, ip, new Date(now - HOUR_MS), new Date(now - DAY_MS)],
    );
    return {
      lastAt: row?.last_at?.getTime() ?? null,
      accountHour: Number(row?.hour ?? 0),
      accountDay: Number(row?.day ?? 0),
      networkHour: Number(row?.network ?? 0),
    };
  }

  async store(
    tx: Tx,
    {
      nameKey,
      scene,
      kind,
      digits,
      ip,
    }: { nameKey: string; scene: Scene; kind: 'email' | 'mobile'; digits: string; ip: string },
    now: number,
  ): Promise<void> {
    await tx.execute(
      'insert into code (name_key, scene, kind, code_hash, ip, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)',
      [nameKey, scene, kind, this.hash(nameKey, scene, digits), ip, new Date(now), new Date(now + CODE.lifeMs)],
    );
  }

  async judge(tx: Tx, nameKey: string, scene: Scene, digits: string, now: number): Promise<CodeVerdict> {
    const [newest] = await tx.query<{ id: string }>(
      'select id from code where name_key = $1 and scene = $2 order by id desc limit 1',
      [nameKey, scene],
    );
    // Nothing was ever sent, or it was long ago: there is nothing that could be right.
    if (!newest) return { kind: 'wrong', left: 0 };
    // The try is counted before the code is looked at, so that many at once get no more than five.
    const [counted] = await tx.query<{ code_hash: string; tries: number }>(
      'update code set tries = tries + 1 where id = $1 and tries < $2 and used_at is null and expires_at > $3 returning code_hash, tries',
      [newest.id, CODE.tries, new Date(now)],
    );
    if (!counted) return { kind: 'expired' };
    return counted.code_hash === this.hash(nameKey, scene, digits)
      ? { kind: 'right', id: newest.id }
      : { kind: 'wrong', left: CODE.tries - counted.tries };
  }

  async consume(tx: Tx, id: string, now: number): Promise<boolean> {
    return (
      (await tx.execute('update code set used_at = $2 where id = $1 and used_at is null and expires_at > $2', [
        id,
        new Date(now),
      ])) === 1
    );
  }

  async last(
    sql: Sql,
    {
      kind,
      nameKey,
      scene,
      ip,
    }: { kind: 'email' | 'mobile'; nameKey?: string | undefined; scene?: Scene | undefined; ip: string },
  ): Promise<{ id: number; nameKey: string; scene: Scene } | null> {
    const [row] = await sql.query<{ id: string; name_key: string; scene: Scene }>(
      nameKey === undefined
        ? 'select id, name_key, scene from code where kind = $1 and ip = $2 and ($3::text is null or scene = $3) order by id desc limit 1'
        : 'select id, name_key, scene from code where kind = $1 and name_key = $2 and ($3::text is null or scene = $3) order by id desc limit 1',
      [kind, nameKey ?? ip, scene ?? null],
    );
    return row ? { id: Number(row.id), nameKey: row.name_key, scene: row.scene } : null;
  }

  /** Bound to account and scene, under the pepper: six digits alone would be read back from a leaked table at once. */
  private hash(nameKey: string, scene: Scene, digits: string): string {
    return createHmac('sha256', this.config.passwordPepper)
      .update(`code|${nameKey}|${scene}|${digits}`)
      .digest('base64url');
  }
}
