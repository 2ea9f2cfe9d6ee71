import { Body, Controller, Query } from '@nestjs/common';
import { guardedRow, microOrder, type GuardedRow } from '@bourse/contract';
import { Call, CurrentCaller, dataPage, message, notice, type Caller, type Notice } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import * as z from 'zod/mini';
import { AdminOrdersQuery } from '../../shared/http/fields.js';
import { catalogSeconds, SecondsBody, type CatalogSeconds } from '../application/duration-rows.js';
import { ContractLists } from '../application/lists.js';
import { SecondsList } from '../persistence/durations.js';

/** Contracts and durations for operators (api §2.12). */
@Controller()
export class ContractAdminController {
  constructor(
    private readonly lists: ContractLists,
    private readonly changes: CatalogChanges,
    private readonly seconds: SecondsList,
  ) {
    changes.register(seconds);
  }

  @Call(
    { method: 'GET', path: '/api/admin/orders/micro', auth: 'operator', role: 'support' },
    {
      summary: 'List seconds contracts of all people, or of one',
      answer: message(dataPage(z.extend(microOrder, { user_id: z.int() }))),
    },
  )
  orders(@Query() { page, userId }: AdminOrdersQuery) {
    return this.lists.listAll({ userId }, page);
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/micro_seconds', auth: 'operator', role: 'admin' },
    {
      summary: 'Durations of seconds contracts',
      answer: message(z.readonly(z.array(z.extend(catalogSeconds, guardedRow)))),
    },
  )
  async secondsRows(): Promise<readonly (CatalogSeconds & GuardedRow)[]> {
    return this.changes.rows(this.seconds, await this.seconds.rows());
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/micro_seconds/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change the conditions of a duration for future contracts; omitted fields stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  saveSeconds(@Body() body: SecondsBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.seconds, body, operator);
  }
}
