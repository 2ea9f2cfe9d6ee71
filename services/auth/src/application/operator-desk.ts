import { Injectable } from '@nestjs/common';
import type { TotpSetup } from '@bourse/contract';
import { Clock, Refused, timeText, type Caller } from '@bourse/platform';
import { Attempts } from './attempts.js';
import { AuthDatabase, Operators, Passwords, SessionNews, Totp, type Operator, type OperatorRole } from './ports.js';
import { Trail, type Actor } from './trail.js';

export interface OperatorRow {
  readonly id: number;
  readonly username: string;
  readonly roles: readonly OperatorRole[];
  readonly active: 0 | 1;
  readonly totp: 0 | 1;
  readonly created_at: string;
  readonly last_at: string;
}
export interface OperatorChange {
  readonly username: string;
  readonly password: string | undefined;
  readonly roles: readonly OperatorRole[];
  readonly active: boolean;
}
const WRONG = { key: 'login.totpWrong', field: 'totp_code' } as const;

/** The people who run the exchange: adding, putting off, and what each sets up for themselves [AUTH-162]. */
@Injectable()
export class OperatorDesk {
  constructor(
    private readonly database: AuthDatabase,
    private readonly operators: Operators,
    private readonly passwords: Passwords,
    private readonly totp: Totp,
    private readonly attempts: Attempts,
    private readonly trail: Trail,
    private readonly news: SessionNews,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<OperatorRow[]> {
    return (await this.operators.list(this.database)).map(
      ({ id, username, roles, active, totpSealed, createdAt, lastAt }) => ({
        id,
        username,
        roles,
        active: active ? 1 : 0,
        totp: totpSealed === null ? 0 : 1,
        created_at: timeText(createdAt),
        last_at: timeText(lastAt),
      }),
    );
  }

  /**
   * Adds an operator, or changes one: roles, activity, and the password when one is given. Where authenticators are required a new one gets a secret, which is answered this once.
   * Throws `register.pswCommon`, `login.psw6` for a new one without a password, `admin.ownRights` for who would put themselves off.
   */
  async save(
    actor: Actor,
    { username, password, roles, active }: OperatorChange,
    reason: string,
  ): Promise<{ id: number; totp: TotpSetup | null }> {
    if (password !== undefined && this.passwords.common.has(password.toLowerCase()))
      throw new Refused('register.pswCommon', {}, { field: 'password' });
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    const saved = await this.database.transaction(async (tx) => {
      const existing = await this.operators.byName(tx, username);
      const after = { roles, active, password: passwordHash === null ? 'kept' : 'set' };
      if (existing) {
        if (existing.id === actor.id && (!active || (existing.roles.includes('admin') && !roles.includes('admin'))))
          throw new Refused('admin.ownRights');
        await this.operators.change(tx, existing.id, { passwordHash, roles, active });
        // Rights and password are new: everyone signed in under the old ones signs in again, but for who changes themselves.
        const ended = await this.operators.endAll(
          tx,
          existing.id,
          this.clock.sessions(),
          existing.id === actor.id ? (actor.sessionId ?? null) : null,
        );
        this.trail.record(tx, actor, {
          action: 'operators.save',
          target: `operator:${username}`,
          reason,
          before: { roles: existing.roles, active: existing.active },
          after,
        });
        return { id: existing.id, totp: null, ended };
      }
      if (passwordHash === null) throw new Refused('login.psw6', {}, { field: 'password' });
      const id = await this.operators.add(tx, { username, passwordHash, roles, active }, this.clock.now());
      if (id === null) throw new Refused('register.used', {}, { field: 'username' });
      const created = (await this.operators.totpRequired(tx)) ? this.totp.create(username) : null;
      if (created) await this.operators.setTotp(tx, id, created.sealed, 0);
      this.trail.record(tx, actor, {
        action: 'operators.save',
        target: `operator:${username}`,
        reason,
        before: {},
        after,
      });
      return { id, totp: created && { secret: created.secret, otpauth_url: created.url }, ended: [] };
    });
    await this.news.tell(saved.id, saved.ended);
    return { id: saved.id, totp: saved.totp };
  }

  /** A new authenticator for oneself; it counts once a first code of it is right. Throws `auth.wrong`. */
  async setupTotp(caller: Caller, password: string): Promise<TotpSetup> {
    const operator = await this.confirmed(caller, password);
    const { secret, url, sealed } = this.totp.create(operator.username);
    await this.database.transaction((tx) => this.operators.setTotpPending(tx, operator.id, sealed));
    return { secret, otpauth_url: url };
  }

  /** Throws `login.totpWrong`. All other sessions end. */
  async enableTotp(caller: Caller, code: string, reason: string): Promise<void> {
    const operator = await this.own(caller);
    const { totpPending } = operator;
    let step: number | null = null;
    await this.attempts.require(
      `operator-totp:${operator.id}`,
      () =>
        Promise.resolve(
          (step = totpPending === null ? null : this.totp.step(totpPending, code, this.clock.real())) !== null,
        ),
      WRONG,
    );
    await this.changed(caller, operator, reason, 'operators.totp', async (tx) => {
      if (totpPending !== null && step !== null) await this.operators.setTotp(tx, operator.id, totpPending, step);
    });
  }

  /** Throws `auth.wrong` for the old password, `register.pswCommon` for the new one. All other sessions end. */
  async changePassword(
    caller: Caller,
    { old, fresh }: { readonly old: string; readonly fresh: string },
    reason: string,
  ): Promise<void> {
    const operator = await this.confirmed(caller, old);
    if (this.passwords.common.has(fresh.toLowerCase()) || fresh.toLowerCase() === operator.username)
      throw new Refused('register.pswCommon', {}, { field: 'new_password' });
    const passwordHash = await this.passwords.hash(fresh);
    await this.changed(caller, operator, reason, 'operators.password', (tx) =>
      this.operators.change(tx, operator.id, { passwordHash, roles: operator.roles, active: operator.active }),
    );
  }

  private async changed(
    caller: Caller,
    operator: Operator,
    reason: string,
    action: string,
    work: (tx: Parameters<Operators['endAll']>[0]) => Promise<void>,
  ): Promise<void> {
    const ended = await this.database.transaction(async (tx) => {
      await work(tx);
      this.trail.record(
        tx,
        { id: operator.id, name: operator.username },
        { action, target: `operator:${operator.username}`, reason, before: {}, after: {} },
      );
      return this.operators.endAll(tx, operator.id, this.clock.sessions(), caller.sessionId);
    });
    await this.news.tell(operator.id, ended);
  }

  private async confirmed(caller: Caller, password: string): Promise<Operator> {
    const operator = await this.own(caller);
    await this.attempts.require(
      `operator-own:${operator.id}`,
      () => this.passwords.verify(operator.passwordHash, password),
      { key: 'auth.wrong', field: 'password' },
    );
    return operator;
  }

  private async own(caller: Caller): Promise<Operator> {
    const operator = await this.operators.byId(this.database, caller.userId);
    if (!operator) throw new Refused('auth.expired');
    return operator;
  }
}
