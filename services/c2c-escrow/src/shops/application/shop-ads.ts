import { Injectable } from '@nestjs/common';
import { FIAT_SCALES, type Ad as ShownAd, type DataPage, type ShopPage } from '@bourse/contract';
import { numberFor } from '@bourse/formulas';
import { FundGate } from '@bourse/messaging';
import type { Units } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Refused, type CallContext, type Caller, type Notice, type WrittenAmount, type Page } from '@bourse/platform';
import { PRICE_SCALE, type Ad, type AdType, type Fiat, type PayWay } from '../../deals/domain/ad.js';
import type { DealState } from '../../deals/domain/deal.js';
import { checkAdBounds, checkDealNumber, type BoundsRefusal, type Shop } from '../domain/shop.js';
import { AdCommands, type Offer } from '../../deals/application/ad-commands.js';
import { DealOpening, type TakeRules } from '../../deals/application/deal-opening.js';
import { DealLists, toReader } from '../../deals/application/lists.js';
import { AMOUNT_SCALE } from '../../deals/application/settings.js';
import { formatAmount, ShopCatalog } from './catalog.js';
import { ShopStore } from './ports.js';
import { ShopViews } from './views.js';
import { Shops } from './shops.js';

const DEFAULT_MINUTES = 1_440;
/** No fiat currency has more decimals. */
const MONEY_SCALE = Math.max(...Object.values(FIAT_SCALES));
/** Maximum number of ads on the page of a shop. */
const PAGE_ADS_MAX = 100;

/** Fields of a shop's ad; each field refuses when it is read. */
export interface ShopOffer {
  readonly shopId: number;
  readonly totalNumber: WrittenAmount;
  readonly minNumber: WrittenAmount;
  readonly maxNumber: WrittenAmount;
  readonly price: WrittenAmount;
  readonly way: PayWay;
  readonly coinCode: Fiat;
  readonly type: AdType;
  readonly limitMinutes?: number | undefined;
  readonly password?: string | undefined;
}
/** Fields of a deal on a shop's ad: coins, or an amount of fiat that buys them. */
export interface TakeFields {
  readonly adId: number;
  /** One of the two is required; with both the number counts. */
  readonly number?: WrittenAmount | undefined;
  readonly money?: WrittenAmount | undefined;
  readonly password?: string | undefined;
}
export interface ShopDealFilter {
  readonly shopId: number;
  readonly type?: AdType | undefined;
  readonly states?: readonly DealState[] | undefined;
}

const LIMIT_PARAMS = { maxBelowMin: 'min', belowMin: 'min', aboveMax: 'max', aboveSurplus: 'surplus' } as const;
/** A refusal with its limit (rules §12.8). */
const toRefused = ({ code, limit }: BoundsRefusal, scale: number, field: string): Refused =>
  new Refused(`legal.${code}`, { [LIMIT_PARAMS[code]]: formatAmount(limit, scale) }, { field });

/** Rules of shops: the number lies within the ad's bounds, then within its surplus. */
export const toShopRules = ({ number, money }: Pick<TakeFields, 'number' | 'money'>): TakeRules => ({
  kind: 'shop',
  checkFields: () => {
    if (!number && !money) throw new Refused('legal.numberRequired', {}, { field: 'number' });
    // The ad is not known yet: at the largest scales, and then at its own.
    if (number) number.units(AMOUNT_SCALE);
    else money?.units(MONEY_SCALE);
  },
  readNumber: (ad) => {
    const field = number ? 'number' : 'money';
    const wanted = number ? number.units(ad.scale) : calculateCoins(ad, (money as WrittenAmount).units(ad.fiatScale));
    const refusal = checkDealNumber({ min: ad.min, max: ad.max, surplus: ad.surplus }, wanted);
    if (refusal) throw toRefused(refusal, ad.scale, field);
    return wanted;
  },
});
const calculateCoins = (ad: Ad, money: Units): bigint =>
  numberFor(money, ad.fiatScale, ad.price as Units, PRICE_SCALE, ad.scale);

/** Ads of shops, paid from the merchant account, and deals on them; otherwise as C2C (rules §6). */
@Injectable()
export class ShopAds {
  constructor(
    private readonly shops: Shops,
    private readonly store: ShopStore,
    private readonly views: ShopViews,
    private readonly catalog: ShopCatalog,
    private readonly adCommands: AdCommands,
    private readonly opening: DealOpening,
    private readonly lists: DealLists,
    private readonly fund: FundGate,
  ) {}

  /** @throws Refused in the order of rules §12.8, and as the ledger refuses */
  publish(caller: Caller, fields: ShopOffer, context: CallContext): Promise<Notice> {
    const offer = async (): Promise<Offer> => {
      const shop = await this.shops.requireOwnAsSeller(caller, fields.shopId);
      refuseUnlessOpen(shop);
      const offered = this.readOffer(shop, fields);
      await this.fund.demand(caller.userId, fields.password);
      return offered;
    };
    // A shop that closes concurrently gets no ad.
    const check = async (tx: Tx): Promise<void> => refuseUnlessOpen(await this.store.lock(tx, fields.shopId));
    return this.adCommands.publish(caller.userId, context, offer, check);
  }

  private readOffer(shop: Shop, fields: ShopOffer): Offer {
    const coin = this.catalog.requireCoin(shop.currencyId);
    const { id: currencyId, name: currencyName, scale } = coin;
    const total = fields.totalNumber.units(scale);
    const min = fields.minNumber.units(scale);
    const max = fields.maxNumber.units(scale);
    const refusal = checkAdBounds({ min, max, total }, this.catalog.dealLimit(shop.level, coin));
    if (refusal) throw toRefused(refusal, scale, refusal.code === 'aboveSurplus' ? 'min_number' : 'max_number');
    const price = fields.price.units(PRICE_SCALE);
    const { way, coinCode, type, limitMinutes = DEFAULT_MINUTES } = fields;
    return {
      ...{ kind: 'shop', type, ownerAccount: 'merchant', shopId: shop.id, level: shop.level },
      ...{ currencyId, currencyName, scale, coinCode, fiatScale: FIAT_SCALES[coinCode], price, way },
      ...{ total, min, max, limitMinutes },
    };
  }

  /** Withdraws an ad. @throws Refused `common.notFound`, `c2c.hasDeals`, `c2c.state` */
  withdraw(userId: number, adId: number, password: string | undefined, context: CallContext): Promise<Notice> {
    return this.adCommands.withdraw(userId, adId, password, context, { kind: 'shop', notice: 'legal.withdrawn' });
  }

  /** @throws Refused in the order of rules §12.8, then as a C2C deal */
  takeAd(userId: number, fields: TakeFields, context: CallContext): Promise<Notice> {
    return this.opening.takeAd(userId, fields.adId, fields.password, toShopRules(fields), context);
  }

  /** Own ads, including those off the shelf. @throws Refused `common.noPermission`, `common.notFound` */
  async listOwnAds(caller: Caller, shopId: number, type: AdType | undefined, page: Page): Promise<DataPage<ShownAd>> {
    await this.shops.requireOwnAsSeller(caller, shopId);
    const filter = { kind: 'shop', shopId, type, states: ['shelf', 'off', 'sold'] } as const;
    return this.lists.listAds(filter, page, caller.userId);
  }

  /** Deals on own ads, in the language of the call. @throws Refused `common.noPermission`, `common.notFound` */
  async listOwnDeals(caller: Caller, { shopId, type, states }: ShopDealFilter, page: Page, lang: CallContext['lang']) {
    await this.shops.requireOwnAsSeller(caller, shopId);
    const filter = { kind: 'shop', ownerId: caller.userId, shopId, type, states } as const;
    return this.lists.listDeals(filter, page, toReader(caller, lang));
  }

  /** An open shop with its ads, as everybody sees it. @throws Refused `common.notFound` unless it is open */
  async findPage(shopId: number, viewerId: number | undefined): Promise<ShopPage> {
    const shop = await this.store.find(shopId);
    if (shop?.state !== 'open') throw new Refused('common.notFound', {}, { field: 'id' });
    const first = { page: 1, size: PAGE_ADS_MAX, offset: 0 };
    const [[view], { data }] = await Promise.all([
      this.views.toPublicViews([shop]),
      this.lists.listMarket({ kind: 'shop', shopId }, first, viewerId),
    ]);
    return { ...view!, ads: data };
  }
}

function refuseUnlessOpen(shop: Shop | null): void {
  if (shop?.state !== 'open') throw new Refused('legal.notOpen', {}, { field: 'shop_id' });
}
