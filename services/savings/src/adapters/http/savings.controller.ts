import { Body, Controller, Query } from '@nestjs/common';
import {
  savingsConfig,
  savingsCurrency,
  savingsOrder,
  type DataPage,
  type SavingsConfig,
  type SavingsCurrency,
  type SavingsOrder,
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
import { Cancels } from '../../application/cancels.js';
import { SavingsLists } from '../../application/savings-lists.js';
import { Subscriptions } from '../../application/subscriptions.js';
import { CancelBody, ConfigQuery, OrdersQuery, SubscribeBody } from './savings-fields.js';

const FUND = ['fund.required', 'fund.wrong', 'fund.locked'];

/** Fixed terms (api §2.8). */
@Controller()
export class SavingsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly cancels: Cancels,
    private readonly lists: SavingsLists,
  ) {}

  @Call(
    { method: 'GET', path: '/api/currency/lhDepositLists', auth: 'public', rate: 'public' },
    {
      summary: 'List coins for fixed terms with the caller’s available balances',
      answer: message(z.object({ currency: z.array(savingsCurrency) })),
    },
  )
  async currencies(@Context() { caller }: CallContext): Promise<{ currency: SavingsCurrency[] }> {
    return { currency: await this.lists.currencies(caller?.userId) };
  }

  @Call(
    { method: 'GET', path: '/api/currency/deposit/config', auth: 'public', rate: 'public' },
    { summary: 'Terms on offer in a coin, the shortest first', answer: message(z.array(savingsConfig)) },
  )
  terms(@Query() { currencyId }: ConfigQuery): Promise<SavingsConfig[]> {
    return this.lists.terms(currencyId);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/currency/lhDeposit',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'order',
      breaker: 'savings',
    },
    {
      summary: 'Subscribe an amount for a term; its whole interest is reserved at once',
      answer: notice('save.subscribed', { order: savingsOrder }),
      refuses: ['save.amountRequired', ...FUND, 'save.config', 'save.min', 'save.houseLimit', 'balance.insufficient'],
    },
  )
  subscribe(
    @Body() fields: SubscribeBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.subscriptions.subscribe(caller.userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/currency/deposit/lhDepositOrderList', auth: 'user', rate: 'read' },
    { summary: 'Own subscriptions, the newest first', answer: message(dataPage(savingsOrder)) },
  )
  orders(@Query() { page, state }: OrdersQuery, @CurrentCaller() caller: Caller): Promise<DataPage<SavingsOrder>> {
    return this.lists.list({ userId: caller.userId, state }, page);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/currency/deposit/cancel',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'order',
      breaker: 'savings',
      cancels: true,
    },
    {
      summary: 'End a term early; the interest is lost and the agreed fee is charged',
      answer: notice('save.cancelled', { order: savingsOrder }),
      refuses: [...FUND, 'common.notFound', 'save.state'],
    },
  )
  cancel(
    @Body() { id, password }: CancelBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.cancels.cancel(caller.userId, id, password, context);
  }
}
