export type Side = 'buy' | 'sell';
export type Mode = 'limit' | 'market';
/** Kinds of order that the tabs of the form choose. */
export type OrderKind = Mode | 'stop';
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];
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
  /** Whether the order waits for the stop price. */
  readonly stopOn: boolean;
  readonly stopPrice: string;
  /** Time in force of a limit: until cancelled, or immediate or cancel, or fill or kill. */
  readonly timeInForce: TimeInForce;
  /** Whether a limit that would trade at once is cancelled instead. */
  readonly postOnly: boolean;
}

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'price' | 'amount' | 'total' | 'stopPrice'; readonly text: string }
  | { readonly type: 'suggest'; readonly text: string }
  | { readonly type: 'step'; readonly field: 'price' | 'amount' | 'stopPrice'; readonly ticks: number }
  | { readonly type: 'percent'; readonly percent: Percent; readonly available: string; readonly bestAsk: string }
  | { readonly type: 'pick'; readonly price: string; readonly amount?: string }
  | { readonly type: 'kind'; readonly kind: OrderKind }
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly'; readonly on: boolean }
  /** Takes the amount of a market order by its total from the current book. */
  | { readonly type: 'settle' }
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
  /** The part of a market order that the shown book can fill; empty where it can fill all of it. */
  readonly shown: string;
  /**
   * Percent between the price and the last price, signed, 2 decimals; for a market order how far it would move the
   * price.
   */
  readonly gapPercent: string;
  /** Whether the confirmation may not be skipped, and why (terminal rule 5). */
  readonly mustConfirm: '' | 'farPrice' | 'movesPrice' | 'market';
}

export const kindOf = ({ stopOn, mode }: Pick<Ticket, 'stopOn' | 'mode'>): OrderKind => (stopOn ? 'stop' : mode);

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
  timeInForce: 'GTC',
  postOnly: false,
});
