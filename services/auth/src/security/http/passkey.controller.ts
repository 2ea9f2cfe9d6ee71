import { Body, Controller, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { passkeyCreation, passkeyRow, type PasskeyCreation, type PasskeyRow } from '@bourse/contract';
import { Call, type CallContext, type Caller, Context, CurrentCaller, message, notice, Notice } from '@bourse/platform';
import * as z from 'zod/mini';
import { PasskeyAccess } from '../application/passkey-access.js';
import { ConfirmedGuard } from './confirmed.guard.js';
import { originOf } from '../../shared/http/request.js';
import { DisablePasskeyBody, EnablePasskeyBody, RenamePasskeyBody } from './fields.js';

/** Passkeys of a person (api §2.1, decision 0234). */
@ApiTags('auth')
@Controller()
@UseGuards(ConfirmedGuard)
export class PasskeyController {
  constructor(private readonly access: PasskeyAccess) {}

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
      summary: 'Get options to create a passkey; it is in force after its answer is accepted',
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
      summary: 'Register the passkey that the browser created',
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
