import type { ServerStatus } from '@bourse/contract';

export interface HouseRow {
  readonly product: string;
  readonly coin: string;
  readonly reserved: string;
  readonly owed: string;
}
/** The house's reserves and possible debts, a line for each product and coin. */
export const houseRows = ({ house }: Pick<ServerStatus, 'house'>): HouseRow[] =>
  Object.entries(house).flatMap(([product, coins]) =>
    Object.entries(coins).map(([coin, { reserved, owed_at_most: owed }]) => ({ product, coin, reserved, owed })),
  );

export interface OutcomeRow {
  readonly product: string;
  readonly outcome: string;
  readonly count: number;
  /** Percent of all outcomes of the product, one decimal. */
  readonly share: string;
}
/** How often each product came out in which way. */
export const outcomeRows = ({ outcomes }: Pick<ServerStatus, 'outcomes'>): OutcomeRow[] =>
  Object.entries(outcomes).flatMap(([product, counts]) => {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return Object.entries(counts).map(([outcome, count]) => ({
      product,
      outcome,
      count,
      share: all === 0 ? '0.0' : ((100 * count) / all).toFixed(1),
    }));
  });
