import { Body, Controller, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  passkeyCreation,
  passkeyRequest,
  passkeyRow,
  type PasskeyCreation,
  type PasskeyRequest,
  type PasskeyRow,
} from '@bourse/contract';
import {
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  message,
  notice,
  Notice,
  Reply,
  reply,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { PasskeyAccess } from '../../application/passkey-access.js';
import { PasskeySignIn } from '../../application/passkey-sign-in.js';
import { ConfirmedGuard } from './confirmed.guard.js';
import { DisablePasskeyBody, EnablePasskeyBody, PasskeySignInBody, RenamePasskeyBody } from './fields.js';
import { originOf } from './request.js';

/** Passkeys of a person, and sign-in by one (api §2.1, decision 0234). */
@ApiTags('auth')
@Controller()
@UseGuards(ConfirmedGuard)
export class PasskeyController {
  constructor(
    private readonly access: PasskeyAccess,
    private readonly signIn: PasskeySignIn,
  ) {}

  @Call(
    { method: 'POST', path: '/api/user/passkey_options', auth: 'public', rate: 'signIn' },
    {
      summary: 'Challenge to any passkey of this exchange, for a sign-in within two minutes',
      answer: message(passkeyRequest),
      refuses: ['passkey.unavailable'],
    },
  )
  options(@Context() context: CallContext): Promise<PasskeyRequest> {
    return this.signIn.options(originOf(context));
  }

  @Call(
    { method: 'POST', path: '/api/user/passkey_login', auth: 'public', rate: 'signIn' },
    {
      summary: 'Sign in by a passkey: the token is the message',
      answer: reply(z.string(), { id: z.int() }),
      refuses: ['passkey.unavailable', 'passkey.expired', 'login.resetOnly', 'auth.wrong'],
    },
  )
  async login(@Body() fields: PasskeySignInBody, @Context() context: CallContext): Promise<Reply> {
    const { token, id } = await this.signIn.execute(fields.answer, originOf(context));
    return new Reply(token, { id });
  }

  @Call(
    { method: 'GET', path: '/api/safe/passkeys', auth: 'user' },
    { summary: 'Own passkeys', answer: message(z.array(passkeyRow)) },
  )
  list(@CurrentCaller() caller: Caller): Promise<PasskeyRow[]> {
    return this.access.list(caller.userId);
  }

  @Call(
    { method: 'POST', path: '/api/safe/passkey_setup', auth: 'user', confirmed: 'always' },
    {
      summary: 'Options to make a passkey; it counts once its answer was accepted',
      answer: message(passkeyCreation),
      refuses: ['auth.confirm', 'passkey.limit', 'passkey.unavailable'],
    },
  )
  setup(@CurrentCaller() caller: Caller, @Context() context: CallContext): Promise<PasskeyCreation> {
    return this.access.setup(caller, originOf(context));
  }

  @Call(
    { method: 'POST', path: '/api/safe/passkey_enable', auth: 'user', confirmed: 'always' },
    {
      summary: 'Register the passkey that the browser has made',
      answer: notice('passkey.enabled', { passkey: passkeyRow }),
      refuses: [
        'auth.confirm',
        'passkey.unavailable',
        'passkey.expired',
        'login.passkeyWrong',
        'passkey.limit',
        'passkey.used',
      ],
    },
  )
  async enable(
    @CurrentCaller() caller: Caller,
    @Body() fields: EnablePasskeyBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    const passkey = await this.access.enable(caller, fields.answer, fields.label, originOf(context));
    return new Notice('passkey.enabled', { passkey });
  }

  @Call(
    { method: 'POST', path: '/api/safe/passkey_rename', auth: 'user' },
    { summary: 'Rename an own passkey', answer: notice('passkey.renamed') },
  )
  async rename(@CurrentCaller() caller: Caller, @Body() fields: RenamePasskeyBody): Promise<Notice> {
    await this.access.rename(caller.userId, fields.id, fields.label);
    return new Notice('passkey.renamed');
  }

  @Call(
    { method: 'POST', path: '/api/safe/passkey_disable', auth: 'user', confirmed: 'always' },
    {
      summary: 'Remove an own passkey',
      answer: notice('passkey.disabled'),
      refuses: ['auth.confirm', 'auth.wrong'],
    },
  )
  async disable(@CurrentCaller() caller: Caller, @Body() fields: DisablePasskeyBody): Promise<Notice> {
    await this.access.remove(caller, fields.id, fields.password);
    return new Notice('passkey.disabled');
  }
}
