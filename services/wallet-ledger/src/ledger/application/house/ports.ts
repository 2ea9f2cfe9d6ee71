/** The issuer of transfers of a house account between partitions. */
export const HOUSE_TRANSFERS = 'house-purses';

/**
 * A house account's available balance in one partition, and the sequence of its last line. Amounts are decimal text.
 */
export interface HouseBalance {
  readonly account: string;
  readonly currency: number;
  readonly partition: number;
  readonly available: string;
  readonly sequence: number;
}

/** Reads the committed balances of house accounts. */
export abstract class HouseBalanceReads {
  /** The balances of these accounts by partition; one where nothing was ever booked has no row. */
  abstract balances(accounts: readonly string[]): Promise<readonly HouseBalance[]>;
}
