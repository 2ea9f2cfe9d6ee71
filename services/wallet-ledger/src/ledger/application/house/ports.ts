/**
 * What one account of the house has available in a partition, and how many lines led there. Amounts are decimal text.
 */
export interface HousePurse {
  readonly account: string;
  readonly currency: number;
  readonly partition: number;
  readonly available: string;
  readonly sequence: number;
}

/** Purses of the house as they are committed. */
export abstract class HousePurseReads {
  /** The purses of these accounts; a partition where nothing was ever booked has none. */
  abstract purses(accounts: readonly string[]): Promise<readonly HousePurse[]>;
}
