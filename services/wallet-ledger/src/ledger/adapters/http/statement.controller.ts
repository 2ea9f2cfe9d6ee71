import { Readable } from 'node:stream';
import { Controller } from '@nestjs/common';
import type { DataPage, ListPage, WalletLog } from '@bourse/contract';
import { ACCOUNT_FACTS } from '@bourse/events';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  present,
  Raw,
  readInteger,
  readOptionalInteger,
  readOptionalText,
  readPage,
  Refused,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import type { LogFilter } from '../../application/ports.js';
import { Statement, type CheckedAccount } from '../../application/statement/statement.js';
import { readTime } from './read-time.js';

/** Accounts as `legal_log` numbers them. */
const ACCOUNT_OF_TYPE: ReadonlyMap<number, string> = new Map(
  [...ACCOUNT_FACTS].flatMap(([account, { statementType }]) =>
    statementType === null ? [] : [[statementType, account] as const],
  ),
);
const TYPE_MAX = Math.max(...ACCOUNT_OF_TYPE.keys());

/** Logs and statements (api §2.2). */
@Controller()
export class StatementController {
  constructor(private readonly statement: Statement) {}

  @Call({
    method: 'POST',
    path: '/api/wallet/legal_log',
    auth: 'user',
    rate: 'read',
    apiKey: 'read',
    whileFrozen: true,
  })
  async coinLog(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<ListPage<WalletLog>> {
    const account =
      ACCOUNT_OF_TYPE.get(readInteger(fields, 'type', 'common.fieldInvalid', { min: 1, max: TYPE_MAX })) ?? '';
    const currency = readInteger(fields, 'currency');
    const page = readPage(fields, 10);
    const { rows, total, has_more } = await this.statement.logs(
      { owner: caller.userId, state: 'available', account, currency },
      page,
      context.lang,
    );
    return { list: rows, count: total, page: page.page, page_size: page.size, has_more };
  }

  @Call({ method: 'POST', path: '/api/account/list', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true })
  async wholeLog(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<DataPage<WalletLog>> {
    return this.page({ owner: caller.userId, state: 'available' }, fields, 20, context);
  }

  @Call({ method: 'GET', path: '/api/statement/list', auth: 'user', rate: 'read', apiKey: 'read' })
  async list(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<DataPage<WalletLog>> {
    return this.page(filterOf(caller.userId, fields), fields, 50, context);
  }

  @Call({ method: 'GET', path: '/api/statement/export', auth: 'user', rate: 'history', apiKey: 'read', raw: true })
  export(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord, @Context() context: CallContext): Raw {
    const filter = filterOf(caller.userId, fields);
    if ((present(fields, 'format') ?? 'csv') !== 'csv')
      throw new Refused('common.fieldInvalid', { field: 'format' }, { field: 'format' });
    return new Raw(Readable.from(this.statement.csv(filter, context.lang)), {
      contentType: 'text/csv; charset=utf-8',
      headers: { 'content-disposition': 'attachment; filename="statement.csv"' },
    });
  }

  @Call({ method: 'GET', path: '/api/statement/check', auth: 'user', rate: 'history', apiKey: 'read' })
  check(@CurrentCaller() caller: Caller): Promise<{ ok: 0 | 1; accounts: CheckedAccount[] }> {
    return this.statement.check(caller.userId);
  }

  private async page(
    filter: LogFilter,
    fields: FieldRecord,
    size: number,
    context: CallContext,
  ): Promise<DataPage<WalletLog>> {
    const page = readPage(fields, size);
    const { rows, total, has_more } = await this.statement.logs(filter, page, context.lang);
    return { data: rows, page: page.page, page_size: page.size, total, has_more };
  }
}

function filterOf(owner: number, fields: FieldRecord): LogFilter {
  const account = readOptionalText(fields, 'account', 'common.fieldInvalid', { max: 20, pattern: /^[a-z_]+$/ });
  const currency = readOptionalInteger(fields, 'currency', 'common.fieldInvalid', { max: 2 ** 31 - 1 });
  const from = readTime(fields, 'from');
  const to = readTime(fields, 'to');
  const causeType = readOptionalText(fields, 'cause_type', 'common.fieldInvalid', { max: 40, pattern: /^[a-z_]+$/ });
  return {
    owner,
    ...(account === undefined ? {} : { account }),
    ...(currency === undefined ? {} : { currency }),
    ...(from === undefined ? {} : { from }),
    // The named second belongs to it, as it is shown.
    ...(to === undefined ? {} : { to: to + 1_000 }),
    ...(causeType === undefined ? {} : { causeType }),
  };
}
