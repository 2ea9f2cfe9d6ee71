import { Body, Controller, Query } from '@nestjs/common';
import { decimalText, shop, timeText } from '@bourse/contract';
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
import { ShopAdmin } from '../application/admin.js';
import { ShopDecideBody, ShopsQuery } from './fields.js';

const row = z.extend(z.omit(shop, { merchant_balance: true, lock_merchant_balance: true, deposit: true }), {
  user_id: z.int(),
  account_number: z.string(),
  deposit: decimalText,
  create_time: timeText,
});

/** Shops for support (api §2.12). */
@Controller()
export class ShopAdminController {
  constructor(private readonly shops: ShopAdmin) {}

  @Call(
    { method: 'GET', path: '/api/admin/shops', auth: 'operator', role: 'support' },
    { summary: 'Shops, the newest first', answer: message(dataPage(row)) },
  )
  list(@Query() { state, userId, page }: ShopsQuery) {
    return this.shops.list({ state, userId }, page);
  }

  @Call(
    { method: 'POST', path: '/api/admin/shops/decide', auth: 'operator', role: 'support', money: true },
    {
      summary: 'Approve a shop, or refuse it and return its deposit',
      answer: notice(['shop.opened', 'shop.refused']),
      refuses: ['common.notFound', 'admin.decided'],
    },
  )
  decide(
    @Body() fields: ShopDecideBody,
    @CurrentCaller() operator: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.shops.decide(operator, fields, context);
  }
}
