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
export interface JournalLeg {
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

/** Open work of operators by name; the house's own movements apart from what is put right for people. */
export type ReportWork = Readonly<
  Record<'withdrawals' | 'deposits_held' | 'charge_reqs' | 'adjustments' | 'house_fundings', number>
>;
/** What operators read of the books. */
export abstract class ReportReader {
  /** Newest first. */
  abstract journals(
    filter: JournalFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly BookedJournal[]; readonly total: number }>;
  /** A piece of those of a span of time, oldest first within each partition, and from where the next one goes on. */
  abstract journalsAfter(
    from: number,
    to: number,
    after: string | null,
  ): Promise<{ readonly journals: readonly BookedJournal[]; readonly after: string | null }>;
  abstract house(): Promise<readonly HouseRow[]>;
  /** What waits for an operator, counted. */
  abstract work(): Promise<ReportWork>;
  abstract depositsAfter(from: number, to: number, after: string | null): Promise<ReportPiece>;
  abstract withdrawalsAfter(from: number, to: number, after: string | null): Promise<ReportPiece>;
}

/**
 * A piece of an export, oldest first: rows of the named columns, and from where the next piece goes on; null after the
 * last.
 */
export interface ReportPiece {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly after: string | null;
}
