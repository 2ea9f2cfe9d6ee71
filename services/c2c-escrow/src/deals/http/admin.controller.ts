import { Body, Controller, Query } from '@nestjs/common';
import { ad, deal } from '@bourse/contract';
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
import { AdRemoval } from '../application/ad-removal.js';
import { DealLists } from '../application/lists.js';
import { AdminAdsQuery, AdminDealsQuery, AdOffBody } from './fields.js';

const adminDeal = z.extend(deal, { owner_id: z.int(), taker_id: z.int() });

/** Ads and deals for operators (api §2.12). */
@Controller()
export class DealAdminController {
  constructor(
    private readonly lists: DealLists,
    private readonly removal: AdRemoval,
  ) {}

  @Call(
    { method: 'GET', path: '/api/admin/c2c_orders', auth: 'operator', role: 'support' },
    { summary: 'List deals of all people without personal data', answer: message(dataPage(adminDeal)) },
  )
  listDeals(@Query() { page, ...filter }: AdminDealsQuery, @Context() { lang }: CallContext) {
    const { id, userId, adId, kind, type, currencyId, states } = filter;
    return this.lists.listAllDeals({ id, userId, adId, kind, type, currencyId, states }, page, lang);
  }

  @Call(
    { method: 'GET', path: '/api/admin/c2c_ads', auth: 'operator', role: 'support' },
    { summary: 'Ads of all people', answer: message(dataPage(ad)) },
  )
  listAds(@Query() { page, ...filter }: AdminAdsQuery) {
    const { userId: ownerId, kind, type, currencyId, states } = filter;
    return this.lists.listAds({ ownerId, kind, type, currencyId, states }, page, undefined);
  }

  @Call(
    { method: 'POST', path: '/api/admin/c2c_ads/off', auth: 'operator', role: 'support' },
    {
      summary: 'Withdraw an ad; its deals continue',
      answer: notice('c2c.withdrawn'),
      refuses: ['common.notFound', 'c2c.state'],
    },
  )
  removeAd(@Body() { adId, reason }: AdOffBody, @CurrentCaller() operator: Caller): Promise<Notice> {
    return this.removal.removeAd(adId, reason, operator);
  }
}
