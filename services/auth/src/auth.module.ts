import { randomBytes, randomInt } from 'node:crypto';
import { Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { FundGate, OwnUploads, TimersModule } from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import { INVITE_CODE_MUST, LOGIN_NEED_CODE, SettingsModule } from '@bourse/settings';
import { Clock, Config, Readiness } from '@bourse/platform';
import { AesSeal } from './shared/crypto/aes-seal.js';
import { Argon2Passwords } from './shared/crypto/argon2-passwords.js';
import { JwtTokens } from './shared/crypto/jwt-tokens.js';
import { SealedTotp } from './shared/crypto/sealed-totp.js';
import { SimpleWebAuthn } from './security/crypto/simple-web-authn.js';
import { DeliveryProviders } from './shared/delivery/delivery-providers.js';
import { BackgroundMailer } from './shared/delivery/background-mailer.js';
import { AccountController } from './profile/http/account.controller.js';
import { ApiKeyController } from './security/http/api-key.controller.js';
import { ConfirmedGuard } from './security/http/confirmed.guard.js';
import { IdentityController } from './identity/http/identity.controller.js';
import { OperatorController } from './operators/http/operator.controller.js';
import { PasskeyController } from './security/http/passkey.controller.js';
import { PeopleAdminController } from './operators/http/people-admin.controller.js';
import { SecurityController } from './security/http/security.controller.js';
import { DeviceSignInController } from './sign-in/http/device-sign-in.controller.js';
import { SignInController } from './sign-in/http/sign-in.controller.js';
import { ApprovalController } from './operators/http/approval.controller.js';
import { CountryAdminController } from './operators/http/country-admin.controller.js';
import { AuthAsksController } from './asks/messaging/asks.controller.js';
import { AUTH_SPEC } from './shared/persistence/auth-database-spec.js';
import { ContactForms } from './shared/persistence/contact-forms.js';
import { Reseal } from './shared/persistence/reseal.js';
import { SentApprovalFigures } from './operators/metrics/sent-approvals.js';
import { Retention } from './operators/persistence/retention.js';
import { PostgresApprovals } from './operators/persistence/postgres-approvals.js';
import { PostgresApiKeys } from './shared/persistence/postgres-api-keys.js';
import { PostgresAuthorizationCodes } from './shared/persistence/postgres-authorization-codes.js';
import { PostgresCodes } from './shared/persistence/postgres-codes.js';
import { PostgresFailures } from './shared/persistence/postgres-failures.js';
import { PostgresKycCases } from './shared/persistence/postgres-kyc-cases.js';
import { PostgresOperators } from './shared/persistence/postgres-operators.js';
import { CountryList } from './shared/persistence/country-list.js';
import { PostgresChallenges, PostgresPasskeys } from './shared/persistence/postgres-passkeys.js';
import { PostgresPeople } from './shared/persistence/postgres-people.js';
import { PostgresSessions } from './shared/persistence/postgres-sessions.js';
import { Account } from './profile/application/account.js';
import { ApiKeyAccess } from './security/application/api-key-access.js';
import { Approvals } from './operators/application/approvals.js';
import { AskedCalls } from './operators/application/asked-calls.js';
import { ApprovalStore } from './operators/application/approval-ports.js';
import { SecondPerson } from './operators/application/second-person.js';
import { AskedCodes } from './asks/application/asked-codes.js';
import { Attempts } from './shared/application/attempts.js';
import { Authenticator } from './security/application/authenticator.js';
import { Confirmation } from './security/application/confirmation.js';
import { Contact } from './security/application/contact.js';
import { DeviceLogin } from './sign-in/application/device-login.js';
import { ForgottenPassword } from './sign-in/application/forget.js';
import { FundPassword } from './security/application/fund-password.js';
import { KycReview } from './identity/application/kyc-review.js';
import { KycSubmission } from './identity/application/kyc-submission.js';
import { VerifyCode } from './shared/application/verify-code.js';
import { MessageTemplates } from './shared/application/message-templates.js';
import { Login } from './sign-in/application/login.js';
import { OpenSession } from './sign-in/application/open-session.js';
import { OperatorAdmin } from './operators/application/operator-admin.js';
import { OperatorSignIn } from './operators/application/operator-sign-in.js';
import { OwnPassword } from './security/application/own-password.js';
import { PasskeyAccess } from './security/application/passkey-access.js';
import { PasskeyProof } from './security/application/passkey-proof.js';
import { PasskeySignIn } from './sign-in/application/passkey-sign-in.js';
import { Payment } from './profile/application/payment.js';
import { PeopleFacts } from './shared/application/people-facts.js';
import { ApiKeys } from './shared/application/ports/api-keys.js';
import { AuthorizationCodes } from './shared/application/ports/authorization-codes.js';
import { AuthDatabase } from './shared/application/ports/database.js';
import { Failures } from './shared/application/ports/failures.js';
import { KycCases } from './shared/application/ports/kyc-cases.js';
import { Mailer } from './shared/application/ports/mailer.js';
import { Operators } from './shared/application/ports/operators.js';
import { Challenges, Passkeys } from './shared/application/ports/passkeys.js';
import { Passwords } from './shared/application/ports/passwords.js';
import { People } from './shared/application/ports/people.js';
import { Randomness } from './shared/application/ports/randomness.js';
import { Seal } from './shared/application/ports/seal.js';
import { Tokens } from './shared/application/ports/session-tokens.js';
import { SessionEvents } from './shared/application/session-events.js';
import { Sessions } from './shared/application/ports/sessions.js';
import { Totp } from './shared/application/ports/totp.js';
import { Codes } from './shared/application/ports/verification-codes.js';
import { WebAuthn } from './shared/application/ports/web-authn.js';
import { FundChange } from './shared/application/fund-change.js';
import { OwnChange } from './shared/application/own-change.js';
import { Rehash } from './shared/application/rehash.js';
import { RegionAgents } from './profile/application/region-agents.js';
import { Register } from './sign-in/application/register.js';
import { SecondStep } from './security/application/second-step.js';
import { SecuritySettings } from './security/application/security-settings.js';
import { SendCode } from './sign-in/application/send-code.js';
import { ADMIN_TOTP, ADMIN_TOTP_ALWAYS } from './shared/application/settings.js';
import { AuditLog } from './shared/application/audit-log.js';
import { RiskFacts } from './operators/application/risk-facts.js';
import { UserAdmin } from './operators/application/user-admin.js';
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
    DeviceSignInController,
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
    DeliveryProviders,
    { provide: Mailer, useClass: BackgroundMailer },
    SessionEvents,
    Attempts,
    OwnChange,
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
    FundChange,
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
    SentApprovalFigures,
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
