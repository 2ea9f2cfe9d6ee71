import {
  Amount,
  CatalogId,
  Given,
  GivenCode,
  Id,
  Integer,
  Means,
  Name,
  OneOf,
  PageOf,
  Reason,
  RowId,
  Text,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';
import { ADDRESS_MAX } from '../../shared/application/fields.js';

/*
 * Fields of the calls about deposits and claims, each class in the order of rules §12.9. Fields that are
 * checked after the coin or its networks are `late`.
 */

const DEPOSIT_STATES = ['seen', 'held', 'credited', 'returned'] as const;
/** A coin on one of its networks. */
export class CoinNetworkBody {
  @CatalogId() currency!: number;
  @CatalogId('wallet.protocol', { optional: true, late: true, about: 'Id of a network; absent: the first' })
  type?: number;
}
export class OwnAddressesBody {
  @Integer({ field: 'pageSize', min: 1, max: 100, optional: true }) size?: number;
  @Text({ max: 100, optional: true, about: 'Part of the name of a coin' }) keywords?: string;
}
@UnderKey()
export class ReturnDepositBody {
  @Id() id!: string;
  @Text({ max: ADDRESS_MAX }) address!: string;
  @Given({ about: 'Fund password' }) password?: string;
  @GivenCode({ about: 'Code of the authenticator, where one is on' }) totpCode?: string;
}
/** An operator returns a deposit without an owner. */
export class ReturnUnownedBody {
  @Id() id!: string;
  @Text({ max: ADDRESS_MAX }) address!: string;
  @Given({ about: 'Memo or tag, if the network of the deposit has them' }) memo?: string;
  @Reason() reason!: string;
}
/** A claim has an idempotency key like a money call: its refusals are stored under the key too. */
@UnderKey()
export class ClaimBody {
  @Amount({ missing: 'common.fieldRequired' }) amount!: WrittenAmount;
  @CatalogId() currency!: number;
  @Name({ max: 100, about: 'Transaction or sender' }) account!: string;
}
export class WatchedDepositsQuery {
  @Id({ optional: true, about: 'This one alone' }) id?: string | undefined;
  @OneOf(DEPOSIT_STATES, { optional: true }) state?: (typeof DEPOSIT_STATES)[number];
  @RowId({ min: 1, optional: true, about: 'Of one person alone' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class ReviewedClaimsQuery {
  @Means({ 1: 1, 2: 2, 3: 3, 4: 4 } as const, {
    optional: true,
    about: '1 to be decided, 2 linked to a deposit, 3 refused, 4 closed',
  })
  status?: 1 | 2 | 3 | 4;
  @RowId({ min: 1, optional: true, about: 'Of one person alone' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class DecideClaimBody {
  @Id() id!: string;
  @Means({ 2: 2, 3: 3, 4: 4 } as const, { about: '2 linked to a deposit, 3 refused, 4 closed' }) status!: 2 | 3 | 4;
  @Id({ field: 'deposit_id', late: true }) depositId!: string;
  @Reason() reason!: string;
}
