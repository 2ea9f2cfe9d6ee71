import { Controller } from '@nestjs/common';
import {
  Answers,
  authAsks,
  flowOf,
  serviceAsks,
  type AuditRound,
  type QuestionOf,
  type ServiceDescription,
} from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { Account } from '../../profile/application/account.js';
import { ApiKeyAccess } from '../../security/application/api-key-access.js';
import { AskedCodes } from '../application/asked-codes.js';
import { Approvals } from '../../operators/application/approvals.js';
import { AskedCalls, GUARDED_CALLS } from '../../operators/application/asked-calls.js';
import { SecondPerson } from '../../operators/application/second-person.js';
import { Authenticator } from '../../security/application/authenticator.js';
import { FundPassword } from '../../security/application/fund-password.js';
import { UserAdmin } from '../../operators/application/user-admin.js';
import { RiskFacts } from '../../operators/application/risk-facts.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Mailer } from '../../shared/application/ports/mailer.js';

const INBOX_LIMIT = { standard: 20, max: 1_000 } as const;
const PROFILES_MAX = 1_000;
const SESSIONS_MAX = 1_000;
const PARTIES_MAX = 100;
/** Deals between people: reads their parties, and makes people sellers or acceptors. */
const ESCROW = 'c2c-escrow';
const POINTS = 'points';

/** Answers the questions of other services to auth. */
@Controller()
export class AuthAsksController {
  constructor(
    private readonly account: Account,
    private readonly fund: FundPassword,
    private readonly post: Mailer,
    private readonly database: AuthDatabase,
    private readonly authenticator: Authenticator,
    private readonly codes: AskedCodes,
    private readonly apiKeys: ApiKeyAccess,
    private readonly desk: UserAdmin,
    private readonly second: SecondPerson,
    private readonly asked: AskedCalls,
    private readonly approvals: Approvals,
    private readonly risk: RiskFacts,
  ) {}

  @Answers(serviceAsks.describe('auth'))
  describe(): ServiceDescription {
    return { service: 'auth', exports: ['users'], audits: true, work: true, finds: true };
  }

  /** It has nothing to check; outboxes keep what it has not read. */
  @Answers(serviceAsks.audit('auth'))
  async audit(): Promise<AuditRound> {
    return { checks: [], flow: await this.database.transaction((tx) => flowOf(tx)) };
  }

  @Answers(authAsks.session)
  session({ token }: QuestionOf<typeof authAsks.session>) {
    return this.account.authenticate(token);
  }

  @Answers(authAsks.activeSessions)
  activeSessions({ sessionIds }: QuestionOf<typeof authAsks.activeSessions>) {
    return this.account.activeAmong(sessionIds.slice(0, SESSIONS_MAX));
  }

  @Answers(authAsks.caller)
  caller({ userId }: QuestionOf<typeof authAsks.caller>) {
    return this.account.callerOf(userId);
  }

  @Answers(authAsks.fund)
  verifyFund({ userId, password }: QuestionOf<typeof authAsks.fund>) {
    return this.fund.verify(userId, password);
  }

  @Answers(authAsks.profile)
  profiles({ userIds }: QuestionOf<typeof authAsks.profile>) {
    return this.account.profiles(userIds.slice(0, PROFILES_MAX));
  }

  @Answers(authAsks.parties)
  parties({ userIds }: QuestionOf<typeof authAsks.parties>) {
    return this.account.parties(userIds.slice(0, PARTIES_MAX));
  }

  @Answers(authAsks.readers)
  readers({ userIds }: QuestionOf<typeof authAsks.readers>) {
    return this.account.readers(userIds.slice(0, PROFILES_MAX));
  }

  /** How members of a team are called. */
  @Answers(authAsks.names)
  names({ userIds }: QuestionOf<typeof authAsks.names>) {
    return this.account.names(userIds.slice(0, PROFILES_MAX));
  }

  @Answers(authAsks.acceptors)
  acceptors({ userIds }: QuestionOf<typeof authAsks.acceptors>) {
    return this.account.acceptorsAmong(userIds.slice(0, PROFILES_MAX));
  }

  @Answers(authAsks.role)
  async role({ userId, isSeller, isAcceptor, reason }: QuestionOf<typeof authAsks.role>) {
    await this.desk.role({ id: 0, name: ESCROW }, userId, { isSeller, isAcceptor }, reason);
    return null;
  }

  /** A person has bound an account of points: the profile's `type` is 1 from now on. */
  @Answers(authAsks.joinPoints)
  async joinPoints({ userId, reason }: QuestionOf<typeof authAsks.joinPoints>) {
    await this.desk.role({ id: 0, name: POINTS }, userId, { inPoints: true }, reason);
    return null;
  }

  @Answers(authAsks.totp)
  verifyTotp({ userId, code }: QuestionOf<typeof authAsks.totp>) {
    return this.authenticator.verify(userId, code);
  }

  @Answers(authAsks.withdrawals)
  async withdrawals({ userId }: QuestionOf<typeof authAsks.withdrawals>) {
    return { blockedUntil: await this.account.withdrawalsBlockedUntil(userId) };
  }

  /** Queried before each signature of a payment, and before a trigger order opens: never from a cache. */
  @Answers(authAsks.frozen)
  frozen({ userIds, from = 'withdraw' }: QuestionOf<typeof authAsks.frozen>) {
    return this.account.frozenAmong(userIds.slice(0, PROFILES_MAX), from);
  }

  @Answers(authAsks.riskFacts)
  riskFacts({ userIds }: QuestionOf<typeof authAsks.riskFacts>) {
    return this.risk.of(userIds.slice(0, PROFILES_MAX));
  }

  @Answers(authAsks.sendCode)
  sendCode({ userId, lang }: QuestionOf<typeof authAsks.sendCode>) {
    return this.codes.send(userId, 'draw_address', lang);
  }

  @Answers(authAsks.useCode)
  useCode({ userId, code }: QuestionOf<typeof authAsks.useCode>) {
    return this.codes.use(userId, 'draw_address', code);
  }

  @Answers(authAsks.secondPerson)
  async secondPerson({ operatorId, others, role }: QuestionOf<typeof authAsks.secondPerson>) {
    return { ok: await this.second.is(operatorId, others), gone: await this.second.gone(others, role) };
  }

  /** A call of another service waits for a second operator. */
  @Answers(authAsks.approval)
  async approval(request: QuestionOf<typeof authAsks.approval>) {
    return { id: await this.asked.ask(request) };
  }

  /** A change of a guarded row waits for a second admin, as its owner asks. */
  @Answers(authAsks.guardedChange)
  async guardedChange(request: QuestionOf<typeof authAsks.guardedChange>) {
    if (!GUARDED_CALLS.includes(request.call)) throw new Refused('common.forbidden');
    return { id: await this.asked.ask(request) };
  }

  /** Changes of guarded rows that are not in force yet, as the lists of their owners show them. */
  @Answers(authAsks.pendingChanges)
  pendingChanges({ calls }: QuestionOf<typeof authAsks.pendingChanges>) {
    return this.approvals.pending(calls.filter((call) => GUARDED_CALLS.includes(call)));
  }

  @Answers(authAsks.apiKey)
  apiKey({ key }: QuestionOf<typeof authAsks.apiKey>) {
    return this.apiKeys.facts(key);
  }

  @Answers(serviceAsks.work('auth'))
  work() {
    return this.desk.work();
  }

  @Answers(serviceAsks.find('auth'))
  find({ text }: QuestionOf<typeof serviceAsks.find>) {
    return this.desk.find(text);
  }

  @Answers(serviceAsks.export('auth'))
  export({ from, to, after }: QuestionOf<typeof serviceAsks.export>) {
    return this.desk.piece({ from, to }, after);
  }

  @Answers(authAsks.outbox)
  outbox({ to, scene, limit }: QuestionOf<typeof authAsks.outbox>) {
    return this.post.inbox(this.database, {
      to,
      scene,
      limit: Math.min(Math.max(1, limit ?? INBOX_LIMIT.standard), INBOX_LIMIT.max),
    });
  }
}
