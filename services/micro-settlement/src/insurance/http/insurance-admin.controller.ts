import { Body, Controller, Query } from '@nestjs/common';
import { guardedRow, insuranceClaim, type GuardedRow } from '@bourse/contract';
import { Call, CurrentCaller, dataPage, message, notice, type Caller, type Notice } from '@bourse/platform';
import { CatalogChanges } from '@bourse/settings';
import * as z from 'zod/mini';
import { AdminOrdersQuery } from '../../shared/http/fields.js';
import { catalogInsuranceType, InsuranceTypeBody, type CatalogInsuranceType } from '../application/type-rows.js';
import { InsuranceLists } from '../application/lists.js';
import { InsuranceTypeList } from '../persistence/types.js';

/** Claims and types of insurance for operators (api §2.12). */
@Controller()
export class InsuranceAdminController {
  constructor(
    private readonly lists: InsuranceLists,
    private readonly changes: CatalogChanges,
    private readonly types: InsuranceTypeList,
  ) {
    changes.register(types);
  }

  @Call(
    { method: 'GET', path: '/api/admin/claims', auth: 'operator', role: 'support' },
    {
      summary: 'List claims of all people, or of one',
      answer: message(dataPage(z.extend(insuranceClaim, { user_id: z.int() }))),
    },
  )
  claims(@Query() { page, userId }: AdminOrdersQuery) {
    return this.lists.allClaims(userId, page);
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
      summary: 'Change the terms of future policies; omitted fields stay as they are',
      answer: notice(['admin.catalogSaved', 'admin.approvalWaiting'], { approval_id: z.optional(z.int()) }),
      refuses: ['common.notFound'],
    },
  )
  saveType(@Body() body: InsuranceTypeBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.changes.save(this.types, body, operator);
  }
}
