import { Body, Controller, Query } from '@nestjs/common';
import { ad, type Ad, type DataPage } from '@bourse/contract';
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
import { AdCommands } from '../application/ad-commands.js';
import { DealLists } from '../application/lists.js';
import { AdBody, readFiat, MarketQuery, OwnAdsQuery, SendBody } from './fields.js';

const OUT = ['wallet.blocked', 'market.paused'];
const FUND = ['fund.required', 'fund.wrong', 'fund.locked'];

/** Ads between people (api §2.7). */
@Controller()
export class AdsController {
  constructor(
    private readonly commands: AdCommands,
    private readonly lists: DealLists,
  ) {}

  @Call(
    {
      method: 'POST',
      path: '/api/c2c_send',
      auth: 'user',
      gates: ['c2c'],
      needsFund: true,
      money: true,
      rate: 'c2c',
      breaker: 'c2c',
      movesOut: { field: 'type', value: 'sell' },
    },
    {
      summary: 'Publish an ad; a sell ad holds its coins and their fee',
      answer: notice('c2c.published', { id: z.int(), ad }),
      refuses: [
        'c2c.numberRequired',
        'c2c.priceRequired',
        'c2c.wayRequired',
        'c2c.coinRequired',
        'common.fieldInvalid',
        ...FUND,
        ...OUT,
        'c2c.blocked',
        'market.stale',
        'quantity.rule',
        'c2c.priceBand',
        'c2c.tooManyAds',
        'balance.insufficient',
      ],
    },
  )
  publish(@Body() fields: SendBody, @CurrentCaller() caller: Caller, @Context() context: CallContext): Promise<Notice> {
    return this.commands.publishC2c(caller.userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/c2c_deal_platform', auth: 'public', rate: 'public' },
    { summary: 'Ads that can be taken, the best price first', answer: message(dataPage(ad)) },
  )
  listMarket(@Query() { page, ...filter }: MarketQuery, @Context() { caller }: CallContext): Promise<DataPage<Ad>> {
    const { type, currencyId, coinCode, way, money } = filter;
    const wanted = { kind: 'c2c', type, currencyId, coinCode, way, money: readFiat(money) } as const;
    return this.lists.listMarket(wanted, page, caller?.userId);
  }

  @Call(
    { method: 'GET', path: '/api/c2c/seller_trade', auth: 'user', rate: 'read' },
    { summary: 'Own published ads', answer: message(dataPage(ad)) },
  )
  listOwn(
    @Query() { page, type, currencyId }: OwnAdsQuery,
    @CurrentCaller() { userId }: Caller,
  ): Promise<DataPage<Ad>> {
    return this.lists.listAds({ kind: 'c2c', type, currencyId, ownerId: userId, states: ['shelf'] }, page, userId);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/c2c/back_send',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'c2c',
      whileFrozen: true,
    },
    {
      summary: 'Withdraw an own ad; the rest is returned with its fee',
      answer: notice('c2c.withdrawn', { ad }),
      refuses: [...FUND, 'common.notFound', 'c2c.hasDeals', 'c2c.state'],
    },
  )
  withdraw(
    @Body() { adId, password }: AdBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.withdraw(caller.userId, adId, password, context, { kind: 'c2c' });
  }
}
