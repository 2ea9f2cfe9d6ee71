import { Body, Controller } from '@nestjs/common';
import type { SettingRow } from '@bourse/events';
import type { PendingChange } from '@bourse/contract';
import { Asks, Reference, serviceAsks, type ChangedBy } from '@bourse/messaging';
import { Call, CurrentCaller, message, Notice, notice, Refused, type Caller } from '@bourse/platform';
import { GuardedChanges, pendingOf } from '@bourse/settings';
import * as z from 'zod/mini';
import { settingRow } from './answers.js';
import { SettingBody } from './fields.js';

const ASK_TIMEOUT_MS = 4_000;

/**
 * Settings (api §2.12). The list of settings and their owners comes from the copy of the reference data; the owner
 * makes each change, checks it and publishes it [SETTING-020].
 */
@Controller()
export class SettingsController {
  constructor(
    private readonly asks: Asks,
    private readonly reference: Reference,
    private readonly guarded: GuardedChanges,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/settings', auth: 'operator', role: 'admin' },
    {
      summary: 'All settings with type, bounds, value, default and owner',
      answer: message(z.readonly(z.array(settingRow))),
    },
  )
  async list(): Promise<readonly ShownSetting[]> {
    const pending = await this.guarded.pending(['settings/save']);
    return [...this.reference.all<SettingRow>('setting')]
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((row) => ({
        ...row,
        // A row of an older version does not say whether it is guarded: its owner decides when it is changed.
        guarded: row.guarded ?? 1,
        pending: pendingOf(pending.get(row.key), (after) => String(after[row.key])),
      }));
  }

  @Call(
    { method: 'POST', path: '/api/admin/settings/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change a setting; a guarded one waits for a second admin, and then one hour',
      answer: notice(['admin.settingSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
    },
  )
  async save(@Body() { key, value, reason }: SettingBody, @CurrentCaller() caller: Caller): Promise<Notice> {
    const known = this.reference.get<SettingRow>('setting', key);
    if (!known) throw new Refused('common.notFound', {}, { field: 'key' });
    const by: ChangedBy = { operatorId: caller.userId, operator: caller.accountNumber, reason };
    const { approvalId } = await this.asks.ask(
      serviceAsks.saveSetting(known.owner),
      { key, value, by },
      ASK_TIMEOUT_MS,
    );
    return approvalId === null
      ? new Notice('admin.settingSaved')
      : new Notice('admin.approvalWaiting', { approval_id: approvalId });
  }
}

type ShownSetting = SettingRow & { readonly guarded: 0 | 1; readonly pending: PendingChange<string> | null };
