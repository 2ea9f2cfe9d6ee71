import { journalId } from '../statement/journal-id.js';
import type { LogRow } from '../ports.js';
import { signedUnits } from '../writer/entries.js';
import { PlainTextBook, segmentOf, type BookFormat, type BookPosting, type Commodity } from './plain-text.js';

const OPENING = 'Equity:Exchange:Opening-Balances';
const FEES = 'Expenses:Exchange:Fees';

interface Balance extends BookPosting {
  readonly units: bigint;
}

/**
 * A person's statement as a book: what they have on the exchange are assets, fees are expenses, and whatever else moved
 * them stands against an account of its cause. Balances before the first line open the book, and those after the last
 * line are asserted at its end.
 *
 * @param isWhole whether all lines of the period are there: a selection by cause has no balances
 */
export class StatementBook {
  private readonly book: PlainTextBook;
  private readonly after = new Map<string, Balance>();

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

  /** Whole journals, oldest first. */
  lines(rows: readonly LogRow[]): string {
    let text = '';
    let journal: LogRow[] = [];
    for (const row of rows) {
      if (journal[0] && journalId(journal[0]) !== journalId(row)) {
        text += this.journal(journal);
        journal = [];
      }
      journal.push(row);
    }
    return text + this.journal(journal);
  }

  end(): string {
    return this.isWhole ? this.book.balances([...this.after.values()]) : '';
  }

  private journal(rows: readonly LogRow[]): string {
    const [first] = rows;
    if (!first) return '';
    const opening: BookPosting[] = [];
    const postings: BookPosting[] = [];
    /** What the lines leave over, by the account that it stands against and the currency. */
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
