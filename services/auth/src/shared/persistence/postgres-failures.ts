import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Failures } from '../application/ports/failures.js';
import { FUND_FAILURES, LOGIN_FAILURES, type FundFailures, type LoginFailures } from '../domain/lockout.js';

@Injectable()
export class PostgresFailures extends Failures {
  async lock(tx: Tx, bucket: string): Promise<void> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`failure ${bucket}`]);
  }

  async login(tx: Tx, bucket: string, now: number): Promise<LoginFailures> {
    const [row] = await tx.query<{ recent: string; day: string }>(
      'select count(*) filter (where at > $2) as recent, count(*) as day from failure where bucket = $1 and at > $3',
      [bucket, new Date(now - LOGIN_FAILURES.codeWindowMs), new Date(now - LOGIN_FAILURES.resetWindowMs)],
    );
    return { recent: Number(row?.recent ?? 0), day: Number(row?.day ?? 0) };
  }

  async fund(tx: Tx, bucket: string, now: number): Promise<FundFailures> {
    const [row] = await tx.query<{ count: string; last_at: Date | null }>(
      'select count(*) as count, max(at) as last_at from failure where bucket = $1 and at > $2',
      [bucket, new Date(now - FUND_FAILURES.windowMs)],
    );
    return { count: Number(row?.count ?? 0), lastAt: row?.last_at?.getTime() ?? 0 };
  }

  async add(tx: Tx, bucket: string, now: number): Promise<string> {
    const [row] = await tx.query<{ id: string }>('insert into failure (bucket, at) values ($1, $2) returning id', [
      bucket,
      new Date(now),
    ]);
    if (!row) throw new Error('invariant: an inserted failure has no id');
    return row.id;
  }

  async takeBack(tx: Tx, id: string): Promise<void> {
    await tx.execute('delete from failure where id = $1', [id]);
  }

  async clear(tx: Tx, bucket: string): Promise<void> {
    await tx.execute('delete from failure where bucket = $1', [bucket]);
  }

  async clearLogins(tx: Tx, userId: number): Promise<void> {
    await tx.execute(`delete from failure where bucket = any($1) or bucket like any($2)`, [
      [`login:${userId}`, `device:${userId}`, `passkey:${userId}`, `own:${userId}`],
      [`login:${userId}@%`, `device:${userId}@%`, `passkey:${userId}@%`],
    ]);
  }

  async clearOperator(tx: Tx, operatorId: number): Promise<void> {
    await tx.execute('delete from failure where bucket = any($1) or bucket like $2', [
      [`operator:${operatorId}`, `operator-own:${operatorId}`, `operator-totp:${operatorId}`],
      `operator:${operatorId}@%`,
    ]);
  }
}
