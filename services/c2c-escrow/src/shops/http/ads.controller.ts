import { Body, Controller, Query } from '@nestjs/common';
import { ad, deal, orderId, shopPage, type Ad, type DataPage, type Deal, type ShopPage } from '@bourse/contract';
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
import { DealLists } from '../../deals/application/lists.js';
import { ShopAds } from '../application/shop-ads.js';
import { readFiat } from '../../deals/http/fields.js';
import {
  ShopAdBody,
  ShopAdsQuery,
  ShopDealBody,
  ShopDealsQuery,
  ShopMarketQuery,
  ShopQuery,
  ShopSendBody,
} from './fields.js';

const OUT = ['wallet.blocked', 'market.paused'];
const FUND = ['fund.required', 'fund.wrong', 'fund.locked'];

/** Ads of shops, and deals on them (api §2.7). */
@Controller()
export class ShopAdsController {
  constructor(
    private readonly ads: ShopAds,
    private readonly lists: DealLists,
  ) {}

  @Call(
    { method: 'GET', path: '/api/legal/ads', auth: 'public', rate: 'public' },
    { summary: 'Ads of shops that can be taken, the best price first', answer: message(dataPage(ad)) },
  )
  listMarket(@Query() query: ShopMarketQuery, @Context() { caller }: CallContext): Promise<DataPage<Ad>> {
    const { type, currencyId, coinCode, way, page, money } = query;
    const wanted = { kind: 'shop', type, currencyId, coinCode, way, money: readFiat(money) } as const;
    return this.lists.listMarket(wanted, page, caller?.userId);
  }

  @Call(
    { method: 'GET', path: '/api/legal/shop', auth: 'public', rate: 'public' },
    { summary: 'A shop and its ads', answer: message(shopPage), refuses: ['common.notFound'] },
  )
  findPage(@Query() { id }: ShopQuery, @Context() { caller }: CallContext): Promise<ShopPage> {
    return this.ads.findPage(id, caller?.userId);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/legal/send',
      auth: 'user',
      gates: ['c2c'],
      needsFund: true,
      money: true,
      rate: 'c2c',
      breaker: 'c2c',
      movesOut: { field: 'type', value: 'sell' },
    },
    {
      summary: 'Publish an ad of a shop; a sell ad holds its coins and their fee in the merchant account',
      answer: notice('c2c.published', { id: z.int(), ad }),
      refuses: [
        'common.noPermission',
        'common.notFound',
        'legal.notOpen',
        'legal.numberRequired',
        'legal.minRequired',
        'legal.maxRequired',
        'legal.maxBelowMin',
        'legal.aboveMax',
        'legal.aboveSurplus',
        'market.stale',
        'c2c.priceRequired',
        'c2c.wayRequired',
        'c2c.coinRequired',
        'common.fieldInvalid',
        ...FUND,
        ...OUT,
        'c2c.blocked',
        'quantity.rule',
        'c2c.priceBand',
        'c2c.tooManyAds',
        'balance.insufficient',
      ],
    },
  )
  publish(
    @Body() fields: ShopSendBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.ads.publish(caller, fields, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/legal/back_send',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'c2c',
      whileFrozen: true,
    },
    {
      summary: 'Withdraw an ad of an own shop; the rest is returned with its fee',
      answer: notice('legal.withdrawn', { ad }),
      refuses: [...FUND, 'common.notFound', 'c2c.hasDeals', 'c2c.state'],
    },
  )
  withdraw(
    @Body() { adId, password }: ShopAdBody,
    @CurrentCaller() { userId }: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.ads.withdraw(userId, adId, password, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/legal/do_deal',
      auth: 'user',
      gates: ['c2c'],
      needsFund: true,
      money: true,
      rate: 'c2c',
      breaker: 'c2c',
      movesOut: 'object',
    },
    {
      summary: 'Take an amount of coins of a shop’s ad, or the coins for an amount of fiat',
      answer: notice('c2c.taken', { id: orderId, deal }),
      refuses: [
        'legal.numberRequired',
        'common.fieldInvalid',
        ...FUND,
        'common.notFound',
        'c2c.adGone',
        'c2c.ownAd',
        'legal.belowMin',
        'legal.aboveMax',
        'legal.aboveSurplus',
        'quantity.rule',
        'c2c.openDeal',
        ...OUT,
        'c2c.blocked',
        'balance.insufficient',
      ],
    },
  )
  takeAd(
    @Body() fields: ShopDealBody,
    @CurrentCaller() { userId }: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.ads.takeAd(userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/legal/my_ads', auth: 'user', rate: 'read' },
    {
      summary: 'Ads of an own shop, the newest first',
      answer: message(dataPage(ad)),
      refuses: ['common.noPermission', 'common.notFound'],
    },
  )
  listOwnAds(@Query() { shopId, type, page }: ShopAdsQuery, @CurrentCaller() caller: Caller): Promise<DataPage<Ad>> {
    return this.ads.listOwnAds(caller, shopId, type, page);
  }

  @Call(
    { method: 'GET', path: '/api/legal/my_deals', auth: 'user', rate: 'read' },
    {
      summary: 'Deals on the ads of an own shop, the newest first',
      answer: message(dataPage(deal)),
      refuses: ['common.noPermission', 'common.notFound'],
    },
  )
  listOwnDeals(
    @Query() { page, ...filter }: ShopDealsQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<Deal>> {
    return this.ads.listOwnDeals(caller, filter, page, lang);
  }
}
