import { Body, Controller, Query } from '@nestjs/common';
import {
  coinBalance,
  equityHistory,
  flag,
  holdLine,
  orderId,
  transfer,
  userCurrency,
  walletList,
  type CoinBalance,
  type DataPage,
  type EquityHistory,
  type HoldLine,
  type Transfer,
  type UserCurrency,
  type WalletList,
} from '@bourse/contract';
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
  Refused,
  reply,
  Reply,
} from '@bourse/platform';
import { HoldsQuery, TransferBody, TransferListQuery } from '../../../ledger/application/fields.js';
import { EquityHistories } from '../application/equity-history.js';
import { CoinBody } from '../../shared/application/fields.js';
import * as z from 'zod/mini';
import { Statement } from '../../../ledger/application/statement/statement.js';
import { TransferBetweenAccounts } from '../../../ledger/application/transfer.js';
import { WalletView } from '../application/wallet-view.js';
import { EquityQuery } from '../application/fields.js';

/** Balances and transfers (api §2.2). */
@Controller()
export class WalletController {
  constructor(
    private readonly view: WalletView,
    private readonly statement: Statement,
    private readonly transfer: TransferBetweenAccounts,
    private readonly equities: EquityHistories,
  ) {}

  @Call(
    { method: 'POST', path: '/api/wallet/list', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    { summary: 'Own balances by account', answer: message(walletList) },
  )
  list(@CurrentCaller() caller: Caller): Promise<WalletList> {
    return this.view.list(caller.userId, caller.accountNumber);
  }

  @Call(
    { method: 'GET', path: '/api/wallet/list', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Own balances by account', answer: message(walletList) },
  )
  listByGet(@CurrentCaller() caller: Caller): Promise<WalletList> {
    return this.list(caller);
  }

  @Call(
    { method: 'POST', path: '/api/wallet/detail', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true },
    {
      summary: 'Own balances of one coin',
      answer: reply(z.extend(coinBalance, { is_open_CTbi: flag }), { is_open_CTbi: flag }),
      refuses: ['common.notFound'],
    },
  )
  async detail(@CurrentCaller() caller: Caller, @Body() fields: CoinBody): Promise<Reply> {
    const coin: CoinBalance | null = await this.view.detail(caller.userId, fields.currency);
    if (!coin) throw new Refused('common.notFound', {}, { field: 'currency' });
    const isOpen = this.view.isOpen();
    return new Reply({ ...coin, is_open_CTbi: isOpen }, { is_open_CTbi: isOpen });
  }

  @Call(
    { method: 'GET', path: '/api/currency/user_currency_list', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Coins with own balances', answer: message(z.array(userCurrency)) },
  )
  userCurrencies(@CurrentCaller() caller: Caller): Promise<UserCurrency[]> {
    return this.view.ofUser(caller.userId);
  }

  @Call(
    { method: 'POST', path: '/api/wallet/change', auth: 'user', money: true, rate: 'transfer' },
    {
      summary: 'Move an amount between two own accounts',
      answer: notice('transfer.success', { id: orderId }),
      refuses: ['transfer.same', 'transfer.notSupported', 'lever.transferRisk', 'market.stale', 'balance.insufficient'],
    },
  )
  change(
    @CurrentCaller() caller: Caller,
    @Body() fields: TransferBody,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.transfer.execute(caller.userId, fields, context);
  }

  @Call(
    { method: 'GET', path: '/api/wallet/hzhistory', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'Own transfers', answer: message(dataPage(transfer)) },
  )
  transfers(@CurrentCaller() caller: Caller, @Query() fields: TransferListQuery): Promise<DataPage<Transfer>> {
    return this.statement.transfers(caller.userId, fields.page);
  }

  @Call(
    { method: 'GET', path: '/api/wallet/equity', auth: 'user', rate: 'history', apiKey: 'read' },
    { summary: 'Worth and profit of all own accounts by day', answer: message(equityHistory) },
  )
  equity(@CurrentCaller() caller: Caller, @Query() fields: EquityQuery): Promise<EquityHistory> {
    return this.equities.of(caller.userId, fields.days);
  }

  @Call(
    { method: 'GET', path: '/api/wallet/holds', auth: 'user', rate: 'read', apiKey: 'read' },
    { summary: 'List holds on own balances with their reasons', answer: message(z.array(holdLine)) },
  )
  holds(
    @CurrentCaller() caller: Caller,
    @Query() fields: HoldsQuery,
    @Context() context: CallContext,
  ): Promise<HoldLine[]> {
    return this.statement.holds(caller.userId, fields.currency, context.lang);
  }
}
