import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { passkeyRequest, type PasskeyRequest } from '@bourse/contract';
import { Call, type CallContext, type Caller, Context, CurrentCaller, message, Reply, reply } from '@bourse/platform';
import * as z from 'zod/mini';
import { readAccountName } from '../../shared/domain/account-name.js';
import { originOf, SECOND_STEP_REFUSES } from '../../shared/http/request.js';
import { DeviceLogin } from '../application/device-login.js';
import { PasskeySignIn } from '../application/passkey-sign-in.js';
import { DeviceSignInBody, PasskeySignInBody } from './fields.js';

/** Sign-in without the password: by the code of another device, or by a passkey (api §2.1, decision 0234). */
@ApiTags('auth')
@Controller()
export class DeviceSignInController {
  constructor(
    private readonly devices: DeviceLogin,
    private readonly passkeys: PasskeySignIn,
  ) {}

  @Call(
    { method: 'GET', path: '/api/user/authorization_code', auth: 'user', whileFrozen: false },
    { summary: 'Get a code that signs in another device', answer: reply(z.string(), { expires_in: z.int() }) },
  )
  async authorizationCode(@CurrentCaller() caller: Caller): Promise<Reply> {
    const { code, expiresIn } = await this.devices.code(caller);
    return new Reply(code, { expires_in: expiresIn });
  }

  @Call(
    { method: 'POST', path: '/api/user/device_login', auth: 'public', rate: 'signIn', account: 'user_string' },
    {
      summary: 'Sign in by the code of another device; the message is the token',
      answer: reply(z.string(), { id: z.int() }),
      refuses: ['auth.wrong', ...SECOND_STEP_REFUSES],
    },
  )
  async deviceLogin(@Body() fields: DeviceSignInBody, @Context() context: CallContext): Promise<Reply> {
    const { account: text, code, areaCode, totpCode, passkey } = fields;
    const { token, id } = await this.devices.execute(
      { text, name: readAccountName(text, areaCode), code, totpCode, passkey },
      originOf(context),
    );
    return new Reply(token, { id });
  }

  @Call(
    { method: 'POST', path: '/api/user/passkey_options', auth: 'public', rate: 'signIn' },
    {
      summary: 'Get a challenge for any passkey of this exchange, for a sign-in within two minutes',
      answer: message(passkeyRequest),
      refuses: ['passkey.unavailable'],
    },
  )
  options(@Context() context: CallContext): Promise<PasskeyRequest> {
    return this.passkeys.options(originOf(context));
  }

  @Call(
    { method: 'POST', path: '/api/user/passkey_login', auth: 'public', rate: 'signIn' },
    {
      summary: 'Sign in by a passkey; the message is the token',
      answer: reply(z.string(), { id: z.int() }),
      refuses: ['passkey.unavailable', 'passkey.expired', 'login.resetOnly', 'auth.wrong'],
    },
  )
  async login(@Body() fields: PasskeySignInBody, @Context() context: CallContext): Promise<Reply> {
    const { token, id } = await this.passkeys.execute(fields.answer, originOf(context));
    return new Reply(token, { id });
  }
}
