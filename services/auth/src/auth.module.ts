import { randomBytes, randomInt } from 'node:crypto';
import { Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Databases } from '@bourse/persistence';
import { Clock, Config, Readiness } from '@bourse/platform';
import { AesSeal } from './adapters/crypto/aes-seal.js';
import { Argon2Passwords } from './adapters/crypto/argon2-passwords.js';
import { JwtTokens } from './adapters/crypto/jwt-tokens.js';
import { SealedTotp } from './adapters/crypto/sealed-totp.js';
import { Carriers, ConfiguredCarriers } from './adapters/delivery/carriers.js';
import { SentPost } from './adapters/delivery/sent-post.js';
import { AccountController } from './adapters/http/account.controller.js';
import { ApiKeyController } from './adapters/http/api-key.controller.js';
import { ConfirmedGuard } from './adapters/http/confirmed.guard.js';
import { IdentityController } from './adapters/http/identity.controller.js';
import { OperatorController } from './adapters/http/operator.controller.js';
import { PeopleAdminController } from './adapters/http/people-admin.controller.js';
import { SecurityController } from './adapters/http/security.controller.js';
import { SignInController } from './adapters/http/sign-in.controller.js';
import { ApprovalController } from './adapters/http/approval.controller.js';
import { AuthAnswers, PublishedSessionNews } from './adapters/messaging/answers.js';
import { AUTH_MIGRATIONS } from './adapters/persistence/migrations.js';
import { Reseal } from './adapters/persistence/reseal.js';
import { Retention } from './adapters/persistence/retention.js';
import { SqlApprovals } from './adapters/persistence/sql-approvals.js';
import { SqlApiKeys } from './adapters/persistence/sql-api-keys.js';
import { SqlAuthorizationCodes } from './adapters/persistence/sql-authorization-codes.js';
import { SqlCodes } from './adapters/persistence/sql-codes.js';
import { SqlFailures, SqlSettings } from './adapters/persistence/sql-failures.js';
import { SqlIdentities } from './adapters/persistence/sql-identities.js';
import { SqlOperators } from './adapters/persistence/sql-operators.js';
import { SqlPeople } from './adapters/persistence/sql-people.js';
import { SqlSessions } from './adapters/persistence/sql-sessions.js';
import { Account } from './application/account.js';
import { ApiKeyAccess } from './application/api-key-access.js';
import { Approvals } from './application/approvals/approvals.js';
import { ApprovalStore } from './application/approvals/ports.js';
import { SecondPerson } from './application/approvals/second-person.js';
import { AskedCodes } from './application/asked-codes.js';
import { Attempts } from './application/attempts.js';
import { Authenticator } from './application/authenticator.js';
import { Confirmation } from './application/confirmation.js';
import { Contact } from './application/contact.js';
import { DeviceLogin } from './application/device-login.js';
import { ForgottenPassword } from './application/forget.js';
import { FundGate } from './application/fund-gate.js';
import { FundPassword } from './application/fund-password.js';
import { IdentityReview } from './application/identity-review.js';
import { IdentityPapersDesk } from './application/identity.js';
import { JudgeCode } from './application/judge-code.js';
import { Letters } from './application/letters.js';
import { Login } from './application/login.js';
import { OpenSession } from './application/open-session.js';
import { OperatorDesk } from './application/operator-desk.js';
import { OperatorSignIn } from './application/operator-sign-in.js';
import { OwnPassword } from './application/own-password.js';
import { Payment } from './application/payment.js';
import {
  ApiKeys,
  AuthDatabase,
  AuthorizationCodes,
  Codes,
  Failures,
  Identities,
  Operators,
  Passwords,
  People,
  Post,
  Randomness,
  Seal,
  SessionNews,
  Sessions,
  Settings,
  Tokens,
  Totp,
} from './application/ports.js';
import { Rehash } from './application/rehash.js';
import { RegionAgents } from './application/region-agents.js';
import { Register } from './application/register.js';
import { Safety } from './application/safety.js';
import { SendCode } from './application/send-code.js';
import { Trail } from './application/trail.js';
import { Uploads } from './application/uploads.js';
import { UserDesk } from './application/user-desk.js';
import { seedDemoOperators } from './seed/demo-operators.js';
import { seedDemoPeople } from './seed/demo-people.js';

/** Name of this service and of its schema. */
export const SERVICE = 'auth';

/** Without those that look alike. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

@Injectable()
class SystemRandomness extends Randomness {
  letters(count: number): string {
    return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  }
  secret(bytes: number): string {
    return randomBytes(bytes).toString('base64url');
  }
  digits(count: number): string {
    return Array.from({ length: count }, () => randomInt(10)).join('');
  }
}

/** Rows that time has emptied of meaning are removed after this long. */
const SWEEP_MS = 3_600_000;

/**
 * Brings the demo people, seals what lies in the clear before anybody is served, and looks every hour for what to seal
 * anew and what to delete.
 */
@Injectable()
class AuthStart implements OnApplicationBootstrap {
  private readonly log = new Logger('Auth');

  constructor(
    private readonly database: AuthDatabase,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly readiness: Readiness,
    private readonly operators: Operators,
    private readonly seal: Seal,
    private readonly reseal: Reseal,
    private readonly retention: Retention,
  ) {
    readiness.set(SERVICE, false);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.dev) {
      await seedDemoPeople(this.database, this.passwords, this.seal, this.clock.now());
      await seedDemoOperators(this.database, this.operators, this.passwords, this.clock.now());
    }
    await this.reseal.clear();
    const work = (): void => {
      this.sweep().catch((error: unknown) => this.log.warn(`sweeping failed, next time again: ${String(error)}`));
    };
    work();
    setInterval(work, SWEEP_MS).unref();
    this.readiness.set(SERVICE, true);
  }

  private async sweep(): Promise<void> {
    await this.reseal.run();
    await this.retention.run();
  }
}

@Module({
  controllers: [
    SignInController,
    AccountController,
    SecurityController,
    IdentityController,
    ApiKeyController,
    OperatorController,
    ApprovalController,
    PeopleAdminController,
  ],
  providers: [
    {
      provide: AuthDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open({ schema: SERVICE, migrations: AUTH_MIGRATIONS }),
    },
    { provide: People, useClass: SqlPeople },
    { provide: Sessions, useClass: SqlSessions },
    { provide: Operators, useClass: SqlOperators },
    { provide: Codes, useClass: SqlCodes },
    { provide: Failures, useClass: SqlFailures },
    { provide: Settings, useClass: SqlSettings },
    { provide: Passwords, useClass: Argon2Passwords },
    { provide: Tokens, useClass: JwtTokens },
    { provide: Seal, useClass: AesSeal },
    { provide: Totp, useClass: SealedTotp },
    { provide: Randomness, useClass: SystemRandomness },
    { provide: ApiKeys, useClass: SqlApiKeys },
    { provide: ApprovalStore, useClass: SqlApprovals },
    { provide: AuthorizationCodes, useClass: SqlAuthorizationCodes },
    { provide: Identities, useClass: SqlIdentities },
    { provide: Carriers, useClass: ConfiguredCarriers },
    { provide: Post, useClass: SentPost },
    { provide: SessionNews, useClass: PublishedSessionNews },
    Attempts,
    OwnPassword,
    Rehash,
    Letters,
    OpenSession,
    Authenticator,
    Confirmation,
    ConfirmedGuard,
    AskedCodes,
    FundGate,
    ApiKeyAccess,
    Contact,
    DeviceLogin,
    Safety,
    Uploads,
    IdentityPapersDesk,
    Payment,
    RegionAgents,
    Trail,
    SecondPerson,
    Approvals,
    UserDesk,
    IdentityReview,
    OperatorDesk,
    JudgeCode,
    SendCode,
    Login,
    Register,
    ForgottenPassword,
    FundPassword,
    Account,
    OperatorSignIn,
    AuthAnswers,
    Reseal,
    Retention,
    AuthStart,
  ],
})
export class AuthModule {}
