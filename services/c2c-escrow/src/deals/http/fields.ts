import { COIN_CODES, WAYS, type CoinCode, type Way } from '@bourse/contract';
import { formatTrimmed } from '@bourse/money';
import {
  Amount,
  CatalogId,
  Given,
  Id,
  Integer,
  Means,
  OneOf,
  PageOf,
  Reason,
  RowId,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';
import type { AdState, AdType } from '../domain/ad.js';
import type { DealState } from '../domain/deal.js';

const TYPES = ['buy', 'sell'] as const;
/** `is_sure` of the contract; `0|3`: unfinished. */
export const SURE = {
  0: ['unpaid'],
  1: ['finished'],
  2: ['cancelled'],
  3: ['paid'],
  '0|3': ['unpaid', 'paid'],
} as const satisfies Record<string, readonly DealState[]>;
export const STATUS = { 1: ['shelf'], 2: ['off'], 3: ['sold'] } as const satisfies Record<string, readonly AdState[]>;

/** Fields of a new ad; the use case reads them in the order of rules §12.8. */
@UnderKey()
export class SendBody {
  @Amount('c2c.numberRequired') totalNumber!: WrittenAmount;
  @Amount('c2c.priceRequired', { about: 'Fiat for one coin' }) price!: WrittenAmount;
  @OneOf(WAYS, { key: 'c2c.wayRequired', late: true }) way!: Way;
  @OneOf(COIN_CODES, { key: 'c2c.coinRequired', late: true }) coinCode!: CoinCode;
  @OneOf(TYPES, { late: true, about: 'What the owner does' }) type!: AdType;
  @CatalogId({ min: 1, late: true, about: 'Id of the coin' }) currencyId!: number;
  @Integer({ min: 15, max: 1_440, optional: true, late: true, about: 'Time to pay; absent: 1440' })
  limitMinutes?: number | undefined;
  @Amount({ optional: true, zero: true, about: 'The least number of a deal' }) minNumber?: WrittenAmount | undefined;
  @Amount({ optional: true, about: 'The largest number of a deal' }) maxNumber?: WrittenAmount | undefined;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
@UnderKey()
export class AdBody {
  @RowId('common.notFound', { field: 'id', missing: 'common.fieldRequired', about: 'Id of the ad' }) adId!: number;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
@UnderKey()
export class TakeBody {
  @RowId('common.notFound', { field: 'id', missing: 'common.fieldRequired', about: 'Id of the ad' }) adId!: number;
  @Amount({ optional: true, about: 'Coins; absent: all that remain' }) number?: WrittenAmount | undefined;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
@UnderKey()
export class DealActBody {
  @Id() id!: string;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
@UnderKey()
export class PayBody {
  @Id() id!: string;
  @Given({ about: 'Address of an uploaded picture that proves the payment' }) proof?: string | undefined;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}

/** Decimals of fiat amounts in a filter, in every currency. */
const MONEY_SCALE = 2;
/** Reads the fiat of a filter as decimal text. @throws Refused for more decimals than any fiat has */
export const readFiat = (money: WrittenAmount | undefined): string | undefined =>
  money?.text === undefined ? undefined : formatTrimmed(money.units(MONEY_SCALE), MONEY_SCALE);

export class MarketQuery {
  @OneOf(TYPES, { about: 'Of the ads: who buys reads `sell`' }) type!: AdType;
  @PageOf(10) page!: Page;
  @CatalogId({ min: 1 }) currencyId!: number;
  @OneOf(COIN_CODES, { optional: true }) coinCode?: CoinCode | undefined;
  @OneOf(WAYS, { optional: true }) way?: Way | undefined;
  @Amount({ optional: true, about: 'Fiat amount within the limits of an ad' }) money?: WrittenAmount | undefined;
}
export class OwnAdsQuery {
  @OneOf(TYPES, { optional: true }) type?: AdType | undefined;
  @PageOf(10) page!: Page;
  @CatalogId({ min: 1, optional: true }) currencyId?: number | undefined;
}
export class TakenQuery {
  @PageOf(10) page!: Page;
  @Means(SURE, { field: 'is_sure', optional: true }) states?: readonly DealState[] | undefined;
}
export class SoldQuery {
  @CatalogId({ min: 1, optional: true }) currencyId?: number | undefined;
  @PageOf(10) page!: Page;
  @OneOf(TYPES, { optional: true }) type?: AdType | undefined;
  @Means(SURE, { field: 'is_sure', optional: true }) states?: readonly DealState[] | undefined;
}
export class AdDealsQuery {
  @PageOf(10) page!: Page;
  @RowId('common.notFound', { field: 'id', missing: 'common.fieldRequired', about: 'Id of an own ad' }) adId!: number;
}
export class DealQuery {
  @Id() id!: string;
}

export class AdminDealsQuery {
  @PageOf(20) page!: Page;
  @Id({ optional: true, about: 'This one alone' }) id?: string | undefined;
  @RowId({ min: 1, optional: true, about: 'One of the two parties' }) userId?: number | undefined;
  @RowId({ min: 1, optional: true }) adId?: number | undefined;
  @Means({ c2c: 'c2c', shop: 'shop' } as const, { optional: true }) kind?: 'c2c' | 'shop' | undefined;
  @OneOf(TYPES, { optional: true }) type?: AdType | undefined;
  @CatalogId({ min: 1, optional: true }) currencyId?: number | undefined;
  @Means(SURE, { field: 'is_sure', optional: true }) states?: readonly DealState[] | undefined;
}
export class AdminAdsQuery {
  @PageOf(20) page!: Page;
  @RowId({ min: 1, optional: true, about: 'The owner' }) userId?: number | undefined;
  @Means({ c2c: 'c2c', shop: 'shop' } as const, { optional: true }) kind?: 'c2c' | 'shop' | undefined;
  @OneOf(TYPES, { optional: true }) type?: AdType | undefined;
  @CatalogId({ min: 1, optional: true }) currencyId?: number | undefined;
  @Means(STATUS, { field: 'status', optional: true }) states?: readonly AdState[] | undefined;
}
export class AdOffBody {
  @RowId('common.notFound', { field: 'id', missing: 'common.fieldRequired', about: 'Id of the ad' }) adId!: number;
  @Reason() reason!: string;
}
