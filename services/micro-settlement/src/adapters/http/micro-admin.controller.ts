import { Body, Controller, Query } from '@nestjs/common';
import { guardedRow, insuranceClaim, microOrder, type GuardedRow } from '@bourse/contract';
import { Call, CurrentCaller, dataPage, message, notice, type Caller, type Notice } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import * as z from 'zod/mini';
import {
  catalogInsuranceType,
  catalogSeconds,
  InsuranceTypeBody,
  SecondsBody,
  type CatalogInsuranceType,
  type CatalogSeconds,
} from '../../application/catalog-rows.js';
import { Lists } from '../../application/lists.js';
import { InsuranceTypeList, SecondsList } from '../persistence/catalog-lists.js';
import { AdminOrdersQuery } from './fields.js';

/** Lists of operators, and the rows that they may change (api §2.12). */
@Controller()
export class MicroAdminController {
  constructor(
    private readonly lists: Lists,
    private readonly changes: CatalogChanges,
    private readonly seconds: SecondsList,
    private readonly types: InsuranceTypeList,
  ) {
    changes.register(seconds);
    changes.register(types);
  }

  @Call(
    { method: 'GET', path: '/api/admin/orders/micro', auth: 'operator', role: 'support' },
    {
      summary: 'Seconds contracts of all people, or of one',
      answer: message(dataPage(z.extend(microOrder, { user_id: z.int() }))),
    },
  )
  orders(@Query() { page, userId }: AdminOrdersQuery) {
    return this.lists.listAll({ userId }, page);
  }

  @Call(
    { method: 'GET', path: '/api/admin/claims', auth: 'operator', role: 'support' },
    {
      summary: 'Claims of all people, or of one',
      answer: message(dataPage(z.extend(insuranceClaim, { user_id: z.int() }))),
    },
  )
  claims(@Query() { page, userId }: AdminOrdersQuery) {
    return this.lists.allClaims(userId, page);
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
      summary: 'Change what a duration promises from now on; fields that are left out stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  saveSeconds(@Body() body: SecondsBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.seconds, body, operator);
  }

  @Call(
    { method: 'GET', path: '/api/admin/catalog/insurance_types', auth: 'operator', role: 'admin' },
    { summary: 'Types of insurance', answer: message(z.readonly(z.array(z.extend(catalogInsuranceType, guardedRow)))) },
  )
  async typeRows(): Promise<readonly (CatalogInsuranceType & GuardedRow)[]> {
    return this.changes.rows(this.types, await this.types.rows());
  }

  @Call(
    { method: 'POST', path: '/api/admin/catalog/insurance_types/save', auth: 'operator', role: 'admin' },
    {
      summary: 'Change the terms of policies to come; fields that are left out stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  saveType(@Body() body: InsuranceTypeBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.types, body, operator);
  }
}
