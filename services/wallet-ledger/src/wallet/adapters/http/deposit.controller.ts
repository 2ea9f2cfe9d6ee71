import { Controller } from '@nestjs/common';
import type { ChargeReq, CoinInfo, DataPage, Deposit } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  Reply,
  type CallContext,
  type Caller,
  type FieldRecord,
  type Raw,
} from '@bourse/platform';
import { Claims, type ReviewedClaim } from '../../application/deposits/claims.js';
import { DepositAddresses } from '../../application/deposits/deposit-addresses.js';
import { DepositList, type WatchedDeposit } from '../../application/deposits/deposit-list.js';
import { ReturnDeposit } from '../../application/deposits/return-deposit.js';
import { middlewareAnswer } from './middleware-answer.js';

/** Deposits, their addresses and claims (api §2.2, §2.12, §3). */
@Controller()
export class DepositController {
  constructor(
    private readonly addresses: DepositAddresses,
    private readonly deposits: DepositList,
    private readonly claims: Claims,
    private readonly returns: ReturnDeposit,
  ) {}

  @Call({
    method: 'POST',
    path: '/api/wallet/get_in_address',
    auth: 'user',
    needsOpen: true,
    rate: 'read',
    whileFrozen: true,
  })
  async address(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Reply> {
    const { address, extra } = await this.addresses.forCoin(caller.userId, fields);
    return new Reply(address, { ...extra });
  }

  @Call({ method: 'GET', path: '/api/money/rechange', auth: 'user', needsOpen: true, rate: 'read' })
  async ethereum(@CurrentCaller() caller: Caller): Promise<{ company_eth_address: string }> {
    return { company_eth_address: await this.addresses.ethereum(caller.userId) };
  }

  @Call({
    method: 'POST',
    path: '/upi/usdt/account',
    auth: 'user',
    apiKey: 'none',
    rate: 'read',
    raw: true,
    whileFrozen: true,
  })
  async accounts(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    return middlewareAnswer(lang, { data: await this.addresses.accounts(caller.userId, fields) });
  }

  @Call({ method: 'POST', path: '/api/wallet/get_info', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true })
  info(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<CoinInfo> {
    return this.addresses.info(caller.userId, fields);
  }

  @Call({ method: 'GET', path: '/api/wallet/deposits', auth: 'user', rate: 'read', apiKey: 'read' })
  list(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<DataPage<Deposit>> {
    return this.deposits.ofUser(caller.userId, fields);
  }

  @Call({
    method: 'POST',
    path: '/api/wallet/deposit_return',
    auth: 'user',
    needsFund: true,
    money: true,
    rate: 'withdraw',
    breaker: 'withdraw',
  })
  back(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.returns.execute(caller.userId, fields, context);
  }

  @Call({ method: 'POST', path: '/api/wallet/charge_req', auth: 'user', needsOpen: true, rate: 'transfer' })
  claim(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.claims.make(caller.userId, fields, context);
  }

  @Call({ method: 'GET', path: '/api/wallet/charge_list', auth: 'user', rate: 'read', apiKey: 'read' })
  claimList(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<DataPage<ChargeReq>> {
    return this.claims.ofUser(caller.userId, fields);
  }

  @Call({ method: 'GET', path: '/api/admin/deposits', auth: 'operator', role: 'finance' })
  allDeposits(@Fields() fields: FieldRecord): Promise<DataPage<WatchedDeposit>> {
    return this.deposits.all(fields);
  }

  @Call({ method: 'GET', path: '/api/admin/charge_reqs', auth: 'operator', role: 'finance' })
  allClaims(@Fields() fields: FieldRecord): Promise<DataPage<ReviewedClaim>> {
    return this.claims.all(fields);
  }

  @Call({ method: 'POST', path: '/api/admin/charge_reqs/decide', auth: 'operator', role: 'finance' })
  decide(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    return this.claims.decide(caller, fields);
  }
}
