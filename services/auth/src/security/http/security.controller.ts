import { Body, Controller, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { totpSetup, type TotpSetup } from '@bourse/contract';
import { Call, type CallContext, type Caller, Context, CurrentCaller, message, notice, Notice } from '@bourse/platform';
import { TotpCodeBody } from '../../shared/http/fields.js';
import { Authenticator } from '../application/authenticator.js';
import { Contact } from '../application/contact.js';
import { SecuritySettings } from '../application/security-settings.js';
import { ConfirmedGuard } from './confirmed.guard.js';
import { originOf, readName } from '../../shared/http/request.js';
import { BindEmailBody, BindMobileBody, DisableTotpBody, FreezeOwnBody, WordBody } from './fields.js';

/** Calls for the security of the own account: addresses, other devices, second factor, mail, freeze (api §2.1). */
@ApiTags('auth')
@Controller()
@UseGuards(ConfirmedGuard)
export class SecurityController {
  constructor(
    private readonly contact: Contact,
    private readonly authenticator: Authenticator,
    private readonly safety: SecuritySettings,
  ) {}

  @Call(
    { method: 'POST', path: '/api/safe/email', auth: 'user', confirmed: 'always' },
    {
      summary: 'Bind an e-mail address by a code sent to it',
      answer: notice('bind.email'),
      refuses: ['auth.confirm', 'register.emailFalse', 'set.enterCode', 'code.wrong', 'code.expired', 'register.used'],
    },
  )
  async bindEmail(
    @CurrentCaller() caller: Caller,
    @Body() fields: BindEmailBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    const name = readName(fields.email, undefined, 'email', 'email');
    await this.contact.bind(caller, name, 'email', fields.code, originOf(context));
    return new Notice('bind.email');
  }

  @Call(
    { method: 'POST', path: '/api/safe/mobile', auth: 'user', confirmed: 'always' },
    {
      summary: 'Bind a phone number by a code sent to it',
      answer: notice('bind.mobile'),
      refuses: ['auth.confirm', 'register.mobileFalse', 'set.enterCode', 'code.wrong', 'code.expired', 'register.used'],
    },
  )
  async bindMobile(
    @CurrentCaller() caller: Caller,
    @Body() fields: BindMobileBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    const name = readName(fields.mobile, fields.areaCode, 'mobile', 'mobile');
    await this.contact.bind(caller, name, 'mobile', fields.code, originOf(context));
    return new Notice('bind.mobile');
  }

  @Call(
    { method: 'POST', path: '/api/safe/totp_setup', auth: 'user', confirmed: 'always' },
    {
      summary: 'Create an authenticator secret; it is in force after its first code is confirmed',
      answer: message(totpSetup),
      refuses: ['auth.confirm', 'totp.active'],
    },
  )
  setup(@CurrentCaller() caller: Caller): Promise<TotpSetup> {
    return this.authenticator.setup(caller);
  }

  @Call(
    { method: 'POST', path: '/api/safe/totp_enable', auth: 'user', confirmed: 'always' },
    {
      summary: 'Confirm the authenticator by its first code',
      answer: notice('totp.enabled'),
      refuses: ['auth.confirm', 'login.totpWrong'],
    },
  )
  async enable(@CurrentCaller() caller: Caller, @Body() fields: TotpCodeBody): Promise<Notice> {
    await this.authenticator.enable(caller, fields.totpCode);
    return new Notice('totp.enabled');
  }

  @Call(
    { method: 'POST', path: '/api/safe/totp_disable', auth: 'user', confirmed: 'always' },
    {
      summary: 'Remove the authenticator',
      answer: notice('totp.disabled'),
      refuses: ['auth.confirm', 'login.totpWrong', 'auth.wrong'],
    },
  )
  async disable(@CurrentCaller() caller: Caller, @Body() fields: DisableTotpBody): Promise<Notice> {
    await this.authenticator.disable(caller, fields.totpCode, fields.password);
    return new Notice('totp.disabled');
  }

  @Call(
    { method: 'POST', path: '/api/safe/anti_phishing', auth: 'user' },
    { summary: 'Set the word that every letter to this person shows', answer: notice('phishing.saved') },
  )
  async antiPhishing(@CurrentCaller() caller: Caller, @Body() fields: WordBody): Promise<Notice> {
    await this.safety.setWord(caller, fields.word);
    return new Notice('phishing.saved');
  }

  @Call(
    { method: 'POST', path: '/api/safe/freeze', auth: 'user' },
    {
      summary: 'Stop trading and withdrawals until support lifts it',
      answer: notice('freeze.done'),
      refuses: ['auth.wrong'],
    },
  )
  async freeze(@CurrentCaller() caller: Caller, @Body() fields: FreezeOwnBody): Promise<Notice> {
    await this.safety.freeze(caller, fields.password);
    return new Notice('freeze.done');
  }
}
