import { Body, Controller, Query } from '@nestjs/common';
import { orderId, withdrawal, type DataPage, type Withdrawal } from '@bourse/contract';
import {
  Call,
  type CallContext,
  type Caller,
  Context,
  CurrentCaller,
  dataPage,
  message,
  Notice,
  notice,
} from '@bourse/platform';
import { CoinListQuery } from '../../shared/application/fields.js';
import { DecideWithdrawal, type ReviewedWithdrawal } from '../application/decide-withdrawal.js';
import { WithdrawalRisk, type ShownRisk } from '../application/withdrawal-risk.js';
import { PlaceWithdrawal } from '../application/place-withdrawal.js';
import {
  CancelWithdrawalBody,
  ApproveWithdrawalBody,
  DecideWithdrawalBody,
  WithdrawalListQuery,
  WithdrawBody,
} from '../application/fields.js';
import { reviewedWithdrawal } from './answers.js';

/** Withdrawals, by their owners and by operators (api §2.2, §2.12). */
@Controller()
export class WithdrawalController {
  constructor(
    private readonly place: PlaceWithdrawal,
    private readonly decide: DecideWithdrawal,
    private readonly risk: WithdrawalRisk,
  ) {}

  @Call(
    {
      method: 'POST',
      path: '/api/wallet/out',
      auth: 'user',
      gates: ['out'],
      money: true,
      rate: 'withdraw',
      breaker: 'withdraw',
    },
    {
      summary: 'Withdraw to a bound address',
      answer: notice('wallet.outSubmitted', { id: orderId, withdrawal }),
      refuses: [
        'wallet.lessMin',
        'wallet.protocol',
        'wallet.addressInvalid',
        'wallet.memoRequired',
        'wallet.addressNotBound',
        'wallet.addressCooling',
        'wallet.blocked',
        'wallet.dayLimit',
        'market.stale',
        'login.totpRequired',
        'login.totpWrong',
        'fund.wrong',
        'fund.locked',
        'balance.insufficient',
      ],
    },
  )
  out(@CurrentCaller() caller: Caller, @Body() fields: WithdrawBody, @Context() context: CallContext): Promise<Notice> {
    return this.place.execute(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/wallet/out_cancel', auth: 'user', money: true, whileFrozen: true },
    {
      summary: 'Cancel a withdrawal under review',
      answer: notice('wallet.outCancelled'),
      refuses: ['common.notFound', 'wallet.state'],
    },
  )
  cancel(
    @CurrentCaller() caller: Caller,
    @Body() fields: CancelWithdrawalBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.decide.cancel(caller.userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/wallet/out_list', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Own withdrawals', answer: message(dataPage(withdrawal)) },
  )
  list(
    @CurrentCaller() caller: Caller,
    @Query() fields: CoinListQuery,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<Withdrawal>> {
    return this.decide.ofUser(caller.userId, fields, lang);
  }

  @Call(
    { method: 'GET', path: '/api/admin/withdrawals', auth: 'operator', role: 'finance' },
    {
      summary: 'List all withdrawals; those under review have facts and risk hints',
      answer: message(dataPage(reviewedWithdrawal)),
    },
  )
  async all(
    @Query() fields: WithdrawalListQuery,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<ReviewedWithdrawal & { readonly risk: ShownRisk | null }>> {
    const found = await this.decide.all(fields, lang);
    return { ...found, data: await this.risk.added(found.data) };
  }

  @Call(
    { method: 'POST', path: '/api/admin/withdrawals/approve', auth: 'operator', role: 'finance' },
    {
      summary: 'Approve a withdrawal',
      answer: notice(['admin.withdrawalApproved', 'admin.secondNeeded']),
      refuses: ['common.notFound', 'wallet.state', 'auth.frozen', 'market.stale', 'admin.samePerson'],
    },
  )
  approve(@CurrentCaller() caller: Caller, @Body() fields: ApproveWithdrawalBody): Promise<Notice> {
    return this.decide.approve(caller, fields);
  }

  @Call(
    { method: 'POST', path: '/api/admin/withdrawals/reject', auth: 'operator', role: 'finance' },
    {
      summary: 'Refuse a withdrawal; its hold is released',
      answer: notice('admin.withdrawalRejected'),
      refuses: ['common.notFound', 'wallet.state'],
    },
  )
  reject(
    @CurrentCaller() caller: Caller,
    @Body() fields: DecideWithdrawalBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.decide.reject(caller, fields, context);
  }
}
