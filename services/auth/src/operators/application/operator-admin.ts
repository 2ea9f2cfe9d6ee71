import { Injectable } from '@nestjs/common';
import { OPERATOR_PASSWORD_LENGTH, type TotpSetup } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, SecurityLog, timeText, type Caller } from '@bourse/platform';
import { Approvals } from './approvals.js';
import { ApprovalStore, type CarriedOut, type WaitingCall } from './approval-ports.js';
import { Attempts } from '../../shared/application/attempts.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Failures } from '../../shared/application/ports/failures.js';
import { Operators, type Operator, type OperatorRole } from '../../shared/application/ports/operators.js';
import { Passwords } from '../../shared/application/ports/passwords.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Totp } from '../../shared/application/ports/totp.js';
import { actorOf, AuditLog } from '../../shared/application/audit-log.js';

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
  /** The authenticator is lost: the approver is shown a new one. */
  readonly newTotp: boolean;
}
/** Data of a waiting change of an operator; `passwordHash` null: the password stays. */
interface Access {
  readonly username: string;
  readonly passwordHash: string | null;
  readonly roles: readonly OperatorRole[];
  /** Missing in a request that an older version stored: the authenticator stays. */
  readonly newTotp?: boolean;
}
const WRONG = { key: 'login.totpWrong', field: 'totp_code' } as const;

/**
 * Administration of operators: adding, changing, switching off, and their own settings [AUTH-162]. The requester of an
 * operator chooses the first password, and the approver is shown the authenticator's secret: neither can sign in as the
 * new person, and the first password is valid for one sign-in (docs/decisions/0054).
 */
@Injectable()
export class OperatorAdmin {
  private readonly request: ReturnType<typeof Approvals.prototype.register<Access>>;

  constructor(
    private readonly database: AuthDatabase,
    private readonly operators: Operators,
    private readonly passwords: Passwords,
    private readonly totp: Totp,
    private readonly attempts: Attempts,
    private readonly failures: Failures,
    private readonly trail: AuditLog,
    private readonly news: SessionEvents,
    private readonly security: SecurityLog,
    private readonly clock: Clock,
    private readonly approvals: ApprovalStore,
    waiting: Approvals,
  ) {
    this.request = waiting.register(this.waitingCall());
  }

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
   * Requests an operator, or a change of one: roles, activity, a password if one is given, and a new authenticator if
   * the old one is lost. It waits for a second admin; returns the approval's id. Switching off is done at once, changes
   * nothing else, and returns null. Throws `admin.ownPassword`, `admin.ownRights`, `register.pswCommon`,
   * `admin.soleAdmin` while nobody could approve, `admin.passwordLength` for a new operator without a password,
   * `common.notFound` when switching off an unknown operator.
   */
  async save(caller: Caller, change: OperatorChange, reason: string): Promise<number | null> {
    const { username, password, roles, active, newTotp } = change;
    const existing = await this.operators.byName(this.database, username);
    const own = existing?.id === caller.userId;
    if (own && (!active || (existing.roles.includes('admin') && !roles.includes('admin'))))
      throw new Refused('admin.ownRights');
    if (!active) {
      await this.switchOff(caller, username, reason);
      return null;
    }
    if (own && password !== undefined) throw new Refused('admin.ownPassword', {}, { field: 'password' });
    if (own && newTotp) throw new Refused('admin.ownRights', {}, { field: 'new_totp' });
    if (!existing && password === undefined)
      throw new Refused('admin.passwordLength', OPERATOR_PASSWORD_LENGTH, { field: 'password' });
    this.refuseGuessable(username, password, 'password');
    const admins = (await this.operators.list(this.database)).filter(
      (one) => one.active && one.roles.includes('admin'),
    );
    if (!admins.some(({ id }) => id !== caller.userId)) throw new Refused('admin.soleAdmin');
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    return this.request(caller, {
      target: `operator:${username}`,
      reason,
      after: {
        roles,
        active: true,
        password: passwordHash === null ? 'kept' : 'set',
        ...(newTotp ? { authenticator: 'new' } : {}),
      },
      payload: { username, passwordHash, roles, newTotp },
    });
  }

  /**
   * Operators cannot switch themselves off, but another may switch off the last admin: the command line always remains.
   */
  private async switchOff(caller: Caller, username: string, reason: string): Promise<void> {
    const { id, ended } = await this.database.transaction(async (tx) => {
      const operator = await this.operators.lockByName(tx, username);
      if (!operator) throw new Refused('common.notFound', {}, { field: 'username' });
      const { id, roles, active } = operator;
      await this.operators.change(tx, id, { passwordHash: null, roles, active: false });
      this.trail.record(tx, actorOf(caller), {
        action: 'operators.save',
        target: `operator:${username}`,
        reason,
        before: { roles, active },
        after: { roles, active: false },
      });
      return { id, ended: await this.operators.endAll(tx, id, this.clock.sessions(), null) };
    });
    await this.news.sessionsEnded(id, ended);
  }

  private waitingCall(): WaitingCall<Access> {
    return {
      name: 'operators',
      role: 'admin',
      before: async (tx, { username }) => {
        // An approval that waits here sees what a switch-off has changed, and is outdated [AUTH-243].
        const operator = await this.operators.lockByName(tx, username);
        return operator ? { roles: operator.roles, active: operator.active } : {};
      },
      subject: async (tx, { username }) => (await this.operators.byName(tx, username))?.id ?? null,
      carryOut: (tx, access, { requesterId, approver }) => this.carryOut(tx, access, [requesterId, approver.id]),
    };
  }

  /**
   * Adds or changes the operator. For 72 h neither the requester nor the approver of an access counts as a second
   * person for its owner, nor the owner for them. Renewing an access removes the lock after wrong tries.
   */
  private async carryOut(
    tx: Tx,
    { username, passwordHash, roles, newTotp = false }: Access,
    sponsors: readonly number[],
  ): Promise<CarriedOut> {
    const existing = await this.operators.lockByName(tx, username);
    const id = existing ? existing.id : await this.add(tx, { username, passwordHash, roles });
    if (existing) await this.operators.change(tx, id, { passwordHash, roles, active: true });
    if (passwordHash !== null) await this.operators.requireOwnPassword(tx, id, true);
    const isReset = passwordHash !== null || newTotp;
    if (!existing?.active || isReset) await this.approvals.sponsor(tx, id, sponsors, this.clock.now());
    if (existing && isReset) await this.failures.clearOperator(tx, id);
    // An existing authenticator stays unless it is lost; without one nobody can sign in where it is required.
    const created =
      newTotp || ((existing?.totpSealed ?? null) === null && (await this.operators.totpRequired(tx)))
        ? this.totp.create(username)
        : null;
    if (created) await this.operators.setTotp(tx, id, created.sealed, 0);
    // Rights or password have changed: all sessions under the old ones end.
    const ended = existing ? await this.operators.endAll(tx, id, this.clock.sessions(), null) : [];
    const totp: TotpSetup | null = created && { secret: created.secret, otpauth_url: created.url };
    return {
      shown: { operator_id: id, ...(totp ? { totp } : {}) },
      publishEvents: () => this.news.sessionsEnded(id, ended),
    };
  }

  private async add(tx: Tx, { username, passwordHash, roles }: Access): Promise<number> {
    if (passwordHash === null) throw new Refused('admin.outdated');
    const id = await this.operators.add(tx, { username, passwordHash, roles }, this.clock.now());
    if (id === null) throw new Refused('admin.outdated');
    return id;
  }

  /**
   * A new authenticator for the caller; it is valid once its first code is confirmed. If one is active its code is
   * required too: an overheard password must not replace it. Throws `auth.wrong`, `login.totpRequired`,
   * `login.totpWrong`.
   */
  async setupTotp(caller: Caller, password: string, totpCode: string | undefined): Promise<TotpSetup> {
    const operator = await this.confirmed(caller, password, totpCode);
    const { secret, url, sealed } = this.totp.create(operator.username);
    await this.database.transaction((tx) => this.operators.setTotpPending(tx, operator.id, sealed));
    return { secret, otpauth_url: url };
  }

  /** Whether the caller's authenticator is active. */
  async hasTotp(caller: Caller): Promise<boolean> {
    return (await this.own(caller)).totpSealed !== null;
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
    this.security.record('authenticator.enabled');
  }

  /**
   * Changes the caller's password by the old one and, if an authenticator is active, its code. All other sessions end.
   * Throws `auth.wrong`, `login.totpRequired`, `login.totpWrong`, `register.pswCommon` for the new one.
   */
  async changePassword(
    caller: Caller,
    given: { readonly old: string; readonly fresh: string; readonly totpCode: string | undefined },
    reason: string,
  ): Promise<void> {
    const { old, fresh, totpCode } = given;
    this.refuseGuessable(caller.accountNumber, fresh, 'new_password');
    const operator = await this.confirmed(caller, old, totpCode);
    const passwordHash = await this.passwords.hash(fresh);
    await this.changed(caller, operator, reason, 'operators.password', async (tx) => {
      // Only the hash: roles may have been changed meanwhile.
      await this.operators.setPassword(tx, operator.id, operator.passwordHash, passwordHash);
      await this.operators.requireOwnPassword(tx, operator.id, false);
    });
    this.security.record('operator.password_changed');
  }

  private refuseGuessable(username: string, password: string | undefined, field: string): void {
    const folded = password?.toLowerCase();
    if (folded !== undefined && (this.passwords.common.has(folded) || folded === username))
      throw new Refused('register.pswCommon', {}, { field });
  }

  private async changed(
    caller: Caller,
    operator: Operator,
    reason: string,
    action: string,
    work: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    const ended = await this.database.transaction(async (tx) => {
      // The checks take time: a change made meanwhile has ended this session, and must not be undone [AUTH-216].
      if (!(await this.operators.lockUnchanged(tx, operator))) throw new Refused('auth.expired');
      await work(tx);
      this.trail.record(
        tx,
        { id: operator.id, name: operator.username },
        { action, target: `operator:${operator.username}`, reason, before: {}, after: {} },
      );
      return this.operators.endAll(tx, operator.id, this.clock.sessions(), caller.sessionId);
    });
    await this.news.sessionsEnded(operator.id, ended);
  }

  /**
   * Checks the password and, if one is active, the authenticator again: a stolen session has neither. The code's step
   * is used up.
   */
  private async confirmed(caller: Caller, password: string, totpCode: string | undefined): Promise<Operator> {
    const operator = await this.own(caller);
    await this.attempts.require(
      `operator-own:${operator.id}`,
      () => this.passwords.verify(operator.passwordHash, password),
      { key: 'auth.wrong', field: 'password' },
    );
    const { totpSealed } = operator;
    if (totpSealed === null) return operator;
    if (totpCode === undefined)
      throw new Refused('login.totpRequired', {}, { field: 'totp_code', extra: { need: 'totp' } });
    await this.attempts.require(
      `operator-totp:${operator.id}`,
      async () => {
        const step = this.totp.step(totpSealed, totpCode, this.clock.real());
        return step !== null && this.database.transaction((tx) => this.operators.useTotpStep(tx, operator.id, step));
      },
      WRONG,
    );
    return operator;
  }

  private async own(caller: Caller): Promise<Operator> {
    const operator = await this.operators.byId(this.database, caller.userId);
    if (!operator) throw new Refused('auth.expired');
    return operator;
  }
}
