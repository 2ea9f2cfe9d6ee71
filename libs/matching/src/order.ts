import { BUY, type SelfTrade, type Side, type TimeInForce } from './book.js';
import type { Trail } from './trail.js';

export type OrderType = 'limit' | 'market' | 'stop_limit' | 'stop_market' | 'trailing_stop';
/** The price that starts a stop: of the market's own trades, or the feed's index price. */
export type TriggerPrice = 'last' | 'mark';
/** Why an order ended before it was filled; empty while open, and for a filled one. */
export type CancelReason =
  | ''
  | 'user'
  | 'ioc'
  | 'fok'
  | 'post_only'
  | 'stp'
  | 'market'
  | 'operator'
  | 'oco'
  | 'balance';

/** The terms of an accepted order; only an amend changes its price, quantity and hold. */
export interface OrderTerms {
  readonly id: string;
  readonly clientOrderId: string;
  readonly userId: number;
  readonly pairId: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly selfTrade: SelfTrade;
  /**
   * Ticks: limit price; for a market order the cap (buy) or floor (sell); 0 for stop_market and trailing_stop, which
   * take their bound when they start.
   */
  readonly price: number;
  /** Ticks; 0 without. Of a trailing stop its trigger, which moves; 0 while it is not active. */
  readonly stopPrice: number;
  /** Lots. */
  readonly quantity: number;
  /** The ledger's hold for it: quote units for a buy, base units for a sell. */
  readonly held: bigint;
  /** Rates of the moment it arrived, at PERCENT_SCALE. */
  readonly makerFee: bigint;
  readonly takerFee: bigint;
  /** Business time, ms. */
  readonly placedAt: number;
  /** The other leg of its OCO pair; empty without. */
  readonly linkId: string;
  /** The order whose exit it is; empty without. */
  readonly parentId: string;
  /** Ticks of the exits that are placed when it is done; 0 without. */
  readonly takeProfit: number;
  readonly stopLoss: number;
  /** Set for a trailing stop only. */
  readonly trail: Trail | null;
  /** `mark` for stop_limit and stop_market only. */
  readonly triggerBy: TriggerPrice;
}

/**
 * An order as its market knows it. Status 1 open (resting, partly filled, or a stop waiting), 2 done; 1→2 only
 * (rules §2).
 */
export interface Order extends OrderTerms {
  price: number;
  stopPrice: number;
  trail: Trail | null;
  quantity: number;
  held: bigint;
  status: 1 | 2;
  reason: CancelReason;
  triggered: boolean;
  /** Its place in time: the market's sequence at which it arrived, or at which its stop started. */
  sequence: number;
  /** The market's sequence at which it was cancelled from outside; 0 without. */
  cancelSequence: number;
  /** Lots. */
  filled: number;
  /** Quote units of all fills. */
  quoteFilled: bigint;
  /** Units of what it receives: base for a buy, quote for a sell. */
  fee: bigint;
  /** Part of `held` that its fills have not used. */
  holdLeft: bigint;
  updatedAt: number;
}

/** Terms of an order; its trail, its trigger price, and what links it to other orders, may be absent. */
export type NewOrder = Omit<OrderTerms, keyof Links> & Partial<Links>;
type Links = Pick<OrderTerms, 'linkId' | 'parentId' | 'takeProfit' | 'stopLoss' | 'trail' | 'triggerBy'>;

/** An order as it arrives. */
export const newOrder = (terms: NewOrder): Order => ({
  linkId: '',
  parentId: '',
  takeProfit: 0,
  stopLoss: 0,
  trail: null,
  triggerBy: 'last',
  ...terms,
  status: 1,
  reason: '',
  triggered: false,
  sequence: 0,
  cancelSequence: 0,
  filled: 0,
  quoteFilled: 0n,
  fee: 0n,
  holdLeft: terms.held,
  updatedAt: terms.placedAt,
});

export const isStop = ({ type }: OrderTerms): boolean =>
  type === 'stop_limit' || type === 'stop_market' || type === 'trailing_stop';
/** Whether it runs with a bound and a budget instead of a limit price. */
export const isMarket = ({ type }: OrderTerms): boolean =>
  type === 'market' || type === 'stop_market' || type === 'trailing_stop';
/** Whether it waits for its stop price. */
export const isWaiting = (order: Order): boolean => order.status === 1 && isStop(order) && !order.triggered;
/** Whether a price reaches the stop price of a stop. */
export const reaches = ({ side, stopPrice }: Pick<OrderTerms, 'side' | 'stopPrice'>, price: number): boolean =>
  side === BUY ? price >= stopPrice : price <= stopPrice;
