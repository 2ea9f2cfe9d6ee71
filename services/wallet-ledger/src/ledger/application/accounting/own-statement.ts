import { journalId } from '../statement/journal-id.js';
import type { LogRow } from '../ports.js';
import { signedUnits } from '../writer/entries.js';
import type { Commodity } from '../currencies.js';
import { PlainTextBook, segmentOf, type BookFormat, type BookPosting } from './plain-text.js';
import { splitJournals } from './split-journals.js';

const OPENING = 'Equity:Exchange:Opening-Balances';
const FEES = 'Expenses:Exchange:Fees';

/**
 * A person's statement as a book: balances on the exchange are assets, fees are expenses, and every other movement has
 * an equity account of its cause as counterpart. Balances before the first line open the book, and those after the last
 * line are asserted at its end.
 *
 * @param isWhole whether the statement has all lines of the period: a selection by cause has no balances
 */
export class StatementBook {
  private readonly book: PlainTextBook;
  /** The last balance of each account and currency. */
  private readonly after = new Map<string, BookPosting>();

  constructor(
    format: BookFormat,
    private readonly commodityOf: (currency: number) => Commodity,
    private readonly isWhole: boolean,
  ) {
    this.book = new PlainTextBook(format, commodityOf);
  }

  head(): string {
    return this.book.head('Statement of accounts on the exchange');
  }

  /** Writes lines of whole journals, oldest first. */
  lines(rows: readonly LogRow[]): string {
    return splitJournals(rows)
      .map((journal) => this.journal(journal))
      .join('');
  }

  end(): string {
    return this.isWhole ? this.book.balances([...this.after.values()]) : '';
  }

  private journal(rows: readonly LogRow[]): string {
    const [first] = rows;
    if (!first) return '';
    const opening: BookPosting[] = [];
    const postings: BookPosting[] = [];
    /** Counterparts of the lines, by account and currency. */
    const counter = new Map<string, BookPosting>();
    const against = (account: string, currency: number, units: bigint): void => {
      const key = `${account} ${currency}`;
      counter.set(key, { account, currency, units: (counter.get(key)?.units ?? 0n) - units });
    };
    for (const row of rows) {
      const { currency } = row;
      const { scale } = this.commodityOf(currency);
      const account = `Assets:Exchange:${segmentOf(row.account)}:${row.state === 'available' ? 'Available' : 'Held'}`;
      const units = signedUnits(row.amount, scale);
      const after = signedUnits(row.after, scale);
      const key = `${account} ${currency}`;
      if (!this.after.has(key) && after !== units) opening.push({ account, currency, units: after - units });
      this.after.set(key, { account, currency, units: after });
      postings.push({ account, currency, units });
      against(row.fee ? FEES : `Equity:Exchange:${segmentOf(row.causeType)}`, currency, units);
    }
    const rest = [...counter.values()].filter(({ units }) => units !== 0n);
    const { at, causeType, causeId } = first;
    const journal = journalId(first);
    return (
      (this.isWhole ? this.open(at, journal, opening) : '') +
      this.book.transaction({ at, journal, causeType, causeId, postings: [...postings, ...rest] })
    );
  }

  private open(at: number, journal: string, opening: readonly BookPosting[]): string {
    if (opening.length === 0) return '';
    const postings = opening.flatMap((one) => [one, { ...one, account: OPENING, units: -one.units }]);
    return this.book.transaction({ at, journal, causeType: 'opening', causeId: '', postings });
  }
}
