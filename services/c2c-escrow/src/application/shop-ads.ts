import { Injectable } from '@nestjs/common';
import { FIAT_SCALES, type Ad as ShownAd, type DataPage, type ShopPage } from '@bourse/contract';
import { numberFor } from '@bourse/formulas';
import { FundGate } from '@bourse/messaging';
import type { Units } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Refused, type CallContext, type Caller, type Notice, type WrittenAmount } from '@bourse/platform';
import { PRICE_SCALE, type Ad, type AdType, type Fiat, type PayWay } from '../domain/ad.js';
import type { DealState } from '../domain/deal.js';
import { adRefusal, numberRefusal, type BoundsRefusal, type Shop } from '../domain/shop.js';
import { C2cAds, type Offer } from './c2c-ads.js';
import { C2cTakes, type TakeRules } from './c2c-takes.js';
import { DealLists, readerOf } from './deal-lists.js';
import type { Page } from './deal-ports.js';
import { named, ShopCatalog } from './shop-catalog.js';
import { ShopStore } from './shop-ports.js';
import { ShopViews } from './shop-views.js';
import { Shops } from './shops.js';

const DEFAULT_MINUTES = 1_440;
/** Most ads that the page of a shop shows. */
const SHOWN_ADS = 100;

/** What a shop offers; each field refuses when it is read. */
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
/** What somebody takes of an ad: coins, or as many as an amount of fiat buys. */
export interface ShopTaking {
  readonly adId: number;
  /** One of the two; with both the number counts. */
  readonly number?: WrittenAmount | undefined;
  readonly money?: WrittenAmount | undefined;
  readonly password?: string | undefined;
}
export interface ShopDealFilter {
  readonly shopId: number;
  readonly type?: AdType | undefined;
  readonly states?: readonly DealState[] | undefined;
}

const PARAMS = { maxBelowMin: 'min', belowMin: 'min', aboveMax: 'max', aboveSurplus: 'surplus' } as const;
/** A refusal that names its limit (rules §12.8). */
const refused = ({ code, limit }: BoundsRefusal, scale: number, field: string): Refused =>
  new Refused(`legal.${code}`, { [PARAMS[code]]: named(limit, scale) }, { field });

/** How many coins a shop's deal is about: within the ad's bounds, then within what is left. */
export const shopRules = ({ number, money }: Pick<ShopTaking, 'number' | 'money'>): TakeRules => ({
  kind: 'shop',
  readFields: () => {
    if (!number && !money) throw new Refused('legal.numberRequired', {}, { field: 'number' });
  },
  numberOf: (ad) => {
    const field = number ? 'number' : 'money';
    const wanted = number ? number.units(ad.scale) : coinsFor(ad, (money as WrittenAmount).units(ad.fiatScale));
    const refusal = numberRefusal({ min: ad.min, max: ad.max, surplus: ad.surplus }, wanted);
    if (refusal) throw refused(refusal, ad.scale, field);
    return wanted;
  },
});
const coinsFor = (ad: Ad, money: Units): bigint =>
  numberFor(money, ad.fiatScale, ad.price as Units, PRICE_SCALE, ad.scale);

/** Ads of shops, paid from the merchant account, and deals on them; otherwise as C2C (rules §6). */
@Injectable()
export class ShopAds {
  constructor(
    private readonly shops: Shops,
    private readonly store: ShopStore,
    private readonly views: ShopViews,
    private readonly catalog: ShopCatalog,
    private readonly ads: C2cAds,
    private readonly takes: C2cTakes,
    private readonly lists: DealLists,
    private readonly fund: FundGate,
  ) {}

  /** @throws Refused in the order of rules §12.8, and as the ledger says */
  send(caller: Caller, fields: ShopOffer, context: CallContext): Promise<Notice> {
    const offer = async (): Promise<Offer> => {
      const shop = await this.shops.ownOf(caller, fields.shopId);
      refuseUnlessOpen(shop);
      const offered = this.offerOf(shop, fields);
      await this.fund.demand(caller.userId, fields.password);
      return offered;
    };
    // A shop that is closed at the same moment gets no ad.
    const check = async (tx: Tx): Promise<void> => refuseUnlessOpen(await this.store.lock(tx, fields.shopId));
    return this.ads.publish(caller.userId, typeOf(fields), context, offer, check);
  }

  private offerOf(shop: Shop, fields: ShopOffer): Offer {
    const coin = this.catalog.coin(shop.currencyId);
    const { id: currencyId, name: currencyName, scale } = coin;
    const total = fields.totalNumber.units(scale);
    const min = fields.minNumber.units(scale);
    const max = fields.maxNumber.units(scale);
    const refusal = adRefusal({ min, max, total }, this.catalog.limit(shop.level, coin));
    if (refusal) throw refused(refusal, scale, refusal.code === 'aboveSurplus' ? 'min_number' : 'max_number');
    const price = fields.price.units(PRICE_SCALE);
    const { way, coinCode, type, limitMinutes = DEFAULT_MINUTES } = fields;
    return {
      ...{ kind: 'shop', type, ownerAccount: 'merchant', shopId: shop.id, level: shop.level },
      ...{ currencyId, currencyName, scale, coinCode, fiatScale: FIAT_SCALES[coinCode], price, way },
      ...{ total, min, max, limitMinutes },
    };
  }

  /** Off the shelf. @throws Refused `common.notFound`, `c2c.hasDeals`, `c2c.state` */
  back(userId: number, adId: number, password: string | undefined, context: CallContext): Promise<Notice> {
    return this.ads.withdraw(userId, adId, password, context, { kind: 'shop', notice: 'legal.withdrawn' });
  }

  /** @throws Refused in the order of rules §12.8, then as a C2C deal */
  take(userId: number, fields: ShopTaking, context: CallContext): Promise<Notice> {
    return this.takes.take(userId, fields.adId, fields.password, shopRules(fields), context);
  }

  /** Own ads, also those that are off the shelf. @throws Refused `common.noPermission`, `common.notFound` */
  async ownAds(caller: Caller, shopId: number, type: AdType | undefined, page: Page): Promise<DataPage<ShownAd>> {
    await this.shops.ownOf(caller, shopId);
    const filter = { kind: 'shop', shopId, type, states: ['shelf', 'off', 'sold'] } as const;
    return this.lists.adsOf(filter, page, caller.userId);
  }

  /** Deals on own ads. @throws Refused `common.noPermission`, `common.notFound` */
  async ownDeals(caller: Caller, { shopId, type, states }: ShopDealFilter, page: Page) {
    await this.shops.ownOf(caller, shopId);
    const filter = { kind: 'shop', ownerId: caller.userId, shopId, type, states } as const;
    return this.lists.dealsOf(filter, page, readerOf(caller, caller.lang));
  }

  /** A shop as everybody sees it, with its ads. @throws Refused `common.notFound` for one that is not open */
  async page(shopId: number, viewerId: number | undefined): Promise<ShopPage> {
    const shop = await this.store.find(shopId);
    if (shop?.state !== 'open') throw new Refused('common.notFound', {}, { field: 'id' });
    const first = { page: 1, size: SHOWN_ADS, offset: 0 };
    const [[view], { data }] = await Promise.all([
      this.views.open([shop]),
      this.lists.market({ kind: 'shop', shopId }, first, viewerId),
    ]);
    return { ...view!, ads: data };
  }
}

function refuseUnlessOpen(shop: Shop | null): void {
  if (shop?.state !== 'open') throw new Refused('legal.notOpen', {}, { field: 'shop_id' });
}

/** The type, if it can be read: its refusal comes in its place of the order. */
function typeOf(fields: ShopOffer): AdType | undefined {
  try {
    return fields.type;
  } catch {
    return undefined;
  }
}
