import { Body, Controller } from '@nestjs/common';
import { shop, shopTerms, type Shop, type ShopTerms } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  message,
  notice,
  type CallContext,
  type Caller,
  type Notice,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { ShopCatalog } from '../application/catalog.js';
import { ShopClosing } from '../application/closing.js';
import { Shops } from '../application/shops.js';
import { MerchantTransferBody, ShopApplyBody, ShopCloseBody } from './fields.js';

const FUND = ['fund.required', 'fund.wrong', 'fund.locked'];

/** Fiat shops of a person (api §2.7). */
@Controller()
export class ShopsController {
  constructor(
    private readonly shops: Shops,
    private readonly catalog: ShopCatalog,
    private readonly closing: ShopClosing,
  ) {}

  @Call(
    { method: 'GET', path: '/api/legal/terms', auth: 'public', rate: 'public' },
    { summary: 'Deposit and limit per deal of each level of shops', answer: message(shopTerms) },
  )
  listTerms(): ShopTerms {
    return this.catalog.listTerms();
  }

  @Call(
    { method: 'GET', path: '/api/legal/my_shops', auth: 'user', rate: 'read' },
    { summary: 'Own shops, the newest first', answer: message(z.array(shop)), refuses: ['common.noPermission'] },
  )
  listOwn(@CurrentCaller() caller: Caller): Promise<Shop[]> {
    return this.shops.listOwn(caller);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/legal/shop_apply',
      auth: 'user',
      gates: ['c2c'],
      needsFund: true,
      money: true,
      rate: 'order',
      breaker: 'c2c',
    },
    {
      summary: 'Apply for a shop; its deposit is held',
      answer: notice('shop.applied', { shop }),
      refuses: [...FUND, 'legal.exists', 'balance.insufficient'],
    },
  )
  apply(@Body() fields: ShopApplyBody, @CurrentCaller() caller: Caller, @Context() context: CallContext) {
    return this.shops.apply(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/legal/merchant_transfer', auth: 'user', needsFund: true, money: true, rate: 'order' },
    {
      summary: 'Move coins between the legal and the merchant account',
      answer: notice('shop.transferred', { shop }),
      refuses: [...FUND, 'common.noPermission', 'common.notFound', 'legal.notOpen', 'balance.insufficient'],
    },
  )
  transfer(
    @Body() fields: MerchantTransferBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.shops.transfer(caller, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/legal/shop_close', auth: 'user', needsFund: true, money: true, rate: 'order' },
    {
      summary: 'Close an own shop; its deposit and the merchant balance are returned',
      answer: notice('legal.closed', { shop }),
      refuses: [...FUND, 'common.noPermission', 'common.notFound', 'legal.notOpen', 'legal.busy'],
    },
  )
  close(
    @Body() fields: ShopCloseBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.closing.close(caller, fields, context);
  }
}
