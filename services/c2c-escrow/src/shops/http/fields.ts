import { COIN_CODES, WAYS, type CoinCode, type Way } from '@bourse/contract';
import {
  Amount,
  CatalogId,
  Flag,
  Given,
  Integer,
  Means,
  Name,
  OneOf,
  PageOf,
  Reason,
  RowId,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';
import type { AdType } from '../../deals/domain/ad.js';
import type { DealState } from '../../deals/domain/deal.js';
import { SHOP_LEVELS, type ShopLevel, type ShopState } from '../domain/shop.js';
import { SURE } from '../../deals/http/fields.js';

const TYPES = ['buy', 'sell'] as const;
const AD_ID = { field: 'id', missing: 'common.fieldRequired', about: 'Id of the ad' } as const;

/** Letters, digits and signs of any script, and the joiners that some of them need; no line breaks. */
const NAME = /^[\P{C}\u200C\u200D]+$/u;

@UnderKey()
export class ShopApplyBody {
  @Name({ min: 2, max: 30, pattern: NAME }) name!: string;
  @CatalogId({ min: 1, about: 'Id of the coin' }) currencyId!: number;
  @OneOf(SHOP_LEVELS) level!: ShopLevel;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
@UnderKey()
export class MerchantTransferBody {
  @RowId({ min: 1, about: 'Id of an own shop' }) shopId!: number;
  @Amount() number!: WrittenAmount;
  @OneOf(['in', 'out']) direction!: 'in' | 'out';
  @Given({ about: 'Fund password' }) password?: string | undefined;
}

@UnderKey()
export class ShopCloseBody {
  @RowId({ min: 1, about: 'Id of an own shop' }) shopId!: number;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}

/** Fields of a new ad; the use case reads them in the order of rules §12.8. */
@UnderKey()
export class ShopSendBody {
  @RowId({ min: 1, about: 'Id of an own shop' }) shopId!: number;
  @Amount('legal.numberRequired') totalNumber!: WrittenAmount;
  @Amount('legal.minRequired', { about: 'The least number of a deal' }) minNumber!: WrittenAmount;
  @Amount('legal.maxRequired', { about: 'The largest number of a deal' }) maxNumber!: WrittenAmount;
  @Amount('c2c.priceRequired', { about: 'Fiat for one coin' }) price!: WrittenAmount;
  @OneOf(WAYS, { key: 'c2c.wayRequired', late: true }) way!: Way;
  @OneOf(COIN_CODES, { key: 'c2c.coinRequired', late: true }) coinCode!: CoinCode;
  @OneOf(TYPES, { late: true, about: 'What the shop does' }) type!: AdType;
  @Integer({ min: 15, max: 1_440, optional: true, late: true, about: 'Time to pay; absent: 1440' })
  limitMinutes?: number | undefined;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
@UnderKey()
export class ShopAdBody {
  @RowId('common.notFound', AD_ID) adId!: number;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
@UnderKey()
export class ShopDealBody {
  @RowId('common.notFound', AD_ID) adId!: number;
  @Amount('common.fieldInvalid', { optional: true, about: 'Coins; this or money' })
  number?: WrittenAmount | undefined;
  @Amount('common.fieldInvalid', { optional: true, about: 'Fiat amount for which coins are bought' })
  money?: WrittenAmount | undefined;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}

export class ShopMarketQuery {
  @OneOf(TYPES, { about: 'Of the ads: who buys reads `sell`' }) type!: AdType;
  @CatalogId({ min: 1 }) currencyId!: number;
  @OneOf(COIN_CODES, { optional: true }) coinCode?: CoinCode | undefined;
  @OneOf(WAYS, { optional: true }) way?: Way | undefined;
  @Amount({ optional: true, about: 'Fiat amount within the limits of an ad' }) money?: WrittenAmount | undefined;
  @PageOf(10) page!: Page;
}
export class ShopQuery {
  @RowId('common.notFound', { missing: 'common.fieldRequired' }) id!: number;
}
export class ShopAdsQuery {
  @RowId({ min: 1, about: 'Id of an own shop' }) shopId!: number;
  @OneOf(TYPES, { optional: true }) type?: AdType | undefined;
  @PageOf(10) page!: Page;
}
export class ShopDealsQuery {
  @RowId({ min: 1, about: 'Id of an own shop' }) shopId!: number;
  @OneOf(TYPES, { optional: true }) type?: AdType | undefined;
  @Means(SURE, { field: 'is_sure', optional: true }) states?: readonly DealState[] | undefined;
  @PageOf(10) page!: Page;
}

export class ShopsQuery {
  @PageOf(20) page!: Page;
  @Means({ 0: 'review', 1: 'open', 2: 'refused', 3: 'closed' }, { field: 'status', optional: true })
  state?: Exclude<ShopState, 'waiting' | 'closing'> | undefined;
  @RowId({ min: 1, optional: true, about: 'The owner' }) userId?: number | undefined;
}
@UnderKey()
export class ShopDecideBody {
  @RowId({ min: 1 }) id!: number;
  @Flag() pass!: boolean;
  @OneOf(SHOP_LEVELS, { optional: true }) level?: ShopLevel | undefined;
  @Reason() reason!: string;
}
