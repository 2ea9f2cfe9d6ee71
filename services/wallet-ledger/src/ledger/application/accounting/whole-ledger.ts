import type { AuditedRow } from '../ports.js';
import { signedUnits, type PackedEntry } from '../writer/entries.js';
import { journalId } from '../statement/journal-id.js';
import type { Commodity } from '../currencies.js';
import { PlainTextBook, segmentOf, type BookFormat, type BookPosting } from './plain-text.js';
import { splitJournals } from './split-journals.js';
import { isHouse, type Owner } from '../../domain/journal.js';

/** Kinds of the house accounts in the company's books; all other house accounts are equity, reserved for a product. */
const KINDS_OF_HOUSE: ReadonlyMap<string, string> = new Map([
  ['h.outside', 'Assets'],
  ['h.fees', 'Income'],
  ['h.suspense', 'Liabilities'],
]);
const HOUSE_PREFIX = /^h\./;

/** A row of the journal without the hashes of its chain. */
export type BookedRow = Omit<AuditedRow, 'previousHash' | 'hash'>;
/** One row of the ledger's balances, in units of its currency. */
export interface BookedBalance {
  readonly owner: Owner;
  readonly account: string;
  readonly currency: number;
  readonly available: bigint;
  readonly held: bigint;
}

/**
 * The account of a balance in the books of the exchange: balances of people are liabilities, funds outside the ledger
 * are an asset. The house has a part of each account in each partition.
 */
export function bookAccount(owner: Owner, account: string, state: 'a' | 'h'): string {
  const end = state === 'a' ? 'Available' : 'Held';
  if (!isHouse(owner)) return `Liabilities:People:${owner}:${segmentOf(account)}:${end}`;
  const kind = KINDS_OF_HOUSE.get(account) ?? 'Equity';
  return `${kind}:House:${segmentOf(account.replace(HOUSE_PREFIX, ''))}:${-1 - owner}:${end}`;
}

/**
 * Writes the whole ledger as a book, one transaction for each journal, and the stored balances as assertions at its
 * end. The ledger counts for the owners, books count for the exchange: every amount has the opposite sign.
 *
 * @param rows pieces in the order of time; the rows of one journal follow each other
 */
export async function* writeWholeLedger(
  format: BookFormat,
  commodityOf: (currency: number) => Commodity,
  rows: AsyncIterable<readonly BookedRow[]> | Iterable<readonly BookedRow[]>,
  balances: () => AsyncIterable<readonly BookedBalance[]> | Iterable<readonly BookedBalance[]>,
): AsyncGenerator<string> {
  const book = new PlainTextBook(format, commodityOf);
  yield book.head('Ledger of the exchange');
  const write = (journal: readonly BookedRow[]): string => {
    const [first] = journal;
    if (!first) return '';
    const postings = journal.flatMap((row) => postingsOf(row, commodityOf));
    const { at, causeType, causeId } = first;
    return book.transaction({ at, journal: journalId(first), causeType, causeId, postings });
  };
  /** The last journal of a piece, because the next piece may continue it. */
  let last: BookedRow[] = [];
  for await (const piece of rows) {
    const journals = splitJournals([...last, ...piece]);
    last = journals.pop() ?? [];
    yield journals.map(write).join('');
  }
  yield write(last);
  for await (const piece of balances()) yield book.balances(piece.flatMap(assertionsOf));
}

/** Returns the postings in the order of the journal's legs. */
function postingsOf(row: BookedRow, commodityOf: (currency: number) => Commodity): BookPosting[] {
  return (JSON.parse(row.entries) as PackedEntry[]).map(([account, currency, state, amount]) => ({
    account: bookAccount(row.owner, account, state),
    currency,
    units: -signedUnits(amount, commodityOf(currency).scale),
  }));
}

const assertionsOf = ({ owner, account, currency, available, held }: BookedBalance): BookPosting[] => [
  { account: bookAccount(owner, account, 'a'), currency, units: -available },
  { account: bookAccount(owner, account, 'h'), currency, units: -held },
];
