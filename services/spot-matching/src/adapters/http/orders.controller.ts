import { Controller } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Complete, DataPage, Entrust, ListPage, SpotFill, SpotOrder } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  type CallContext,
  type Caller,
  type FieldRecord,
  type Notice,
} from '@bourse/platform';
import { CancelOrders } from '../../application/cancel-orders.js';
import { OrderLists } from '../../application/order-lists.js';
import { PlaceOrder } from '../../application/place-order.js';
import { BUY, SELL } from '../../domain/book.js';
import { CancelBody, EntrustCancelBody, OrderBody, SidedOrderBody } from './bodies.js';

/** Spot orders (api §2.3). */
@ApiTags('spot')
@Controller()
export class OrdersController {
  constructor(
    private readonly placing: PlaceOrder,
    private readonly cancelling: CancelOrders,
    private readonly lists: OrderLists,
  ) {}

  @ApiOperation({ summary: 'Place a spot order' })
  @ApiBody({ type: SidedOrderBody })
  @Call({
    method: 'POST',
    path: '/api/coin/trade',
    auth: 'user',
    gates: ['trade'],
    money: true,
    rate: 'order',
    apiKey: 'trade',
  })
  place(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.placing.execute(caller.userId, fields, null, context);
  }

  @ApiOperation({ summary: 'Place a buy' })
  @ApiBody({ type: OrderBody })
  @Call({
    method: 'POST',
    path: '/api/transaction/in',
    auth: 'user',
    gates: ['trade'],
    money: true,
    rate: 'order',
    apiKey: 'trade',
  })
  placeBuy(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.placing.execute(caller.userId, fields, BUY, context);
  }

  @ApiOperation({ summary: 'Place a sell' })
  @ApiBody({ type: OrderBody })
  @Call({
    method: 'POST',
    path: '/api/transaction/out',
    auth: 'user',
    gates: ['trade'],
    money: true,
    rate: 'order',
    apiKey: 'trade',
  })
  placeSell(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.placing.execute(caller.userId, fields, SELL, context);
  }

  @ApiOperation({ summary: 'Cancel an open order' })
  @ApiBody({ type: CancelBody })
  @Call({
    method: 'PUT',
    path: '/api/coin/trade',
    auth: 'user',
    money: true,
    rate: 'cancel',
    apiKey: 'trade',
    whileFrozen: true,
  })
  cancel(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.cancelling.one(caller.userId, fields, context);
  }

  @ApiOperation({ summary: 'Cancel all open orders, or those of a pair or side' })
  @Call({
    method: 'POST',
    path: '/api/coin/cancel_all',
    auth: 'user',
    money: true,
    rate: 'cancel',
    apiKey: 'trade',
    whileFrozen: true,
  })
  cancelAll(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.cancelling.all(caller.userId, fields, context);
  }

  @ApiOperation({ summary: 'Cancel an open order of the entrust lists' })
  @ApiBody({ type: EntrustCancelBody })
  @Call({
    method: 'POST',
    path: '/api/transaction_del',
    auth: 'user',
    money: true,
    rate: 'cancel',
    apiKey: 'trade',
    whileFrozen: true,
  })
  cancelEntrust(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.cancelling.entrust(caller.userId, fields, OrderLists.sideOf(fields), context);
  }

  @ApiOperation({ summary: 'Own orders, newest first' })
  @Call({ method: 'GET', path: '/api/coin/list', auth: 'user', rate: 'read' })
  list(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<DataPage<SpotOrder>> {
    return this.lists.list(caller.userId, fields);
  }

  @ApiOperation({ summary: 'One own order' })
  @Call({ method: 'GET', path: '/api/coin/order', auth: 'user', rate: 'read' })
  order(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<SpotOrder> {
    return this.lists.order(caller.userId, fields);
  }

  @ApiOperation({ summary: 'Own fills, newest first' })
  @Call({ method: 'GET', path: '/api/coin/fills', auth: 'user', rate: 'read' })
  fills(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<DataPage<SpotFill>> {
    return this.lists.fills(caller.userId, fields);
  }

  @ApiOperation({ summary: 'Own open buys' })
  @Call({ method: 'POST', path: '/api/transaction_in', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true })
  openBuys(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<ListPage<Entrust>> {
    return this.lists.entrusts(caller, fields, BUY);
  }

  @ApiOperation({ summary: 'Own open sells' })
  @Call({ method: 'POST', path: '/api/transaction_out', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true })
  openSells(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<ListPage<Entrust>> {
    return this.lists.entrusts(caller, fields, SELL);
  }

  @ApiOperation({ summary: 'Own completed trades' })
  @Call({
    method: 'POST',
    path: '/api/transaction_complete',
    auth: 'user',
    rate: 'read',
    apiKey: 'read',
    whileFrozen: true,
  })
  completed(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<ListPage<Complete>> {
    return this.lists.complete(caller, fields);
  }
}
