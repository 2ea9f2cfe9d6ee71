import { Controller, Param } from '@nestjs/common';
import { LANGUAGES } from '@bourse/contract';
import type { CatalogRow, SettingRow } from '@bourse/events';
import { Asks, Reference } from '@bourse/messaging';
import {
  Call,
  CurrentCaller,
  Fields,
  message,
  Notice,
  notice,
  readText,
  Refused,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import type { ChangedBy } from '@bourse/settings';
import * as z from 'zod/mini';
import { settingRow } from './answers.js';

/** A long text for each language, written as JSON. */
const VALUE_MAX = 4_000 * LANGUAGES.length;
const ASK_MS = 4_000;

/**
 * Settings and lists of the catalog (api §2.12). What there is and whose it is comes from the copy of the reference data;
 * each change is made by its owner, which checks it and tells everybody [SETTING-020].
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
  async save(@Fields() fields: FieldRecord, @CurrentCaller() caller: Caller): Promise<Notice> {
    const key = readText(fields, 'key', 'common.fieldRequired', { max: 60 });
    // An empty value is one: an address that is not shown.
    const value = fields['value'];
    if (value === undefined) throw new Refused('common.fieldRequired', { field: 'value' }, { field: 'value' });
    if (value.length > VALUE_MAX) throw new Refused('common.fieldInvalid', { field: 'value' }, { field: 'value' });
    const known = this.reference.get<SettingRow>('setting', key);
    if (!known) throw new Refused('common.notFound', {}, { field: 'key' });
    await this.asks.ask(`${known.owner}.saveSetting`, { key, value, by: changedBy(caller, fields) }, ASK_MS);
    return new Notice('admin.settingSaved');
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/:name', auth: 'operator', role: 'admin' },
    {
      summary: 'One list of the catalog, with the rows that are switched off',
      answer: message(z.readonly(z.array(z.looseObject({})))),
    },
  )
  async rows(@Param('name') name: string): Promise<readonly Record<string, unknown>[]> {
    return this.asks.ask(`${this.ownerOf(name)}.catalog`, { name }, ASK_MS);
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/:name/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change one row of a list of the catalog; fields that are left out stay as they are',
      answer: notice('admin.catalogSaved'),
    },
  )
  async saveRow(
    @Param('name') name: string,
    @Fields() { reason: _reason, ...fields }: FieldRecord,
    @Fields() all: FieldRecord,
    @CurrentCaller() caller: Caller,
  ): Promise<Notice> {
    await this.asks.ask(`${this.ownerOf(name)}.saveCatalog`, { name, fields, by: changedBy(caller, all) }, ASK_MS);
    return new Notice('admin.catalogSaved');
  }

  private ownerOf(name: string): string {
    const found = this.reference.get<CatalogRow>('catalog', name);
    if (!found) throw new Refused('common.notFound', {}, { field: 'name' });
    return found.owner;
  }
}

const changedBy = ({ userId, accountNumber }: Caller, { reason = '' }: FieldRecord): ChangedBy => ({
  operatorId: userId,
  operator: accountNumber,
  reason,
});
