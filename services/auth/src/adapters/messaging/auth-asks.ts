import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Asks, describeService } from '@bourse/messaging';
import { Account } from '../../application/account.js';
import { ApiKeyAccess } from '../../application/api-key-access.js';
import { AskedCodes } from '../../application/asked-codes.js';
import { SecondPerson } from '../../application/approvals/second-person.js';
import { Authenticator } from '../../application/authenticator.js';
import { FundPassword } from '../../application/fund-password.js';
import { OwnPassword } from '../../application/own-password.js';
import { UserAdmin } from '../../application/user-admin.js';
import { AuthDatabase, Mailer } from '../../application/ports.js';

const INBOX_LIMIT = { standard: 20, max: 1_000 } as const;
const PROFILES_MAX = 1_000;

/** What other services may ask of auth. */
@Injectable()
export class AuthAsks implements OnModuleInit {
  constructor(
    private readonly asks: Asks,
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
  ) {}

  onModuleInit(): void {
    describeService(this.asks, { service: 'auth', exports: ['users'], work: true });
    this.asks.handle('auth.session', ({ token }: { token: string }) => this.account.authenticate(token), ['gateway']);
    this.asks.handle('auth.caller', ({ userId }: { userId: number }) => this.account.callerOf(userId), ['gateway']);
    this.asks.handle(
      'auth.fund',
      ({ userId, password }: { userId: number; password: string }) => this.fund.verify(userId, password),
      ['wallet-ledger'],
    );
    this.asks.handle(
      'auth.profile',
      ({ userIds }: { userIds: readonly number[] }) => this.account.profiles(userIds.slice(0, PROFILES_MAX)),
      ['wallet-ledger'],
    );
    this.asks.handle(
      'auth.totp',
      ({ userId, code }: { userId: number; code: string | null }) => this.authenticator.verify(userId, code),
      ['wallet-ledger'],
    );
    this.asks.handle(
      'auth.withdrawals',
      async ({ userId }: { userId: number }) => ({
        blockedUntil: await this.account.withdrawalsBlockedUntil(userId),
      }),
      ['wallet-ledger'],
    );
    // Who pays out asks before each signature: read from the table, never from a memory.
    this.asks.handle(
      'auth.frozen',
      ({ userIds }: { userIds: readonly number[] }) => this.account.frozenAmong(userIds.slice(0, PROFILES_MAX)),
      ['wallet-ledger'],
    );
    this.asks.handle(
      'auth.sendCode',
      ({ userId, lang }: { userId: number; scene: 'draw_address'; lang: string }) =>
        this.codes.send(userId, 'draw_address', lang),
      ['wallet-ledger'],
    );
    this.asks.handle(
      'auth.useCode',
      ({ userId, code }: { userId: number; scene: 'draw_address'; code: string }) =>
        this.codes.use(userId, 'draw_address', code),
      ['wallet-ledger'],
    );
    this.asks.handle(
      'auth.password',
      async ({ userId, password }: { userId: number; password: string }) => ({
        ok: (await this.password.verify(userId, password)).kind === 'right',
      }),
      [],
    );
    this.asks.handle(
      'auth.secondPerson',
      async ({ operatorId, others }: { operatorId: number; others: readonly number[] }) => ({
        ok: await this.second.is(operatorId, others),
      }),
      ['wallet-ledger'],
    );
    this.asks.handle('auth.apiKey', ({ key }: { key: string }) => this.apiKeys.facts(key), ['gateway']);
    this.asks.handle('auth.work', () => this.desk.work(), ['gateway']);
    this.asks.handle(
      'auth.export',
      ({ from, to, after }: { from: number; to: number; after: string | null }) => this.desk.piece({ from, to }, after),
      ['gateway'],
    );
    this.asks.handle(
      'auth.outbox',
      ({ to, scene, limit }: { to?: string; scene?: string; limit?: number }) =>
        this.post.inbox(this.database, {
          to,
          scene,
          limit: Math.min(Math.max(1, limit ?? INBOX_LIMIT.standard), INBOX_LIMIT.max),
        }),
      ['gateway'],
    );
  }
}
