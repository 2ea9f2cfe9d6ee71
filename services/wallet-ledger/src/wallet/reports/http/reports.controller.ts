import { Controller, Query } from '@nestjs/common';
import type { DataPage } from '@bourse/contract';
import { Call, dataPage, message, Refused } from '@bourse/platform';
import * as z from 'zod/mini';
import {
  AccountingReports,
  type HouseSums,
  type ShownHouse,
  type ShownJournal,
} from '../application/accounting-reports.js';
import { JournalQuery } from '../application/fields.js';
import { houseSums, shownHouse, shownJournal } from './answers.js';

/** Causes with too many journals to be searched without a person. */
const TRADING = new Set(['trade', 'order']);

/** Reports on the books for operators (api §2.12). */
@Controller()
export class ReportsController {
  constructor(private readonly reports: AccountingReports) {}

  @Call(
    { method: 'GET', path: '/api/admin/journals', auth: 'operator', role: 'finance' },
    { summary: 'List journals with their legs', answer: message(dataPage(shownJournal)) },
  )
  journals(@Query() fields: JournalQuery): Promise<DataPage<ShownJournal>> {
    const { userId: owner, causeType, causeId, from, to, page } = fields;
    if (causeId !== undefined && owner === undefined && (causeType === undefined || TRADING.has(causeType)))
      throw new Refused(
        'common.fieldRequired',
        { field: causeType === undefined ? 'cause_type' : 'user_id' },
        { field: causeType === undefined ? 'cause_type' : 'user_id' },
      );
    return this.reports.journals(
      {
        ...(owner === undefined ? {} : { owner }),
        ...(causeType === undefined ? {} : { causeType }),
        ...(causeId === undefined ? {} : { causeId }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to: to + 1_000 }),
      },
      page,
    );
  }

  @Call(
    { method: 'GET', path: '/api/admin/house', auth: 'operator', role: 'finance' },
    { summary: 'Balances of the house', answer: message(z.array(shownHouse)) },
  )
  house(): Promise<ShownHouse[]> {
    return this.reports.house();
  }

  @Call(
    { method: 'GET', path: '/api/admin/house/sums', auth: 'operator', role: 'finance' },
    { summary: 'Assets against liabilities of each coin, and in US dollars', answer: message(houseSums) },
  )
  sums(): Promise<HouseSums> {
    return this.reports.houseSums();
  }
}
