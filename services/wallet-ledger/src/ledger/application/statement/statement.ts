import { Injectable } from '@nestjs/common';
import {
  toDataPage,
  type DataPage,
  type HoldLine,
  type Rows,
  type StatementJournal,
  type Transfer,
  type WalletLog,
} from '@bourse/contract';
import { hasText, translate } from '@bourse/i18n';
import { formatUnits, toUnits } from '@bourse/money';
import { csvFile, HistoryGate, timeText, type CsvValues, type Page } from '@bourse/platform';
import type { BookFormat } from '../accounting/plain-text.js';
import { TaxExport, type TaxFormat } from '../accounting/tax-rows.js';
import { StatementBook } from '../accounting/own-statement.js';
import { Currencies } from '../currencies.js';
import { LedgerReader, type JournalFilter, type LogFilter, type LogRow } from '../ports.js';
import { sumChanges } from './account-changes.js';
import { journalId } from './journal-id.js';

/** Lines are numbered within their journal. */
const LINES_MAX = 1_000n;
/** Cause of adjustments by operators. */
const ADJUSTMENT = 'adjustment';
const CSV_COLUMNS = [
  'time',
  'account',
  'state',
  'currency',
  'amount',
  'balance_after',
  'is_fee',
  'cause_type',
  'cause_id',
  'journal_id',
  'info',
];

export interface CheckedAccount {
  readonly account: string;
  readonly state: string;
  readonly currency: string;
  readonly balance: string;
  readonly sum: string;
}

/** A person's statement, in the shapes of the contract and in the person's language. */
@Injectable()
export class Statement {
  private readonly gate = new HistoryGate();
  constructor(
    private readonly reader: LedgerReader,
    private readonly currencies: Currencies,
  ) {}

  async logs(filter: LogFilter, page: Page, lang: string): Promise<Rows<WalletLog>> {
    const { rows, total } = await this.gate.run(() => this.reader.logs(filter, page));
    const notes = await this.notesOf(rows);
    return { rows: rows.map((row) => this.log(row, lang, notes)), total };
  }

  async journals(filter: JournalFilter, page: Page, lang: string): Promise<DataPage<StatementJournal>> {
    const found = await this.gate.run(() => this.reader.journals(filter, page));
    const notes = await this.notesOf(found.rows.flatMap((lines) => lines.slice(0, 1)));
    return toDataPage(found, page, (lines) => this.journal(lines, lang, notes));
  }

  async transfers(userId: number, page: Page): Promise<DataPage<Transfer>> {
    const found = await this.gate.run(() => this.reader.transfers(userId, page));
    return toDataPage(found, page, (row) => ({
      id: row.transferId,
      currency_id: row.currency,
      currency_name: this.currencies.nameOf(row.currency),
      type: `${row.from}-${row.to}`,
      from_field: row.from,
      to_field: row.to,
      number: row.amount,
      create_time: timeText(row.at),
    }));
  }

  async holds(userId: number, currency: number | undefined, lang: string): Promise<HoldLine[]> {
    const rows = await this.reader.holds(userId, currency);
    return rows.map((row) => ({
      account: row.account,
      currency_name: this.currencies.nameOf(row.currency),
      amount: this.amount(row.remaining, row.currency),
      cause_type: row.causeType,
      cause_id: row.causeId,
      info: translate(lang, textKey(row.causeType, 'hold')),
    }));
  }

  async check(userId: number): Promise<{ ok: 0 | 1; accounts: CheckedAccount[] }> {
    const rows = await this.gate.run(() => this.reader.check(userId));
    return {
      ok: rows.every((row) => row.equal) ? 1 : 0,
      accounts: rows.map((row) => ({
        account: row.account,
        state: row.state,
        currency: this.currencies.nameOf(row.currency),
        balance: this.amount(row.balance, row.currency),
        sum: this.amount(row.sum, row.currency),
      })),
    };
  }

  /** The statement as CSV, oldest first, in pieces: it is never in memory as a whole. */
  csv(filter: LogFilter, lang: string): AsyncGenerator<string> {
    return csvFile(CSV_COLUMNS, this.csvRows(filter, lang));
  }

  private async *csvRows(filter: LogFilter, lang: string): AsyncGenerator<readonly CsvValues[]> {
    for await (const rows of this.pieces(filter)) {
      const notes = await this.notesOf(rows);
      yield rows.map((row) => {
        const log = this.log(row, lang, notes);
        return [
          new Date(row.at).toISOString(),
          log.account,
          log.state,
          log.currency_name,
          log.value,
          log.balance_after,
          log.is_fee,
          log.cause_type,
          log.cause_id,
          log.journal_id,
          log.info,
        ];
      });
    }
  }

  /** The statement as a book of plain-text accounting, oldest first, in pieces. */
  async *book(filter: LogFilter, format: BookFormat): AsyncGenerator<string> {
    const isWhole = filter.causeType === undefined && filter.causeId === undefined;
    const book = new StatementBook(format, (currency) => this.currencies.commodityOf(currency), isWhole);
    yield book.head();
    for await (const rows of this.pieces(filter)) yield book.lines(rows);
    yield book.end();
  }

  /** The statement for a program for taxes, oldest first, in pieces. */
  async *taxes(filter: LogFilter, format: TaxFormat, lang: string): AsyncGenerator<string> {
    let notes: ReadonlyMap<string, string> = new Map();
    const rows = new TaxExport(
      format,
      (currency) => this.currencies.commodityOf(currency),
      (line) => this.info({ ...line, fee: false }, lang, notes),
    );
    yield rows.head();
    for await (const piece of this.pieces(filter)) {
      notes = await this.notesOf(piece);
      yield rows.lines(piece);
    }
  }

  private pieces(filter: LogFilter): AsyncGenerator<readonly LogRow[]> {
    return this.gate.readPieces(this.reader.allLogs(filter));
  }

  /** Operators' notes on the adjustments among these lines, by their id. */
  private async notesOf(rows: readonly LogRow[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Set(rows.filter(({ causeType }) => causeType === ADJUSTMENT).map(({ causeId }) => Number(causeId)));
    return ids.size === 0 ? new Map<string, string>() : this.reader.notes([...ids]);
  }

  private log(row: LogRow, lang: string, notes: ReadonlyMap<string, string>): WalletLog {
    const journal = journalId(row);
    return {
      id: (BigInt(journal) * LINES_MAX + BigInt(row.place)).toString(),
      value: row.amount,
      info: this.info(row, lang, notes),
      created_time: timeText(row.at),
      currency_id: row.currency,
      currency_name: this.currencies.nameOf(row.currency),
      account: row.account,
      state: row.state,
      balance_after: row.after,
      journal_id: journal,
      cause_type: row.causeType,
      cause_id: row.causeId,
      is_fee: row.fee ? 1 : 0,
    };
  }

  private journal(rows: readonly LogRow[], lang: string, notes: ReadonlyMap<string, string>): StatementJournal {
    const lines = rows.map((row) => this.log(row, lang, notes));
    const {
      journal_id: id,
      created_time,
      info,
      cause_type,
      cause_id,
    } = lines.find((line) => line.is_fee === 0) ?? lines[0]!;
    const changes = sumChanges(rows, (currency) => this.currencies.commodityOf(currency).scale);
    return {
      id,
      created_time,
      info,
      cause_type,
      cause_id,
      is_hold: changes.every(({ value, fee }) => value === 0n && fee === 0n) ? 1 : 0,
      changes: changes.map(({ account, currency, ...units }) => {
        const { name, scale } = this.currencies.commodityOf(currency);
        return {
          account,
          currency_id: currency,
          currency_name: name,
          value: formatUnits(units.value, scale),
          held: formatUnits(units.held, scale),
          fee: formatUnits(units.fee, scale),
        };
      }),
      lines,
    };
  }

  private info(
    { causeType, causeId, journalId: journal, fee }: LogRow,
    lang: string,
    notes: ReadonlyMap<string, string>,
  ): string {
    const note = causeType === ADJUSTMENT ? notes.get(causeId) : undefined;
    return note === undefined
      ? translate(lang, textKey(causeType, fee ? 'fee' : journal.slice(journal.lastIndexOf(':') + 1)))
      : translate(lang, 'log.adjustment_note', { note });
  }

  private amount(text: string, currency: number): string {
    const scale = this.currencies.scaleOf(currency);
    return scale === undefined ? text : formatUnits(toUnits(text, scale), scale);
  }
}

/**
 * Key of a line's text: of the cause with its transition (`log.withdrawal_release`), of the transition (`log.fee`, for
 * trades and orders), or of the cause. Causes without a text get the general one.
 */
const textKey = (cause: string, transition: string): string =>
  [
    `log.${cause}_${transition}`,
    ...(transition === 'fee' || transition === 'release' ? [`log.${transition}`] : []),
    `log.${cause}`,
  ].find(hasText) ?? 'log.other';
