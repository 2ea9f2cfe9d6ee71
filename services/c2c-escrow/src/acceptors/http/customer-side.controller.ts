import { Body, Controller, Query } from '@nestjs/common';
import {
  acceptor,
  acceptorDeal,
  acceptorInfo,
  orderId,
  type Acceptor,
  type AcceptorDeal,
  type AcceptorInfo,
  type DataPage,
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
import * as z from 'zod/mini';
import { CustomerCommands } from '../application/customer-commands.js';
import { AcceptorLists } from '../application/lists.js';
import { AcceptorDealOpening } from '../application/deal-opening.js';
import {
  AcceptorDealBody,
  AcceptorObjectBody,
  AcceptorQuery,
  AcceptorStepBody,
  MyAcceptorDealsQuery,
} from './fields.js';

const DEAL = { id: orderId, deal: acceptorDeal };
const STATES = ['common.notFound', 'acceptor.state'];

/** Deposits and withdrawals of fiat with acceptors (api §2.7). */
@Controller()
export class CustomerSideController {
  constructor(
    private readonly opening: AcceptorDealOpening,
    private readonly customers: CustomerCommands,
    private readonly lists: AcceptorLists,
  ) {}

  @Call(
    { method: 'GET', path: '/api/acceptor/list', auth: 'user', rate: 'read' },
    { summary: 'List acceptors with their free limits', answer: message(z.array(acceptor)) },
  )
  list(): Promise<Acceptor[]> {
    return this.lists.listAcceptors(false);
  }

  @Call(
    { method: 'GET', path: '/api/acceptor/info', auth: 'user', rate: 'read' },
    {
      summary: 'Get an acceptor with its payment details',
      answer: message(acceptorInfo),
      refuses: ['common.notFound'],
    },
  )
  findInfo(@Query() { id }: AcceptorQuery, @CurrentCaller() caller: Caller): Promise<AcceptorInfo> {
    return this.lists.findInfo(caller, id);
  }

  @Call(
    { method: 'GET', path: '/api/acceptor/my_deal', auth: 'user', rate: 'read' },
    { summary: 'Own deals with acceptors, the newest first', answer: message(dataPage(acceptorDeal)) },
  )
  listOwn(
    @Query() { page, way, type }: MyAcceptorDealsQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<AcceptorDeal>> {
    return this.lists.listOwnDeals(caller, { way, type }, page, lang);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/acceptor/deal',
      auth: 'user',
      gates: ['acc'],
      money: true,
      rate: 'c2c',
      breaker: 'c2c',
      movesOut: { field: 'type', value: 'sell' },
    },
    {
      summary: 'Deposit fiat for coins, or withdraw coins for fiat',
      answer: notice('acceptor.submitted', DEAL),
      refuses: [
        'acceptor.mobileRequired',
        'acceptor.accountRequired',
        'acceptor.money',
        'acceptor.wayRequired',
        'fund.required',
        'fund.wrong',
        'fund.locked',
        'wallet.blocked',
        'market.paused',
        'common.notFound',
        'acceptor.self',
        'acceptor.rateChanged',
        'acceptor.blocked',
        'acceptor.quota',
        'c2c.openDeal',
        'balance.insufficient',
      ],
    },
  )
  submit(
    @Body() fields: AcceptorDealBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.opening.submit(caller.userId, fields, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/acceptor/user_confirm',
      auth: 'user',
      money: true,
      rate: 'c2c',
      movesOut: 'object',
    },
    {
      summary: 'Confirm the fiat of a withdrawal; the acceptor receives the coins',
      answer: notice('acceptor.confirmed', DEAL),
      refuses: [...STATES, 'wallet.blocked', 'market.paused'],
    },
  )
  confirm(
    @Body() fields: AcceptorStepBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.customers.confirm(caller.userId, fields, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/acceptor/user_object',
      auth: 'user',
      money: true,
      movesNothing: true,
      rate: 'c2c',
    },
    {
      summary: 'Object to a deal, so that finance decides: paid but not confirmed, or transferred but not received',
      answer: notice('acceptor.objected', DEAL),
      refuses: ['upload.required', ...STATES, 'acceptor.wait'],
    },
  )
  object(
    @Body() fields: AcceptorObjectBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.customers.objectTo(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/acceptor/user_cancel', auth: 'user', money: true, rate: 'c2c', whileFrozen: true },
    {
      summary: 'Cancel a deal before the acceptor has acted',
      answer: notice('acceptor.cancelled', DEAL),
      refuses: STATES,
    },
  )
  cancel(
    @Body() fields: AcceptorStepBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.customers.cancel(caller.userId, fields, context);
  }
}
