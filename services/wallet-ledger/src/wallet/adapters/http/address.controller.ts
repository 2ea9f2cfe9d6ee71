import { Controller } from '@nestjs/common';
import type { BoundAddress } from '@bourse/contract';
import { Call, CurrentCaller, Fields, Notice, readInteger, type Caller, type FieldRecord } from '@bourse/platform';
import { BoundAddresses } from '../../application/addresses/bound-addresses.js';

/** Bound withdrawal addresses (api §2.2). They are bound through the middleware. */
@Controller()
export class AddressController {
  constructor(private readonly addresses: BoundAddresses) {}

  @Call({ method: 'POST', path: '/api/wallet/get_address', auth: 'user', rate: 'read', whileFrozen: true })
  list(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<BoundAddress[]> {
    return this.addresses.list(caller.userId, this.addresses.readCurrency(fields));
  }

  @Call({ method: 'POST', path: '/api/wallet/sign_draw_address', auth: 'user' })
  sign(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): { data: string; signature: string } {
    return this.addresses.sign(caller.userId, fields);
  }

  @Call({ method: 'POST', path: '/api/wallet/deladdress', auth: 'user' })
  async remove(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    await this.addresses.remove(caller.userId, readInteger(fields, 'address_id'));
    return new Notice('wallet.addressRemoved');
  }
}
