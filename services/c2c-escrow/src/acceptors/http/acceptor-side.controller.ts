import { Body, Controller, Query } from '@nestjs/common';
import {
  acceptorDeal,
  acceptorInfo,
  orderId,
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
  type CallPolicy,
  type Notice,
} from '@bourse/platform';
import { AcceptorCommands } from '../application/acceptor-commands.js';
import { AcceptorLists } from '../application/lists.js';
import {
  AcceptorFundBody,
  AcceptorOrdersQuery,
  AcceptorOwnStepBody,
  AcceptorPaymentBody,
  AcceptorRatesBody,
  AcceptorRejectBody,
  AcceptorTransferredBody,
} from './fields.js';

const DEAL = { id: orderId, deal: acceptorDeal };
const FUND = ['fund.required', 'fund.wrong', 'fund.locked'];
const ROLE = 'common.noPermission';
const STATES = ['common.notFound', 'acceptor.state'];
const toCallPolicy = (path: string, more: Partial<CallPolicy> = {}): CallPolicy => ({
  method: 'POST',
  path,
  auth: 'user',
  needsFund: true,
  money: true,
  rate: 'c2c',
  ...more,
});

/** Calls of acceptors on their orders and terms (api §2.7). */
@Controller()
export class AcceptorSideController {
  constructor(
    private readonly commands: AcceptorCommands,
    private readonly lists: AcceptorLists,
  ) {}

  @Call(
    { method: 'GET', path: '/api/acceptor/account', auth: 'user', rate: 'read' },
    { summary: 'Own terms and quotas', answer: message(acceptorInfo), refuses: [ROLE] },
  )
  findAccount(@CurrentCaller() caller: Caller): Promise<AcceptorInfo> {
    return this.lists.findAccount(caller);
  }

  @Call(
    { method: 'GET', path: '/api/acceptor/orders', auth: 'user', rate: 'read' },
    {
      summary: 'Deals of people with this acceptor, the newest first',
      answer: message(dataPage(acceptorDeal)),
      refuses: [ROLE],
    },
  )
  listOrders(
    @Query() { page, isSure, type }: AcceptorOrdersQuery,
    @CurrentCaller() caller: Caller,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<AcceptorDeal>> {
    return this.lists.listOrders(caller, { isSure, type }, page, lang);
  }

  @Call(toCallPolicy('/api/acceptor/confirm', { movesOut: 'object' }), {
    summary: 'Confirm the fiat of a deposit; the person receives the coins',
    answer: notice('acceptor.confirmed', DEAL),
    refuses: [ROLE, ...FUND, ...STATES, 'wallet.blocked', 'market.paused'],
  })
  confirm(
    @Body() fields: AcceptorOwnStepBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.confirm(caller, fields, context);
  }

  @Call(toCallPolicy('/api/acceptor/reject'), {
    summary: 'Refuse a deal; all funds are returned',
    answer: notice('acceptor.rejected', DEAL),
    refuses: [ROLE, ...FUND, ...STATES],
  })
  reject(
    @Body() fields: AcceptorRejectBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.reject(caller, fields, context);
  }

  @Call(toCallPolicy('/api/acceptor/transferred', { movesNothing: true }), {
    summary: 'Report the fiat of a withdrawal as transferred',
    answer: notice('acceptor.transferred', DEAL),
    refuses: [ROLE, 'upload.required', ...FUND, ...STATES],
  })
  markTransferred(
    @Body() fields: AcceptorTransferredBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.markTransferred(caller, fields, context);
  }

  @Call(toCallPolicy('/api/acceptor/rates', { movesNothing: true }), {
    summary: 'Set the rates of this acceptor for future deals, in percent',
    answer: notice('acceptor.saved'),
    refuses: [ROLE, ...FUND],
  })
  setRates(
    @Body() fields: AcceptorRatesBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.setRates(caller, fields, context);
  }

  @Call(toCallPolicy('/api/acceptor/payment', { movesNothing: true }), {
    summary: 'Set the payment details of this acceptor; omitted fields become empty',
    answer: notice('acceptor.saved'),
    refuses: [ROLE, ...FUND],
  })
  setPayment(
    @Body() fields: AcceptorPaymentBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.setPayment(caller, fields, context);
  }

  @Call(toCallPolicy('/api/acceptor/fund'), {
    summary: 'Add coins for deposits of people, or take free ones back',
    answer: notice('acceptor.funded'),
    refuses: [ROLE, ...FUND, 'balance.insufficient', 'balance.credit'],
  })
  fundCoins(
    @Body() fields: AcceptorFundBody,
    @CurrentCaller() caller: Caller,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.commands.fundCoins(caller, fields, context);
  }
}
