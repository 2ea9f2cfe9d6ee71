import { randomBytes, randomInt } from 'node:crypto';
import { Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { FundGate, OwnUploads, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { INVITE_CODE_MUST, LOGIN_NEED_CODE, SettingsModule } from '@bourse/settings';
import { Clock, Config, Readiness } from '@bourse/platform';
import { AesSeal } from './adapters/crypto/aes-seal.js';
import { Argon2Passwords } from './adapters/crypto/argon2-passwords.js';
import { JwtTokens } from './adapters/crypto/jwt-tokens.js';
import { SealedTotp } from './adapters/crypto/sealed-totp.js';
import { SimpleWebAuthn } from './adapters/crypto/simple-web-authn.js';
import { DeliveryProviders, ConfiguredProviders } from './adapters/delivery/delivery-providers.js';
import { BackgroundMailer } from './adapters/delivery/background-mailer.js';
import { AccountController } from './adapters/http/account.controller.js';
import { ApiKeyController } from './adapters/http/api-key.controller.js';
import { ConfirmedGuard } from './adapters/http/confirmed.guard.js';
import { IdentityController } from './adapters/http/identity.controller.js';
import { OperatorController } from './adapters/http/operator.controller.js';
import { PasskeyController } from './adapters/http/passkey.controller.js';
import { PeopleAdminController } from './adapters/http/people-admin.controller.js';
import { SecurityController } from './adapters/http/security.controller.js';
import { SignInController } from './adapters/http/sign-in.controller.js';
import { ApprovalController } from './adapters/http/approval.controller.js';
import { CountryAdminController } from './adapters/http/country-admin.controller.js';
import { AuthAsksController } from './adapters/messaging/asks.controller.js';
import { PublishedSessionEvents } from './adapters/messaging/published-session-events.js';
import { AUTH_SPEC } from './adapters/persistence/auth-database-spec.js';
import { ContactForms } from './adapters/persistence/contact-forms.js';
import { Reseal } from './adapters/persistence/reseal.js';
import { Retention } from './adapters/persistence/retention.js';
import { PostgresApprovals } from './adapters/persistence/postgres-approvals.js';
import { PostgresApiKeys } from './adapters/persistence/postgres-api-keys.js';
import { PostgresAuthorizationCodes } from './adapters/persistence/postgres-authorization-codes.js';
import { PostgresCodes } from './adapters/persistence/postgres-codes.js';
import { PostgresFailures } from './adapters/persistence/postgres-failures.js';
import { PostgresKycCases } from './adapters/persistence/postgres-kyc-cases.js';
import { PostgresOperators } from './adapters/persistence/postgres-operators.js';
import { CountryList } from './adapters/persistence/country-list.js';
import { PostgresChallenges, PostgresPasskeys } from './adapters/persistence/postgres-passkeys.js';
import { PostgresPeople } from './adapters/persistence/postgres-people.js';
import { PostgresSessions } from './adapters/persistence/postgres-sessions.js';
import { Account } from './application/account.js';
import { ApiKeyAccess } from './application/api-key-access.js';
import { Approvals } from './application/approvals/approvals.js';
import { AskedCalls } from './application/approvals/asked-calls.js';
import { ApprovalStore } from './application/approvals/ports.js';
import { SecondPerson } from './application/approvals/second-person.js';
import { AskedCodes } from './application/asked-codes.js';
import { Attempts } from './application/attempts.js';
import { Authenticator } from './application/authenticator.js';
import { Confirmation } from './application/confirmation.js';
import { Contact } from './application/contact.js';
import { DeviceLogin } from './application/device-login.js';
import { ForgottenPassword } from './application/forget.js';
import { FundPassword } from './application/fund-password.js';
import { KycReview } from './application/kyc-review.js';
import { KycSubmission } from './application/kyc-submission.js';
import { VerifyCode } from './application/verify-code.js';
import { MessageTemplates } from './application/message-templates.js';
import { Login } from './application/login.js';
import { OpenSession } from './application/open-session.js';
import { OperatorAdmin } from './application/operator-admin.js';
import { OperatorSignIn } from './application/operator-sign-in.js';
import { OwnPassword } from './application/own-password.js';
import { PasskeyAccess } from './application/passkey-access.js';
import { PasskeyProof } from './application/passkey-proof.js';
import { PasskeySignIn } from './application/passkey-sign-in.js';
import { Payment } from './application/payment.js';
import { PeopleFacts } from './application/people-facts.js';
import { ApiKeys } from './application/ports/api-keys.js';
import { AuthorizationCodes } from './application/ports/authorization-codes.js';
import { AuthDatabase } from './application/ports/database.js';
import { Failures } from './application/ports/failures.js';
import { KycCases } from './application/ports/kyc-cases.js';
import { Mailer } from './application/ports/mailer.js';
import { Operators } from './application/ports/operators.js';
import { Challenges, Passkeys } from './application/ports/passkeys.js';
import { Passwords } from './application/ports/passwords.js';
import { People } from './application/ports/people.js';
import { Randomness } from './application/ports/randomness.js';
import { Seal } from './application/ports/seal.js';
import { Tokens } from './application/ports/session-tokens.js';
import { SessionEvents, Sessions } from './application/ports/sessions.js';
import { Totp } from './application/ports/totp.js';
import { Codes } from './application/ports/verification-codes.js';
import { WebAuthn } from './application/ports/web-authn.js';
import { Rehash } from './application/rehash.js';
import { RegionAgents } from './application/region-agents.js';
import { Register } from './application/register.js';
import { SecondStep } from './application/second-step.js';
import { SecuritySettings } from './application/security-settings.js';
import { SendCode } from './application/send-code.js';
import { ADMIN_TOTP, ADMIN_TOTP_ALWAYS } from './application/settings.js';
import { AuditLog } from './application/audit-log.js';
import { RiskFacts } from './application/risk-facts.js';
import { UserAdmin } from './application/user-admin.js';
import { seedDemoOperators } from './seed/demo-operators.js';
import { seedDemoPeople } from './seed/demo-people.js';
import { DemoPictures } from './seed/demo-pictures.js';

/** Name of this service and of its schema. */
export const SERVICE = 'auth';

/** Letters and digits that cannot be confused. */
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

/** Interval of the sweep of expired rows. */
const SWEEP_MS = 3_600_000;

/**
 * Seeds the demo people, seals texts in the clear before the service serves calls, and every hour reseals and deletes
 * expired data.
 */
@Injectable()
class AuthRuntime implements OnApplicationBootstrap {
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
    private readonly pictures: DemoPictures,
    private readonly facts: PeopleFacts,
    private readonly contactForms: ContactForms,
  ) {
    readiness.set(SERVICE, false);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.dev) {
      await seedDemoPeople(this.database, this.passwords, this.seal, this.clock.now());
      await seedDemoOperators(this.database, this.operators, this.passwords, this.clock.now());
    }
    await this.reseal.clear();
    await this.contactForms.fill();
    const work = (): void => {
      this.sweep().catch((error: unknown) =>
        this.log.warn(`the sweep failed, retried at the next interval: ${String(error)}`),
      );
    };
    work();
    setInterval(work, SWEEP_MS).unref();
    this.readiness.set(SERVICE, true);
    if (this.config.dev) this.pictures.start();
  }

  private async sweep(): Promise<void> {
    await this.facts.catchUp();
    await this.reseal.run();
    await this.retention.run();
  }
}

@Module({
  providers: [
    {
      provide: AuthDatabase,
      inject: [Databases],
      useFactory: (databases: Databases) => databases.open(AUTH_SPEC),
    },
  ],
  exports: [AuthDatabase],
})
class AuthDatabaseModule {}

@Module({
  imports: [
    AuthDatabaseModule,
    TimersModule.forSchema(AuthDatabase, [AuthDatabaseModule]),
    SettingsModule.forService({
      service: SERVICE,
      database: AuthDatabase,
      imports: [AuthDatabaseModule],
      settings: ({ dev }) => [LOGIN_NEED_CODE, INVITE_CODE_MUST, dev ? ADMIN_TOTP : ADMIN_TOTP_ALWAYS],
    }),
  ],
  controllers: [
    SignInController,
    AccountController,
    SecurityController,
    IdentityController,
    ApiKeyController,
    PasskeyController,
    OperatorController,
    ApprovalController,
    CountryAdminController,
    PeopleAdminController,
    AuthAsksController,
  ],
  providers: [
    { provide: People, useClass: PostgresPeople },
    { provide: Sessions, useClass: PostgresSessions },
    { provide: Operators, useClass: PostgresOperators },
    { provide: Codes, useClass: PostgresCodes },
    { provide: Failures, useClass: PostgresFailures },
    { provide: Passwords, useClass: Argon2Passwords },
    { provide: Tokens, useClass: JwtTokens },
    { provide: Seal, useClass: AesSeal },
    { provide: Totp, useClass: SealedTotp },
    { provide: Passkeys, useClass: PostgresPasskeys },
    { provide: Challenges, useClass: PostgresChallenges },
    { provide: WebAuthn, useClass: SimpleWebAuthn },
    { provide: Randomness, useClass: SystemRandomness },
    { provide: ApiKeys, useClass: PostgresApiKeys },
    { provide: ApprovalStore, useClass: PostgresApprovals },
    { provide: AuthorizationCodes, useClass: PostgresAuthorizationCodes },
    { provide: KycCases, useClass: PostgresKycCases },
    { provide: DeliveryProviders, useClass: ConfiguredProviders },
    { provide: Mailer, useClass: BackgroundMailer },
    { provide: SessionEvents, useClass: PublishedSessionEvents },
    Attempts,
    OwnPassword,
    PeopleFacts,
    Rehash,
    MessageTemplates,
    OpenSession,
    Authenticator,
    PasskeyProof,
    SecondStep,
    PasskeyAccess,
    PasskeySignIn,
    Confirmation,
    ConfirmedGuard,
    AskedCodes,
    {
      provide: FundGate,
      inject: [FundPassword],
      useFactory: (fund: FundPassword) => new FundGate((userId, password) => fund.verify(userId, password)),
    },
    ApiKeyAccess,
    Contact,
    CountryList,
    DeviceLogin,
    SecuritySettings,
    OwnUploads,
    KycSubmission,
    Payment,
    RegionAgents,
    AuditLog,
    SecondPerson,
    Approvals,
    AskedCalls,
    UserAdmin,
    KycReview,
    RiskFacts,
    OperatorAdmin,
    VerifyCode,
    SendCode,
    Login,
    Register,
    ForgottenPassword,
    FundPassword,
    Account,
    OperatorSignIn,
    ContactForms,
    Reseal,
    Retention,
    DemoPictures,
    AuthRuntime,
  ],
})
export class AuthModule {}
