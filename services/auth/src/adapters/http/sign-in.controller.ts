import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Country } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readOneOf,
  Refused,
  Reply,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Account } from '../../application/account.js';
import { ForgottenPassword } from '../../application/forget.js';
import { JudgeCode } from '../../application/judge-code.js';
import { Login } from '../../application/login.js';
import { Register } from '../../application/register.js';
import { SendCode } from '../../application/send-code.js';
import { readAccountName } from '../../domain/account-name.js';
import { COUNTRIES } from '../countries.js';
import {
  areaCodeOf,
  originOf,
  readAccountText,
  readCode,
  readName,
  readPassword,
  readScene,
  Takes,
} from './request.js';

/** Sign-in, registration, codes, forgotten password (api §2.1). The order of the readers is the order of rules §12. */
@ApiTags('auth')
@Controller()
export class SignInController {
  constructor(
    private readonly login: Login,
    private readonly register: Register,
    private readonly sendCode: SendCode,
    private readonly judgeCode: JudgeCode,
    private readonly forgotten: ForgottenPassword,
    private readonly account: Account,
  ) {}

  @ApiOperation({ summary: 'Countries with their calling codes' })
  @Call({ method: 'GET', path: '/api/country/list', auth: 'public', rate: 'public' })
  countries(): readonly Country[] {
    return COUNTRIES;
  }

  @ApiOperation({ summary: 'Log in: the token is the message' })
  @Takes('user_string*', 'password*', 'sms_code', 'area_code', 'area_code_id', 'totp_code')
  @Call({ method: 'POST', path: '/api/user/login', auth: 'public', rate: 'signIn', account: 'user_string' })
  async signIn(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Reply> {
    const text = readAccountText(fields, 'user_string');
    const password = readPassword(fields, 'password', 'login.psw6');
    const { token, id } = await this.login.execute(
      {
        text,
        name: readAccountName(text, areaCodeOf(fields)),
        password,
        code: present(fields, 'sms_code'),
        totpCode: present(fields, 'totp_code'),
      },
      originOf(context),
    );
    return new Reply(token, { id });
  }

  @ApiOperation({ summary: 'Open an account' })
  @Takes(
    'type*',
    'user_string*',
    'code*',
    'password*',
    're_password*',
    'extension_code',
    'area_code',
    'area_code_id',
    'nationality',
  )
  @Call({ method: 'POST', path: '/api/user/register', auth: 'public', rate: 'signIn', account: 'user_string' })
  async signUp(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Notice> {
    const kind = readOneOf(fields, 'type', ['mobile', 'email']);
    const name = readName(readAccountText(fields, 'user_string'), areaCodeOf(fields), 'user_string', kind);
    const code = readCode(fields, 'code');
    const password = readPassword(fields, 'password', 'register.psw16');
    const id = await this.register.execute(
      {
        name,
        code,
        password,
        repeated: fields['re_password'],
        inviteCode: present(fields, 'extension_code'),
        nationality: (present(fields, 'nationality') ?? '').slice(0, NATIONALITY_LENGTH_MAX),
      },
      originOf(context),
    );
    return new Notice('register.success', { id });
  }

  @ApiOperation({ summary: 'Send a code by short message' })
  @Takes('user_string*', 'scene', 'type', 'area_code', 'country_code', 'area_code_id')
  @Call({ method: 'POST', path: '/api/sms_send', auth: 'public', rate: 'signIn', account: 'user_string' })
  sendByPhone(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Notice> {
    return this.send('mobile', fields, context);
  }

  @ApiOperation({ summary: 'Send a code by mail' })
  @Takes('user_string*', 'scene', 'type')
  @Call({ method: 'POST', path: '/api/sms_mail', auth: 'public', rate: 'signIn', account: 'user_string' })
  sendByMail(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Notice> {
    return this.send('email', fields, context);
  }

  private async send(kind: 'email' | 'mobile', fields: FieldRecord, context: CallContext): Promise<Notice> {
    const name = readName(readAccountText(fields, 'user_string'), areaCodeOf(fields), 'user_string', kind);
    const scene = readScene(fields) ?? (context.caller ? 'bind' : undefined);
    if (scene === undefined) throw new Refused('common.fieldRequired', { field: 'scene' }, { field: 'scene' });
    return new Notice('code.sent', {
      seconds: await this.sendCode.execute(name, scene, context.caller?.userId ?? null, originOf(context)),
    });
  }

  @ApiOperation({ summary: 'Judge a code sent by short message without using it up' })
  @Takes('mobile_code*', 'user_string', 'scene', 'area_code')
  @Call({ method: 'POST', path: '/api/user/check_mobile', auth: 'public', rate: 'signIn', account: 'user_string' })
  checkMobile(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Notice> {
    return this.check('mobile', 'mobile_code', fields, context);
  }

  @ApiOperation({ summary: 'Judge a code sent by mail without using it up' })
  @Takes('email_code*', 'user_string', 'scene')
  @Call({ method: 'POST', path: '/api/user/check_email', auth: 'public', rate: 'signIn', account: 'user_string' })
  checkEmail(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Notice> {
    return this.check('email', 'email_code', fields, context);
  }

  private async check(
    kind: 'email' | 'mobile',
    codeField: string,
    fields: FieldRecord,
    context: CallContext,
  ): Promise<Notice> {
    const code = readCode(fields, present(fields, codeField) === undefined ? 'code' : codeField);
    const text = present(fields, 'user_string');
    const name = text === undefined ? undefined : readName(text, areaCodeOf(fields), 'user_string', kind);
    await this.judgeCode.check(kind, code, {
      name,
      scene: readScene(fields),
      userId: context.caller?.userId ?? null,
      origin: originOf(context),
    });
    return new Notice('code.ok');
  }

  @ApiOperation({ summary: 'Set a new login password by a code' })
  @Takes('account*', 'password*', 'repassword*', 'code*', 'scene', 'area_code')
  @Call({ method: 'POST', path: '/api/user/forget', auth: 'public', rate: 'signIn', account: 'account' })
  async forget(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Notice> {
    const text = readAccountText(fields, 'account');
    const code = readCode(fields, 'code');
    const password = readPassword(fields, 'password', 'register.psw16');
    await this.forgotten.execute(
      { text, name: readAccountName(text, areaCodeOf(fields)), code, password, repeated: fields['repassword'] },
      originOf(context),
    );
    return new Notice('forget.success');
  }

  @ApiOperation({ summary: 'End this session' })
  @Call({ method: 'GET', path: '/api/user/logout', auth: 'points' })
  logoutByGet(@CurrentCaller() caller: Caller): Promise<Notice> {
    return this.logout(caller);
  }

  @ApiOperation({ summary: 'End this session' })
  @Call({ method: 'POST', path: '/api/user/logout', auth: 'points', whileFrozen: true })
  async logout(@CurrentCaller() caller: Caller): Promise<Notice> {
    await this.account.logout(caller);
    return new Notice('logout.success');
  }
}

const NATIONALITY_LENGTH_MAX = 64;
