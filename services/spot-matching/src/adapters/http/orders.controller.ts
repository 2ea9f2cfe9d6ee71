import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  complete,
  decimalText,
  entrust,
  flag,
  orderId,
  orderOutcome,
  spotFill,
  spotOrder,
  type Complete,
  type DataPage,
  type Entrust,
  type ListPage,
  type SpotFill,
  type SpotOrder,
} from '@bourse/contract';
import * as z from 'zod/mini';
import {
  attachment,
  Call,
  Context,
  CurrentCaller,
  dataPage,
  file,
  listPage,
  message,
  notice,
  reply,
  type CallContext,
  type Caller,
  type Notice,
  type Raw,
  type Reply,
} from '@bourse/platform';
import { AmendOrders } from '../../application/amend-orders.js';
import { CancelOrders } from '../../application/cancel-orders.js';
import { OrderBatch } from '../../application/order-batch.js';
import { OrderLists } from '../../application/order-lists.js';
import { PlaceOrder } from '../../application/place-order.js';
import {
  AdminOrdersQuery,
  AmendOrderBody,
  CancelAllBody,
  CancelEntrustBody,
  CancelListBody,
  CancelOrderBody,
  CompletedListBody,
  EntrustListBody,
  FillListQuery,
  OcoBody,
  OrderBatchBody,
  OrderExportQuery,
  OrderListQuery,
  OrderQuery,
  PlaceBuyBody,
  PlaceOrderBody,
  PlaceSellBody,
} from '../../application/order-fields.js';
import { BUY, SELL } from '@bourse/matching';

const PLACED = {
  answer: notice('trade.success', { id: orderId, order: spotOrder, repeated: z.optional(z.literal(1)) }),
  refuses: [
    'pair.delisted',
    'cuy.pbPrice',
    'cuy.psPrice',
    'cuy.pbNum',
    'cuy.psNum',
    'trade.priceScale',
    'trade.numberScale',
    'quantity.rule',
    'trade.flags',
    'trade.stopPrice',
    'trade.trail',
    'trade.activationPrice',
    'trade.exitSide',
    'market.paused',
    'market.stale',
    'trade.bookEmpty',
    'balance.insufficient',
  ],
};
const PAIR_PLACED = {
  answer: notice('trade.success', {
    id: orderId,
    order: spotOrder,
    stop_order: spotOrder,
    repeated: z.optional(z.literal(1)),
  }),
  refuses: [
    'pair.delisted',
    'cuy.pbPrice',
    'cuy.psPrice',
    'cuy.pbNum',
    'cuy.psNum',
    'trade.priceScale',
    'trade.numberScale',
    'quantity.rule',
    'trade.flags',
    'trade.stopPrice',
    'trade.ocoSide',
    'market.paused',
    'balance.insufficient',
  ],
};
const CANCELLED = {
  answer: notice('trade.cancelled', { id: orderId, remaining: decimalText, order: spotOrder }),
  refuses: ['common.notFound', 'trade.notOpen'],
};

const AMENDED = {
  answer: notice('trade.amended', { id: orderId, priority: flag, order: spotOrder }),
  refuses: [
    'common.notFound',
    'trade.notOpen',
    'pair.delisted',
    'trade.flags',
    'cuy.pbPrice',
    'cuy.psPrice',
    'cuy.pbNum',
    'cuy.psNum',
    'trade.priceScale',
    'trade.numberScale',
    'quantity.rule',
    'trade.amountFilled',
    'market.paused',
    'balance.insufficient',
    'trade.postOnly',
    'trade.changed',
    'trade.linked',
    'trade.trailing',
    'trade.exitSide',
  ],
};

const ORDER = { auth: 'user', gates: ['trade'], money: true, rate: 'order', apiKey: 'trade' } as const;
const CANCEL = { auth: 'user', money: true, rate: 'cancel', apiKey: 'trade', whileFrozen: true } as const;

/** Spot orders (api §2.3). */
@ApiTags('spot')
@Controller()
export class OrdersController {
  constructor(
    private readonly placing: PlaceOrder,
    private readonly cancelling: CancelOrders,
    private readonly amending: AmendOrders,
    private readonly batches: OrderBatch,
    private readonly lists: OrderLists,
  ) {}

  @Call({ method: 'POST', path: '/api/coin/trade', ...ORDER }, { summary: 'Place a spot order', ...PLACED })
  place(
    @CurrentCaller() caller: Caller,
    @Body() body: PlaceOrderBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.placing.execute(caller.userId, body, context);
  }

  @Call(
    { method: 'POST', path: '/api/coin/oco', ...ORDER },
    { summary: 'Place an OCO pair: a limit leg and a stop leg under one hold', ...PAIR_PLACED },
  )
  placePair(@CurrentCaller() caller: Caller, @Body() body: OcoBody, @Context() context: CallContext): Promise<Notice> {
    return this.placing.pair(caller.userId, body, context);
  }

  @Call({ method: 'POST', path: '/api/transaction/in', ...ORDER }, { summary: 'Place a buy', ...PLACED })
  placeBuy(
    @CurrentCaller() caller: Caller,
    @Body() body: PlaceBuyBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.placing.execute(caller.userId, body, context);
  }

  @Call({ method: 'POST', path: '/api/transaction/out', ...ORDER }, { summary: 'Place a sell', ...PLACED })
  placeSell(
    @CurrentCaller() caller: Caller,
    @Body() body: PlaceSellBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.placing.execute(caller.userId, body, context);
  }

  @Call({ method: 'PUT', path: '/api/coin/trade', ...CANCEL }, { summary: 'Cancel an open order', ...CANCELLED })
  cancel(
    @CurrentCaller() caller: Caller,
    @Body() body: CancelOrderBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.cancelling.one(caller.userId, body, context);
  }

  @Call(
    { method: 'PUT', path: '/api/coin/order', ...ORDER },
    { summary: 'Change price or amount of an open order', ...AMENDED },
  )
  amend(
    @CurrentCaller() caller: Caller,
    @Body() body: AmendOrderBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.amending.execute(caller.userId, body, context);
  }

  @Call(
    { method: 'POST', path: '/api/coin/batch', ...ORDER, items: 'orders' },
    {
      summary: 'Place, change and cancel up to 20 orders, one after the other',
      answer: reply(z.array(orderOutcome)),
    },
  )
  batch(
    @CurrentCaller() caller: Caller,
    @Body() body: OrderBatchBody,
    @Context() context: CallContext,
  ): Promise<Reply> {
    return this.batches.batch(caller.userId, body, context);
  }

  @Call(
    { method: 'POST', path: '/api/coin/cancel', ...CANCEL, items: 'names' },
    { summary: 'Cancel up to 20 open orders by their ids', answer: reply(z.array(orderOutcome)) },
  )
  cancelList(
    @CurrentCaller() caller: Caller,
    @Body() body: CancelListBody,
    @Context() context: CallContext,
  ): Promise<Reply> {
    return this.batches.cancel(caller.userId, body, context);
  }

  @Call(
    { method: 'POST', path: '/api/coin/cancel_all', ...CANCEL },
    {
      summary: 'Cancel all open orders, or those of a pair or side',
      answer: notice('trade.cancelledAll', { ids: z.array(orderId) }),
    },
  )
  cancelAll(
    @CurrentCaller() caller: Caller,
    @Body() body: CancelAllBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.cancelling.all(caller.userId, body, context);
  }

  @Call(
    { method: 'POST', path: '/api/transaction_del', ...CANCEL },
    { summary: 'Cancel an open order of the entrust lists', ...CANCELLED },
  )
  cancelEntrust(
    @CurrentCaller() caller: Caller,
    @Body() body: CancelEntrustBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.cancelling.entrust(caller.userId, body, context);
  }

  @Call(
    { method: 'GET', path: '/api/coin/list', auth: 'user', rate: 'read' },
    { summary: 'Own orders by time, newest first unless `order` says otherwise', answer: message(dataPage(spotOrder)) },
  )
  list(@CurrentCaller() caller: Caller, @Query() query: OrderListQuery): Promise<DataPage<SpotOrder>> {
    return this.lists.list(caller.userId, query);
  }

  @Call(
    { method: 'GET', path: '/api/coin/order', auth: 'user', rate: 'read' },
    { summary: 'One own order', answer: message(spotOrder), refuses: ['common.notFound'] },
  )
  order(@CurrentCaller() caller: Caller, @Query() query: OrderQuery): Promise<SpotOrder> {
    return this.lists.order(caller.userId, query);
  }

  @Call(
    { method: 'GET', path: '/api/coin/fills', auth: 'user', rate: 'read' },
    { summary: 'Own fills by time, newest first unless `order` says otherwise', answer: message(dataPage(spotFill)) },
  )
  fills(@CurrentCaller() caller: Caller, @Query() query: FillListQuery): Promise<DataPage<SpotFill>> {
    return this.lists.fills(caller.userId, query);
  }

  @Call(
    { method: 'GET', path: '/api/coin/export', auth: 'user', rate: 'history', raw: true },
    { summary: 'Own orders or trades as a file', answer: file('text/csv') },
  )
  export(@CurrentCaller() caller: Caller, @Query() query: OrderExportQuery): Promise<Raw> {
    return attachment(this.lists.csv(caller.userId, query), { contentType: 'text/csv', name: `${query.kind}.csv` });
  }

  @Call(
    { method: 'POST', path: '/api/transaction_in', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Own open buys', suffix: 'Entrusts', answer: message(listPage(entrust)) },
  )
  openBuys(@CurrentCaller() caller: Caller, @Body() body: EntrustListBody): Promise<ListPage<Entrust>> {
    return this.lists.entrusts(caller, body, BUY);
  }

  @Call(
    { method: 'POST', path: '/api/transaction_out', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Own open sells', suffix: 'Entrusts', answer: message(listPage(entrust)) },
  )
  openSells(@CurrentCaller() caller: Caller, @Body() body: EntrustListBody): Promise<ListPage<Entrust>> {
    return this.lists.entrusts(caller, body, SELL);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/transaction_complete',
      auth: 'user',
      rate: 'read',
      apiKey: 'read',
      whileFrozen: true,
    },
    { summary: 'Own completed trades', answer: message(listPage(complete)) },
  )
  completed(@CurrentCaller() caller: Caller, @Body() body: CompletedListBody): Promise<ListPage<Complete>> {
    return this.lists.complete(caller, body);
  }

  @Call(
    { method: 'GET', path: '/api/admin/orders/spot', auth: 'operator', role: 'support' },
    {
      summary: 'Spot orders of one person, or the open ones of all people',
      answer: message(dataPage(z.extend(spotOrder, { user_id: z.int() }))),
    },
  )
  forOperators(@Query() { page, userId }: AdminOrdersQuery): Promise<DataPage<SpotOrder & { user_id: number }>> {
    return this.lists.forOperators(userId, page);
  }
}
