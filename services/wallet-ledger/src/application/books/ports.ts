/** Which journals: by person, by what they are about, and by when (ms, `to` excluded). */
export interface JournalFilter { readonly owner?: number; readonly causeType?: string; readonly causeId?: string; readonly from?: number; readonly to?: number }
/** One line of a journal; amounts are signed decimal text. House lines are summed over nothing: each purse is a line. */
export interface JournalLeg { readonly owner: number; readonly account: string; readonly state: 'available' | 'held'; readonly currency: number; readonly amount: string }
export interface BookedJournal { readonly partition: number; readonly number: number; readonly at: number; readonly causeType: string; readonly causeId: string; readonly legs: readonly JournalLeg[] }
/** A house account over all partitions. */
export interface HouseRow { readonly account: string; readonly currency: number; readonly balance: string; readonly held: string }

/** What operators read of the books. */
export abstract class BooksReader {
  /** Newest first. */
  abstract journals(filter: JournalFilter, page: { readonly size: number; readonly offset: number }): Promise<{ readonly rows: readonly BookedJournal[]; readonly total: number }>;
  /** Those of a span of time, oldest first within each partition, in pieces. */
  abstract allJournals(from: number, to: number): AsyncGenerator<readonly BookedJournal[]>;
  abstract house(): Promise<readonly HouseRow[]>;
  /** Rows of a span of time as CSV fields, in pieces; the first piece is the head. */
  abstract deposits(from: number, to: number): AsyncGenerator<readonly (readonly string[])[]>;
  abstract withdrawals(from: number, to: number): AsyncGenerator<readonly (readonly string[])[]>;
}
