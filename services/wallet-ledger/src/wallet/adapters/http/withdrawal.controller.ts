import { Controller } from '@nestjs/common';
import type { DataPage, Withdrawal } from '@bourse/contract';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  Notice,
  type CallContext,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { DecideWithdrawal, type ReviewedWithdrawal } from '../../application/withdrawals/decide-withdrawal.js';
import { PlaceWithdrawal } from '../../application/withdrawals/place-withdrawal.js';

/** Withdrawals, by their owners and by operators (api §2.2, §2.12). */
@Controller()
export class WithdrawalController {
  constructor(
    private readonly place: PlaceWithdrawal,
    private readonly decide: DecideWithdrawal,
  ) {}

  @Call({
    method: 'POST',
    path: '/api/wallet/out',
    auth: 'user',
    gates: ['out'],
    money: true,
    rate: 'withdraw',
    breaker: 'withdraw',
  })
  out(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.place.execute(caller.userId, fields, context);
  }

  @Call({ method: 'POST', path: '/api/wallet/out_cancel', auth: 'user', money: true, whileFrozen: true })
  cancel(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() context: CallContext,
  ): Promise<Notice> {
    return this.decide.cancel(caller.userId, fields, context);
  }

  @Call({ method: 'GET', path: '/api/wallet/out_list', auth: 'user', rate: 'read', apiKey: 'read' })
  list(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() { lang }: CallContext,
  ): Promise<DataPage<Withdrawal>> {
    return this.decide.ofUser(caller.userId, fields, lang);
  }

  @Call({ method: 'GET', path: '/api/admin/withdrawals', auth: 'operator', role: 'finance' })
  all(@Fields() fields: FieldRecord, @Context() { lang }: CallContext): Promise<DataPage<ReviewedWithdrawal>> {
    return this.decide.all(fields, lang);
  }

  @Call({ method: 'POST', path: '/api/admin/withdrawals/approve', auth: 'operator', role: 'finance' })
  approve(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    return this.decide.approve(caller, fields);
  }

  @Call({ method: 'POST', path: '/api/admin/withdrawals/reject', auth: 'operator', role: 'finance' })
  reject(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    return this.decide.reject(caller, fields);
  }
}
