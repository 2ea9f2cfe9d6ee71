import type { Rows } from '@bourse/contract';
import type { ExportPiece } from '@bourse/messaging';
/** Which journals: by person, by what they are about, and by when (ms, `to` excluded). */
export interface JournalFilter {
  readonly owner?: number;
  readonly causeType?: string;
  readonly causeId?: string;
  readonly from?: number;
  readonly to?: number;
}
/**
 * One line of a journal; amounts are signed decimal text. House lines are not summed: each partition has its own line.
 */
interface JournalLeg {
  readonly owner: number;
  readonly account: string;
  readonly state: 'available' | 'held';
  readonly currency: number;
  readonly amount: string;
}
export interface BookedJournal {
  readonly partition: number;
  readonly number: number;
  readonly at: number;
  readonly causeType: string;
  readonly causeId: string;
  readonly legs: readonly JournalLeg[];
}
/** A house account over all partitions. */
export interface HouseRow {
  readonly account: string;
  readonly currency: number;
  readonly balance: string;
  readonly held: string;
}

/** Open work of operators by name; movements of the house are counted apart from adjustments for people. */
export type ReportWork = Readonly<
  Record<'withdrawals' | 'deposits_held' | 'charge_reqs' | 'adjustments' | 'house_fundings', number>
>;
/** Sums of all balances of a coin, as decimal texts: with the world outside, of people, waiting, between partitions. */
export interface CoinSums {
  readonly currency: number;
  readonly outside: string;
  readonly people: string;
  readonly suspense: string;
  readonly clearing: string;
  /** The other accounts of the house. */
  readonly own: string;
}
/** A withdrawal or a deposit that a search has found. */
export interface FoundMovement {
  readonly kind: 'withdrawal' | 'deposit';
  readonly id: string;
  readonly userId: number;
  readonly currency: number;
  readonly amount: string;
}

/** Reads of the books for operators. */
export abstract class ReportReader {
  /** Newest first. */
  abstract journals(
    filter: JournalFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<BookedJournal>>;
  /** One piece of the journals of a period, oldest first within each partition, with the cursor of the next piece. */
  abstract journalsAfter(
    from: number,
    to: number,
    after: string | null,
  ): Promise<{ readonly journals: readonly BookedJournal[]; readonly after: string | null }>;
  abstract house(): Promise<readonly HouseRow[]>;
  /** Assets, liabilities and own money of the exchange in one coin; amounts are decimal texts. */
  abstract sums(): Promise<readonly CoinSums[]>;
  /** Withdrawals and deposits with this id (null if the text is not an id), transaction or address; newest first. */
  abstract find(text: string, id: string | null): Promise<readonly FoundMovement[]>;
  /** Counts of open work. */
  abstract work(): Promise<ReportWork>;
  abstract depositsAfter(from: number, to: number, after: string | null): Promise<ExportPiece>;
  abstract withdrawalsAfter(from: number, to: number, after: string | null): Promise<ExportPiece>;
}
