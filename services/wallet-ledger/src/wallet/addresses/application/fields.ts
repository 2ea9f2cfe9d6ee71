import { Code, Given, RowId, Text } from '@bourse/platform';

/*
 * Fields of the calls about addresses, each class in the order of rules §12.9. Fields that are
 * checked after the coin or its networks are `late`.
 */

export class SignAddressBody {
  @Text('wallet.addressRequired', { max: 120 }) address!: string;
  @Text() coinName!: string;
  @Given() contractAddress?: string;
  @Given() memo?: string;
  @Code('set.enterCode', { max: 16, late: true }) verificationCode!: string;
}
export class RemoveAddressBody {
  @RowId() addressId!: number;
}
export class SendAddressCodeQuery {
  @Given({ about: 'The caller’s own id' }) userId?: string;
}
export class DrawAddressQuery {
  @Given({ about: 'The caller’s own id' }) userId?: string;
  @Text({ late: true }) coinName!: string;
  @Given() contractAddress?: string;
}
export class BindAddressBody {
  @Given({ about: 'JSON text of the seven fields (api §3)' }) data?: string;
  @Given({ about: 'Lower-case hex HMAC-SHA256 of their canonical text' }) signature?: string;
}
