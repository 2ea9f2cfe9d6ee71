import {
  Amount,
  CatalogId,
  Default,
  Field,
  flagReader,
  Id,
  itemsReader,
  Means,
  OneOf,
  PageOf,
  PeriodOf,
  RowId,
  SpanOf,
  Text,
  textsReader,
  UnderKey,
  wordReader,
  type FieldRecord,
  type Page,
  type Period,
  type Span,
  type WrittenAmount,
} from '@bourse/platform';
import { ITEMS_MAX, ORDER_OPS, type OrderOp } from '@bourse/contract';
import { BUY, SELL, type Side, type OrderType, STP_NAMES, TIF_NAMES, type TriggerPrice } from '@bourse/matching';

/*
 * Fields of the calls of api §2.3; their order, and that of the use cases that ask for them, is the order of
 * rules §12.6.
 */

const named = <const W extends string>(words: readonly W[]): Record<W, W> =>
  Object.fromEntries(words.map((word) => [word, word])) as Record<W, W>;
const ORDER_TYPES = {
  limit: 'limit',
  market: 'market',
  stop_limit: 'stop_limit',
  stop_market: 'stop_market',
  trailing_stop: 'trailing_stop',
} as const;
const SIDES = { 1: BUY, 2: SELL } as const;
const CLIENT_ID = /^[A-Za-z0-9_-]{1,36}$/;

/** A new order. Scales and the last price belong to the pair, so `readOrder` asks for each field in its turn. */
@UnderKey()
export abstract class OrderFields {
  @CatalogId('pair.delisted', { field: 'legal_id', about: 'Id of the quote currency' }) quoteId!: number;
  @CatalogId('pair.delisted', { field: 'currency_id', about: 'Id of the base currency' }) baseId!: number;
  abstract readonly side: Side;
  @Default<OrderType>('limit', wordReader(ORDER_TYPES, {})) orderType!: OrderType;
  @Amount('cuy.pbPrice', {
    field: 'target_price',
    scaleKey: 'trade.priceScale',
    optional: true,
    about: 'Limit price; market orders ignore it',
  })
  price?: WrittenAmount;
  @Amount('cuy.pbNum', { field: 'amount', scaleKey: 'trade.numberScale', about: 'Quantity of the base' })
  quantity!: WrittenAmount;
  @Default<(typeof TIF_NAMES)[number]>('GTC', wordReader(named(TIF_NAMES), { key: 'trade.flags' }))
  timeInForce!: (typeof TIF_NAMES)[number];
  @Default(false, flagReader({ key: 'trade.flags' })) postOnly!: boolean;
  @Default<(typeof STP_NAMES)[number]>('cancel_newest', wordReader(named(STP_NAMES), { key: 'trade.flags' }), {
    field: 'stp',
  })
  selfTrade!: (typeof STP_NAMES)[number];
  @Text({ max: 36, pattern: CLIENT_ID, optional: true }) clientOrderId?: string;
  @Amount('trade.stopPrice', { optional: true, about: 'Price that starts a stop' }) stopPrice?: WrittenAmount;
  @Default<TriggerPrice>('last', wordReader({ last: 'last', mark: 'mark' }, { key: 'trade.flags' }), {
    about: 'Price that starts a stop_limit or stop_market: that of a trade here, or the mark (index price)',
  })
  triggerBy!: TriggerPrice;
  @Amount('trade.exitSide', {
    scaleKey: 'trade.priceScale',
    optional: true,
    about: 'Limit price of the exit that is placed when the order is done',
  })
  takeProfit?: WrittenAmount;
  @Amount('trade.exitSide', {
    scaleKey: 'trade.priceScale',
    optional: true,
    about: 'Stop price of the exit that is placed when the order is done; with a take profit the two are an OCO pair',
  })
  stopLoss?: WrittenAmount;
  @Amount('trade.trail', {
    optional: true,
    about: 'Distance of a trailing stop from the best price, in percent: 0.1 to 20, two decimals',
  })
  trailPercent?: WrittenAmount;
  @Amount('trade.trail', {
    scaleKey: 'trade.priceScale',
    optional: true,
    about: 'Distance of a trailing stop from the best price, in quote money; one of the two is given',
  })
  trailAmount?: WrittenAmount;
  @Amount('trade.activationPrice', {
    scaleKey: 'trade.priceScale',
    optional: true,
    about: 'Price from which a trailing stop trails: above the last price for a sell, below it for a buy',
  })
  activationPrice?: WrittenAmount;
}
/** An OCO pair: a limit leg and a stop leg of one amount. `readPair` asks for each field in its turn. */
@UnderKey()
export class OcoBody {
  @CatalogId('pair.delisted', { field: 'legal_id', about: 'Id of the quote currency' }) quoteId!: number;
  @CatalogId('pair.delisted', { field: 'currency_id', about: 'Id of the base currency' }) baseId!: number;
  @Means(SIDES, { field: 'type', about: '1 buy, 2 sell' }) side!: Side;
  @Amount('cuy.pbPrice', {
    field: 'target_price',
    scaleKey: 'trade.priceScale',
    about: 'Price of the limit leg: above the last price for a sell, below it for a buy',
  })
  price!: WrittenAmount;
  @Amount('cuy.pbNum', { field: 'amount', scaleKey: 'trade.numberScale', about: 'Quantity of the base, of both legs' })
  quantity!: WrittenAmount;
  @Amount('trade.stopPrice', { about: 'Price that starts the stop leg: on the other side of the last price' })
  stopPrice!: WrittenAmount;
  @Amount('cuy.pbPrice', {
    scaleKey: 'trade.priceScale',
    optional: true,
    about: 'Limit price of the stop leg; absent: it runs as a market order',
  })
  stopLimitPrice?: WrittenAmount;
  @Default<'last'>('last', wordReader({ last: 'last' }, { key: 'trade.flags' }), {
    about: 'A trade here starts the stop leg; the mark does not',
  })
  triggerBy!: 'last';
  @Default(false, flagReader({ key: 'trade.flags' })) postOnly!: boolean;
  @Default<(typeof STP_NAMES)[number]>('cancel_newest', wordReader(named(STP_NAMES), { key: 'trade.flags' }), {
    field: 'stp',
  })
  selfTrade!: (typeof STP_NAMES)[number];
  @Text({ max: 36, pattern: CLIENT_ID, optional: true }) clientOrderId?: string;
}
export class PlaceOrderBody extends OrderFields {
  @Means(SIDES, { field: 'type', about: '1 buy, 2 sell' }) side!: Side;
}
export class PlaceBuyBody extends OrderFields {
  get side(): Side {
    return BUY;
  }
}
export class PlaceSellBody extends OrderFields {
  get side(): Side {
    return SELL;
  }
}

/** Names one order: by its id, or by the id that its owner gave it. */
export interface OrderName {
  readonly id?: string;
  readonly clientOrderId?: string;
}
export class OrderQuery implements OrderName {
  @Id({ optional: true, late: true }) id?: string;
  @Text({ optional: true, late: true }) clientOrderId?: string;
}
@UnderKey()
export class CancelOrderBody extends OrderQuery {}
/** Another price or amount for an open order; `readAmend` asks for each in its turn. */
@UnderKey()
export class AmendOrderBody extends OrderQuery {
  @Amount('cuy.pbPrice', {
    field: 'target_price',
    scaleKey: 'trade.priceScale',
    optional: true,
    about: 'New limit price; absent: unchanged. One of the two is required',
  })
  price?: WrittenAmount;
  @Amount('cuy.pbNum', {
    field: 'amount',
    scaleKey: 'trade.numberScale',
    optional: true,
    about: 'New amount of the base, its filled part included; absent: unchanged',
  })
  quantity?: WrittenAmount;
}
const BATCH_ITEM = {
  type: 'object',
  description: 'The fields of the call that `op` names',
  properties: {
    op: { type: 'string', enum: [...ORDER_OPS] },
    id: { type: 'string' },
    client_order_id: { type: 'string' },
    legal_id: { type: 'integer' },
    currency_id: { type: 'integer' },
    type: { type: 'integer', enum: [1, 2] },
    order_type: { type: 'string', enum: Object.keys(ORDER_TYPES) },
    target_price: { type: 'string' },
    amount: { type: 'string' },
    stop_price: { type: 'string' },
    trigger_by: { type: 'string', enum: ['last', 'mark'] },
    stop_limit_price: { type: 'string' },
    take_profit: { type: 'string' },
    stop_loss: { type: 'string' },
    trail_percent: { type: 'string' },
    trail_amount: { type: 'string' },
    activation_price: { type: 'string' },
    time_in_force: { type: 'string', enum: [...TIF_NAMES] },
    post_only: { type: 'integer', enum: [0, 1] },
    stp: { type: 'string', enum: [...STP_NAMES] },
  },
  required: ['op'],
};
/** Several changes of orders, done in their order. */
@UnderKey()
export class OrderBatchBody {
  @Field(itemsReader({ max: ITEMS_MAX }, BATCH_ITEM)) items!: readonly FieldRecord[];
}
/** The operation of an item of a batch; `op` alone decides by which call's fields the others are read. */
export class BatchItemFields {
  @OneOf(ORDER_OPS) op!: OrderOp;
}
/** Orders to cancel, by both kinds of their names. */
@UnderKey()
export class CancelListBody {
  @Field(textsReader({ max: ITEMS_MAX }), { optional: true }) ids?: readonly string[];
  @Field(textsReader({ max: ITEMS_MAX }), { optional: true }) clientOrderIds?: readonly string[];
}
@UnderKey()
export class CancelEntrustBody implements OrderName {
  @Means({ in: BUY, out: SELL } as const, { field: 'type', about: 'in: an own buy, out: an own sell' }) side!: Side;
  @Id() id!: string;
}

export class PairFilter {
  @CatalogId({ field: 'legal_id', optional: true, about: 'Id of the quote currency' }) quoteId?: number;
  @CatalogId({ field: 'currency_id', optional: true, about: 'Id of the base currency' }) baseId?: number;
}
@UnderKey()
export class CancelAllBody extends PairFilter {
  @Means(SIDES, { field: 'type', optional: true, about: '1 buys, 2 sells; absent: both' }) side?: Side;
}

export class OrderListQuery {
  @PageOf(20) page!: Page;
  @CatalogId({ field: 'currency', optional: true, about: 'Id of the base currency' }) baseId?: number;
  @CatalogId({ field: 'legal_id', optional: true, about: 'Id of the quote currency' }) quoteId?: number;
  @Means({ 1: 1, 2: 2 }, { optional: true, about: '1 open, 2 done; absent: both' }) status?: 1 | 2;
  @SpanOf() span!: Span;
}
export class FillListQuery {
  @PageOf(20) page!: Page;
  @Id({ optional: true }) orderId?: string;
  @CatalogId({ field: 'currency_id', optional: true }) baseId?: number;
  @CatalogId({ field: 'legal_id', optional: true }) quoteId?: number;
  @SpanOf() span!: Span;
}
export class EntrustListBody {
  @PageOf(10) page!: Page;
  @CatalogId({ field: 'currency_id', optional: true }) baseId?: number;
  @CatalogId({ field: 'legal_id', optional: true }) quoteId?: number;
}
export class OrderExportQuery {
  @OneOf(['orders', 'trades']) kind!: 'orders' | 'trades';
  @CatalogId({ field: 'legal_id', optional: true, about: 'Id of the quote currency' }) quoteId?: number;
  @CatalogId({ field: 'currency_id', optional: true, about: 'Id of the base currency' }) baseId?: number;
  @Means({ 1: 1, 2: 2 }, { optional: true, about: 'Of orders: 1 open, 2 done; absent: both' }) status?: 1 | 2;
  @PeriodOf() period!: Period;
}
export class CompletedListBody {
  @PageOf(10) page!: Page;
}
export class AdminOrdersQuery {
  @PageOf(50) page!: Page;
  @RowId({ min: 1, optional: true }) userId?: number | undefined;
}
