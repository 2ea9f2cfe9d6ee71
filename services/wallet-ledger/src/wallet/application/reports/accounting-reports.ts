import { Injectable } from '@nestjs/common';
import type { DataPage } from '@bourse/contract';
import type { ExportPiece } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { timeText, type Page } from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { ReportReader, type BookedJournal, type JournalFilter } from './ports.js';
import { journalId } from '../../../ledger/application/statement/journal-id.js';

interface ShownLeg {
  owner: string;
  account: string;
  state: 'available' | 'held';
  currency: string;
  amount: string;
}
export interface ShownJournal {
  id: string;
  time: string;
  cause_type: string;
  cause_id: string;
  legs: ShownLeg[];
}
export interface ShownHouse {
  account: string;
  currency: string;
  balance: string;
  held: string;
}
/** Exports of this service's books. */
export const EXPORTS = ['journals', 'withdrawals', 'deposits'] as const;
export type Export = (typeof EXPORTS)[number];

const JOURNALS_HEAD = [
  'time',
  'journal_id',
  'cause_type',
  'cause_id',
  'owner',
  'account',
  'state',
  'currency',
  'amount',
];

/** Reports on the books for operators (api §2.12, §6.4). */
@Injectable()
export class AccountingReports {
  constructor(
    private readonly reader: ReportReader,
    private readonly currencies: Currencies,
  ) {}

  async journals(filter: JournalFilter, page: Page): Promise<DataPage<ShownJournal>> {
    const { rows, total } = await this.reader.journals(filter, page);
    return {
      data: rows.map((row) => this.shown(row)),
      page: page.page,
      page_size: page.size,
      total,
      has_more: page.offset + rows.length < total && rows.length > 0 ? 1 : 0,
    };
  }

  async house(): Promise<ShownHouse[]> {
    return (await this.reader.house()).map(({ account, currency, balance, held }) => ({
      account,
      currency: this.currencies.nameOf(currency),
      balance: this.amount(balance, currency),
      held: this.amount(held, currency),
    }));
  }

  /** Open work for the operators' dashboard, counted by name. */
  work(): Promise<Readonly<Record<string, number>>> {
    return this.reader.work();
  }

  /** One piece of this service's books in a period (ms, `to` excluded): the gateway assembles the file. */
  async piece(what: Export, from: number, to: number, after: string | null): Promise<ExportPiece> {
    if (what !== 'journals')
      return what === 'deposits'
        ? this.reader.depositsAfter(from, to, after)
        : this.reader.withdrawalsAfter(from, to, after);
    const found = await this.reader.journalsAfter(from, to, after);
    return {
      columns: JOURNALS_HEAD,
      after: found.after,
      rows: found.journals.flatMap((row) =>
        this.shown(row).legs.map(({ owner, account, state, currency, amount }) => [
          new Date(row.at).toISOString(),
          journalId(row),
          row.causeType,
          row.causeId,
          owner,
          account,
          state,
          currency,
          amount,
        ]),
      ),
    };
  }

  private shown(row: BookedJournal): ShownJournal {
    return {
      id: journalId(row),
      time: timeText(row.at),
      cause_type: row.causeType,
      cause_id: row.causeId,
      legs: row.legs.map(({ owner, account, state, currency, amount }) => ({
        owner: owner < 0 ? 'house' : String(owner),
        account,
        state,
        currency: this.currencies.nameOf(currency),
        amount,
      })),
    };
  }

  private amount(text: string, currency: number): string {
    const scale = this.currencies.scaleOf(currency);
    return scale === undefined ? text : formatUnits(toUnits(text, scale), scale);
  }
}
