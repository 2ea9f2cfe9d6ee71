import { Body, Controller } from '@nestjs/common';
import type { SettingRow } from '@bourse/events';
import { Asks, Reference } from '@bourse/messaging';
import { Call, CurrentCaller, message, Notice, notice, Refused, type Caller } from '@bourse/platform';
import type { ChangedBy } from '@bourse/settings';
import * as z from 'zod/mini';
import { settingRow } from './answers.js';
import { SettingBody } from './fields.js';

const ASK_MS = 4_000;

/**
 * Settings (api §2.12). What there is and whose it is comes from the copy of the reference data; each change is made by
 * its owner, which checks it and tells everybody [SETTING-020].
 */
@Controller()
export class SettingsController {
  constructor(
    private readonly asks: Asks,
    private readonly reference: Reference,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/settings', auth: 'operator', role: 'admin' },
    {
      summary: 'All settings with type, bounds, value, default and owner',
      answer: message(z.readonly(z.array(settingRow))),
    },
  )
  list(): readonly SettingRow[] {
    return [...this.reference.all<SettingRow>('setting')].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  @Call(
    { method: 'POST', path: '/api/admin/settings/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change one setting; it is in force everywhere within five seconds',
      answer: notice('admin.settingSaved'),
    },
  )
  async save(@Body() { key, value, reason }: SettingBody, @CurrentCaller() caller: Caller): Promise<Notice> {
    const known = this.reference.get<SettingRow>('setting', key);
    if (!known) throw new Refused('common.notFound', {}, { field: 'key' });
    const by: ChangedBy = { operatorId: caller.userId, operator: caller.accountNumber, reason };
    await this.asks.ask(`${known.owner}.saveSetting`, { key, value, by }, ASK_MS);
    return new Notice('admin.settingSaved');
  }
}
