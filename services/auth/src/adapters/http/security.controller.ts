import { Controller, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { TotpSetup } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readText,
  Refused,
  Reply,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Authenticator } from '../../application/authenticator.js';
import { Contact } from '../../application/contact.js';
import { DeviceLogin } from '../../application/device-login.js';
import { SecuritySettings } from '../../application/security-settings.js';
import { readAccountName } from '../../domain/account-name.js';
import { ConfirmedGuard } from './confirmed.guard.js';
import { areaCodeOf, originOf, readAccountText, readCode, readName, Takes } from './request.js';

const WORD = { min: 4, max: 20, pattern: /^\S(?:.*\S)?$/u };
const CODE_MAX = 16;
const PASSWORD_MAX = 100;

/**
 * What a person does for the safety of the account: addresses, other devices, second factor, letters, the brake
 * (api §2.1).
 */
@ApiTags('auth')
@Controller()
@UseGuards(ConfirmedGuard)
export class SecurityController {
  constructor(
    private readonly contact: Contact,
    private readonly devices: DeviceLogin,
    private readonly authenticator: Authenticator,
    private readonly safety: SecuritySettings,
  ) {}

  @ApiOperation({ summary: 'Bind an e-mail address by a code sent to it' })
  @Takes('email*', 'code*')
  @Call({ method: 'POST', path: '/api/safe/email', auth: 'user', confirmed: 'always' })
  async bindEmail(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    const text = present(fields, 'email');
    if (text === undefined) throw new Refused('email.required', {}, { field: 'email' });
    const name = readName(text, undefined, 'email', 'email');
    await this.contact.bind(caller, name, 'email', readCode(fields, 'code'), originOf(context));
    return new Notice('bind.email');
  }

  @ApiOperation({ summary: 'Bind a phone number by a code sent to it' })
  @Takes('mobile*', 'area_code', 'code*')
  @Call({ method: 'POST', path: '/api/safe/mobile', auth: 'user', confirmed: 'always' })
  async bindMobile(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    const name = readName(readText(fields, 'mobile'), areaCodeOf(fields), 'mobile', 'mobile');
    await this.contact.bind(caller, name, 'mobile', readCode(fields, 'code'), originOf(context));
    return new Notice('bind.mobile');
  }

  @ApiOperation({ summary: 'Code by which another device signs in' })
  @Call({ method: 'GET', path: '/api/user/authorization_code', auth: 'user', whileFrozen: false })
  async authorizationCode(@CurrentCaller() caller: Caller): Promise<Reply> {
    const { code, expiresIn } = await this.devices.code(caller);
    return new Reply(code, { expires_in: expiresIn });
  }

  @ApiOperation({ summary: 'Sign in by the code of another device: the token is the message' })
  @Takes('user_string*', 'authorization_code*', 'area_code', 'totp_code')
  @Call({ method: 'POST', path: '/api/user/device_login', auth: 'public', rate: 'signIn', account: 'user_string' })
  async deviceLogin(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Reply> {
    const text = readAccountText(fields, 'user_string');
    const code = readCode(fields, 'authorization_code');
    const { token, id } = await this.devices.execute(
      {
        text,
        name: readAccountName(text, areaCodeOf(fields)),
        code,
        totpCode: present(fields, 'totp_code') ?? null,
      },
      originOf(context),
    );
    return new Reply(token, { id });
  }

  @ApiOperation({ summary: 'New authenticator secret; it counts once it was confirmed' })
  @Call({ method: 'POST', path: '/api/safe/totp_setup', auth: 'user', confirmed: 'always' })
  setup(@CurrentCaller() caller: Caller): Promise<TotpSetup> {
    return this.authenticator.setup(caller);
  }

  @ApiOperation({ summary: 'Confirm the authenticator by its first code' })
  @Takes('totp_code*')
  @Call({ method: 'POST', path: '/api/safe/totp_enable', auth: 'user', confirmed: 'always' })
  async enable(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.authenticator.enable(caller, readText(fields, 'totp_code', 'common.fieldRequired', { max: CODE_MAX }));
    return new Notice('totp.enabled');
  }

  @ApiOperation({ summary: 'Take the authenticator off' })
  @Takes('totp_code*', 'password*')
  @Call({ method: 'POST', path: '/api/safe/totp_disable', auth: 'user', confirmed: 'always' })
  async disable(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const code = readText(fields, 'totp_code', 'common.fieldRequired', { max: CODE_MAX });
    await this.authenticator.disable(
      caller,
      code,
      readText(fields, 'password', 'common.fieldRequired', { max: PASSWORD_MAX }),
    );
    return new Notice('totp.disabled');
  }

  @ApiOperation({ summary: 'Word that every letter to this person shows' })
  @Takes('word*')
  @Call({ method: 'POST', path: '/api/safe/anti_phishing', auth: 'user' })
  async antiPhishing(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.safety.setWord(caller, readText(fields, 'word', 'common.fieldRequired', WORD));
    return new Notice('phishing.saved');
  }

  @ApiOperation({ summary: 'Stop trading and withdrawals until support lifts it' })
  @Takes('password*')
  @Call({ method: 'POST', path: '/api/safe/freeze', auth: 'user' })
  async freeze(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.safety.freeze(caller, readText(fields, 'password', 'common.fieldRequired', { max: PASSWORD_MAX }));
    return new Notice('freeze.done');
  }
}
