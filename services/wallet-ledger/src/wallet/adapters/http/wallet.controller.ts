import { Controller } from '@nestjs/common';
import type { CoinBalance, DataPage, HoldLine, Transfer, UserCurrency, WalletList } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  readInteger,
  readOptionalInteger,
  readPage,
  Refused,
  Reply,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { Statement } from '../../../ledger/application/statement/statement.js';
import { TransferBetweenAccounts } from '../../../ledger/application/transfer.js';
import { WalletView } from '../../application/wallet-view.js';

/** Balances and transfers (api §2.2). */
@Controller()
export class WalletController {
  constructor(
    private readonly view: WalletView,
    private readonly statement: Statement,
    private readonly transfer: TransferBetweenAccounts,
  ) {}

  @Call({ method: 'POST', path: '/api/wallet/list', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true })
  list(@CurrentCaller() caller: Caller): Promise<WalletList> {
    return this.view.list(caller.userId, caller.accountNumber);
  }

  @Call({ method: 'GET', path: '/api/wallet/list', auth: 'user', rate: 'read', apiKey: 'read' })
  listByGet(@CurrentCaller() caller: Caller): Promise<WalletList> {
    return this.list(caller);
  }

  @Call({ method: 'POST', path: '/api/wallet/detail', auth: 'user', rate: 'read', apiKey: 'read', whileFrozen: true })
  async detail(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Reply> {
    const coin: CoinBalance | null = await this.view.detail(caller.userId, readInteger(fields, 'currency'));
    if (!coin) throw new Refused('common.notFound', {}, { field: 'currency' });
    const isOpen = this.view.isOpen();
    return new Reply({ ...coin, is_open_CTbi: isOpen }, { is_open_CTbi: isOpen });
  }

  @Call({ method: 'GET', path: '/api/currency/user_currency_list', auth: 'user', rate: 'read', apiKey: 'read' })
  userCurrencies(@CurrentCaller() caller: Caller): Promise<UserCurrency[]> {
    return this.view.ofUser(caller.userId);
  }

  @Call({ method: 'POST', path: '/api/wallet/change', auth: 'user', money: true, rate: 'transfer' })
  change(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.transfer.execute(caller.userId, fields, context);
  }

  @Call({ method: 'GET', path: '/api/wallet/hzhistory', auth: 'user', rate: 'read', apiKey: 'read' })
  transfers(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<DataPage<Transfer>> {
    return this.statement.transfers(caller.userId, readPage(fields, 30));
  }

  @Call({ method: 'GET', path: '/api/wallet/holds', auth: 'user', rate: 'read', apiKey: 'read' })
  holds(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<HoldLine[]> {
    return this.statement.holds(caller.userId, readOptionalInteger(fields, 'currency'), context.lang);
  }
}
