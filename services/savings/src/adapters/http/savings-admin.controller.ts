import { Body, Controller, Query } from '@nestjs/common';
import { guardedRow, savingsOrder, type GuardedRow } from '@bourse/contract';
import { Call, CurrentCaller, dataPage, message, notice, type Caller, type Notice } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import * as z from 'zod/mini';
import { catalogDepositConfig, DepositConfigBody, type CatalogDepositConfig } from '../../application/catalog-rows.js';
import { SavingsLists } from '../../application/savings-lists.js';
import { DepositConfigList } from '../persistence/deposit-config-list.js';
import { AdminSavingsQuery } from './savings-fields.js';

/** Lists of operators, and the terms that they may change (api §2.12). */
@Controller()
export class SavingsAdminController {
  constructor(
    private readonly lists: SavingsLists,
    private readonly changes: CatalogChanges,
    private readonly configs: DepositConfigList,
  ) {
    changes.register(configs);
  }

  @Call(
    { method: 'GET', path: '/api/admin/savings', auth: 'operator', role: 'support' },
    {
      summary: 'Subscriptions of all people, or of one',
      answer: message(dataPage(z.extend(savingsOrder, { user_id: z.int() }))),
    },
  )
  savings(@Query() { page, userId }: AdminSavingsQuery) {
    return this.lists.listAll({ userId }, page);
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/deposit_configs', auth: 'operator', role: 'admin' },
    { summary: 'Terms of savings', answer: message(z.readonly(z.array(z.extend(catalogDepositConfig, guardedRow)))) },
  )
  async rows(): Promise<readonly (CatalogDepositConfig & GuardedRow)[]> {
    return this.changes.rows(this.configs, await this.configs.rows());
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/deposit_configs/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change the conditions of a term for future subscriptions; omitted fields stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  save(@Body() body: DepositConfigBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.configs, body, operator);
  }
}
