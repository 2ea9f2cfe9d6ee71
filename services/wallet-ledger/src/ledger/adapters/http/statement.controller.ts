import { Body, Controller, Query } from '@nestjs/common';
import { ACCOUNT_FACTS } from '@bourse/events';
import {
  statementCheck,
  statementJournal,
  toDataPage,
  toListPage,
  walletLog,
  type DataPage,
  type ListPage,
  type StatementJournal,
  type WalletLog,
} from '@bourse/contract';
import {
  attachment,
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  dataPage,
  file,
  listPage,
  message,
  type Page,
  type Raw,
} from '@bourse/platform';
import {
  CoinLogBody,
  StatementExportQuery,
  StatementFilter,
  StatementJournalsQuery,
  StatementQuery,
  WholeLogBody,
  type StatementFormat,
} from '../../application/fields.js';
import type { LogFilter } from '../../application/ports.js';
import { Statement, type CheckedAccount } from '../../application/statement/statement.js';

/** Content type and file name of each format; the accounting programs expect these file extensions. */
const FILES = {
  csv: { contentType: 'text/csv', name: 'statement.csv' },
  beancount: { contentType: 'text/plain', name: 'statement.beancount' },
  hledger: { contentType: 'text/plain', name: 'statement.journal' },
  koinly: { contentType: 'text/csv', name: 'koinly.csv' },
  cointracking: { contentType: 'text/csv', name: 'cointracking.csv' },
} as const;

/** Logs and statements (api §2.2). */
@Controller()
export class StatementController {
  constructor(private readonly statement: Statement) {}

  @Call(
    {
      method: 'POST',
      path: '/api/wallet/legal_log',
      auth: 'user',
      rate: 'read',
      apiKey: 'read',
      whileFrozen: true,
    },
    { summary: 'Statement of one coin on one account', answer: message(listPage(walletLog)) },
  )
  async coinLog(
    @CurrentCaller() caller: Caller,
    @Body() fields: CoinLogBody,
    @Context() context: CallContext,
  ): Promise<ListPage<WalletLog>> {
    const { account, currency, page } = fields;
    const found = await this.statement.logs(
      { owner: caller.userId, state: ACCOUNT_FACTS.get(account)?.statementState ?? 'available', account, currency },
      page,
      context.lang,
    );
    return toListPage(found, page, (line) => line);
  }

  @Call(
    { method: 'POST', path: '/api/account/list', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Statement of all coins and accounts', answer: message(dataPage(walletLog)) },
  )
  async wholeLog(
    @CurrentCaller() caller: Caller,
    @Body() fields: WholeLogBody,
    @Context() context: CallContext,
  ): Promise<DataPage<WalletLog>> {
    return this.page({ owner: caller.userId, state: 'available' }, fields.page, context);
  }

  @Call(
    { method: 'GET', path: '/api/statement/list', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Statement by filters', answer: message(dataPage(walletLog)) },
  )
  async list(
    @CurrentCaller() caller: Caller,
    @Query() fields: StatementQuery,
    @Context() context: CallContext,
  ): Promise<DataPage<WalletLog>> {
    return this.page(filterOf(caller.userId, fields), fields.page, context);
  }

  @Call(
    { method: 'GET', path: '/api/statement/journals', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Statement by journal, each with its lines', answer: message(dataPage(statementJournal)) },
  )
  journals(
    @CurrentCaller() caller: Caller,
    @Query() fields: StatementJournalsQuery,
    @Context() context: CallContext,
  ): Promise<DataPage<StatementJournal>> {
    const filter = { ...filterOf(caller.userId, fields), holds: fields.holds === true };
    return this.statement.journals(filter, fields.page, context.lang);
  }

  @Call(
    { method: 'GET', path: '/api/statement/export', auth: 'user', rate: 'history', apiKey: 'read', raw: true },
    { summary: 'Statement as a file', answer: file('text/csv', 'text/plain') },
  )
  export(
    @CurrentCaller() caller: Caller,
    @Query() fields: StatementExportQuery,
    @Context() context: CallContext,
  ): Promise<Raw> {
    const { format } = fields;
    return attachment(this.pieces(filterOf(caller.userId, fields), format, context.lang), FILES[format]);
  }

  @Call(
    { method: 'GET', path: '/api/statement/check', auth: 'user', rate: 'history', apiKey: 'read' },
    { summary: 'Own balances against the sums of their journals', answer: message(statementCheck) },
  )
  check(@CurrentCaller() caller: Caller): Promise<{ ok: 0 | 1; accounts: CheckedAccount[] }> {
    return this.statement.check(caller.userId);
  }

  private pieces(filter: LogFilter, format: StatementFormat, lang: string): AsyncGenerator<string> {
    switch (format) {
      case 'csv':
        return this.statement.csv(filter, lang);
      case 'koinly':
      case 'cointracking':
        return this.statement.taxes(filter, format, lang);
      default:
        return this.statement.book(filter, format);
    }
  }

  private async page(filter: LogFilter, page: Page, context: CallContext): Promise<DataPage<WalletLog>> {
    return toDataPage(await this.statement.logs(filter, page, context.lang), page, (line) => line);
  }
}

function filterOf(owner: number, { account, currency, from, to, causeType, causeId }: StatementFilter): LogFilter {
  return {
    owner,
    ...(account === undefined ? {} : { account }),
    ...(currency === undefined ? {} : { currency }),
    ...(from === undefined ? {} : { from }),
    // The period includes the whole second that is named as its end.
    ...(to === undefined ? {} : { to: to + 1_000 }),
    ...(causeType === undefined ? {} : { causeType }),
    ...(causeId === undefined ? {} : { causeId }),
  };
}
