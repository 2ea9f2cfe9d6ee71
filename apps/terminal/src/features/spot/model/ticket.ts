export type Side = 'buy' | 'sell';
export type Mode = 'limit' | 'market';
export type Percent = 0 | 25 | 50 | 75 | 100;
export const PERCENTS: readonly Percent[] = [0, 25, 50, 75, 100];

/** What the ticket must know of its pair. */
export interface TicketPair {
  readonly priceScale: number;
  readonly numberScale: number;
  readonly minTotal: string;
  readonly takerFee: string;
  readonly makerFee: string;
}

/**
 * One side's form. The texts are what the fields show; `driver` is the one edited last of amount and total, and wins
 * over the other.
 */
export interface Ticket {
  readonly side: Side;
  readonly mode: Mode;
  readonly price: string;
  readonly amount: string;
  readonly total: string;
  readonly driver: 'amount' | 'total';
  readonly percent: Percent;
  /** Stop order: shown under the advanced switch. */
  readonly stopOn: boolean;
  readonly stopPrice: string;
}

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'price' | 'amount' | 'total' | 'stopPrice'; readonly text: string }
  | { readonly type: 'suggest'; readonly text: string }
  | { readonly type: 'step'; readonly field: 'price' | 'amount' | 'stopPrice'; readonly ticks: number }
  | { readonly type: 'percent'; readonly percent: Percent; readonly available: string; readonly bestAsk: string }
  | { readonly type: 'pick'; readonly price: string; readonly amount?: string }
  | { readonly type: 'stop'; readonly on: boolean }
  | { readonly type: 'reset' };

export interface TicketInputs {
  /**
   * Free balance of what is paid with: quote for a buy, base for a sell. Undefined while it is not known: then the
   * server alone checks it.
   */
  readonly available: string | undefined;
  readonly lastPrice: string;
  /** Best levels of the other side, best first, for what a market order would meet. */
  readonly opposite: readonly (readonly [price: string, number: string])[];
}

/** Figures under the form and in the confirmation. Decimal texts; empty when they cannot be told yet. */
export interface TicketSummary {
  readonly price: string;
  readonly total: string;
  readonly fee: string;
  /** Mean price a market order would meet in the book as it stands. */
  readonly meanPrice: string;
  /**
   * Percent between the price and the last price, signed, 2 decimals; for a market order how far it would move the
   * price.
   */
  readonly gapPercent: string;
  /** Whether the confirmation may not be skipped, and why (terminal rule 5). */
  readonly mustConfirm: '' | 'farPrice' | 'movesPrice' | 'market';
}

export const emptyTicket = (side: Side): Ticket => ({
  side,
  mode: 'limit',
  price: '',
  amount: '',
  total: '',
  driver: 'amount',
  percent: 0,
  stopOn: false,
  stopPrice: '',
});
