import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { LANGUAGES, type Center, type SessionRow, type UserInfo } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readOneOf,
  readText,
  Refused,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Account } from '../../application/account.js';
import { Confirmation } from '../../application/confirmation.js';
import { FundPassword } from '../../application/fund-password.js';
import { originOf, Takes } from './request.js';

const PASSWORD_MAX = 100;

/** The signed-in person's own account: profile, language, fund password, sessions (api §2.1). */
@ApiTags('auth')
@Controller()
export class AccountController {
  constructor(
    private readonly account: Account,
    private readonly fund: FundPassword,
    private readonly confirmation: Confirmation,
  ) {}

  @ApiOperation({ summary: 'Choose the language of texts' })
  @Takes('lang*')
  @Call({ method: 'POST', path: '/api/set/lang', auth: 'public' })
  async setLang(@Fields() fields: FieldRecord, @Context() { caller }: CallContext): Promise<Notice> {
    const lang = readOneOf(fields, 'lang', LANGUAGES);
    if (caller) await this.account.setLang(caller, lang);
    return new Notice('lang.saved');
  }

  @ApiOperation({ summary: 'Own account' })
  @Call({ method: 'GET', path: '/api/user/info', auth: 'points' })
  info(@CurrentCaller() caller: Caller): Promise<UserInfo> {
    return this.account.info(caller);
  }

  @ApiOperation({ summary: 'Own identity, bank and security level' })
  @Call({ method: 'GET', path: '/api/user/center', auth: 'user' })
  center(@CurrentCaller() caller: Caller): Promise<Center> {
    return this.account.center(caller);
  }

  @ApiOperation({ summary: 'Whether a fund password is set' })
  @Call({ method: 'POST', path: '/api/safe/judge_password', auth: 'user', whileFrozen: true })
  async judgePassword(@CurrentCaller() caller: Caller): Promise<Notice> {
    // Read anew: the caller's record may be older than the password.
    const now = await this.account.callerOf(caller.userId);
    if (!now?.hasFundPassword) throw new Refused('fund.notSet', {}, { extra: { is_set: 0 } });
    return new Notice('fund.set', { is_set: 1 });
  }

  @ApiOperation({ summary: 'Set or reset the fund password by a code' })
  @Takes('password*', 're_password*', 'code*')
  @Call({ method: 'POST', path: '/api/safe/update_password', auth: 'user', confirmed: 'first' })
  async updatePassword(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    await this.fund.set(
      caller,
      {
        password: present(fields, 'password'),
        repeated: present(fields, 're_password'),
        code: present(fields, 'code'),
      },
      originOf(context),
    );
    return new Notice('fund.saved');
  }

  @ApiOperation({ summary: 'Give the password once more: the session is confirmed for ten minutes' })
  @Takes('password*', 'totp_code')
  @Call({ method: 'POST', path: '/api/user/confirm_password', auth: 'user' })
  async confirmPassword(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const password = readText(fields, 'password', 'common.fieldRequired', { max: PASSWORD_MAX });
    return new Notice('auth.confirmed', {
      until: await this.confirmation.confirm(caller, password, present(fields, 'totp_code') ?? null),
    });
  }

  @ApiOperation({ summary: 'Own living sessions' })
  @Call({ method: 'GET', path: '/api/user/sessions', auth: 'user' })
  sessions(@CurrentCaller() caller: Caller): Promise<SessionRow[]> {
    return this.account.listSessions(caller);
  }

  @ApiOperation({ summary: 'End one of the own sessions' })
  @Takes('id*')
  @Call({ method: 'POST', path: '/api/user/session_revoke', auth: 'user', whileFrozen: true })
  async revoke(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.account.revoke(caller, readText(fields, 'id', 'common.fieldRequired', { max: 64 }));
    return new Notice('common.success');
  }
}
