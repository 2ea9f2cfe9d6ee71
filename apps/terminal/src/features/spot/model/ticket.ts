export type Side = 'buy' | 'sell';
export type Mode = 'limit' | 'market';
/** Kinds of order, as the command names them; `oco` is a pair, which has a call of its own. */
export type OrderKind = Mode | 'stop_limit' | 'stop_market' | 'oco' | 'trailing_stop';
/** The tabs of the form; a stop is a limit or a market order once it is triggered. */
export const TABS = ['limit', 'market', 'stop', 'oco', 'trailing'] as const;
export type Tab = (typeof TABS)[number];
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
  /** Percent from the best price that a market order reaches. */
  readonly marketBand: string;
}

/**
 * One side's form. The texts are what the fields show; `driver` is the one edited last of amount and total, and wins
 * over the other.
 */
export interface Ticket {
  readonly side: Side;
  readonly kind: OrderKind;
  readonly price: string;
  readonly amount: string;
  readonly total: string;
  readonly driver: 'amount' | 'total';
  readonly percent: Percent;
  /** Trigger of a stop, or of the stop of a pair. */
  readonly stopPrice: string;
  /** The price that reaches the trigger of a stop: that of a trade here, or the mark. */
  readonly triggerBy: TriggerBy;
  /** Time in force of a limit: until cancelled, or immediate or cancel, or fill or kill. */
  readonly timeInForce: TimeInForce;
  /** Whether a limit that would trade at once is cancelled instead. */
  readonly postOnly: boolean;
  /** Limit price of the stop of a pair; empty: it runs as a market order. */
  readonly stopLimit: string;
  /** Distance of a trailing stop from the best price, in percent or in quote money. */
  readonly trail: string;
  readonly trailBy: TrailBy;
  /** Price from which it trails; empty: at once. */
  readonly activation: string;
  /** Whether the exits below are placed when the order is done. */
  readonly exitsOn: boolean;
  readonly takeProfit: string;
  readonly stopLoss: string;
}

export type TrailBy = 'percent' | 'amount';
export type TriggerBy = 'last' | 'mark';
/** Prices that are typed besides the limit, and the trail. */
export type PriceName = 'stopPrice' | 'stopLimit' | 'trail' | 'activation' | 'takeProfit' | 'stopLoss';
/** Decimals of a trail in percent (rules §2). */
export const TRAIL_SCALE = 2;
export const scaleOf = (name: 'price' | 'amount' | PriceName, { trailBy }: Ticket, pair: TicketPair): number =>
  name === 'amount' ? pair.numberScale : name === 'trail' && trailBy === 'percent' ? TRAIL_SCALE : pair.priceScale;

export type TicketAction =
  | { readonly type: 'price' | 'amount' | 'total' | PriceName; readonly text: string }
  | { readonly type: 'suggest'; readonly text: string }
  | { readonly type: 'step'; readonly field: 'price' | 'amount' | PriceName; readonly ticks: number }
  | {
      readonly type: 'percent';
      readonly percent: Percent;
      readonly available: string;
      readonly lastPrice: string;
    }
  | { readonly type: 'pick'; readonly price: string; readonly amount?: string }
  | { readonly type: 'kind'; readonly kind: OrderKind }
  | { readonly type: 'timeInForce'; readonly timeInForce: TimeInForce }
  | { readonly type: 'trailBy'; readonly trailBy: TrailBy }
  | { readonly type: 'triggerBy'; readonly triggerBy: TriggerBy }
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

/** Figures under the form and in the confirmation. Decimal texts; empty until they can be computed. */
export interface TicketSummary {
  readonly price: string;
  readonly total: string;
  readonly fee: string;
  /** Average price of a market order in the current book. */
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

type Kind = Pick<Ticket, 'kind'>;
/** Whether it runs as a market order, at once or when it is triggered. */
export const isMarket = ({ kind }: Kind): boolean =>
  kind === 'market' || kind === 'stop_market' || kind === 'trailing_stop';
export const isStop = ({ kind }: Kind): boolean => kind === 'stop_limit' || kind === 'stop_market';
/** Whether it can be filled when it arrives; a pair is a limit and a stop. */
export const isPlain = ({ kind }: Kind): boolean => kind === 'limit' || kind === 'market';
/** Whether it is a limit by itself, which has a time in force and may skip the question. */
export const isLimit = ({ kind }: Kind): boolean => kind === 'limit' || kind === 'stop_limit';

export const tabOf = (ticket: Kind): Tab =>
  isStop(ticket) ? 'stop' : ticket.kind === 'trailing_stop' ? 'trailing' : (ticket.kind as 'limit' | 'market' | 'oco');
/** The kind that a tab chooses; a stop keeps the order that it places. */
export const kindOfTab = (tab: Tab, before: Kind): OrderKind =>
  tab === 'stop' ? (isMarket(before) ? 'stop_market' : 'stop_limit') : tab === 'trailing' ? 'trailing_stop' : tab;

/** Whether the order is placed with exits: only one that can be filled at once has them. */
export const hasExits = (ticket: Pick<Ticket, 'kind' | 'exitsOn'>): boolean => ticket.exitsOn && isPlain(ticket);

export const emptyTicket = (side: Side): Ticket => ({
  side,
  kind: 'limit',
  price: '',
  amount: '',
  total: '',
  driver: 'amount',
  percent: 0,
  stopPrice: '',
  triggerBy: 'last',
  timeInForce: 'GTC',
  postOnly: false,
  stopLimit: '',
  trail: '',
  trailBy: 'percent',
  activation: '',
  exitsOn: false,
  takeProfit: '',
  stopLoss: '',
});
