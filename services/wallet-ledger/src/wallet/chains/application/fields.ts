import { Amount, CatalogId, Given, Integer, Text, type WrittenAmount } from '@bourse/platform';
import { ADDRESS_MAX } from '../../shared/application/fields.js';

/*
 * Fields of the calls about simulated chains, each class in the order of rules §12.9. Fields that are
 * checked after the coin or its networks are `late`.
 */

export class DevDepositBody {
  @Text({ max: ADDRESS_MAX }) address!: string;
  @Amount({ field: 'number', missing: 'common.fieldRequired' }) amount!: WrittenAmount;
  @CatalogId({ late: true }) currency!: number;
  @CatalogId('wallet.protocol', { optional: true, late: true }) type?: number;
  @Given() memo?: string;
  @Text({ max: ADDRESS_MAX, optional: true, late: true }) contractAddress?: string;
  @Text({ max: ADDRESS_MAX, pattern: /^[A-Za-z0-9_:-]+$/, optional: true, late: true }) txId?: string;
}
export class DevBlocksBody {
  @Integer({ min: 1, max: 100 }) count!: number;
}
