import { Body, Controller, Query } from '@nestjs/common';
import {
  insurance,
  insuranceClaim,
  insuranceType,
  type DataPage,
  type Insurance as ShownInsurance,
  type InsuranceClaim,
  type InsuranceType,
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
import { Claims } from '../application/claims.js';
import { Insurance } from '../application/insurance.js';
import { InsuranceLists } from '../application/lists.js';
import { BuyBody, CancelBody, ClaimBody, InsurancesQuery, TypesQuery } from './fields.js';

const FUND = ['fund.wrong', 'fund.locked'];

/** Insurance on contract assets (api §2.6). */
@Controller()
export class InsuranceController {
  constructor(
    private readonly insurance: Insurance,
    private readonly claiming: Claims,
    private readonly lists: InsuranceLists,
  ) {}

  @Call(
    { method: 'GET', path: '/api/insurance/types', auth: 'user', rate: 'read' },
    { summary: 'What can be bought', answer: message(z.array(insuranceType)) },
  )
  types(@Query() { currencyId }: TypesQuery): Promise<InsuranceType[]> {
    return this.lists.types(currencyId);
  }

  @Call(
    { method: 'GET', path: '/api/insurance/my', auth: 'user', rate: 'read' },
    { summary: 'Own policies, the newest first', answer: message(dataPage(insurance)) },
  )
  own(
    @Query() { page, currencyId }: InsurancesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<DataPage<ShownInsurance>> {
    return this.lists.insurances(caller.userId, currencyId, page);
  }

  @Call(
    { method: 'GET', path: '/api/insurance/claims', auth: 'user', rate: 'read' },
    { summary: 'Own claims, the newest first', answer: message(dataPage(insuranceClaim)) },
  )
  claims(
    @Query() { page, currencyId }: InsurancesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<DataPage<InsuranceClaim>> {
    return this.lists.claims(caller.userId, currencyId, page);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/insurance/buy',
      auth: 'user',
      gates: ['trade'],
      needsFund: true,
      money: true,
      rate: 'order',
      breaker: 'micro',
    },
    {
      summary: 'Buy a policy',
      answer: notice('insurance.bought', { insurance }),
      refuses: [
        'insurance.integer',
        'fund.required',
        ...FUND,
        'common.notFound',
        'quantity.rule',
        'insurance.active',
        'insurance.quota',
        'balance.insufficient',
      ],
    },
  )
  buy(@Body() fields: BuyBody, @CurrentCaller() caller: Caller, @Context() context: CallContext): Promise<Notice> {
    return this.insurance.buy(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/insurance/claim', auth: 'user', money: true, rate: 'order', breaker: 'micro' },
    {
      summary: 'Claim the insurance of a policy whose losses suffice',
      answer: notice(['insurance.paid', 'insurance.booked'], { claim: insuranceClaim }),
      refuses: ['common.notFound', 'insurance.notClaimable', 'insurance.openOrders', 'insurance.state'],
    },
  )
  claim(@Body() { id }: ClaimBody, @CurrentCaller() caller: Caller, @Context() context: CallContext): Promise<Notice> {
    return this.claiming.claim(caller.userId, id, context);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/insurance/cancel',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'order',
      breaker: 'micro',
      cancels: true,
    },
    {
      summary: 'End a policy; its vault is returned, the premium is not',
      answer: notice('insurance.cancelled', { insurance }),
      refuses: ['fund.required', ...FUND, 'common.notFound', 'insurance.openOrders', 'insurance.state'],
    },
  )
  cancel(
    @Body() { id, password }: CancelBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.insurance.cancel(caller.userId, id, password, context);
  }
}
