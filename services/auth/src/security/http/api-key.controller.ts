import { Body, Controller, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { apiKeyRow, type ApiKeyRow } from '@bourse/contract';
import { Call, type Caller, CurrentCaller, message, notice, Notice } from '@bourse/platform';
import * as z from 'zod/mini';
import { ApiKeyAccess } from '../application/api-key-access.js';
import { ConfirmedGuard } from './confirmed.guard.js';
import { DeleteApiKeyBody, NewApiKeyBody } from './fields.js';

/** API keys of a person (api §2.1). */
@ApiTags('auth')
@Controller()
@UseGuards(ConfirmedGuard)
export class ApiKeyController {
  constructor(private readonly keys: ApiKeyAccess) {}

  @Call(
    { method: 'GET', path: '/api/apikey', auth: 'user' },
    { summary: 'Own API keys, without their secrets', answer: message(z.array(apiKeyRow)) },
  )
  list(@CurrentCaller() caller: Caller): Promise<ApiKeyRow[]> {
    return this.keys.list(caller.userId);
  }

  @Call(
    { method: 'POST', path: '/api/apikey', auth: 'user', needsFund: true, confirmed: 'always' },
    {
      summary: 'Create an API key; its secret is shown once',
      answer: message(z.extend(apiKeyRow, { secret: z.string() })),
      refuses: ['auth.confirm', 'apikey.limit', 'fund.wrong'],
    },
  )
  create(@CurrentCaller() caller: Caller, @Body() fields: NewApiKeyBody): Promise<ApiKeyRow & { secret: string }> {
    const { password, ...key } = fields;
    return this.keys.create(caller, key, password);
  }

  @Call(
    { method: 'DELETE', path: '/api/apikey', auth: 'user', needsFund: true, confirmed: 'always' },
    { summary: 'Delete an own API key', answer: notice('apikey.deleted'), refuses: ['auth.confirm'] },
  )
  async remove(@CurrentCaller() caller: Caller, @Body() fields: DeleteApiKeyBody): Promise<Notice> {
    await this.keys.remove(caller, fields.key, fields.password);
    return new Notice('apikey.deleted');
  }
}
