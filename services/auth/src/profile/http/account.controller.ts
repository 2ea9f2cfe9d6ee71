import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { center, millis, sessionRow, userInfo, type Center, type SessionRow, type UserInfo } from '@bourse/contract';
import {
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  message,
  notice,
  Notice,
  Refused,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { Account } from '../application/account.js';
import { Confirmation } from '../../security/application/confirmation.js';
import { FundPassword } from '../../security/application/fund-password.js';
import { originOf, SECOND_STEP_REFUSES } from '../../shared/http/request.js';
import {
  ConfirmPasswordBody,
  CurrencyBody,
  FundPasswordBody,
  LanguageBody,
  PreferencesBody,
  RevokeSessionBody,
} from './fields.js';

/** The signed-in person's own account: profile, language, fund password, sessions (api §2.1). */
@ApiTags('auth')
@Controller()
export class AccountController {
  constructor(
    private readonly account: Account,
    private readonly fund: FundPassword,
    private readonly confirmation: Confirmation,
  ) {}

  @Call(
    { method: 'POST', path: '/api/set/lang', auth: 'public' },
    { summary: 'Set the language of texts', answer: notice('lang.saved') },
  )
  async setLang(@Body() fields: LanguageBody, @Context() { caller }: CallContext): Promise<Notice> {
    if (caller) await this.account.setLang(caller, fields.lang);
    return new Notice('lang.saved');
  }

  @Call(
    { method: 'POST', path: '/api/set/currency', auth: 'user', whileFrozen: true },
    { summary: 'Set the currency of approximate values', answer: notice('currency.saved') },
  )
  async setCurrency(@CurrentCaller() caller: Caller, @Body() fields: CurrencyBody): Promise<Notice> {
    await this.account.setCurrency(caller, fields.currency);
    return new Notice('currency.saved');
  }

  @Call(
    { method: 'POST', path: '/api/set/preferences', auth: 'user', whileFrozen: true },
    {
      summary: 'Set preferences of the screens; they follow the account',
      answer: notice('preferences.saved'),
    },
  )
  async setPreferences(@CurrentCaller() caller: Caller, @Body() fields: PreferencesBody): Promise<Notice> {
    await this.account.setPreferences(caller, fields);
    return new Notice('preferences.saved');
  }

  @Call(
    { method: 'GET', path: '/api/user/info', auth: 'points' },
    { summary: 'Own account', answer: message(userInfo) },
  )
  info(@CurrentCaller() caller: Caller): Promise<UserInfo> {
    return this.account.info(caller);
  }

  @Call(
    { method: 'GET', path: '/api/user/center', auth: 'user' },
    { summary: 'Own identity, bank and security level', answer: message(center) },
  )
  center(@CurrentCaller() caller: Caller): Promise<Center> {
    return this.account.center(caller);
  }

  @Call(
    { method: 'POST', path: '/api/safe/judge_password', auth: 'user', whileFrozen: true },
    {
      summary: 'Check whether a fund password is set',
      answer: notice('fund.set', { is_set: z.literal(1) }),
      refuses: ['fund.notSet'],
    },
  )
  async fundPasswordState(@CurrentCaller() caller: Caller): Promise<Notice> {
    // Read again, because the caller's record may be older than the password.
    const now = await this.account.callerOf(caller.userId);
    if (!now?.hasFundPassword) throw new Refused('fund.notSet', {}, { extra: { is_set: 0 } });
    return new Notice('fund.set', { is_set: 1 });
  }

  @Call(
    { method: 'POST', path: '/api/safe/update_password', auth: 'user', confirmed: 'first' },
    {
      summary: 'Set or reset the fund password by a code',
      answer: notice('fund.saved'),
      refuses: ['auth.confirm', 'fund.format', 'pswFalse', 'set.enterCode', 'code.wrong', 'code.expired'],
    },
  )
  async updatePassword(
    @CurrentCaller() caller: Caller,
    @Body() fields: FundPasswordBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    const { password, repeated, code } = fields;
    await this.fund.set(caller, { password, repeated, code }, originOf(context));
    return new Notice('fund.saved');
  }

  @Call(
    { method: 'POST', path: '/api/user/confirm_password', auth: 'user' },
    {
      summary: 'Confirm the session for ten minutes by password',
      answer: notice('auth.confirmed', { until: millis }),
      refuses: ['auth.wrong', ...SECOND_STEP_REFUSES],
    },
  )
  async confirmPassword(
    @CurrentCaller() caller: Caller,
    @Body() fields: ConfirmPasswordBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    const { password, totpCode, passkey } = fields;
    const proof = { totpCode, passkey };
    return new Notice('auth.confirmed', {
      until: await this.confirmation.confirm(caller, password, proof, originOf(context)),
    });
  }

  @Call(
    { method: 'GET', path: '/api/user/sessions', auth: 'user' },
    { summary: 'List own active sessions', answer: message(z.array(sessionRow)) },
  )
  sessions(@CurrentCaller() caller: Caller): Promise<SessionRow[]> {
    return this.account.listSessions(caller);
  }

  @Call(
    { method: 'POST', path: '/api/user/session_revoke', auth: 'user', whileFrozen: true },
    { summary: 'End one of the own sessions', answer: notice('common.success') },
  )
  async revoke(@CurrentCaller() caller: Caller, @Body() fields: RevokeSessionBody): Promise<Notice> {
    await this.account.revoke(caller, fields.id);
    return new Notice('common.success');
  }
}
