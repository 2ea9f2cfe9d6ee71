import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { country, type Country } from '@bourse/contract';
import {
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  message,
  notice,
  Notice,
  refuse,
  reply,
  Reply,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { Account } from '../../profile/application/account.js';
import { ForgottenPassword } from '../application/forget.js';
import { VerifyCode } from '../../shared/application/verify-code.js';
import { Login } from '../application/login.js';
import { Register } from '../application/register.js';
import { SendCode } from '../application/send-code.js';
import type { SessionKind } from '../../shared/application/ports/sessions.js';
import { readAccountName } from '../../shared/domain/account-name.js';
import { CountryList } from '../../shared/persistence/country-list.js';
import { originOf, readName, SECOND_STEP_REFUSES } from '../../shared/http/request.js';
import { CheckEmailBody, CheckMobileBody, ForgetBody, RegisterBody, SendCodeBody, SignInBody } from './fields.js';

const SIGN_IN_REFUSES = [
  'login.psw6',
  'set.enterCode',
  'login.resetOnly',
  'auth.wrong',
  'code.wrong',
  'code.expired',
  ...SECOND_STEP_REFUSES,
];

/** Sign-in, registration, codes, forgotten password (api §2.1). The order of the fields is the order of rules §12. */
@ApiTags('auth')
@Controller()
export class SignInController {
  constructor(
    private readonly login: Login,
    private readonly register: Register,
    private readonly sendCode: SendCode,
    private readonly verifyCode: VerifyCode,
    private readonly forgotten: ForgottenPassword,
    private readonly account: Account,
    private readonly countryList: CountryList,
  ) {}

  @Call(
    { method: 'GET', path: '/api/country/list', auth: 'public', rate: 'public' },
    { summary: 'Countries with their calling codes', answer: message(z.readonly(z.array(country))) },
  )
  countries(): Promise<readonly Country[]> {
    return this.countryList.displayed();
  }

  @Call(
    { method: 'POST', path: '/api/user/login', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Log in; the message is the token',
      answer: reply(z.string(), { id: z.int() }),
      refuses: SIGN_IN_REFUSES,
    },
  )
  signIn(@Body() fields: SignInBody, @Context() context: CallContext): Promise<Reply> {
    return this.enter('user', fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/Independent/points', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Log in for points only; the message is the token',
      answer: reply(z.string(), { id: z.int() }),
      refuses: SIGN_IN_REFUSES,
    },
  )
  signInForPoints(@Body() fields: SignInBody, @Context() context: CallContext): Promise<Reply> {
    return this.enter('points', fields, context);
  }

  private async enter(kind: SessionKind, fields: SignInBody, context: CallContext): Promise<Reply> {
    const { account: text, password, areaCode, smsCode: code, totpCode, passkey } = fields;
    const { token, id } = await this.login.execute(
      { text, name: readAccountName(text, areaCode), password, code, totpCode, passkey, kind },
      originOf(context),
    );
    return new Reply(token, { id });
  }

  @Call(
    { method: 'POST', path: '/api/user/register', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Open an account',
      answer: notice('register.success', { id: z.int() }),
      refuses: [
        'register.emailFalse',
        'register.mobileFalse',
        'set.enterCode',
        'register.psw16',
        'register.pswCommon',
        'pswFalse',
        'register.inviteRequired',
        'register.inviteMin',
        'register.inviteUnknown',
        'code.wrong',
        'code.expired',
        'register.used',
      ],
    },
  )
  async signUp(@Body() fields: RegisterBody, @Context() context: CallContext): Promise<Notice> {
    const { type, account, areaCode, repeated, inviteCode } = fields;
    const name = readName(account, areaCode, 'user_string', type);
    const { code, password } = fields;
    const id = await this.register.execute(
      {
        name,
        code,
        password,
        repeated,
        inviteCode,
        nationality: (fields.nationality ?? '').slice(0, NATIONALITY_LENGTH_MAX),
      },
      originOf(context),
    );
    return new Notice('register.success', { id });
  }

  @Call(
    { method: 'POST', path: '/api/sms_send', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Send a code by text message',
      answer: notice('code.sent', { seconds: z.int() }),
      refuses: ['register.mobileFalse', 'code.noChannel', 'code.tooSoon', 'code.tooMany'],
    },
  )
  sendByPhone(@Body() fields: SendCodeBody, @Context() context: CallContext): Promise<Notice> {
    return this.send('mobile', fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/sms_mail', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Send a code by e-mail',
      answer: notice('code.sent', { seconds: z.int() }),
      refuses: ['register.emailFalse', 'code.noChannel', 'code.tooSoon', 'code.tooMany'],
    },
  )
  sendByMail(@Body() fields: SendCodeBody, @Context() context: CallContext): Promise<Notice> {
    return this.send('email', fields, context);
  }

  private async send(kind: 'email' | 'mobile', fields: SendCodeBody, context: CallContext): Promise<Notice> {
    const name = readName(fields.account, fields.areaCode, 'user_string', kind);
    const scene = fields.scene ?? (context.caller ? 'bind' : undefined);
    if (scene === undefined) throw refuse('common.fieldRequired', 'scene');
    return new Notice('code.sent', {
      seconds: await this.sendCode.execute(name, scene, context.caller?.userId ?? null, originOf(context)),
    });
  }

  @Call(
    { method: 'POST', path: '/api/user/check_mobile', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Check a texted code without using it up',
      answer: notice('code.ok'),
      refuses: ['register.mobileFalse', 'code.wrong', 'code.expired'],
    },
  )
  checkMobile(@Body() fields: CheckMobileBody, @Context() context: CallContext): Promise<Notice> {
    return this.check('mobile', fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/user/check_email', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Check an e-mailed code without using it up',
      answer: notice('code.ok'),
      refuses: ['register.emailFalse', 'code.wrong', 'code.expired'],
    },
  )
  checkEmail(@Body() fields: CheckEmailBody, @Context() context: CallContext): Promise<Notice> {
    return this.check('email', fields, context);
  }

  private async check(
    kind: 'email' | 'mobile',
    fields: CheckMobileBody | CheckEmailBody,
    context: CallContext,
  ): Promise<Notice> {
    const { code, account, areaCode } = fields;
    const name = account === undefined ? undefined : readName(account, areaCode, 'user_string', kind);
    await this.verifyCode.check(kind, code, {
      name,
      scene: fields.scene,
      userId: context.caller?.userId ?? null,
      origin: originOf(context),
    });
    return new Notice('code.ok');
  }

  @Call(
    { method: 'POST', path: '/api/user/forget', auth: 'public', rate: 'signIn', account: 'account' },
    {
      summary: 'Set a new login password by a code',
      answer: notice('forget.success'),
      refuses: ['pswFalse', 'code.wrong', 'code.expired'],
    },
  )
  async forget(@Body() fields: ForgetBody, @Context() context: CallContext): Promise<Notice> {
    const { account: text, areaCode, code, password, repeated } = fields;
    await this.forgotten.execute(
      { text, name: readAccountName(text, areaCode), code, password, repeated },
      originOf(context),
    );
    return new Notice('forget.success');
  }

  @Call(
    { method: 'GET', path: '/api/user/logout', auth: 'points' },
    { summary: 'End this session', answer: notice('logout.success') },
  )
  logoutByGet(@CurrentCaller() caller: Caller): Promise<Notice> {
    return this.logout(caller);
  }

  @Call(
    { method: 'POST', path: '/api/user/logout', auth: 'points', whileFrozen: true },
    { summary: 'End this session', answer: notice('logout.success') },
  )
  async logout(@CurrentCaller() caller: Caller): Promise<Notice> {
    await this.account.logout(caller);
    return new Notice('logout.success');
  }
}

const NATIONALITY_LENGTH_MAX = 64;
