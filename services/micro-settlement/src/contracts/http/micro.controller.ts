import { Body, Controller, Query } from '@nestjs/common';
import {
  microCurrency,
  microOrder,
  microReceipt,
  microSeconds,
  orderId,
  tickChain,
  type DataPage,
  type MicroCurrency,
  type MicroOrder,
  type MicroReceipt,
  type MicroSeconds,
  type TickChain,
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
import { Contracts } from '../application/contracts.js';
import { TickList } from '../../ticks/application/tick-list.js';
import { ContractLists } from '../application/lists.js';
import { ListQuery, ReceiptQuery, SubmitBody, TicksQuery } from './fields.js';

/** Seconds contracts (api §2.6). */
@Controller()
export class MicroController {
  constructor(
    private readonly contracts: Contracts,
    private readonly lists: ContractLists,
    private readonly recorded: TickList,
  ) {}

  @Call(
    { method: 'GET', path: '/api/microtrade/payable_currencies', auth: 'user', rate: 'read' },
    { summary: 'List coins for stakes', answer: message(z.array(microCurrency)) },
  )
  currencies(@CurrentCaller() caller: Caller): Promise<MicroCurrency[]> {
    return this.lists.currencies(caller.userId);
  }

  @Call(
    { method: 'GET', path: '/api/microtrade/seconds', auth: 'public', rate: 'public' },
    { summary: 'Durations on offer', answer: message(z.array(microSeconds)) },
  )
  seconds(): Promise<MicroSeconds[]> {
    return this.lists.seconds();
  }

  @Call(
    {
      method: 'POST',
      path: '/api/microtrade/submit',
      auth: 'user',
      gates: ['trade'],
      money: true,
      rate: 'order',
      apiKey: 'trade',
      breaker: 'micro',
    },
    {
      summary: 'Open a seconds contract',
      answer: notice('miscro.success', { id: orderId, order: microOrder }),
      refuses: [
        'miscro.openNum',
        'pair.delisted',
        'micro.secondsUnknown',
        'quantity.rule',
        'insurance.claimFirst',
        'insurance.stakeMax',
        'micro.openMax',
        'market.stale',
        'micro.houseLimit',
        'balance.insufficient',
      ],
    },
  )
  submit(
    @Body() fields: SubmitBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.contracts.submit(caller.userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/microtrade/lists', auth: 'user', rate: 'read' },
    { summary: 'Own contracts, the newest first', answer: message(dataPage(microOrder)) },
  )
  list(
    @Query() { page, isClosed, matchId }: ListQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<DataPage<MicroOrder>> {
    return this.lists.list({ userId: caller.userId, isClosed, matchId }, page);
  }

  @Call(
    { method: 'GET', path: '/api/microtrade/receipt', auth: 'user', rate: 'read' },
    {
      summary: 'Get the receipt of an own contract, which anybody can verify',
      answer: message(microReceipt),
      refuses: ['common.notFound'],
    },
  )
  receipt(@Query() { id }: ReceiptQuery, @CurrentCaller() caller: Caller): Promise<MicroReceipt> {
    return this.lists.receipt(caller.userId, id);
  }

  @Call(
    { method: 'GET', path: '/api/microtrade/ticks', auth: 'public', rate: 'public' },
    {
      summary: 'Recorded prices of a market, chained and signed',
      answer: message(tickChain),
      refuses: ['common.notFound', 'common.fieldInvalid'],
    },
  )
  ticks(@Query() { matchId, from, to }: TicksQuery): Promise<TickChain> {
    return this.recorded.chain(matchId, from, to);
  }
}
