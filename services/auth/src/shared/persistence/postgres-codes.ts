import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import type { CodeRequesters } from '../application/device.js';
import type { Sql } from '../application/ports/database.js';
import { Codes, type CodeVerdict } from '../application/ports/verification-codes.js';
import { CODE, DAY_MS, HOUR_MS, type Scene, type Sent } from '../domain/code.js';

@Injectable()
export class PostgresCodes extends Codes {
  constructor(private readonly config: Config) {
    super();
  }

  async lock(tx: Tx, key: string): Promise<void> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`code ${key}`]);
  }

  async lockAddress(tx: Tx, ip: string): Promise<void> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`code address ${ip}`]);
  }

  async sent(
    tx: Tx,
    nameKey: string,
    scene: Scene,
    { ip, askers }: { ip: string; askers: readonly string[] | null },
    now: number,
  ): Promise<Sent> {
    const mine = '($6::text[] is null or asker = any($6))';
    const [row] = await tx.query<{ last_at: Date | null; hour: string; day: string; network: string }>(
      `select (select max(created_at) from code where name_key = $1 and scene = $2 and ${mine}) as last_at,
              (select count(*) from code where name_key = $1 and created_at > $4 and ${mine}) as hour,
              (select count(*) from code where name_key = $1 and created_at > $5 and ${mine}) as day,
              (select count(*) from code where ip = $3 and created_at > $4) as network`,
      [nameKey, scene, ip, new Date(now - HOUR_MS), new Date(now - DAY_MS), askers],
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
      asker,
      device,
    }: {
      nameKey: string;
      scene: Scene;
      kind: 'email' | 'mobile';
      digits: string;
      ip: string;
      asker: string;
      device: string;
    },
    now: number,
  ): Promise<void> {
    await tx.execute(
      `insert into code (name_key, scene, kind, code_hash, ip, created_at, expires_at, asker, device)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        nameKey,
        scene,
        kind,
        this.hash(nameKey, scene, digits),
        ip,
        new Date(now),
        new Date(now + CODE.lifeMs),
        asker,
        device,
      ],
    );
  }

  async verify(
    tx: Tx,
    { nameKey, scene, digits }: { nameKey: string; scene: Scene; digits: string },
    askers: CodeRequesters,
    now: number,
    counts: 'wrong' | 'all',
  ): Promise<CodeVerdict> {
    const [newest] = await tx.query<{ id: string; code_hash: string }>(
      `select id, code_hash
        from code
        where name_key = $1 and scene = $2 and (asker = any($3) or device = $4)
        order by id desc limit 1`,
      [nameKey, scene, askers.names, askers.onDevice],
    );
    const isRight = newest?.code_hash === this.hash(nameKey, scene, digits);
    // The try is counted before it is answered, so that concurrent tries get no more than five.
    const [counted] = await tx.query<{ tries: number }>(
      `update code
        set tries = tries + $4::integer
        where id = $1 and tries < $2 and used_at is null and expires_at > $3
        returning tries`,
      [newest?.id ?? 0, CODE.tries, new Date(now), isRight && counts === 'wrong' ? 0 : 1],
    );
    if (isRight && newest) return counted ? { kind: 'right', id: newest.id } : { kind: 'expired' };
    const guesses = await this.guesses(tx, nameKey, scene, askers, now);
    return { kind: 'wrong', left: Math.max(0, CODE.tries - (counted?.tries ?? guesses)) };
  }

  /**
   * Records a wrong guess and counts those within a code's life, so that a person without a code gets the same number
   * of tries left as one with a code.
   */
  private async guesses(tx: Tx, nameKey: string, scene: Scene, askers: CodeRequesters, now: number): Promise<number> {
    const bucket = `code:${createHash('sha256')
      .update(`${nameKey}|${scene}|${askers.names.join('|')}`)
      .digest('base64url')}`;
    await tx.execute('insert into failure (bucket, at) values ($1, $2)', [bucket, new Date(now)]);
    const [row] = await tx.query<{ count: string }>(
      'select count(*) as count from failure where bucket = $1 and at > $2',
      [bucket, new Date(now - CODE.lifeMs)],
    );
    return Number(row?.count ?? 0);
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
      askers,
    }: {
      kind: 'email' | 'mobile';
      nameKey?: string | undefined;
      scene?: Scene | undefined;
      askers: CodeRequesters;
    },
  ): Promise<{ id: number; nameKey: string; scene: Scene } | null> {
    const [row] = await sql.query<{ id: string; name_key: string; scene: Scene }>(
      `select id, name_key, scene from code
       where (asker = any($1) or device = $5) and kind = $2 and ($3::text is null or name_key = $3)
         and ($4::text is null or scene = $4)
       order by id desc limit 1`,
      [askers.names, kind, nameKey ?? null, scene ?? null, askers.onDevice],
    );
    return row ? { id: Number(row.id), nameKey: row.name_key, scene: row.scene } : null;
  }

  /**
   * Bound to account and scene, under the pepper: a hash of six digits alone could be reversed at once from a leaked
   * table.
   */
  private hash(nameKey: string, scene: Scene, digits: string): string {
    return createHmac('sha256', this.config.passwordPepper)
      .update(`code|${nameKey}|${scene}|${digits}`)
      .digest('base64url');
  }
}
