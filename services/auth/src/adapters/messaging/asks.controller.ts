import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { askedBy, type PartyFacts, type ReaderFacts, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE, Refused, type Caller } from '@bourse/platform';
import { Account } from '../../application/account.js';
import { ApiKeyAccess } from '../../application/api-key-access.js';
import { AskedCodes } from '../../application/asked-codes.js';
import { Approvals, type PendingApproval } from '../../application/approvals/approvals.js';
import { AskedCalls, GUARDED_CALLS, type AskedApproval } from '../../application/approvals/asked-calls.js';
import { SecondPerson } from '../../application/approvals/second-person.js';
import { Authenticator } from '../../application/authenticator.js';
import { FundPassword } from '../../application/fund-password.js';
import { OwnPassword } from '../../application/own-password.js';
import { UserAdmin, type RoleChange } from '../../application/user-admin.js';
import { AuthDatabase } from '../../application/ports/database.js';
import { Mailer } from '../../application/ports/mailer.js';

const INBOX_LIMIT = { standard: 20, max: 1_000 } as const;
const PROFILES_MAX = 1_000;
const PARTIES_MAX = 100;
const WALLET = 'wallet-ledger';
/** Deals between people: reads their parties, and makes people sellers or acceptors. */
const ESCROW = 'c2c-escrow';
/** Writes to people: reads their language and their registration time. */
const NOTICES = 'notices';
/** Points: makes people members of the programme. */
const POINTS = 'points';

/** Other owners of settings, or of lists of the catalog. */
const SAVINGS = 'savings';
const MARKET = 'market-data';
const MICRO = 'micro-settlement';
const LEVER = 'lever-risk';

type SellerRole = Pick<RoleChange, 'isSeller' | 'isAcceptor'>;

/** Answers the questions of other services to auth. */
@Controller()
export class AuthAsksController {
  constructor(
    private readonly account: Account,
    private readonly fund: FundPassword,
    private readonly post: Mailer,
    private readonly database: AuthDatabase,
    private readonly authenticator: Authenticator,
    private readonly password: OwnPassword,
    private readonly codes: AskedCodes,
    private readonly apiKeys: ApiKeyAccess,
    private readonly desk: UserAdmin,
    private readonly second: SecondPerson,
    private readonly asked: AskedCalls,
    private readonly approvals: Approvals,
  ) {}

  @MessagePattern('auth.describe', askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: 'auth', exports: ['users'], work: true };
  }

  @MessagePattern('auth.session', askedBy(EDGE_SERVICE))
  session(@Payload() { token }: { token: string }): Promise<Caller | null> {
    return this.account.authenticate(token);
  }

  @MessagePattern('auth.caller', askedBy(EDGE_SERVICE))
  caller(@Payload() { userId }: { userId: number }): Promise<Caller | null> {
    return this.account.callerOf(userId);
  }

  @MessagePattern('auth.fund', askedBy(WALLET, 'micro-settlement', ESCROW, POINTS, 'savings'))
  verifyFund(@Payload() { userId, password }: { userId: number; password: string }) {
    return this.fund.verify(userId, password);
  }

  @MessagePattern('auth.profile', askedBy(WALLET))
  profiles(@Payload() { userIds }: { userIds: readonly number[] }) {
    return this.account.profiles(userIds.slice(0, PROFILES_MAX));
  }

  @MessagePattern('auth.parties', askedBy(ESCROW))
  parties(@Payload() { userIds }: { userIds: readonly number[] }): Promise<PartyFacts[]> {
    return this.account.parties(userIds.slice(0, PARTIES_MAX));
  }

  @MessagePattern('auth.readers', askedBy(NOTICES))
  readers(@Payload() { userIds }: { userIds: readonly number[] }): Promise<ReaderFacts[]> {
    return this.account.readers(userIds.slice(0, PROFILES_MAX));
  }

  /** How members of a team are called. */
  @MessagePattern('auth.names', askedBy('points'))
  names(@Payload() { userIds }: { userIds: readonly number[] }): Promise<{ userId: number; name: string }[]> {
    return this.account.names(userIds.slice(0, PROFILES_MAX));
  }

  @MessagePattern('auth.acceptors', askedBy(ESCROW))
  acceptors(@Payload() { userIds }: { userIds: readonly number[] }): Promise<number[]> {
    return this.account.acceptorsAmong(userIds.slice(0, PROFILES_MAX));
  }

  @MessagePattern('auth.role', askedBy(ESCROW))
  async role(
    @Payload() { userId, isSeller, isAcceptor, reason }: { userId: number; reason: string } & SellerRole,
  ): Promise<null> {
    await this.desk.role({ id: 0, name: ESCROW }, userId, { isSeller, isAcceptor }, reason);
    return null;
  }

  /** Somebody has bound an account of points: the profile's `type` is 1 from now on. */
  @MessagePattern('auth.joinPoints', askedBy(POINTS))
  async joinPoints(@Payload() { userId, reason }: { userId: number; reason: string }): Promise<null> {
    await this.desk.role({ id: 0, name: POINTS }, userId, { inPoints: true }, reason);
    return null;
  }

  @MessagePattern('auth.totp', askedBy(WALLET))
  verifyTotp(@Payload() { userId, code }: { userId: number; code: string | null }) {
    return this.authenticator.verify(userId, code);
  }

  @MessagePattern('auth.withdrawals', askedBy(WALLET))
  async withdrawals(@Payload() { userId }: { userId: number }): Promise<{ blockedUntil: number | null }> {
    return { blockedUntil: await this.account.withdrawalsBlockedUntil(userId) };
  }

  /** Who pays out asks before each signature: read from the table, never from a memory. */
  @MessagePattern('auth.frozen', askedBy(WALLET))
  frozen(@Payload() { userIds }: { userIds: readonly number[] }) {
    return this.account.frozenAmong(userIds.slice(0, PROFILES_MAX));
  }

  @MessagePattern('auth.sendCode', askedBy(WALLET))
  sendCode(@Payload() { userId, lang }: { userId: number; scene: 'draw_address'; lang: string }) {
    return this.codes.send(userId, 'draw_address', lang);
  }

  @MessagePattern('auth.useCode', askedBy(WALLET))
  useCode(@Payload() { userId, code }: { userId: number; scene: 'draw_address'; code: string }) {
    return this.codes.use(userId, 'draw_address', code);
  }

  @MessagePattern('auth.password', askedBy())
  async verifyPassword(
    @Payload() { userId, password }: { userId: number; password: string },
  ): Promise<{ ok: boolean }> {
    return { ok: (await this.password.verify(userId, password)).kind === 'right' };
  }

  @MessagePattern('auth.secondPerson', askedBy(WALLET, ESCROW))
  async secondPerson(
    @Payload() { operatorId, others }: { operatorId: number; others: readonly number[] },
  ): Promise<{ ok: boolean }> {
    return { ok: await this.second.is(operatorId, others) };
  }

  /** A call of another service waits for a second operator. */
  @MessagePattern('auth.approval', askedBy(ESCROW, WALLET))
  async approval(@Payload() request: AskedApproval): Promise<{ id: number }> {
    return { id: await this.asked.ask(request) };
  }

  /** A change of a guarded row waits for a second admin, as its owner asks. */
  @MessagePattern('auth.guardedChange', askedBy(EDGE_SERVICE, WALLET, ESCROW, POINTS, SAVINGS, MARKET, MICRO, LEVER))
  async guardedChange(@Payload() request: AskedApproval): Promise<{ id: number }> {
    if (!GUARDED_CALLS.includes(request.call)) throw new Refused('common.forbidden');
    return { id: await this.asked.ask(request) };
  }

  /** Changes of guarded rows that are not in force yet, as the lists of their owners show them. */
  @MessagePattern('auth.pendingChanges', askedBy(EDGE_SERVICE, WALLET, ESCROW, POINTS, SAVINGS, MARKET, MICRO, LEVER))
  pendingChanges(@Payload() { calls }: { calls: readonly string[] }): Promise<PendingApproval[]> {
    return this.approvals.pending(calls.filter((call) => GUARDED_CALLS.includes(call)));
  }

  @MessagePattern('auth.apiKey', askedBy(EDGE_SERVICE))
  apiKey(@Payload() { key }: { key: string }) {
    return this.apiKeys.facts(key);
  }

  @MessagePattern('auth.work', askedBy(EDGE_SERVICE))
  work() {
    return this.desk.work();
  }

  @MessagePattern('auth.export', askedBy(EDGE_SERVICE))
  export(@Payload() { from, to, after }: { from: number; to: number; after: string | null }) {
    return this.desk.piece({ from, to }, after);
  }

  @MessagePattern('auth.outbox', askedBy(EDGE_SERVICE))
  outbox(@Payload() { to, scene, limit }: { to?: string; scene?: string; limit?: number }) {
    return this.post.inbox(this.database, {
      to,
      scene,
      limit: Math.min(Math.max(1, limit ?? INBOX_LIMIT.standard), INBOX_LIMIT.max),
    });
  }
}
