import {
  Amount,
  CatalogId,
  Code,
  Default,
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
  Time,
  UnderKey,
  wordReader,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';
import { EQUITY_DAYS_MAX } from './equity-history.js';

/*
 * Fields of the wallet's calls (api §2.2, §2.12, §2.13, §3), each class in the order of rules §12.9. Fields that are
 * checked after the coin or its networks are `late`.
 */

const ADDRESS_MAX = 200;

const STATES = ['review', 'sending', 'done', 'failed', 'cancelled'] as const;
const DEPOSIT_STATES = ['seen', 'held', 'credited', 'returned'] as const;

export class CoinBody {
  @CatalogId() currency!: number;
}
/** Days of an equity curve. */
const EQUITY_DAYS = { 7: 7, 30: 30, 90: 90, 365: EQUITY_DAYS_MAX } as const;
export class EquityQuery {
  @Default<number>(30, wordReader(EQUITY_DAYS, {})) days!: number;
}
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
export class CoinListQuery {
  @CatalogId({ optional: true }) currency?: number;
  @PageOf(20) page!: Page;
}

@UnderKey()
export class WithdrawBody {
  @Text('wallet.addressRequired', { max: 120 }) address!: string;
  @Amount('wallet.numberRequired') number!: WrittenAmount;
  @CatalogId() currency!: number;
  @Given({ about: 'Id of a network; needed where the coin has several' }) type?: string;
  @Given({ about: 'Needed on networks that have one' }) memo?: string;
  @Given({ about: 'Fund password' }) payPassword?: string;
  @GivenCode({ about: 'Code of the authenticator, where one is on' }) totpCode?: string;
}
@UnderKey()
export class CancelWithdrawalBody {
  @Id() id!: string;
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
  @Given({ about: 'Memo or tag, where the network of the deposit has them' }) memo?: string;
  @Reason() reason!: string;
}
/** A claim has an idempotency key like a money call: its refusals are stored under the key too. */
@UnderKey()
export class ClaimBody {
  @Amount({ missing: 'common.fieldRequired' }) amount!: WrittenAmount;
  @CatalogId() currency!: number;
  @Name({ max: 100, about: 'Transaction or sender' }) account!: string;
}

export class WithdrawalListQuery {
  @Id({ optional: true, about: 'This one alone' }) id?: string | undefined;
  @OneOf(STATES, { optional: true }) state?: (typeof STATES)[number];
  @RowId({ min: 1, optional: true, about: 'Of one person alone' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class DecideWithdrawalBody {
  @Id() id!: string;
  @Reason() reason!: string;
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

export class JournalQuery {
  @RowId({ optional: true }) userId?: number;
  @Text({ max: 40, pattern: /^[a-z_]+$/, optional: true }) causeType?: string;
  @Text({ max: 100, pattern: /^[A-Za-z0-9:/_.-]+$/, optional: true }) causeId?: string;
  @Time({ optional: true }) from?: number;
  @Time({ optional: true, about: 'The named second belongs to it' }) to?: number;
  @PageOf(50) page!: Page;
}

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
