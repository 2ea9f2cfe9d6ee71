import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { insertMissing, SettingValueEntity, type Tx } from '@bourse/persistence';
import { Config, type Caller } from '@bourse/platform';
import type { CheckedAccess, Sql } from '../application/ports/database.js';
import { Operators, type Operator, type OperatorRole } from '../application/ports/operators.js';
import { ADMIN_TOTP } from '../application/settings.js';
import { SESSION } from '../domain/session.js';
import { ACTIVE_SESSION, since } from './active-session.js';
import { OperatorEntity } from './entities/operator.entity.js';
import { lockUnchanged } from './lock-unchanged.js';

@Injectable()
export class PostgresOperators extends Operators {
  constructor(private readonly config: Config) {
    super();
  }

  byName(sql: Sql, username: string): Promise<Operator | null> {
    return sql.manager.findOneBy(OperatorEntity, { username: username.toLowerCase() });
  }

  lockByName(tx: Tx, username: string): Promise<Operator | null> {
    const where = { username: username.toLowerCase() };
    return tx.manager.findOne(OperatorEntity, { where, lock: { mode: 'for_no_key_update' } });
  }

  byId(sql: Sql, id: number): Promise<Operator | null> {
    return sql.manager.findOneBy(OperatorEntity, { id });
  }

  lockUnchanged(tx: Tx, checked: CheckedAccess): Promise<boolean> {
    return lockUnchanged(tx, 'operator', checked);
  }

  async add(
    tx: Tx,
    { id, username, passwordHash, roles, active = true }: Parameters<Operators['add']>[1],
    now: number,
  ): Promise<number | null> {
    const operator = { username: username.toLowerCase(), passwordHash, roles: [...roles], active, createdAt: now };
    const rows = [id === undefined ? operator : { ...operator, id }];
    if ((await insertMissing(tx.manager, OperatorEntity, rows)) === 0) return null;
    return (await this.byName(tx, username))?.id ?? null;
  }

  async change(tx: Tx, id: number, { passwordHash, roles, active }: Parameters<Operators['change']>[2]): Promise<void> {
    const password = passwordHash === null ? {} : { passwordHash };
    await tx.manager.update(OperatorEntity, { id }, { ...password, roles: [...roles], active });
  }

  async setPassword(tx: Tx, id: number, old: string, hash: string): Promise<void> {
    await tx.manager.update(OperatorEntity, { id, passwordHash: old }, { passwordHash: hash });
  }

  async requireOwnPassword(tx: Tx, id: number, required: boolean): Promise<void> {
    await tx.manager.update(OperatorEntity, { id }, { needsOwnPassword: required });
  }

  async setTotp(tx: Tx, id: number, sealed: string, step: number): Promise<void> {
    await tx.manager.update(OperatorEntity, { id }, { totpSealed: sealed, totpStep: step, totpPending: null });
  }

  async setTotpPending(tx: Tx, id: number, sealed: string): Promise<void> {
    await tx.manager.update(OperatorEntity, { id }, { totpPending: sealed });
  }

  async list(sql: Sql): Promise<(Operator & { createdAt: number; lastAt: number | null })[]> {
    const operators = await sql.manager.find(OperatorEntity, { order: { username: 'ASC' } });
    const seen = await sql.query<{ id: string; at: Date }>(
      'select operator_id as id, max(last_at) as at from operator_session group by operator_id',
    );
    const lastAt = new Map(seen.map(({ id, at }) => [Number(id), at.getTime()]));
    return operators.map((operator) => ({ ...operator, lastAt: lastAt.get(operator.id) ?? null }));
  }

  async endAll(tx: Tx, operatorId: number, now: number, except: string | null): Promise<string[]> {
    const ended = await tx.query<{ public_id: string }>(
      `update operator_session
        set ended_at = $3
        where operator_id = $1 and ended_at is null and public_id is distinct from $2
        returning public_id`,
      [operatorId, except, new Date(now)],
    );
    return ended.map(({ public_id }) => public_id);
  }

  async useTotpStep(tx: Tx, id: number, step: number): Promise<boolean> {
    const { affected } = await tx.manager.update(OperatorEntity, { id, totpStep: LessThan(step) }, { totpStep: step });
    return affected === 1;
  }

  async totpRequired(sql: Sql): Promise<boolean> {
    // A folder that was a demo install once may hold the demo's setting: it has no effect on a real exchange
    // (HARD-102).
    if (!this.config.dev) return true;
    // Read in the transaction: the command line has no other access to it.
    const row = await sql.manager.findOneBy(SettingValueEntity, { key: ADMIN_TOTP.key });
    return row ? ADMIN_TOTP.type.read(row.value) : ADMIN_TOTP.initial;
  }

  async open(
    tx: Tx,
    { tokenHash, publicId, operatorId, ip, agent }: Parameters<Operators['open']>[1],
    now: number,
  ): Promise<string[]> {
    await tx.execute(
      `insert into operator_session (token_hash, public_id, operator_id, ip, agent, created_at, last_at)
        values ($1, $2, $3, $4, $5, $6, $6)`,
      [tokenHash, publicId, operatorId, ip, agent, new Date(now)],
    );
    const ended = await tx.query<{ public_id: string }>(
      `update operator_session set ended_at = $4 where token_hash in (
         select token_hash from operator_session s
         where operator_id = $1 and ${ACTIVE_SESSION}
         order by created_at desc, token_hash = $5 desc offset ${SESSION.perUser}
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
      `select o.id, s.public_id, o.roles, o.username, s.last_at
        from operator_session s
        join operator o on o.id = s.operator_id
        where s.token_hash = $1 and o.active and ${ACTIVE_SESSION}`,
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

  async hasDevice(sql: Sql, operatorId: number, device: string): Promise<boolean> {
    return (
      (await sql.query('select 1 from operator_device where operator_id = $1 and device = $2', [operatorId, device]))
        .length > 0
    );
  }

  async rememberDevice(tx: Tx, operatorId: number, device: string, now: number): Promise<void> {
    await tx.execute(
      `insert into operator_device (operator_id, device, last_at)
        values ($1, $2, $3)
        on conflict (operator_id, device) do update set last_at = excluded.last_at`,
      [operatorId, device, new Date(now)],
    );
  }
}

/** Operators have no user attributes: no gate of a user's call lets them pass. */
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
