import { Readable } from 'node:stream';
import { Controller } from '@nestjs/common';
import type { DataPage } from '@bourse/contract';
import {
  Call,
  Fields,
  Raw,
  readOneOf,
  readOptionalText,
  readOptionalTime,
  readPage,
  readText,
  timeText,
  type FieldRecord,
} from '@bourse/platform';
import { EXPORTS, Exports, type Exported } from '../../application/exports.js';
import { AuditLog, type AuditLogFilter } from '../../application/audit-log.js';

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

/** What operators did, and files of what happened (api §2.12). */
@Controller()
export class AuditLogController {
  constructor(
    private readonly trail: AuditLog,
    private readonly exports: Exports,
  ) {}

  @Call({ method: 'GET', path: '/api/admin/audit', auth: 'operator', role: 'finance' })
  async audit(@Fields() fields: FieldRecord): Promise<DataPage<Shown>> {
    const filter: AuditLogFilter = {
      ...named(fields, 'operator', 64),
      ...named(fields, 'action', 60),
      ...named(fields, 'target', 200),
      ...spanOf(fields),
    };
    const page = readPage(fields, 50);
    const { lines, total } = await this.trail.list(filter, page);
    return {
      data: lines.map(({ at, ...line }) => ({ ...line, time: timeText(at) })),
      page: page.page,
      page_size: page.size,
      total,
      has_more: page.offset + lines.length < total ? 1 : 0,
    };
  }

  @Call({ method: 'GET', path: '/api/admin/export', auth: 'operator', role: 'finance', raw: true })
  async export(@Fields() fields: FieldRecord): Promise<Raw> {
    const what = readOneOf(fields, 'what', Object.keys(EXPORTS) as Exported[]);
    for (const name of ['from', 'to']) readText(fields, name);
    const { from = 0, to = 0 } = spanOf(fields);
    const rows = await this.exports.csv(what, { from, to });
    return new Raw(Readable.from(rows), {
      contentType: 'text/csv; charset=utf-8',
      headers: { 'content-disposition': `attachment; filename="${what}.csv"` },
    });
  }
}

function named<const N extends string>(fields: FieldRecord, name: N, max: number): { [K in N]?: string } {
  const text = readOptionalText(fields, name, 'common.fieldInvalid', { max });
  return (text === undefined ? {} : { [name]: text }) as { [K in N]?: string };
}

function spanOf(fields: FieldRecord): { from?: number; to?: number } {
  const [from, to] = [readOptionalTime(fields, 'from'), readOptionalTime(fields, 'to')];
  // The named second belongs to it, as it is shown.
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to: to + SECOND_MS }) };
}
