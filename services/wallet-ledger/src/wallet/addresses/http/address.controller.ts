import { Body, Controller } from '@nestjs/common';
import { boundAddress, type BoundAddress } from '@bourse/contract';
import { Call, type Caller, CurrentCaller, message, Notice, notice } from '@bourse/platform';
import { CoinBody } from '../../shared/application/fields.js';
import * as z from 'zod/mini';
import { BoundAddresses } from '../application/bound-addresses.js';
import { RemoveAddressBody, SignAddressBody } from '../application/fields.js';

/** Bound withdrawal addresses (api §2.2). The middleware binds them. */
@Controller()
export class AddressController {
  constructor(private readonly addresses: BoundAddresses) {}

  @Call(
    { method: 'POST', path: '/api/wallet/get_address', auth: 'user', rate: 'read', whileFrozen: true },
    {
      summary: 'Own bound withdrawal addresses of a coin',
      answer: message(z.array(boundAddress)),
      refuses: ['common.notFound'],
    },
  )
  list(@CurrentCaller() caller: Caller, @Body() fields: CoinBody): Promise<BoundAddress[]> {
    return this.addresses.list(caller.userId, this.addresses.known(fields.currency));
  }

  @Call(
    { method: 'POST', path: '/api/wallet/sign_draw_address', auth: 'user' },
    {
      summary: 'Get the signed fields of BindDrawAddress',
      answer: message(z.object({ data: z.string(), signature: z.string() })),
      refuses: ['common.notFound', 'wallet.addressInvalid', 'wallet.memoRequired', 'set.enterCode'],
    },
  )
  sign(@CurrentCaller() caller: Caller, @Body() fields: SignAddressBody): { data: string; signature: string } {
    return this.addresses.sign(caller.userId, fields);
  }

  @Call(
    { method: 'POST', path: '/api/wallet/deladdress', auth: 'user' },
    { summary: 'Delete a bound address', answer: notice('wallet.addressRemoved'), refuses: ['common.notFound'] },
  )
  async remove(@CurrentCaller() caller: Caller, @Body() fields: RemoveAddressBody): Promise<Notice> {
    await this.addresses.remove(caller.userId, fields.addressId);
    return new Notice('wallet.addressRemoved');
  }
}
