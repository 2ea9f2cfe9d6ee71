export type Side = 'buy' | 'sell';
export type Mode = 'limit' | 'market';
/** Kinds of order that the tabs of the form choose. */
export type OrderKind = Mode | 'stop' | 'oco';
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
type TimeInForce = (typeof TIMES_IN_FORCE)[number];
export type Percent = 0 | 25 | 50 | 75 | 100;
export const PERCENTS: readonly Percent[] = [0, 25, 50, 75, 100];

/** The ticket's data about its pair. */
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
  /** Whether it is an OCO pair: a limit at `price`, and a stop at `stopPrice` beside it. */
  readonly ocoOn: boolean;
  /** Limit price of the stop of a pair; empty: it runs as a market order. */
  readonly stopLimit: string;
  /** Whether the exits below are placed when the order is done. */
  readonly exitsOn: boolean;
  readonly takeProfit: string;
  readonly stopLoss: string;
}

/** Prices that are typed besides the limit. */
export type PriceName = 'stopPrice' | 'stopLimit' | 'takeProfit' | 'stopLoss';

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'price' | 'amount' | 'total' | PriceName; readonly text: string }
  | { readonly type: 'suggest'; readonly text: string }
  | { readonly type: 'step'; readonly field: 'price' | 'amount' | PriceName; readonly ticks: number }
  | { readonly type: 'percent'; readonly percent: Percent; readonly available: string; readonly bestAsk: string }
  | { readonly type: 'pick'; readonly price: string; readonly amount?: string }
  | { readonly type: 'kind'; readonly kind: OrderKind }
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'postOnly' | 'exits'; readonly on: boolean }
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
  readonly mustConfirm: '' | 'farPrice' | 'movesPrice' | 'market' | 'oco';
}

export const kindOf = ({ stopOn, ocoOn, mode }: Pick<Ticket, 'stopOn' | 'ocoOn' | 'mode'>): OrderKind =>
  ocoOn ? 'oco' : stopOn ? 'stop' : mode;

/** Whether the order is placed with exits: a stop and a pair have none. */
export const hasExits = (ticket: Pick<Ticket, 'stopOn' | 'ocoOn' | 'exitsOn'>): boolean =>
  ticket.exitsOn && !ticket.stopOn && !ticket.ocoOn;

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
  ocoOn: false,
  stopLimit: '',
  exitsOn: false,
  takeProfit: '',
  stopLoss: '',
});
