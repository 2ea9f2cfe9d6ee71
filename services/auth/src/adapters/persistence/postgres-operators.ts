import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Config, type Caller } from '@bourse/platform';
import { Operators, type Operator, type OperatorRole, type Sql } from '../../application/ports.js';
import { ADMIN_TOTP } from '../../application/settings.js';
import { SESSION } from '../../domain/session.js';
import { ACTIVE_SESSION, since } from './active-session.js';

interface OperatorRow {
  id: string;
  username: string;
  password_hash: string;
  roles: OperatorRole[];
  active: boolean;
  totp_sealed: string | null;
  totp_pending: string | null;
  needs_own_password: boolean;
}
const COLUMNS = 'id, username, password_hash, roles, active, totp_sealed, totp_pending, needs_own_password';

@Injectable()
export class PostgresOperators extends Operators {
  constructor(private readonly config: Config) {
    super();
  }

  async byName(sql: Sql, username: string): Promise<Operator | null> {
    const [row] = await sql.query<OperatorRow>(`select ${COLUMNS} from operator where username = $1`, [
      username.toLowerCase(),
    ]);
    return row ? operatorOf(row) : null;
  }

  async byId(sql: Sql, id: number): Promise<Operator | null> {
    const [row] = await sql.query<OperatorRow>(`select ${COLUMNS} from operator where id = $1`, [id]);
    return row ? operatorOf(row) : null;
  }

  async add(
    tx: Tx,
    { id, username, passwordHash, roles, active = true }: Parameters<Operators['add']>[1],
    now: number,
  ): Promise<number | null> {
    const columns = 'username, password_hash, roles, active, created_at';
    const values = [username.toLowerCase(), passwordHash, [...roles], active, new Date(now)];
    const [row] = await tx.query<{ id: string }>(
      id === undefined
        ? `insert into operator (${columns}) values ($1, $2, $3, $4, $5) on conflict do nothing returning id`
        : `insert into operator (${columns}, id) values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
      id === undefined ? values : [...values, id],
    );
    return row ? Number(row.id) : null;
  }

  async change(tx: Tx, id: number, { passwordHash, roles, active }: Parameters<Operators['change']>[2]): Promise<void> {
    await tx.execute(
      'update operator set password_hash = coalesce($2, password_hash), roles = $3, active = $4 where id = $1',
      [id, passwordHash, [...roles], active],
    );
  }

  async setPassword(tx: Tx, id: number, old: string, hash: string): Promise<void> {
    await tx.execute('update operator set password_hash = $3 where id = $1 and password_hash = $2', [id, old, hash]);
  }

  async requireOwnPassword(tx: Tx, id: number, required: boolean): Promise<void> {
    await tx.execute('update operator set needs_own_password = $2 where id = $1', [id, required]);
  }

  async setTotp(tx: Tx, id: number, sealed: string, step: number): Promise<void> {
    await tx.execute('update operator set totp_sealed = $2, totp_step = $3, totp_pending = null where id = $1', [
      id,
      sealed,
      step,
    ]);
  }

  async setTotpPending(tx: Tx, id: number, sealed: string): Promise<void> {
    await tx.execute('update operator set totp_pending = $2 where id = $1', [id, sealed]);
  }

  async list(sql: Sql): Promise<(Operator & { createdAt: number; lastAt: number | null })[]> {
    const rows = await sql.query<OperatorRow & { created_at: Date; seen_at: Date | null }>(
      `select ${COLUMNS}, created_at, (select max(last_at) from operator_session s where s.operator_id = o.id) as seen_at from operator o order by username`,
    );
    return rows.map((row) => ({
      ...operatorOf(row),
      createdAt: row.created_at.getTime(),
      lastAt: row.seen_at?.getTime() ?? null,
    }));
  }

  async endAll(tx: Tx, operatorId: number, now: number, except: string | null): Promise<string[]> {
    const ended = await tx.query<{ public_id: string }>(
      'update operator_session set ended_at = $3 where operator_id = $1 and ended_at is null and public_id is distinct from $2 returning public_id',
      [operatorId, except, new Date(now)],
    );
    return ended.map(({ public_id }) => public_id);
  }

  async useTotpStep(tx: Tx, id: number, step: number): Promise<boolean> {
    return (await tx.execute('update operator set totp_step = $2 where id = $1 and totp_step < $2', [id, step])) === 1;
  }

  async totpRequired(sql: Sql): Promise<boolean> {
    // A folder that was a demo once has the demo's setting: it opens no door of a real exchange (HARD-102).
    if (!this.config.dev) return true;
    // Read in the transaction: the console of the machine has no other way to it.
    const [row] = await sql.query<{ value: string }>('select value from setting_value where key = $1', [
      ADMIN_TOTP.key,
    ]);
    return row === undefined ? ADMIN_TOTP.initial : ADMIN_TOTP.type.read(row.value);
  }

  async open(
    tx: Tx,
    { tokenHash, publicId, operatorId, ip, agent }: Parameters<Operators['open']>[1],
    now: number,
  ): Promise<string[]> {
    await tx.query('select 1 from operator where id = $1 for no key update', [operatorId]);
    await tx.execute(
      'insert into operator_session (token_hash, public_id, operator_id, ip, agent, created_at, last_at) values ($1, $2, $3, $4, $5, $6, $6)',
      [tokenHash, publicId, operatorId, ip, agent, new Date(now)],
    );
    const ended = await tx.query<{ public_id: string }>(
      `update operator_session set ended_at = $4 where token_hash in (
         select token_hash from operator_session s where operator_id = $1 and ${ACTIVE_SESSION} order by created_at desc, token_hash = $5 desc offset ${SESSION.perUser}
       ) returning public_id`,
      [operatorId, ...since(now), new Date(now), tokenHash],
    );
    return ended.map(({ public_id }) => public_id);
  }

  async caller(sql: Sql, tokenHash: string, now: number): Promise<{ caller: Caller; lastAt: number } | null> {
    const [row] = await sql.query<{
      id: string;
      public_id: string;
      roles: OperatorRole[];
      username: string;
      last_at: Date;
    }>(
      `select o.id, s.public_id, o.roles, o.username, s.last_at from operator_session s join operator o on o.id = s.operator_id where s.token_hash = $1 and o.active and ${ACTIVE_SESSION}`,
      [tokenHash, ...since(now)],
    );
    return row ? { caller: callerOf(row), lastAt: row.last_at.getTime() } : null;
  }

  async touch(sql: Sql, tokenHash: string, now: number): Promise<void> {
    await sql.execute(
      'update operator_session set last_at = $2 where token_hash = $1 and ended_at is null and last_at < $2',
      [tokenHash, new Date(now)],
    );
  }

  async end(tx: Tx, operatorId: number, publicId: string, now: number): Promise<boolean> {
    return (
      (await tx.execute(
        'update operator_session set ended_at = $3 where operator_id = $1 and public_id = $2 and ended_at is null',
        [operatorId, publicId, new Date(now)],
      )) === 1
    );
  }

  async knowsDevice(sql: Sql, operatorId: number, device: string): Promise<boolean> {
    return (
      (await sql.query('select 1 from operator_device where operator_id = $1 and device = $2', [operatorId, device]))
        .length > 0
    );
  }

  async rememberDevice(tx: Tx, operatorId: number, device: string, now: number): Promise<void> {
    await tx.execute(
      'insert into operator_device (operator_id, device, last_at) values ($1, $2, $3) on conflict (operator_id, device) do update set last_at = excluded.last_at',
      [operatorId, device, new Date(now)],
    );
  }
}

const operatorOf = (row: OperatorRow): Operator => ({
  id: Number(row.id),
  username: row.username,
  passwordHash: row.password_hash,
  roles: row.roles,
  active: row.active,
  totpSealed: row.totp_sealed,
  totpPending: row.totp_pending,
  needsOwnPassword: row.needs_own_password,
});

/** An operator has nothing of a user: no gate of a user's call would ever let one pass. */
const callerOf = (row: { id: string; public_id: string; roles: OperatorRole[]; username: string }): Caller => ({
  userId: Number(row.id),
  sessionId: row.public_id,
  kind: 'operator',
  lang: 'en',
  reviewStatus: 0,
  hasFundPassword: false,
  fundMustReset: false,
  hasPayment: false,
  frozen: 'none',
  isSeller: false,
  isAcceptor: false,
  region: '',
  accountNumber: row.username,
  roles: row.roles,
  permissions: [],
});
