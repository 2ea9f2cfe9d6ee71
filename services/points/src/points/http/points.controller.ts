import { Body, Controller, Query } from '@nestjs/common';
import {
  toDataPage,
  points,
  pointsBinding,
  pointsExchange,
  type DataPage,
  type Points,
  type PointsBinding,
  type PointsExchange,
} from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  dataPage,
  message,
  notice,
  type CallContext,
  type Caller,
  type Notice,
} from '@bourse/platform';
import { PointsBindings } from '../application/points-bindings.js';
import { PointsExchanges } from '../application/points-exchanges.js';
import { PointsStore } from '../application/points-ports.js';
import { PointsViews } from '../application/points-views.js';
import { PointsBindBody, PointsExchangeBody, PointsExchangesQuery } from './fields.js';

/** Points of the third party and of fees, and their exchange (api §2.9). */
@Controller()
export class PointsController {
  constructor(
    private readonly bindings: PointsBindings,
    private readonly exchanges: PointsExchanges,
    private readonly store: PointsStore,
    private readonly views: PointsViews,
  ) {}

  @Call(
    { method: 'GET', path: '/api/jc/bind', auth: 'points', rate: 'read' },
    { summary: 'Get the bound account of the third party; empty if none', answer: message(pointsBinding) },
  )
  async bound(@CurrentCaller() caller: Caller): Promise<PointsBinding> {
    return { user_name: await this.views.boundName(caller.userId) };
  }

  @Call(
    { method: 'POST', path: '/api/jc/bind', auth: 'points', rate: 'transfer' },
    {
      summary: 'Bind an account of the third party; its points are credited',
      answer: notice('jc.boundNow'),
      refuses: ['jc.closed', 'jc.bindFailed', 'jc.bound'],
    },
  )
  bind(
    @Body() { userName, password }: PointsBindBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.bindings.bind(caller.userId, { userName, password }, context);
  }

  @Call(
    { method: 'GET', path: '/api/jc/info', auth: 'points', rate: 'read' },
    { summary: 'Own points, and what they are exchanged at', answer: message(points), refuses: ['jc.notBound'] },
  )
  info(@CurrentCaller() caller: Caller): Promise<Points> {
    return this.views.points(caller.userId);
  }

  @Call(
    { method: 'GET', path: '/api/jc/exchange', auth: 'points', rate: 'read' },
    { summary: 'Own exchanges, the newest first', answer: message(dataPage(pointsExchange)) },
  )
  async done(
    @Query() { page }: PointsExchangesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<DataPage<PointsExchange>> {
    return toDataPage(await this.store.exchanges(caller.userId, page), page, (row) => this.views.exchange(row));
  }

  @Call(
    {
      method: 'POST',
      path: '/api/jc/exchange',
      auth: 'points',
      needsFund: true,
      money: true,
      rate: 'transfer',
      breaker: 'points',
    },
    {
      summary: 'Exchange points for coins; it cannot be undone',
      answer: notice('jc.exchanged', { exchange: pointsExchange }),
      refuses: [
        'fund.required',
        'fund.wrong',
        'fund.locked',
        'jc.notBound',
        'jc.notEnough',
        'market.stale',
        'quantity.rule',
        'jc.houseLimit',
      ],
    },
  )
  exchange(
    @Body() fields: PointsExchangeBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.exchanges.exchange(caller, fields, context);
  }
}
