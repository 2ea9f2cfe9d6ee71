import { Controller, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ApiKeyRow } from '@bourse/contract';
import {
  Call,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readOneOf,
  readText,
  Refused,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { API_KEY_LIMITS, ApiKeyAccess, PERMISSIONS, readAddresses } from '../../application/api-key-access.js';
import { ConfirmedGuard } from './confirmed.guard.js';
import { Takes } from './request.js';

const KEY_MAX = 64;

/** API keys of a person (api §2.1). */
@ApiTags('auth')
@Controller()
@UseGuards(ConfirmedGuard)
export class ApiKeyController {
  constructor(private readonly keys: ApiKeyAccess) {}

  @ApiOperation({ summary: 'Own API keys, without their secrets' })
  @Call({ method: 'GET', path: '/api/apikey', auth: 'user' })
  list(@CurrentCaller() caller: Caller): Promise<ApiKeyRow[]> {
    return this.keys.list(caller.userId);
  }

  @ApiOperation({ summary: 'New API key; its secret is shown this once' })
  @Takes('label*', 'permissions*', 'ips', 'password*')
  @Call({ method: 'POST', path: '/api/apikey', auth: 'user', needsFund: true, confirmed: 'always' })
  create(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<ApiKeyRow & { secret: string }> {
    const label = readText(fields, 'label', 'common.fieldRequired', { max: API_KEY_LIMITS.label, pattern: /\S/u });
    const permissions = readOneOf(fields, 'permissions', PERMISSIONS);
    const ips = readAddresses(present(fields, 'ips') ?? '');
    if (ips === null) throw new Refused('common.fieldInvalid', { field: 'ips' }, { field: 'ips' });
    return this.keys.create(caller, { label, permissions, ips }, present(fields, 'password'));
  }

  @ApiOperation({ summary: 'Delete an own API key' })
  @Takes('key*', 'password*')
  @Call({ method: 'DELETE', path: '/api/apikey', auth: 'user', needsFund: true, confirmed: 'always' })
  async remove(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.keys.remove(
      caller,
      readText(fields, 'key', 'common.fieldRequired', { max: KEY_MAX }),
      present(fields, 'password'),
    );
    return new Notice('apikey.deleted');
  }
}
