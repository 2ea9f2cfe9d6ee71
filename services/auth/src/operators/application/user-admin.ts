import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage, type HoldLine, type SessionRow, type UserInfo } from '@bourse/contract';
import { Asks, walletLedgerAsks, type ExportPiece, type FoundThing } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, SecurityLog, timeText, type Caller, type Page } from '@bourse/platform';
import { userInfoOf } from '../../profile/application/account.js';
import { Approvals } from './approvals.js';
import { ApprovalStore, type CarriedOut, type WaitingCall } from './approval-ports.js';
import { MessageTemplates, type AccountNotice } from '../../shared/application/message-templates.js';
import { ApiKeys } from '../../shared/application/ports/api-keys.js';
import { AuthorizationCodes } from '../../shared/application/ports/authorization-codes.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Failures } from '../../shared/application/ports/failures.js';
import { Passkeys } from '../../shared/application/ports/passkeys.js';
import { People, type PeopleFilter, type Person } from '../../shared/application/ports/people.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions } from '../../shared/application/ports/sessions.js';
import { actorOf, AuditLog, type Actor } from '../../shared/application/audit-log.js';

export const FREEZE_SCOPES = ['all', 'trade', 'c2c', 'withdraw', 'none'] as const;
export const RESETS = ['sessions', 'totp', 'fund'] as const;
/** Resets that take a second person, because they remove a protection of the money. */
type Guarded = 'totp' | 'fund';
interface GuardedReset {
  readonly userId: number;
  readonly what: Guarded;
}
const BLOCKED_HOURS = 24;
/** Notice that the person gets for each scope. */
const FROZEN_NOTICES = {
  all: 'frozen',
  trade: 'frozenPart',
  c2c: 'frozenPart',
  withdraw: 'frozenPart',
  none: 'unfrozen',
} as const satisfies Record<Caller['frozen'], AccountNotice>;

/** A person in the operators' list: the person's own view, and fields for operators only. */
export type UserRow = UserInfo & {
  readonly frozen: Caller['frozen'];
  readonly name: string;
  readonly region: string;
  /** Other older accounts with the same mailbox or telephone in another spelling. */
  readonly same_contact: readonly number[];
  readonly created_at: string;
};
/** Balance of a person's account, as `balance_update` names it (api §4). */
interface AccountBalance {
  readonly currency: number;
  readonly account: string;
  readonly balance: string;
  readonly lock_balance: string;
}
export type UserFile = UserRow & {
  /** The inviter's id; 0: none. */
  readonly inviter_id: number;
  readonly review_reason: string;
  readonly withdrawals_blocked_until: string;
  readonly bank: {
    readonly real_name: string;
    readonly bank_no: string;
    readonly bank_name: string;
    readonly region: string;
    readonly phone: string;
  } | null;
  readonly sessions: readonly SessionRow[];
  readonly balances: readonly AccountBalance[];
  readonly holds: readonly HoldLine[];
};
/** A person as lists of operators name them. */
export interface NamedPerson {
  readonly id: number;
  readonly account_number: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}
export interface RoleChange {
  readonly isSeller?: boolean | undefined;
  readonly isAcceptor?: boolean | undefined;
  readonly region?: string | undefined;
  readonly inPoints?: boolean | undefined;
}

const EXPORTED = [
  'id',
  'account_number',
  'email',
  'phone',
  'area_code',
  'nationality',
  'review_status',
  'frozen',
  'is_seller',
  'is_acceptor',
  'region',
  'extension_code',
  'created_at',
] as const;
const PIECE = 500;
/** Most people that a search over everything names. */
const FOUND_MAX = 10;

/**
 * Operators' views of people and their actions: freeze, reset, set a role. Never a password, a code or a balance
 * (api §2.12) [AUTH-161].
 */
@Injectable()
export class UserAdmin {
  private readonly request: ReturnType<typeof Approvals.prototype.register<GuardedReset>>;

  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly sessions: Sessions,
    private readonly devices: AuthorizationCodes,
    private readonly failures: Failures,
    private readonly letters: MessageTemplates,
    private readonly trail: AuditLog,
    private readonly news: SessionEvents,
    private readonly keys: ApiKeys,
    private readonly passkeys: Passkeys,
    private readonly asks: Asks,
    private readonly approvals: ApprovalStore,
    private readonly clock: Clock,
    private readonly security: SecurityLog,
    waiting: Approvals,
  ) {
    this.request = waiting.register(this.waitingReset());
  }

  async list(filter: PeopleFilter, page: Page): Promise<DataPage<UserRow>> {
    const { total, rows } = await this.people.search(this.database, filter, page);
    const same = await this.people.sameContact(
      this.database,
      rows.map(({ id }) => id),
    );
    return toDataPage({ rows, total }, page, (row) => rowOf(row, same));
  }

  /** People with this id, account number, name or contact, for the search over everything. */
  async find(text: string): Promise<FoundThing[]> {
    const { rows } = await this.people.search(this.database, { keyword: text }, { size: FOUND_MAX, offset: 0 });
    return rows.map(({ id, name, email, phone, accountNumber }) => ({
      kind: 'user',
      id: String(id),
      userId: id,
      title: [name, email || phone, accountNumber].filter(Boolean).join(' · '),
      role: 'support',
    }));
  }

  /** How these people are called; accounts of the house and ids of nobody are left out. */
  async named(ids: readonly number[]): Promise<NamedPerson[]> {
    return (await this.people.profiles(this.database, ids))
      .filter(({ canSignIn }) => canSignIn)
      .map(({ id, accountNumber, name, email, phone }) => ({ id, account_number: accountNumber, name, email, phone }));
  }

  /** Throws `common.notFound`; `AskUnavailable` while the ledger does not answer. */
  async file(userId: number, lang: string): Promise<UserFile> {
    const person = await this.found(this.database, userId);
    const [same, bank, sessions, balances, holds] = await Promise.all([
      this.people.sameContact(this.database, [userId]),
      this.people.bankOf(this.database, userId),
      this.sessions.list(this.database, userId, this.clock.sessions()),
      this.asks.ask(walletLedgerAsks.balances, { userId }),
      this.asks.ask(walletLedgerAsks.holds, { userId, lang }),
    ]);
    return {
      ...rowOf(person, same),
      inviter_id: person.inviterId ?? 0,
      review_reason: person.reviewReason,
      withdrawals_blocked_until: timeText(person.withdrawalsBlockedUntil),
      bank: bank && {
        real_name: bank.realName,
        bank_no: bank.bankNo,
        bank_name: bank.bankName,
        region: bank.region,
        phone: bank.phone,
      },
      balances: balances.map(({ currency, product, available, held }) => ({
        currency,
        account: product,
        balance: available,
        lock_balance: held,
      })),
      holds,
      sessions: sessions.map(({ publicId, ip, agent, createdAt, lastAt }) => ({
        id: publicId,
        ip,
        agent,
        created_at: timeText(createdAt),
        last_at: timeText(lastAt),
        current: 0,
      })),
    };
  }

  /** Counts for the operators' dashboard. */
  async work(): Promise<{ kyc: number; frozen: number; approvals: number; approvals_held: number }> {
    const [people, approvals] = await Promise.all([
      this.people.openWork(this.database),
      this.approvals.waiting(this.database, this.clock.now()),
    ]);
    return { ...people, approvals: approvals.waiting, approvals_held: approvals.held };
  }

  /**
   * One piece of the export of people; `after` is the last id of the previous piece. Nothing secret, no identity
   * documents.
   */
  async piece(span: { readonly from: number; readonly to: number }, after: string | null): Promise<ExportPiece> {
    const people = await this.people.registered(this.database, span, Number(after ?? 0), PIECE);
    return {
      columns: EXPORTED,
      after: people.length < PIECE ? null : String(people.at(-1)?.id),
      rows: people.map((person) => [
        person.id,
        person.accountNumber,
        person.email,
        person.phone,
        person.areaCode,
        person.nationality,
        person.reviewStatus,
        person.frozen,
        person.isSeller ? 1 : 0,
        person.isAcceptor ? 1 : 0,
        person.region,
        person.extensionCode,
        timeText(person.createdAt),
      ]),
    };
  }

  /**
   * Closes the parts of the account that the scope names; `none` opens all again. The person is notified of a change
   * through every contact and by a personal notice [HARD-502].
   */
  async freeze(operator: Caller, userId: number, scope: Caller['frozen'], reason: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const person = await this.locked(tx, userId);
      await this.people.setFrozen(tx, userId, scope, this.clock.now());
      if (scope !== person.frozen) await this.letters.notifyEverywhere(tx, person, FROZEN_NOTICES[scope]);
      this.trail.record(tx, actorOf(operator), {
        action: 'users.freeze',
        target: `user:${userId}`,
        reason,
        before: { frozen: person.frozen },
        after: { frozen: scope },
      });
    });
    await this.news.sessionsEnded(userId, []);
    this.security.record(scope === 'none' ? 'account.unfrozen' : 'account.frozen', {
      user_id: userId,
      scope,
      by: 'operator',
    });
  }

  /**
   * `sessions` ends them at once and returns null. `totp` removes the authenticator and the passkeys, `fund` makes the
   * person set the fund password again by a code: both wait for a second person, and the approval's id is returned
   * [HARD-207].
   */
  async reset(operator: Caller, userId: number, what: (typeof RESETS)[number], reason: string): Promise<number | null> {
    if (what !== 'sessions') {
      await this.found(this.database, userId);
      const after = { reset: what, withdrawals_blocked_hours: BLOCKED_HOURS };
      return this.request(operator, { target: `user:${userId}`, reason, after, payload: { userId, what } });
    }
    await this.database.transaction(async (tx) => {
      // A sign-in that holds the account is seen, and its session ended [AUTH-245].
      const person = await this.locked(tx, userId);
      await this.endSessions(tx, userId);
      this.trailReset(tx, actorOf(operator), person, what, reason);
    });
    await this.news.sessionsEnded(userId, 'all');
    return null;
  }

  private waitingReset(): WaitingCall<GuardedReset> {
    return {
      name: 'users/reset',
      role: 'support',
      before: async (tx, { userId }) => {
        const person = await this.people.byId(tx, userId);
        return person && { totp: person.totpSealed !== null, fund_must_reset: person.fundMustReset };
      },
      carryOut: (tx, reset, { approver, reason }) => this.carryOut(tx, reset, approver, reason),
    };
  }

  /**
   * Carries the reset out, ends the API keys, blocks withdrawals for 24 h and notifies every contact: the requester at
   * support may not be the owner.
   */
  private async carryOut(tx: Tx, { userId, what }: GuardedReset, approver: Actor, reason: string): Promise<CarriedOut> {
    const person = await this.found(tx, userId);
    if (what === 'fund') {
      if (person.fundHash !== null) await this.people.requireFundReset(tx, userId);
    } else {
      // Locks the account first, so that a sign-in that holds it is seen and its session ended.
      await this.people.disableTotp(tx, userId);
      await this.endSessions(tx, userId);
      await this.failures.clear(tx, `totp:${userId}`);
      if ((await this.passkeys.removeAll(tx, userId)) > 0)
        await this.letters.notifyEverywhere(tx, person, 'passkeysReset');
    }
    await this.keys.removeAll(tx, userId, this.clock.sessions());
    await this.people.blockWithdrawals(tx, userId, this.clock.now() + BLOCKED_HOURS * 3_600_000);
    await this.letters.notifyEverywhere(tx, person, what === 'fund' ? 'fund' : 'totpReset');
    this.trailReset(tx, approver, person, what, reason);
    return { publishEvents: () => this.news.sessionsEnded(userId, what === 'fund' ? [] : 'all') };
  }

  private async endSessions(tx: Tx, userId: number): Promise<void> {
    await this.sessions.endAll(tx, userId, this.clock.sessions());
    await this.devices.drop(tx, userId);
  }

  private trailReset(tx: Tx, actor: Actor, person: Person, what: (typeof RESETS)[number], reason: string): void {
    this.trail.record(tx, actor, {
      action: 'users.reset',
      target: `user:${person.id}`,
      reason,
      before: { totp: person.totpSealed !== null, fund_must_reset: person.fundMustReset },
      after: { reset: what },
    });
  }

  /**
   * Sets the roles of a person: by an operator, or by the service that opens a shop or admits an acceptor. Two at once
   * wait for each other: each keeps what the other one has set. Throws `common.notFound`.
   */
  async role(actor: Actor, userId: number, change: RoleChange, reason: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const person = await this.locked(tx, userId);
      const after = {
        isSeller: change.isSeller ?? person.isSeller,
        isAcceptor: change.isAcceptor ?? person.isAcceptor,
        region: change.region ?? person.region,
        inPoints: change.inPoints ?? person.inPoints,
      };
      await this.people.setRole(tx, userId, after);
      const { isSeller, isAcceptor, region, inPoints } = person;
      this.trail.record(tx, actor, {
        action: 'users.role',
        target: `user:${userId}`,
        reason,
        before: { isSeller, isAcceptor, region, inPoints },
        after,
      });
    });
    await this.news.sessionsEnded(userId, []);
  }

  private async found(sql: Parameters<People['byId']>[0], userId: number): Promise<Person> {
    return known(await this.people.byId(sql, userId));
  }

  /** Locks the account until the end of the transaction, so that what is read stays true. Throws `common.notFound`. */
  private async locked(tx: Tx, userId: number): Promise<Person> {
    return known(await this.people.lock(tx, userId));
  }
}

function known(person: Person | null): Person {
  if (!person) throw new Refused('common.notFound', {}, { field: 'user_id' });
  return person;
}

const rowOf = (person: Person, same: ReadonlyMap<number, readonly number[]>): UserRow => ({
  ...userInfoOf(person),
  frozen: person.frozen,
  name: person.name,
  region: person.region,
  same_contact: same.get(person.id) ?? [],
  created_at: timeText(person.createdAt),
});
