import { Controller, Query } from '@nestjs/common';
import { toDataPage, type DataPage } from '@bourse/contract';
import { attachment, Call, dataPage, file, message, timeText, type Raw } from '@bourse/platform';
import { ExportQuery, AuditLogQuery } from './fields.js';
import { auditLogLine } from './answers.js';
import { Exports } from '../application/exports.js';
import { AuditLog, type AuditLogFilter } from '../application/audit-log.js';

const SECOND_MS = 1_000;
interface Shown {
  readonly id: number;
  readonly time: string;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly before: string;
  readonly after: string;
}

/** The log of operators' actions, and exports (api §2.12). */
@Controller()
export class AuditLogController {
  constructor(
    private readonly trail: AuditLog,
    private readonly exports: Exports,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/audit', auth: 'operator', role: 'finance' },
    { summary: 'List actions of operators, newest first', answer: message(dataPage(auditLogLine)) },
  )
  async audit(@Query() fields: AuditLogQuery): Promise<DataPage<Shown>> {
    const { page, operator, action, target, userId, from, to } = fields;
    const filter: AuditLogFilter = {
      ...(operator === undefined ? {} : { operator }),
      ...(action === undefined ? {} : { action }),
      ...(target === undefined ? {} : { target }),
      ...(userId === undefined ? {} : { userId }),
      ...(from === undefined ? {} : { from }),
      // The period includes the whole second that is named as its end.
      ...(to === undefined ? {} : { to: to + SECOND_MS }),
    };
    const { lines, total } = await this.trail.list(filter, page);
    return toDataPage({ rows: lines, total }, page, ({ at, ...line }) => ({ ...line, time: timeText(at) }));
  }

  @Call(
    { method: 'GET', path: '/api/admin/export', auth: 'operator', role: 'finance', raw: true },
    { summary: 'Download the events of a period as a file', answer: file('text/csv') },
  )
  export(@Query() fields: ExportQuery): Promise<Raw> {
    const { what, from, to } = fields;
    const rows = this.exports.csv(what, { from, to: to + SECOND_MS });
    return attachment(rows, { contentType: 'text/csv', name: `${what}.csv` });
  }
}
