import { Controller } from '@nestjs/common';
import type { DataPage } from '@bourse/contract';
import {
  Call,
  Fields,
  readOptionalInteger,
  readOptionalText,
  readPage,
  Refused,
  type FieldRecord,
} from '@bourse/platform';
import { AccountingReports, type ShownHouse, type ShownJournal } from '../../application/reports/accounting-reports.js';
import { readTime } from '../../../ledger/adapters/http/read-time.js';

/** Causes whose journals are too many to be searched for one of them; who knows the person finds it. */
const TRADING = new Set(['trade', 'order']);

/** The books, as operators read them (api §2.12). */
@Controller()
export class ReportsController {
  constructor(private readonly reports: AccountingReports) {}

  @Call({ method: 'GET', path: '/api/admin/journals', auth: 'operator', role: 'finance' })
  journals(@Fields() fields: FieldRecord): Promise<DataPage<ShownJournal>> {
    const owner = readOptionalInteger(fields, 'user_id');
    const causeType = readOptionalText(fields, 'cause_type', 'common.fieldInvalid', { max: 40, pattern: /^[a-z_]+$/ });
    const causeId = readOptionalText(fields, 'cause_id', 'common.fieldInvalid', {
      max: 100,
      pattern: /^[A-Za-z0-9:/_.-]+$/,
    });
    const from = readTime(fields, 'from');
    const to = readTime(fields, 'to');
    const page = readPage(fields, 50);
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

  @Call({ method: 'GET', path: '/api/admin/house', auth: 'operator', role: 'finance' })
  house(): Promise<ShownHouse[]> {
    return this.reports.house();
  }
}
