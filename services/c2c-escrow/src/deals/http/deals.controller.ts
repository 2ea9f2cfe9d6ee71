import { Body, Controller, Query } from '@nestjs/common';
import { deal, orderId, type DataPage, type Deal } from '@bourse/contract';
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
import { toC2cRules, DealOpening } from '../application/deal-opening.js';
import { DealCommands } from '../application/deal-commands.js';
import { DealLists, toReader } from '../application/lists.js';
import { AdDealsQuery, DealActBody, DealQuery, PayBody, SoldQuery, TakeBody, TakenQuery } from './fields.js';

const OUT = ['wallet.blocked', 'market.paused'];
const FUND = ['fund.required', 'fund.wrong', 'fund.locked'];

/** Deals on C2C ads and on ads of shops (api §2.7). */
@Controller()
export class DealsController {
  constructor(
    private readonly opening: DealOpening,
    private readonly commands: DealCommands,
    private readonly lists: DealLists,
  ) {}

  @Call(
    {
      method: 'POST',
      path: '/api/c2c/do_legal_deal',
      auth: 'user',
      gates: ['c2c'],
      needsFund: true,
      money: true,
      rate: 'c2c',
      breaker: 'c2c',
      movesOut: 'object',
    },
    {
      summary: 'Take an ad, whole or in part; the taker of a buy ad provides the coins and their fee',
      answer: notice('c2c.taken', { id: orderId, deal }),
      refuses: [
        'common.fieldInvalid',
        ...FUND,
        'common.notFound',
        'c2c.adGone',
        'c2c.ownAd',
        'quantity.rule',
        'c2c.openDeal',
        ...OUT,
        'c2c.blocked',
        'balance.insufficient',
      ],
    },
  )
  takeAd(
    @Body() { adId, number, password }: TakeBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.opening.takeAd(caller.userId, adId, password, toC2cRules(number), context);
  }

  @Call(
    { method: 'GET', path: '/api/c2c_user_deal', auth: 'user', rate: 'read' },
    { summary: 'Deals that the caller has taken', answer: message(dataPage(deal)) },
  )
  listTaken(
    @Query() { page, states }: TakenQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<Deal>> {
    return this.lists.listDeals({ takerId: caller.userId, states }, page, toReader(caller, lang));
  }

  @Call(
    { method: 'GET', path: '/api/c2c_seller_deal', auth: 'user', rate: 'read' },
    { summary: 'Deals on own ads, finished ones without `is_sure`', answer: message(dataPage(deal)) },
  )
  listSold(
    @Query() { page, type, currencyId, states = ['finished'] }: SoldQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<Deal>> {
    const filter = { kind: 'c2c', ownerId: caller.userId, type, currencyId, states } as const;
    return this.lists.listDeals(filter, page, toReader(caller, lang));
  }

  @Call(
    { method: 'GET', path: '/api/c2c/legal_send_deal_list', auth: 'user', rate: 'read' },
    { summary: 'Deals on one own ad', answer: message(dataPage(deal)), refuses: ['common.notFound'] },
  )
  listOfAd(
    @Query() { page, adId }: AdDealsQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<Deal>> {
    return this.lists.listDealsOfAd(adId, page, toReader(caller, lang));
  }

  @Call(
    { method: 'GET', path: '/api/c2c_deal', auth: 'user', rate: 'read' },
    { summary: 'Get a deal of the caller', answer: message(deal), refuses: ['common.notFound'] },
  )
  find(@Query() { id }: DealQuery, @CurrentCaller() caller: Caller, @Context() { lang }: CallContext): Promise<Deal> {
    return this.lists.findDeal(id, toReader(caller, lang));
  }

  @Call(
    {
      method: 'POST',
      path: '/api/c2c/user_legal_pay',
      auth: 'user',
      needsFund: true,
      money: true,
      movesNothing: true,
      rate: 'c2c',
    },
    {
      summary: 'Report a deal as paid, as its coin buyer',
      answer: notice('c2c.paid', { deal }),
      refuses: [...FUND, 'upload.required', 'common.notFound', 'c2c.state'],
    },
  )
  pay(
    @Body() { id, proof, password }: PayBody,
    @CurrentCaller() { userId }: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.pay({ userId, dealId: id, password }, proof, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/c2c/user_legal_pay_cancel',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'c2c',
      whileFrozen: true,
    },
    {
      summary: 'Cancel a deal as its coin buyer, before the payment',
      answer: notice('c2c.cancelled', { deal }),
      refuses: [...FUND, 'common.notFound', 'c2c.state'],
    },
  )
  cancel(
    @Body() { id, password }: DealActBody,
    @CurrentCaller() { userId }: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.cancel({ userId, dealId: id, password }, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/c2c/legal_deal_sure',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'c2c',
      movesOut: 'object',
    },
    {
      summary: 'Confirm the money as the owner of a sell ad; the buyer receives the coins',
      answer: notice('c2c.released', { deal }),
      refuses: [...FUND, 'common.notFound', 'c2c.state', 'c2c.appealOpen', ...OUT],
    },
  )
  confirmAsOwner(
    @Body() { id, password }: DealActBody,
    @CurrentCaller() { userId }: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.confirm({ userId, dealId: id, password }, 'sell', context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/c2c/legal_deal_user_sure',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'c2c',
      movesOut: 'object',
    },
    {
      summary: 'Confirm the money as the taker of a buy ad; the buyer receives the coins',
      answer: notice('c2c.released', { deal }),
      refuses: [...FUND, 'common.notFound', 'c2c.state', 'c2c.appealOpen', ...OUT],
    },
  )
  confirmAsTaker(
    @Body() { id, password }: DealActBody,
    @CurrentCaller() { userId }: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.confirm({ userId, dealId: id, password }, 'buy', context);
  }
}
