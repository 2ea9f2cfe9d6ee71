import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import type { Sql } from '../application/ports/database.js';
import { Sessions, type SessionFacts, type SessionKind } from '../application/ports/sessions.js';
import { SESSION, WITHDRAWAL_BLOCK_MS } from '../domain/session.js';
import { ACTIVE_SESSION, since } from './active-session.js';

interface CallerRow {
  id: string;
  public_id: string;
  kind: Caller['kind'];
  last_at: Date;
  lang: Caller['lang'];
  review_status: 0 | 1 | 2;
  has_fund: boolean;
  fund_must_reset: boolean;
  has_payment: boolean;
  frozen: Caller['frozen'];
  frozen_since: Date | null;
  withdrawals_blocked_since: Date | null;
  withdrawals_blocked_until: Date | null;
  is_seller: boolean;
  is_acceptor: boolean;
  region: string;
  account_number: string;
}
const RECORD = `a.id, a.lang, a.review_status, a.fund_hash is not null as has_fund, a.fund_must_reset,
  exists (select 1 from payment_settings p where p.user_id = a.id) as has_payment,
  a.frozen, a.frozen_since, a.withdrawals_blocked_since, a.withdrawals_blocked_until,
  a.is_seller, a.is_acceptor, a.region, a.account_number`;

@Injectable()
export class PostgresSessions extends Sessions {
  async open(
    tx: Tx,
    {
      tokenHash,
      publicId,
      userId,
      kind,
      ip,
      agent,
      createdAt,
      confirmedAt,
    }: {
      tokenHash: string;
      publicId: string;
      userId: number;
      kind: SessionKind;
      ip: string;
      agent: string;
      createdAt: number;
      confirmedAt: number | null;
    },
    now: number,
  ): Promise<string[]> {
    await tx.execute(
      `insert into session (token_hash, public_id, user_id, ip, agent, created_at, last_at, confirmed_at, kind)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        tokenHash,
        publicId,
        userId,
        ip,
        agent,
        new Date(createdAt),
        new Date(now),
        confirmedAt === null ? null : new Date(confirmedAt),
        kind,
      ],
    );
    const ended = await tx.query<{ public_id: string }>(
      `update session set ended_at = $4 where token_hash in (
         select token_hash from session s
         where user_id = $1 and ${ACTIVE_SESSION}
         order by token_hash = $5 desc, created_at desc offset ${SESSION.perUser}
       ) returning public_id`,
      [userId, ...since(now), new Date(now), tokenHash],
    );
    return ended.map(({ public_id }) => public_id);
  }

  async caller(sql: Sql, tokenHash: string, now: number): Promise<{ caller: Caller; lastAt: number } | null> {
    const [row] = await sql.query<CallerRow>(
      `select s.public_id, s.kind, s.last_at, ${RECORD}
        from session s
        join account a on a.id = s.user_id
        where s.token_hash = $1 and ${ACTIVE_SESSION}`,
      [tokenHash, ...since(now)],
    );
    return row ? { caller: callerOf(row), lastAt: row.last_at.getTime() } : null;
  }

  async activeAmong(sql: Sql, ids: readonly string[], now: number): Promise<string[]> {
    const rows = await sql.query<{ id: string }>(
      `select s.public_id as id from session s where s.public_id = any($1) and ${ACTIVE_SESSION}
        union all
        select key from api_key where key = any($1) and deleted_at is null`,
      [ids, ...since(now)],
    );
    return rows.map(({ id }) => id);
  }

  async callerOf(sql: Sql, userId: number): Promise<Caller | null> {
    const [row] = await sql.query<CallerRow>(
      `select '' as public_id, 'user' as kind, ${RECORD} from account a where a.id = $1`,
      [userId],
    );
    return row ? callerOf(row) : null;
  }

  async ages(
    sql: Sql,
    userId: number,
    publicId: string,
    now: number,
  ): Promise<{ createdAt: number; confirmedAt: number | null } | null> {
    const [row] = await sql.query<{ created_at: Date; confirmed_at: Date | null }>(
      `select created_at, confirmed_at from session s where user_id = $1 and public_id = $4 and ${ACTIVE_SESSION}`,
      [userId, ...since(now), publicId],
    );
    return row ? { createdAt: row.created_at.getTime(), confirmedAt: row.confirmed_at?.getTime() ?? null } : null;
  }

  async confirm(tx: Tx, userId: number, publicId: string, now: number): Promise<boolean> {
    return (
      (await tx.execute(
        `update session s set confirmed_at = $5 where user_id = $1 and public_id = $4 and ${ACTIVE_SESSION}`,
        [userId, ...since(now), publicId, new Date(now)],
      )) === 1
    );
  }

  async touch(sql: Sql, tokenHash: string, now: number): Promise<void> {
    await sql.execute('update session set last_at = $2 where token_hash = $1 and ended_at is null and last_at < $2', [
      tokenHash,
      new Date(now),
    ]);
  }

  async list(sql: Sql, userId: number, now: number): Promise<SessionFacts[]> {
    const rows = await sql.query<{ public_id: string; ip: string; agent: string; created_at: Date; last_at: Date }>(
      `select public_id, ip, agent, created_at, last_at
        from session s
        where user_id = $1 and ${ACTIVE_SESSION}
        order by created_at desc`,
      [userId, ...since(now)],
    );
    return rows.map((row) => ({
      publicId: row.public_id,
      ip: row.ip,
      agent: row.agent,
      createdAt: row.created_at.getTime(),
      lastAt: row.last_at.getTime(),
    }));
  }

  async end(tx: Tx, userId: number, publicId: string, now: number): Promise<boolean> {
    return (
      (await tx.execute('update session set ended_at = $3 where user_id = $1 and public_id = $2 and ended_at is null', [
        userId,
        publicId,
        new Date(now),
      ])) === 1
    );
  }

  async endAll(tx: Tx, userId: number, now: number): Promise<void> {
    await tx.execute('update session set ended_at = $2 where user_id = $1 and ended_at is null', [
      userId,
      new Date(now),
    ]);
  }

  async endOthers(tx: Tx, userId: number, publicId: string, now: number): Promise<string[]> {
    const ended = await tx.query<{ public_id: string }>(
      `update session
        set ended_at = $3
        where user_id = $1 and public_id <> $2 and ended_at is null
        returning public_id`,
      [userId, publicId, new Date(now)],
    );
    return ended.map(({ public_id }) => public_id);
  }

  async hasDevice(sql: Sql, userId: number): Promise<boolean> {
    return (await sql.query('select 1 from device where user_id = $1 limit 1', [userId])).length > 0;
  }

  async knownDevice(sql: Sql, userId: number, devices: readonly string[]): Promise<string | null> {
    const rows = await sql.query<{ device: string }>(
      'select device from device where user_id = $1 and device = any($2)',
      [userId, devices],
    );
    return devices.find((device) => rows.some((row) => row.device === device)) ?? null;
  }

  async rememberDevice(
    tx: Tx,
    { userId, name, firstAt }: { userId: number; name: string; firstAt: number },
    now: number,
  ): Promise<void> {
    await tx.execute(
      `insert into device (user_id, device, last_at, first_at)
        values ($1, $2, $3, $4)
        on conflict (user_id, device) do update set last_at = excluded.last_at`,
      [userId, name, new Date(now), new Date(firstAt)],
    );
  }

  async newestDevices(sql: Sql, userIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await sql.query<{ user_id: string; first_at: Date }>(
      `select d.user_id, max(d.first_at) as first_at
        from device d
        where d.user_id = any($1) and exists (
          select 1 from device e
          where e.user_id = d.user_id and e.device <> d.device and (e.first_at is null or e.first_at < d.first_at)
        )
        group by d.user_id
        having max(d.first_at) is not null`,
      [userIds],
    );
    return new Map(rows.map((row) => [Number(row.user_id), row.first_at.getTime()]));
  }
}

function callerOf(row: CallerRow): Caller {
  return {
    userId: Number(row.id),
    sessionId: row.public_id,
    kind: row.kind,
    lang: row.lang,
    reviewStatus: row.review_status,
    hasFundPassword: row.has_fund,
    fundMustReset: row.fund_must_reset,
    hasPayment: row.has_payment,
    frozen: row.frozen,
    frozenSince: row.frozen_since?.getTime() ?? null,
    withdrawalsBlocked: blockOf(row),
    isSeller: row.is_seller,
    isAcceptor: row.is_acceptor,
    region: row.region,
    accountNumber: row.account_number,
    roles: [],
    permissions: [],
  };
}

/** For a block stored by a release without its beginning, the beginning is derived from the length of blocks. */
function blockOf(row: CallerRow): { readonly since: number; readonly until: number } | null {
  const until = row.withdrawals_blocked_until?.getTime();
  if (until === undefined) return null;
  return { since: row.withdrawals_blocked_since?.getTime() ?? until - WITHDRAWAL_BLOCK_MS, until };
}
