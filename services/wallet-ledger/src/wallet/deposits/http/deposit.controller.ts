import { Body, Controller, Query } from '@nestjs/common';
import {
  accountAddresses,
  chargeReq,
  coinInfo,
  depositAddressExtra,
  deposit,
  orderId,
  type ChargeReq,
  type CoinInfo,
  type DataPage,
  type Deposit,
} from '@bourse/contract';
import {
  Call,
  type CallContext,
  type Caller,
  coded,
  Context,
  CurrentCaller,
  dataPage,
  message,
  Notice,
  notice,
  type Raw,
  reply,
  Reply,
} from '@bourse/platform';
import { CoinBody, CoinListQuery } from '../../shared/application/fields.js';
import * as z from 'zod/mini';
import { Claims, type ReviewedClaim } from '../application/claims.js';
import { DepositAddresses } from '../application/deposit-addresses.js';
import { DepositList, type WatchedDeposit } from '../application/deposit-list.js';
import { ReturnDeposit } from '../application/return-deposit.js';
import { UnownedDeposits } from '../application/unowned-deposits.js';
import { middlewareAnswer } from '../../shared/http/middleware-answer.js';
import {
  ClaimBody,
  CoinNetworkBody,
  DecideClaimBody,
  OwnAddressesBody,
  ReturnDepositBody,
  ReturnUnownedBody,
  ReviewedClaimsQuery,
  WatchedDepositsQuery,
} from '../application/fields.js';
import { reviewedClaim, watchedDeposit } from './answers.js';

/** Deposits, their addresses and claims (api §2.2, §2.12, §3). */
@Controller()
export class DepositController {
  constructor(
    private readonly addresses: DepositAddresses,
    private readonly deposits: DepositList,
    private readonly claims: Claims,
    private readonly returns: ReturnDeposit,
    private readonly unowned: UnownedDeposits,
  ) {}

  @Call(
    {
      method: 'POST',
      path: '/api/wallet/get_in_address',
      auth: 'user',
      needsOpen: true,
      rate: 'read',
      whileFrozen: true,
    },
    {
      summary: 'Get the own deposit address of a coin; it is the message',
      answer: reply(z.string(), depositAddressExtra.shape),
      refuses: ['noopen', 'wallet.protocol'],
    },
  )
  async address(
    @CurrentCaller() caller: Caller,
    @Body() fields: CoinNetworkBody,
    @Context() { lang }: CallContext,
  ): Promise<Reply> {
    const { address, extra } = await this.addresses.forCoin(caller.userId, fields, lang);
    return new Reply(address, { ...extra });
  }

  @Call(
    { method: 'GET', path: '/api/money/rechange', auth: 'user', needsOpen: true, rate: 'read' },
    {
      summary: 'Own deposit address on Ethereum',
      answer: message(z.object({ company_eth_address: z.string() })),
      refuses: ['noopen'],
    },
  )
  async ethereum(@CurrentCaller() caller: Caller): Promise<{ company_eth_address: string }> {
    return { company_eth_address: await this.addresses.ethereum(caller.userId) };
  }

  @Call(
    {
      method: 'POST',
      path: '/upi/usdt/account',
      auth: 'user',
      apiKey: 'none',
      rate: 'read',
      raw: true,
      whileFrozen: true,
    },
    {
      summary: 'Own deposit addresses by coin',
      answer: coded(z.object({ list: z.array(accountAddresses), total: z.int() })),
    },
  )
  async accounts(
    @CurrentCaller() caller: Caller,
    @Body() fields: OwnAddressesBody,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    return middlewareAnswer(lang, { data: await this.addresses.accounts(caller.userId, fields) });
  }

  @Call(
    { method: 'POST', path: '/api/wallet/get_info', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Balances and networks of a coin', answer: message(coinInfo), refuses: ['common.notFound'] },
  )
  info(@CurrentCaller() caller: Caller, @Body() fields: CoinBody): Promise<CoinInfo> {
    return this.addresses.info(caller.userId, fields);
  }

  @Call(
    { method: 'GET', path: '/api/wallet/deposits', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Own deposits', answer: message(dataPage(deposit)) },
  )
  list(@CurrentCaller() caller: Caller, @Query() fields: CoinListQuery): Promise<DataPage<Deposit>> {
    return this.deposits.ofUser(caller.userId, fields);
  }

  @Call(
    {
      method: 'POST',
      path: '/api/wallet/deposit_return',
      auth: 'user',
      needsFund: true,
      money: true,
      rate: 'withdraw',
      breaker: 'withdraw',
    },
    {
      summary: 'Send back a deposit that is too small',
      answer: notice('wallet.depositReturned'),
      refuses: [
        'wallet.addressInvalid',
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
  back(
    @CurrentCaller() caller: Caller,
    @Body() fields: ReturnDepositBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.returns.execute(caller.userId, fields, context);
  }

  @Call(
    { method: 'POST', path: '/api/wallet/charge_req', auth: 'user', needsOpen: true, rate: 'transfer' },
    {
      summary: 'Claim that a deposit is missing; credits nothing',
      answer: notice('wallet.chargeReceived', { id: orderId }),
      refuses: ['noopen', 'common.notFound'],
    },
  )
  claim(@CurrentCaller() caller: Caller, @Body() fields: ClaimBody, @Context() context: CallContext): Promise<Notice> {
    return this.claims.make(caller.userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/wallet/charge_list', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Own claims', answer: message(dataPage(chargeReq)) },
  )
  claimList(@CurrentCaller() caller: Caller, @Query() fields: CoinListQuery): Promise<DataPage<ChargeReq>> {
    return this.claims.ofUser(caller.userId, fields);
  }

  @Call(
    { method: 'GET', path: '/api/admin/deposits', auth: 'operator', role: 'finance' },
    { summary: 'All deposits', answer: message(dataPage(watchedDeposit)) },
  )
  allDeposits(@Query() fields: WatchedDepositsQuery): Promise<DataPage<WatchedDeposit>> {
    return this.deposits.all(fields);
  }

  @Call(
    { method: 'POST', path: '/api/admin/deposits/return', auth: 'operator', role: 'finance' },
    {
      summary: 'Return a deposit without an owner, less the network fee, when a second operator approves',
      answer: notice('admin.approvalWaiting', { approval_id: z.int() }),
      refuses: ['common.notFound', 'wallet.addressInvalid'],
    },
  )
  sendBack(@CurrentCaller() caller: Caller, @Body() fields: ReturnUnownedBody): Promise<Notice> {
    return this.unowned.requestReturn(caller, fields);
  }

  @Call(
    { method: 'GET', path: '/api/admin/charge_reqs', auth: 'operator', role: 'finance' },
    { summary: 'All claims', answer: message(dataPage(reviewedClaim)) },
  )
  allClaims(@Query() fields: ReviewedClaimsQuery): Promise<DataPage<ReviewedClaim>> {
    return this.claims.all(fields);
  }

  @Call(
    { method: 'POST', path: '/api/admin/charge_reqs/decide', auth: 'operator', role: 'finance' },
    {
      summary: 'Decide a claim; a deposit without an owner is assigned after approval by a second operator',
      answer: notice(['admin.chargeDecided', 'admin.approvalWaiting'], {
        id: z.optional(orderId),
        approval_id: z.optional(z.int()),
      }),
      refuses: ['common.notFound', 'admin.decided'],
    },
  )
  decide(@CurrentCaller() caller: Caller, @Body() fields: DecideClaimBody): Promise<Notice> {
    return this.claims.decide(caller, fields);
  }
}
