import { Injectable } from '@nestjs/common';
import type { DataPage, HoldLine, Transfer, WalletLog } from '@bourse/contract';
import { hasText, translate } from '@bourse/i18n';
import { formatUnits, toUnits } from '@bourse/money';
import { timeText, type Page } from '@bourse/platform';
import { Currencies } from './currencies.js';
import { LedgerReader, type LogFilter, type LogRow } from './ports.js';

/** Journals of all partitions share one number space: number × 64 + partition; lines are counted within their journal. */
const PARTITIONS_MAX = 64n;
const LINES_MAX = 1_000n;
const CSV_HEAD = 'time,account,state,currency,amount,balance_after,is_fee,cause_type,cause_id,journal_id,info\n';

export interface CheckedAccount { readonly account: string; readonly state: string; readonly currency: string; readonly balance: string; readonly sum: string }

/** What has happened on a person's accounts, in the shapes of the contract and in their language. */
@Injectable()
export class Statement {
  constructor(private readonly reader: LedgerReader, private readonly currencies: Currencies) {}

  async logs(filter: LogFilter, page: Page, lang: string): Promise<{ readonly rows: WalletLog[]; readonly total: number; readonly has_more: 0 | 1 }> {
    const { rows, total } = await this.reader.logs(filter, page);
    return { rows: rows.map((row) => this.log(row, lang)), total, has_more: page.offset + rows.length < total && rows.length > 0 ? 1 : 0 };
  }

  async transfers(userId: number, page: Page): Promise<DataPage<Transfer>> {
    const { rows, total } = await this.reader.transfers(userId, page);
    return {
      data: rows.map((row) => ({
        id: row.transferId, currency_id: row.currency, currency_name: this.currencies.nameOf(row.currency), type: `${row.from}-${row.to}`, from_field: row.from, to_field: row.to,
        number: row.amount, create_time: timeText(row.at),
      })),
      page: page.page, page_size: page.size, total, has_more: page.offset + rows.length < total && rows.length > 0 ? 1 : 0,
    };
  }

  async holds(userId: number, currency: number | undefined, lang: string): Promise<HoldLine[]> {
    const rows = await this.reader.holds(userId, currency);
    return rows.map((row) => ({
      account: row.account, currency_name: this.currencies.nameOf(row.currency), amount: this.amount(row.remaining, row.currency), cause_type: row.causeType, cause_id: row.causeId,
      info: translate(lang, textKey(row.causeType)),
    }));
  }

  async check(userId: number): Promise<{ ok: 0 | 1; accounts: CheckedAccount[] }> {
    const rows = await this.reader.check(userId);
    return {
      ok: rows.every((row) => row.equal) ? 1 : 0,
      accounts: rows.map((row) => ({ account: row.account, state: row.state, currency: this.currencies.nameOf(row.currency), balance: this.amount(row.balance, row.currency), sum: this.amount(row.sum, row.currency) })),
    };
  }

  /** The statement as CSV, oldest first, in pieces: it never stands in memory whole. */
  async *csv(filter: LogFilter, lang: string): AsyncGenerator<string> {
    yield CSV_HEAD;
    for await (const rows of this.reader.allLogs(filter)) {
      yield rows.map((row) => {
        const log = this.log(row, lang);
        return `${[new Date(row.at).toISOString(), log.account, log.state, log.currency_name, log.value, log.balance_after, log.is_fee, log.cause_type, log.cause_id, log.journal_id, log.info].map(csvField).join(',')}\n`;
      }).join('');
    }
  }

  private log(row: LogRow, lang: string): WalletLog {
    const journal = BigInt(row.number) * PARTITIONS_MAX + BigInt(row.partition);
    return {
      id: (journal * LINES_MAX + BigInt(row.place)).toString(), value: row.amount, info: translate(lang, textKey(row.fee ? 'fee' : row.journalId.endsWith(':release') ? 'release' : row.causeType)),
      created_time: timeText(row.at), currency_id: row.currency, currency_name: this.currencies.nameOf(row.currency), account: row.account, state: row.state, balance_after: row.after,
      journal_id: journal.toString(), cause_type: row.causeType, cause_id: row.causeId, is_fee: row.fee ? 1 : 0,
    };
  }

  private amount(text: string, currency: number): string {
    const scale = this.currencies.scaleOf(currency);
    return scale === undefined ? text : formatUnits(toUnits(text, scale), scale);
  }
}

/** Text of a cause; causes of services to come have one of their own or the general one. */
const textKey = (cause: string): string => (hasText(`log.${cause}`) ? `log.${cause}` : 'log.other');

function csvField(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
